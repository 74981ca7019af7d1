package dissect_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

var plain = mpa.Frame{Rev: 1}

// sendMany sends n small Sends from the client.
func (t *talk) sendMany(n int) *talk {
	for range n {
		t.each(client, t.send(client, payload[:10], 10))
	}
	return t
}

// TestClosedConnectionsGoFirst checks that an idle iWARP connection is not given up for others that are over.
func TestClosedConnectionsGoFirst(t *testing.T) {
	k := startTalk(plain, plain)
	k.sendMany(1)
	early := len(k.Records)
	k.sendMany(10)
	k.Close(client)
	records := k.Records[:early:early]
	for i := range 50 {
		other := conversation.New(fmt.Sprintf("10.0.0.3:%d", 1000+i), "10.0.0.4:80")
		other.Connect().Send(client, []byte("GET /")).Close(client)
		records = append(records, other.Records...)
	}
	records = append(records, k.Records[early:]...)
	j := &journal{}
	e := dissect.NewEngine(j, dissect.Options{MaxConnections: 3})
	for i := range records {
		records[i].Frame = uint64(i + 1)
		e.Packet(&records[i])
	}
	e.Close()
	if c := &j.conns[0]; c.Traffic[0].Messages[rdmap.OpSend] != 11 || c.End != flow.EndFIN || e.Totals().GivenUp != 0 {
		t.Errorf("%d Sends, ended %v, gave up %d", c.Traffic[0].Messages[rdmap.OpSend], c.End, e.Totals().GivenUp)
	}
}

// TestStrays checks that a SYN or an RST that does not belong to a connection does not end it.
func TestStrays(t *testing.T) {
	for name, change := range map[string]func(r *pcaps.Record){
		"a SYN with another sequence number": func(r *pcaps.Record) { flags(r)[0] = 0x02 },
		"an RST far out of the window":       func(r *pcaps.Record) { flags(r)[0] = 0x14 },
	} {
		k := startTalk(plain, plain)
		k.sendMany(3)
		stray := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Begin(3_000_000_000, 0).Ack(client)
		change(&stray.Records[0])
		k.Records = append(k.Records, stray.Records...)
		k.sendMany(5)
		k.Close(client)
		j := dissectRecords(k.Records)
		if len(j.conns) != 1 || j.conns[0].Traffic[0].Messages[rdmap.OpSend] != 8 || j.conns[0].End != flow.EndFIN {
			t.Errorf("%s: %q", name, j.lines)
		}
	}
}

// flags are the octet of TCP flags of a packet without payload, and what follows it.
func flags(r *pcaps.Record) []byte { return r.Data[len(r.Data)-7:] }

// TestRSTWithText checks that the octets of a reset, which may be a text for people, are not part of the stream.
func TestRSTWithText(t *testing.T) {
	k := startTalk(plain, plain)
	k.sendMany(2)
	k.Send(client, []byte("that went wrong"))
	b := k.Records[len(k.Records)-1].Data
	b[len(b)-15-7] = 0x14
	expect(t, dissectRecords(k.Records), `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6 0 c2s Send 10 in 1
		7 0 c2s Send 10 in 1
		conn 0 ends: reset`)
}

// TestPortsUsedAgainWhileOpen looks at a new connection on the ports of one whose end was not captured: its SYN is
// believed when the other side answers it, or when its data comes.
func TestPortsUsedAgainWhileOpen(t *testing.T) {
	for name, drop := range map[string]int{"with the answer": -1, "without the answer": 1} {
		k := startTalk(plain, plain)
		k.sendMany(1)
		again := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
		again.Begin(5_000_000, 7_000_000).Connect()
		again.negotiate(plain, plain)
		again.sendMany(2)
		if drop >= 0 {
			again.Records = append(again.Records[:drop:drop], again.Records[drop+1:]...)
		}
		k.Records = append(k.Records, again.Records...)
		j := dissectRecords(k.Records)
		if len(j.conns) != 2 || j.conns[0].Traffic[0].Messages[rdmap.OpSend] != 1 || j.conns[1].Traffic[0].Messages[rdmap.OpSend] != 2 {
			t.Errorf("%s: %q", name, j.lines)
		}
	}
}

