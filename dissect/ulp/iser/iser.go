// Package iser reads iSER, the iSCSI extensions for RDMA (RFC 7145): the iSCSI PDUs in messages of a Send type, with the STags
// in the header before them, and the Hello messages.
//
// An initiator sends commands, the target sends responses. The target moves the data of a command by RDMA Writes and Reads of
// the initiator's memory that the iSER header names, or the data follows the command in its PDU: there are no Data-In or R2T
// PDUs. Login may come before MPA, as in RFC 5046, or in iSER messages, as in the Linux kernel; Hellos may be omitted.
//
// [Layer] is an upper layer for a judge.Judge, which then reports
//
//   - a record.Upper for each message, named "SCSI Command READ(10) itt=0x23000000 lun=0 lba=64 blocks=8 Read STag
//     0x286c5611"; its Body is a *[PDU];
//   - a Transaction of UpperTransaction for each task, at its response, named "SCSI READ(10)" or "iSCSI Login"; its Upper is
//     an *[Exchange], its Octets are the data moved by RDMA or in PDUs.
//
// Sources: RFC 7145, section 9 (iSER headers); RFC 5046, section 9 (their shorter form); RFC 7143, section 11 (iSCSI
// PDUs); the SCSI standards SAM, SPC and SBC (commands and status).
package iser

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// Layer is iSER.
var Layer = &ulp.Layer{
	Name:          ulpName,
	Ports:         ports,
	Tables:        Tables,
	Shared:        []string{"iscsi.initiatortasktag", "iscsi.scsicommand."},
	Recognise:     recognise,
	Private:       private,
	PrivateTables: []*field.Table{privateData},
	Terms: []ulp.Term{{Name: "iSER", Aka: []string{"iSCSI Extensions for RDMA", "iSCSI"}, Title: "iSCSI over RDMA",
		Text:    "Control PDUs travel in Sends, data by RDMA Write and Read with the STags that the initiator of iSCSI advertises in each command.",
		See:     []string{"Advertisement", "SendInvalidate"},
		Sources: []string{"RFC 7145"}}},
}

const ulpName = "iSER"

// ports are the TCP ports registered for iSCSI.
var ports = []uint16{860, 3260}

// recognise recognises a connection on one of the ports by the Private Data of iSER in both MPA frames, and any connection by
// a message whose headers agree with its length.
func recognise(c *flow.Conn, send *record.Message, payload []byte) ulp.Follower {
	if send == nil {
		usual := c.Requested && c.Replied && slices.Contains(ports, c.Server.Port())
		if usual && isPrivateData(c.Request.ULPPrivateData()) && isPrivateData(c.Reply.ULPPrivateData()) {
			return newFollower()
		}
		return nil
	}
	if !pending.Readable(send) {
		return nil
	}
	var p PDU
	if p.Decode(payload, send.Len, Unframed); p.exact && p.fromInitiator() == (send.Dir == flow.C2S) {
		return newFollower()
	}
	return nil
}

// privateData describes the Private Data of iSER in MPA frames: what its sender does not support. No RFC defines it; it is that
// of InfiniBand's Annex A12, which the Linux kernel also uses over iWARP.
var privateData = field.NewTable("iSER Private Data", proto, "InfiniBand Architecture, Annex A12",
	flag("iser.cm.zbva_not_sup", "ZBVA not supported", 0),
	flag("iser.cm.send_w_inv_not_sup", "Send with Invalidate not supported", 1),
	field.Field{Name: "iser.cm.reserved", Label: "Reserved", Off: 2, Width: 30, Base: field.Hex},
)

// private recognises the Private Data of iSER in an MPA frame on one of the ports.
func private(c *flow.Conn, f *mpa.Frame) (p record.Private, ok bool) {
	b := f.ULPPrivateData()
	if !isPrivateData(b) || !slices.Contains(ports, c.Server.Port()) {
		return p, false
	}
	return record.Private{ULP: ulpName, Part: field.Part{Table: privateData, Octets: b, Off: len(f.PrivateData) - len(b)}}, true
}

// isPrivateData reports whether b is the Private Data of an iSER peer.
func isPrivateData(b []byte) bool {
	return len(b) == privateData.Len() && privateData.Fields[2].Number(b) == 0
}
