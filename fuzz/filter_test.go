package fuzz

// The language of filters: package dissect/filter.

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
)

// filtered is events of every kind: out of captures, and with what an analysis would add.
func filtered(f *testing.F) (events []*filter.Event) {
	f.Helper()
	captured := captured(f)
	conn := new(flow.Conn)
	origin := record.Origin{Conn: conn, Span: flow.Span{Frame: 3, LastFrame: 5, Time: 1e9, LastTime: 2e9}}
	for _, b := range captured.frames[:20] {
		e := &filter.Event{StartupFrame: &record.Startup{Origin: origin, Octets: b}}
		e.StartupFrame.MPA.Decode(b)
		events = append(events, e)
	}
	findings := []*record.Finding{{Origin: origin, Severity: rules.Error, ID: "DDP-5.3-4", Name: "send-msn"}}
	upper := &record.Upper{Origin: origin, ULP: "RPC-over-RDMA", Name: "RDMA_MSG Call NFSv3 READ", ID: 7}
	for _, b := range captured.ulpdus {
		m := &record.Message{Origin: origin, Header: b, ULPDU: len(b), Segments: 1, Complete: true}
		m.First.Decode(b)
		m.Opcode = m.First.Control.Opcode
		s := &record.Segment{Origin: origin, RDMAP: m.First}
		s.FPDU.ULPDU, s.FPDU.ULPDULength = b, uint16(len(b))
		sent := &filter.Event{Message: m, Payload: m.First.Body, Findings: findings, Upper: upper}
		request := new(filter.Request)
		request.Add(sent)
		events = append(events, sent, &filter.Event{Segment: s, Request: request})
		capsule := &nvme.Capsule{}
		if capsule.Decode(1, false, b, uint64(len(b))) {
			events = append(events, &filter.Event{Message: m, Upper: &record.Upper{Body: capsule}})
		}
	}
	return append(events,
		&filter.Event{Findings: findings},
		&filter.Event{Upper: upper},
		&filter.Event{Transaction: &record.Transaction{Conn: conn, Read: rdmap.ReadRequest{SrcSTag: 9}}},
		&filter.Event{Transaction: &record.Transaction{Conn: conn, Kind: record.AtomicTransaction, Name: "FetchAdd"}},
		&filter.Event{},
	)
}

// FuzzFilter compiles any text. What does not compile says where, in a message fit for a terminal; what does matches
// all kinds of events, and as it was understood it compiles again and matches the same.
func FuzzFilter(f *testing.F) {
	events := filtered(f)
	for _, text := range []string{
		"", "type == Send", "not iwarp_ddp.stag in {0x10..0xffffffff, 5} && !(crc == bad || len >= 4096)",
		"iwarp_mpa.privatedata[4:2] contains aa:bb or iwarp_mpa.key.req[-5:] matches r\"^fr[a-z]me\\b\"",
		"all rpcordma.rdma_length != 4096 and rpc.procedure == \"READ\" and nfs.opcode !== 9",
		"src == [fd00::1]:7174 and ip.addr in {10.0.0.0/8, 127.0.0.1..127.0.0.9}",
		"time > \"2026-03-04T05:06:07\" and time < 300us",
		"finding == DDP-5.3-4 or severity > note or upper contains 'nfs' or xid == 7",
		"any tcp.port === 7174 xor", "((((conn",
		"iwarp_rdma.term_errcode == \"Access rights violation\"", "iwarp_ddp.stagg == 1",
		"upper ~ \"\\x41\\101\\u00e9[\"", "latency >= 1.5", "request.nvme.cmd.opc == Read or iscsi.scsicommand.cdb[0] == 2a",
		"request.rpc.xid in {1..9} and smb2.nt_status == STATUS_SUCCESS", "nvme.cqe.status != \"LBA Out of Range\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		compiled, err := filter.Compile(text)
		if err != nil {
			var e *filter.Error
			if !errors.As(err, &e) || e.Off < 0 || e.Len < 0 || e.Off+e.Len > len(text) {
				t.Fatalf("%q: %+v", text, err)
			}
			message := err.Error()
			if !utf8.ValidString(message) || strings.Count(message, "\n") != 2 || strings.ContainsAny(message, "\x00\x1b\r\t") {
				t.Fatalf("%q: %q", text, message)
			}
			return
		}
		understood := compiled.String()
		again, err := filter.Compile(understood)
		if err != nil && len(understood) <= filter.MaxText {
			t.Fatalf("%q was understood as %q: %v", text, understood, err)
		}
		for i, e := range events {
			matches := compiled.Match(e)
			if again != nil && matches != again.Match(e) {
				t.Fatalf("%q was understood as %q, which says otherwise of event %d", text, understood, i)
			}
		}
	})
}
