package iser_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// TestTshark puts the PDUs of a capture into plain iSCSI, which tshark reads, and compares the fields. To those of the
// capture it adds one of each kind that is not there.
func TestTshark(t *testing.T) {
	tools.Require(t, "tshark")
	ours := make(ulptest.Reading)
	file := ulptest.NewFile(t)
	c := conversation.New("10.0.0.1:40000", "10.0.0.2:3260").Connect()
	c.MSS = 1 << 15
	add := func(p *iser.PDU) {
		from := conversation.Client
		if p.Opcode.FromTarget() {
			from = conversation.Server
		}
		c.Send(from, p.Octets[p.Framing.Len():])
		frame := file.Add(t, c)
		ours.TakeBody(frame, p)
		if p.Opcode == iser.OpReject {
			delete(ours[frame], "iscsi.initiatortasktag") // tshark gives that of the PDU that was rejected
		}
	}
	r := ulptest.Recorder{OnUpper: func(m *record.Upper) { add(m.Body.(*iser.PDU)) }}
	r.Run(t, ulptest.Captures+"iser.pcap.gz", iser.Layer)
	for _, octets := range others {
		var p iser.PDU
		if !p.Decode(octets, uint64(len(octets)), iser.Expanded) {
			t.Fatalf("% x was not decoded", octets)
		}
		add(&p)
	}
	compared := ours.Compare(t, ulptest.Tshark(t, file.Path, iser.Tables, "-Y", "iscsi"))
	for _, name := range []string{
		"iscsi.opcode", "iscsi.I", "iscsi.initiatortasktag", "iscsi.datasegmentlength", "iscsi.totalahslength",
		"iscsi.scsicommand.R", "iscsi.scsicommand.W", "iscsi.scsicommand.attr",
		"iscsi.scsicommand.expecteddatatransferlength", "iscsi.cmdsn", "iscsi.expstatsn",
		"iscsi.statsn", "iscsi.expcmdsn", "iscsi.maxcmdsn", "iscsi.targettransfertag",
		"iscsi.scsiresponse.response", "iscsi.scsiresponse.status", "iscsi.scsiresponse.residualcount",
		"iscsi.login.T", "iscsi.login.csg", "iscsi.login.status", "iscsi.tsih", "iscsi.cid", "iscsi.logout.reason",
		"iscsi.logout.response", "iscsi.time2wait", "iscsi.taskmanfun.function", "iscsi.taskmanfun.response",
		"iscsi.taskmanfun.referencedtasktag", "iscsi.reject.reason", "iscsi.asyncevent", "iscsi.parameter3",
		"iscsi.r2tsn", "iscsi.desireddatalength", "iscsi.datasn", "iscsi.bufferOffset", "iscsi.scsidata.readresidualcount",
	} {
		if compared[name] == 0 {
			t.Errorf("%s was never compared", name)
		}
	}
}
