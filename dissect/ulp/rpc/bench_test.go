package rpc_test

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// A quiet is a Reporter that counts.
type quiet struct {
	ulptest.Discard
	findings, transactions, uppers int
}

func (q *quiet) Finding(*record.Finding)         { q.findings++ }
func (q *quiet) Transaction(*record.Transaction) { q.transactions++ }
func (q *quiet) Upper(*record.Upper)             { q.uppers++ }

// A line is a Follower that is given Sends, RDMA Reads and RDMA Writes directly.
type line struct {
	ulp.Follower
	conn  flow.Conn
	frame uint64
	msn   [2]uint32

	message record.Message
	segment record.Segment
}

// newLine is the line of a connection that has been seen from its start.
func newLine(u *ulp.Layer, r ulp.Reporter) *line {
	l := &line{conn: flow.Conn{
		Client: netip.MustParseAddrPort("10.0.0.1:40000"), Server: netip.MustParseAddrPort("10.0.0.2:20049"),
		Requested: true, Replied: true, Agreed: true,
	}}
	private := octets("f6ab0e18 01010303")
	l.conn.Request = mpa.Frame{PDLength: 8, PrivateData: private}
	l.conn.Reply = mpa.Frame{Reply: true, PDLength: 8, PrivateData: private}
	l.Follower = u.Recognise(&l.conn, nil, nil)
	l.Begin(r)
	return l
}

func octets(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

func (l *line) origin(d flow.Direction) record.Origin {
	l.frame++
	return record.Origin{Conn: &l.conn, Dir: d, Span: flow.Span{Frame: l.frame, LastFrame: l.frame}}
}

// send sends a payload.
func (l *line) send(d flow.Direction, payload []byte) {
	l.msn[d]++
	l.message = record.Message{Origin: l.origin(d), Opcode: rdmap.OpSend, Len: uint64(len(payload)), Segments: 1, Complete: true}
	l.message.First.Untagged.MSN = l.msn[d]
	l.Send(&l.message, payload)
}

// write sends a segment of an RDMA Write, which is the last one of it.
func (l *line) write(d flow.Direction, stag uint32, to uint64, payload []byte) {
	s := &l.segment
	*s = record.Segment{Origin: l.origin(d)}
	s.RDMAP.T = true
	s.RDMAP.Tagged.L, s.RDMAP.Tagged.STag, s.RDMAP.Tagged.TO = true, stag, to
	s.RDMAP.Control.Opcode = rdmap.OpWrite
	s.RDMAP.Body = payload
	s.FPDU.ULPDULength = uint16(14 + len(payload))
	l.Tagged(s, nil)
}

const (
	nullCall  = "5a000001 00000001 00000020 00000000 00000000 00000000 00000000 5a000001 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000"
	nullReply = "5a000001 00000001 00000010 00000000 00000000 00000000 00000000 5a000001 00000001 00000000 00000000 00000000 00000000"
	// SEQUENCE, PUTFH, GETATTR, as a client of NFSv4.1 sends it with AUTH_SYS
	compoundCall = "5a000001 00000001 00000020 00000000 00000000 00000000 00000000 5a000001 00000000 00000002 000186a3 00000004 00000001" +
		" 00000001 00000020 00000000 00000006 686f7374 6d650000 00000000 00000000 00000001 00000000 00000000 00000000 " +
		" 00000000 00000001 00000003 00000035 00112233 44556677 8899aabb ccddeeff 00000001 00000000 00000000 00000000" +
		" 00000016 00000008 01020304 05060708 00000009 00000002 0010011a 00b0a23a"
	compoundReply = "5a000001 00000001 00000010 00000000 00000000 00000000 00000000 5a000001 00000001 00000000 00000000 00000000 00000000" +
		" 00000000 00000000 00000003 00000035 00000000 00112233 44556677 8899aabb ccddeeff 00000001 00000000 00000000 00000000 00000000" +
		" 00000016 00000000 00000009 00000000 00000001 00000018 00000008 00000000 00001000"
	readCall = "5a000001 00000001 00000020 00000000 00000000 00000001 00000001 2200bb01 00001000 00007f0020000000 00000000 00000000" +
		" 5a000001 00000000 00000002 000186a3 00000003 00000006 00000000 00000000 00000000 00000000 00000008 01020304 05060708 00000000 00000000 00001000"
	readReply = "5a000001 00000001 00000010 00000000 00000000 00000001 00000001 2200bb01 00001000 00007f0020000000 00000000 00000000" +
		" 5a000001 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00001000 00000001 00001000"
)

// exchange sends a Call and its Reply with an XID.
func (l *line) exchange(xid uint32, call, reply []byte) {
	for _, m := range [][]byte{call, reply} {
		binary.BigEndian.PutUint32(m, xid)
		n := 28
		if m[23] == 1 {
			n += 24 // a Write chunk
		}
		binary.BigEndian.PutUint32(m[n:], xid)
	}
	l.send(flow.C2S, call)
	if call[23] == 1 {
		l.write(flow.S2C, 0x2200bb01, 0x7f0020000000, data[:1024])
		l.write(flow.S2C, 0x2200bb01, 0x7f0020000400, data)
	}
	l.send(flow.S2C, reply)
}

var data = make([]byte, 3072)

// BenchmarkExchange measures a Call and its Reply: two messages.
func BenchmarkExchange(b *testing.B) {
	for _, bc := range []struct{ name, call, reply string }{
		{"NULL", nullCall, nullReply},
		{"COMPOUND", compoundCall, compoundReply},
		{"READ", readCall, readReply},
	} {
		b.Run(bc.name, func(b *testing.B) {
			q := &quiet{}
			l := newLine(rpc.New(rpc.Options{}), q)
			call, reply := octets(bc.call), octets(bc.reply)
			b.ReportAllocs()
			for i := range b.N {
				l.exchange(uint32(i), call, reply)
			}
			if q.findings > 0 || q.transactions != b.N || q.uppers != 2*b.N {
				b.Errorf("%+v of %d", *q, b.N)
			}
		})
	}
}

// TestNoAllocation checks whether following messages allocates once the pools are filled.
func TestNoAllocation(t *testing.T) {
	q := &quiet{}
	l := newLine(rpc.New(rpc.Options{OnMessage: func(*rpc.Message) {}}), q)
	xid := uint32(0)
	for _, m := range [][2]string{{nullCall, nullReply}, {compoundCall, compoundReply}, {readCall, readReply}} {
		call, reply := octets(m[0]), octets(m[1])
		one := func() {
			xid++
			l.exchange(xid, call, reply)
		}
		for range 3000 {
			one() // until the memory of Calls that are over is full
		}
		if n := testing.AllocsPerRun(1000, one); n != 0 {
			t.Errorf("%v allocations for a Call and a Reply of %d and %d octets", n, len(call), len(reply))
		}
	}
}