// TestWrongLength damages a ULPDU_Length. What it makes of the next FPDUs is nonsense with a bad CRC; soon one is found
// that begins a packet, and all after it is right again.
func TestWrongLength(t *testing.T) {
	crc := mpa.Frame{Rev: 1, C: true}
	k := startTalk(crc, crc)
	k.sendMany(100)
	damaged := k.Records[20].Data
	damaged[len(damaged)-36+1] ^= 0x40 // ULPDU_Length 28 becomes 92
	j := dissectRecords(k.Records)
	tr := &j.conns[0].Traffic[0]
	if tr.CRC[mpa.Good] < 90 || tr.CRC[mpa.Bad] > 2 || tr.Undecoded == 0 {
		t.Errorf("%d good, %d bad, %d octets undecoded\n%q", tr.CRC[mpa.Good], tr.CRC[mpa.Bad], tr.Undecoded, j.lines)
	}
}

// TestWrongCRCs checks that a sender whose CRCs are all wrong is decoded all the same, after a hole too.
func TestWrongCRCs(t *testing.T) {
	crc := mpa.Frame{Rev: 1, C: true}
	k := startTalk(crc, crc)
	k.framer[client].Reset(mpa.Options{}) // leaves them zero
	k.sendMany(10)
	k.Drop(1)
	k.sendMany(10)
	k.Ack(server)
	j := dissectRecords(k.Records)
	if tr := &j.conns[0].Traffic[0]; tr.CRC[mpa.Bad] != 19 || tr.Messages[rdmap.OpSend] != 19 {
		t.Errorf("%d bad CRCs, %d Sends\n%q", tr.CRC[mpa.Bad], tr.Messages[rdmap.OpSend], j.lines)
	}
}

// TestShortHeaders checks that RDMAP headers which are shorter than they must be are reported and counted.
func TestShortHeaders(t *testing.T) {
	for _, tc := range []struct {
		opcode rdmap.Opcode
		qn     uint32
		body   string
		want   string // the error; empty if there is none
	}{
		{rdmap.OpReadRequest, 1, "0123456789", "RDMAP Read Request header: SinkTO: header ends early"},
		{rdmap.OpImmediate, 0, "abc", "RDMAP Immediate Data header: Immediate Data: header ends early"},
		{rdmap.OpTerminate, 2, "", "RDMAP Terminate header: Layer: header ends early"},
		{rdmap.OpTerminate, 2, "\x11\x00\xc0\x00\x00\x0e\xc1", "RDMAP Terminate header: Terminated DDP Header: header ends early"},
		{rdmap.OpTerminate, 2, "\x20\x02\x00\x00", ""},
		{rdmap.OpSend, 0, "", ""},
	} {
		k := startTalk(plain, plain)
		h := ddp.Untagged{L: true, DV: 1, RsvdULP: uint64(0x40|byte(tc.opcode)) << 32, QN: tc.qn, MSN: 1}
		k.Send(client, k.fpdu(client, append(encode(&h), tc.body...)))
		got := ""
		sink := &errorSink{seen: func(err error) { got = err.Error() }}
		e := dissect.NewEngine(sink, dissect.Options{})
		for i := range k.Records {
			e.Packet(&k.Records[i])
		}
		e.Close()
		if got != tc.want || (sink.malformed > 0) != (tc.want != "") || sink.messages != 1 {
			t.Errorf("%v with %d octets: %q, want %q; %d malformed, %d messages", tc.opcode, len(tc.body), got, tc.want, sink.malformed, sink.messages)
		}
	}
}

// An errorSink looks at errors of segments.
type errorSink struct {
	seen                func(error)
	malformed, messages uint64
}

func (s *errorSink) Record(rec *record.Record) { recordtest.Pieces(rec, s) }

func (s *errorSink) Segment(g *record.Segment) {
	if g.Err != nil {
		s.seen(g.Err)
	}
}
func (s *errorSink) Message(*record.Message) { s.messages++ }
func (s *errorSink) End(c *flow.Conn)        { s.malformed += c.Traffic[0].Malformed }

// TestReplyLost checks that octets that cannot be FPDUs do not pass for streaming octets when the Reply is missing.
func TestReplyLost(t *testing.T) {
	k := startTalk(plain, plain)
	k.Drop(1)
	for range 3 {
		k.Send(client, payload[:36])
	}
	k.Send(server, payload[:36]).Ack(client)
	k.Close(client)
	c := &dissectRecords(k.Records).conns[0]
	if c.Traffic[0].Undecoded != 3*36 || c.Traffic[1].Undecoded != 36 || c.Traffic[1].Streaming != 0 {
		t.Errorf("undecoded %d and %d, streaming %d", c.Traffic[0].Undecoded, c.Traffic[1].Undecoded, c.Traffic[1].Streaming)
	}
}
