package filter_test

// Events made by hand, one of each kind.

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
)

// begin is when the capture began: 2026-03-04T05:06:07Z.
const begin = 1772600767_000_000_000

var (
	ipv4Conn = &flow.Conn{
		ID: 0, Client: netip.MustParseAddrPort("10.0.0.1:43140"), Server: netip.MustParseAddrPort("10.0.0.2:7174"),
		Agreement: rules.Agreement{CRC: true},
	}
	ipv6Conn = &flow.Conn{
		ID: 1, Client: netip.MustParseAddrPort("[fd00::1]:43141"), Server: netip.MustParseAddrPort("[fd00::2]:20049"),
	}
)

// at is the origin of an event of one frame a second.
func at(c *flow.Conn, d flow.Direction, first, last uint64) record.Origin {
	when := func(frame uint64) int64 { return begin + int64(frame-1)*1e9 }
	span := flow.Span{Frame: first, LastFrame: last, Time: when(first), LastTime: when(last)}
	return record.Origin{Conn: c, Dir: d, Span: span}
}

// ulpdu is a segment on the wire.
func ulpdu(t testing.TB, h rdmap.Header, op rdmap.Opcode, body []byte) []byte {
	t.Helper()
	h.Control = rdmap.Control{RV: 1, Opcode: op}
	s := rdmap.Segment{Header: h, Body: body}
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func untagged(qn, msn uint32) rdmap.Header {
	return rdmap.Header{Untagged: ddp.Untagged{L: true, DV: 1, QN: qn, MSN: msn}}
}

func tagged(stag uint32, to uint64) rdmap.Header {
	return rdmap.Header{T: true, Tagged: ddp.Tagged{L: true, DV: 1, STag: stag, TO: to}}
}

// message is a whole message of one segment.
func message(t testing.TB, o record.Origin, b []byte) *record.Message {
	t.Helper()
	m := &record.Message{Origin: o, Header: b, ULPDU: len(b), Segments: 1, Complete: true}
	if o.Conn == ipv4Conn {
		m.CRC = mpa.Good
	}
	if _, err := m.First.Decode(b); err != nil {
		t.Fatal(err)
	}
	m.Opcode = m.First.Control.Opcode
	m.Len = uint64(m.First.PayloadLen(len(b)))
	return m
}

// segment is one with the given ULPDU, all of which is there.
func segment(t testing.TB, o record.Origin, b []byte) *record.Segment {
	t.Helper()
	s := &record.Segment{Origin: o}
	s.FPDU = mpa.Deframed{Verdict: mpa.Good}
	s.FPDU.ULPDU, s.FPDU.ULPDULength, s.FPDU.PAD = b, uint16(len(b)), make([]byte, mpa.Pad(len(b)))
	if _, err := s.RDMAP.Decode(b); err != nil {
		t.Fatal(err)
	}
	return s
}

// rpcCall is an RPC-over-RDMA message of version 1 with one Read chunk at position 120 of two segments, and in it
// the Call of NFSv3 WRITE with AUTH_NONE.
const rpcCall = "\x00\x00\x00\x2a\x00\x00\x00\x01\x00\x00\x00\x20\x00\x00\x00\x00" +
	"\x00\x00\x00\x01\x00\x00\x00\x78\x00\x00\xa2\xc1\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x20\x00" +
	"\x00\x00\x00\x01\x00\x00\x00\x78\x00\x00\xa2\xc2\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00\x40\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x2a\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01\x86\xa3\x00\x00\x00\x03\x00\x00\x00\x07" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// handmade are the events, by name.
func handmade(t testing.TB) map[string]*filter.Event {
	t.Helper()
	request := &record.Startup{
		Origin: at(ipv4Conn, flow.C2S, 4, 4),
		Octets: []byte("MPA ID Req Frame\x40\x01\x00\x08\x00\x01\x02\x03\xff\xfe\x41\x42"),
	}
	reply := &record.Startup{
		Origin: at(ipv4Conn, flow.S2C, 5, 5),
		Octets: []byte("MPA ID Rep Frame\x50\x02\x00\x04\x00\x10\x40\x08"),
	}
	for _, f := range []*record.Startup{request, reply} {
		if _, err := f.MPA.Decode(f.Octets); err != nil {
			t.Fatal(err)
		}
	}
	read := rdmap.ReadRequest{SinkSTag: 1, SinkTO: 2, RDMARDSZ: 4096, SrcSTag: 0xa2c1, SrcTO: 1 << 40}
	readBody, _ := read.AppendBinary(nil)

	write := message(t, at(ipv4Conn, flow.C2S, 6, 9),
		ulpdu(t, tagged(0xdeadbeef, 0x1000), rdmap.OpWrite, make([]byte, 10)))
	write.Len, write.Segments, write.CRC, write.BadCRCs = 9000, 7, mpa.Bad, 1
	sized := message(t, at(ipv4Conn, flow.S2C, 10, 10), ulpdu(t, untagged(1, 1), rdmap.OpReadRequest, readBody))
	send := message(t, at(ipv6Conn, flow.C2S, 11, 11), ulpdu(t, untagged(0, 3), rdmap.OpSendSE, []byte(rpcCall)))
	send.Complete, send.Missing = false, 4

	// A Terminate about a Write: RDMAP, Remote Protection Error, Access rights violation, with the header of the Write.
	culprit := ulpdu(t, tagged(0x77, 0), rdmap.OpWrite, nil)
	terminate := message(t, at(ipv4Conn, flow.S2C, 12, 12), ulpdu(t, untagged(2, 1), rdmap.OpTerminate,
		append([]byte{0x01, 0x02, 0xc0, 0, 0, 18}, culprit...)))

	sent := segment(t, at(ipv4Conn, flow.C2S, 13, 14), ulpdu(t, untagged(0, 9), rdmap.OpSend, []byte("abc")))
	sent.FPDU.CRC = 0x04030201

	finding := &record.Finding{
		Origin: at(ipv4Conn, flow.C2S, 20, 20), Severity: rules.Error,
		ID: "DDP-5.3-4", Also: []string{"DDP-5.3-5"}, Name: "send-msn",
	}
	observation := &record.Finding{
		Origin: at(ipv4Conn, flow.S2C, 12, 12), Severity: rules.Note, ID: "OBS-TERMINATE", Name: "terminate",
	}
	call := &record.Upper{
		Origin: send.Origin, ULP: "RPC-over-RDMA", Name: "RDMA_MSG Call NFSv3 WRITE", ID: 42, Len: 128,
	}
	transaction := &record.Transaction{
		Conn: ipv4Conn, Dir: flow.S2C, Kind: record.ReadTransaction, Name: "RDMA Read", ID: 1, Octets: 4096,
		Outcome: record.Answered,
		Request: sized.Span, Response: at(ipv4Conn, flow.C2S, 15, 16).Span, Read: read,
	}
	return map[string]*filter.Event{
		"request":     {Start: begin, StartupFrame: request},
		"reply":       {Start: begin, StartupFrame: reply},
		"write":       {Start: begin, Message: write},
		"read":        {Start: begin, Message: sized},
		"send":        {Start: begin, Message: send, Payload: []byte(rpcCall), Upper: call},
		"terminate":   {Start: begin, Message: terminate, Findings: []*record.Finding{observation}},
		"segment":     {Start: begin, Segment: sent},
		"finding":     {Start: begin, Findings: []*record.Finding{finding}},
		"upper":       {Start: begin, Upper: call},
		"transaction": {Start: begin, Transaction: transaction},
		"nothing":     {Start: begin},
	}
}

// nvmeRead is a capsule of an I/O Queue: Read of namespace 5, 8 blocks from 0x1000 on, into memory with key 0x11223344;
// nvmeFailure the completion that says: LBA Out of Range, do not retry.
var (
	nvmeRead = []byte("\x02\x40\x12\x00\x05\x00\x00\x00" + strings.Repeat("\x00", 16) +
		"\x00\x10\x00\x00\x00\x00\x00\x00\x00\x10\x00\x44\x33\x22\x11\x4f" +
		"\x00\x10\x00\x00\x00\x00\x00\x00\x07\x00" + strings.Repeat("\x00", 14))
	nvmeFailure = []byte("\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x12\x00\x01\x81")
)

// capsules are the messages with these, by name; the completion knows its request.
func capsules(t testing.TB) map[string]*filter.Event {
	t.Helper()
	event := func(d flow.Direction, b []byte) *filter.Event {
		c := new(nvme.Capsule)
		if !c.Decode(1, d == flow.S2C, b, uint64(len(b))) {
			t.Fatalf("%x is not a capsule", b)
		}
		m := message(t, at(ipv6Conn, d, 30, 30), ulpdu(t, untagged(0, 4), rdmap.OpSend, b))
		return &filter.Event{Start: begin, Message: m, Upper: &record.Upper{Origin: m.Origin, Body: c}}
	}
	command, failure := event(flow.C2S, nvmeRead), event(flow.S2C, nvmeFailure)
	failure.Request = new(filter.Request)
	failure.Request.Add(command)
	return map[string]*filter.Event{"command": command, "failure": failure}
}
