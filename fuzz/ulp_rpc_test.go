package fuzz

// RPC-over-RDMA as an upper layer: package dissect/ulp/rpc.

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

var rpcServer = netip.MustParseAddrPort("10.0.0.2:20049")

// rpcLimits are small, so that they are met.
var rpcLimits = rpc.Options{MaxMessage: 1 << 12, MaxConnection: 1 << 14}

// An rpcRun feeds a Follower with what a script of octets says, and notes what is reported.
//
// Each step of a script begins with an octet that says what it is:
//
//	0, 1    a Send of the client or the server: its length in 2 octets, and the Send
//	2, 3    the same, with Invalidate: an STag comes first
//	4, 5    an RDMA Read Request: STag, 4 octets of TO, 2 of the length
//	6       a segment of the oldest Read Response: 1 octet says how much is left out before it, 2 how long it is
//	7       the end of the oldest RDMA Read
//	8, 9    a segment of an RDMA Write: STag, 4 octets of TO, 2 of the length, of which the highest bit is L
//	10, 11  a gap
//	12, 13  a Terminate of all that is left of the script
type rpcRun struct {
	ulptest.Discard
	t        *testing.T
	follower ulp.Follower
	conn     flow.Conn
	script   []byte
	frame    uint64
	msn      [2]uint32
	reads    []*record.Transaction
	sent     map[*record.Transaction]uint64

	log   []string
	calls map[uint64]bool // frames of the Calls of version 1 that were shown
	begun map[uint64]int  // frames of the Calls that were reported
	again int
}

func (r *rpcRun) Finding(f *record.Finding) {
	if rpcrules.Lookup(f.Name) == nil {
		r.t.Errorf("%q is not a rule", f.Name)
	}
	r.log = append(r.log, fmt.Sprint(f.LastFrame, f.Name, f.Seen, f.Expected))
}

func (r *rpcRun) Transaction(t *record.Transaction) {
	x := t.Upper.(*rpc.Exchange)
	r.begun[t.Request.Frame]++
	r.again += x.Repeats
	if r.begun[t.Request.Frame] > 1 {
		r.t.Errorf("the Call in frame %d is reported again", t.Request.Frame)
	}
	if t.Name != x.Name || t.ID != uint64(x.XID) || (t.Outcome == record.Answered) != (t.Response.Frame != 0 && t.Outcome != record.Refused) {
		r.t.Errorf("%+v", t)
	}
	r.log = append(r.log, fmt.Sprint(t.Dir, t.Request, t.Response, t.Outcome, t.Name, t.ID, t.Octets, x.Result, *x.Clone()))
}

func (r *rpcRun) Upper(u *record.Upper) {
	h := u.Body.(*rpc.Packet)
	if h.Role == rpcrdma.Requester && h.Dialect == rpcrdma.DialectVersion1 && !h.Cut {
		r.calls[u.LastFrame] = true
	}
	r.log = append(r.log, fmt.Sprint(u.LastFrame, u.Name, u.Len))
}

func (r *rpcRun) message(m *rpc.Message) {
	if len(m.Octets) > rpcLimits.MaxMessage || m.Whole && uint64(len(m.Octets)) != m.Len {
		r.t.Errorf("%d octets of %d, whole %v", len(m.Octets), m.Len, m.Whole)
	}
	r.log = append(r.log, fmt.Sprint(m.LastFrame, m.Reply, m.Len, m.Whole, len(m.Octets)))
}

// run follows the script from its start to its end.
func (r *rpcRun) run(u *ulp.Layer) {
	whole := r.script
	r.conn = flow.Conn{Requested: true, Replied: true, Agreed: true, End: flow.EndFIN}
	r.conn.Server = rpcServer
	r.conn.Request = mpa.Frame{Rev: mpa.Rev1, PDLength: 8, PrivateData: []byte{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3}}
	r.conn.Reply = r.conn.Request
	r.conn.Reply.Reply = true
	r.calls, r.begun, r.sent = map[uint64]bool{}, map[uint64]int{}, map[*record.Transaction]uint64{}
	r.follower = u.Recognise(&r.conn, nil, nil)
	r.follower.Begin(r)
	for len(r.script) > 0 {
		r.step(r.octets(1)[0] % 14)
	}
	for len(r.reads) > 0 {
		r.readEnd(record.Unanswered)
	}
	r.follower.End()
	missing := 0
	for frame := range r.calls {
		if r.begun[frame] == 0 {
			missing++
		}
	}
	if missing > r.again {
		r.t.Errorf("%d Calls of %d are not reported, %d were repetitions", missing, len(r.calls), r.again)
	}
	r.script = whole
}

// octets takes n octets off the script, as far as they are there, filled up with zero.
func (r *rpcRun) octets(n int) []byte {
	b := make([]byte, n)
	r.script = r.script[copy(b, r.script):]
	return b
}

func (r *rpcRun) word() uint32 { return binary.BigEndian.Uint32(r.octets(4)) }

func (r *rpcRun) half() int { return int(binary.BigEndian.Uint16(r.octets(2))) }

func (r *rpcRun) origin(d flow.Direction) record.Origin {
	r.frame++
	return record.Origin{Conn: &r.conn, Dir: d, Span: flow.Span{Frame: r.frame, LastFrame: r.frame}}
}

func (r *rpcRun) step(kind byte) {
	d := flow.Direction(kind % 2)
	switch kind {
	case 0, 1:
		r.send(d, rdmap.OpSend, 0)
	case 2, 3:
		r.send(d, rdmap.OpSendInvalidate, r.word())
	case 4, 5:
		o := r.origin(d)
		t := &record.Transaction{Conn: &r.conn, Kind: record.ReadTransaction, Dir: d, Request: o.Span}
		t.Read = rdmap.ReadRequest{SinkSTag: 1, SrcSTag: r.word(), SrcTO: uint64(r.word()), RDMARDSZ: uint32(r.half())}
		r.reads = append(r.reads, t)
		r.follower.Request(t)
	case 6:
		r.readResponse(uint64(r.octets(1)[0]), r.half())
	case 7:
		if len(r.reads) > 0 {
			r.readEnd(record.Answered)
		}
	case 8, 9:
		stag, to, n := r.word(), uint64(r.word()), r.half()
		r.tagged(d, rdmap.OpWrite, stag, to, n&0x7fff, n>>15 == 1, nil)
	case 10, 11:
		r.follower.Gap(d)
	default:
		m := &record.Message{Origin: r.origin(d), Opcode: rdmap.OpTerminate, Complete: true}
		m.First.Body = r.octets(len(r.script))
		r.follower.Terminate(m)
	}
}

func (r *rpcRun) send(d flow.Direction, o rdmap.Opcode, stag uint32) {
	n := r.half()
	payload := r.octets(min(n, len(r.script)))
	r.msn[d]++
	m := &record.Message{Origin: r.origin(d), Opcode: o, Len: uint64(n), Complete: true}
	m.First.Untagged.MSN, m.First.InvalidateSTag = r.msn[d], stag
	r.follower.Send(m, payload)
}

func (r *rpcRun) readResponse(gap uint64, n int) {
	if len(r.reads) == 0 {
		return
	}
	t := r.reads[0]
	at := r.sent[t] + gap
	r.sent[t] = at + uint64(n)
	r.tagged(1-t.Dir, rdmap.OpReadResponse, t.Read.SinkSTag, t.Read.SinkTO+at, n, true, t)
}

func (r *rpcRun) readEnd(o record.Outcome) {
	t := r.reads[0]
	t.Outcome = o
	r.reads = r.reads[1:]
	delete(r.sent, t)
	r.follower.Done(t)
}

func (r *rpcRun) tagged(d flow.Direction, o rdmap.Opcode, stag uint32, to uint64, n int, last bool, t *record.Transaction) {
	s := &record.Segment{Origin: r.origin(d)}
	s.RDMAP.T = true
	s.RDMAP.Tagged.L, s.RDMAP.Tagged.STag, s.RDMAP.Tagged.TO = last, stag, to
	s.RDMAP.Control.Opcode = o
	s.RDMAP.Body = make([]byte, n)
	s.FPDU.ULPDULength = uint16(s.RDMAP.Header.Len() + n)
	r.follower.Tagged(s, t)
}

// FuzzRPCFollower feeds a Follower with any Sends, RDMA Reads and RDMA Writes. Every Call is reported once, messages stay
// within their limits, and a Follower that is used again for the same says the same.
func FuzzRPCFollower(f *testing.F) {
	for _, script := range rpcScripts() {
		f.Add(script)
	}
	var sends []byte
	for i, seed := range captured(f).bodies(rdmap.OpSend, rdmap.OpSendInvalidate) {
		sends = append(sends, rpcSend(byte(i%2), seed)...)
	}
	f.Add(sends)
	f.Fuzz(func(t *testing.T, script []byte) {
		var u *ulp.Layer
		var run *rpcRun
		o := rpcLimits
		o.OnMessage = func(m *rpc.Message) { run.message(m) }
		u = rpc.New(o)
		var logs [2][]string
		for i := range logs {
			run = &rpcRun{t: t, script: script}
			run.run(u)
			logs[i] = run.log
		}
		if d := cmp.Diff(logs[0], logs[1]); d != "" {
			t.Errorf("used again, it says something else: (-first +second)\n%s", d)
		}
	})
}

// rpcSend is the step that sends a payload.
func rpcSend(from byte, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{from}, uint16(len(payload)))
	return append(b, payload...)
}

func hexOctets(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// rpcScripts are connections: all forms of messages, and a few RPCs with all that belongs to them.
func rpcScripts() (all [][]byte) {
	var one []byte
	for i, line := range strings.Split(strings.TrimSpace(rpcrdmaMessages), "\n") {
		one = append(one, rpcSend(byte(i%2), hexOctets(line))...)
	}
	all = append(all, one)
	const (
		write = "5a000003 00000001 00000020 00000000 00000001 00000048 1100aa01 00000010 0000000010000000 00000000 00000000 00000000" +
			"5a000003 00000000 00000002 000186a3 00000003 00000007 00000000 00000000 00000000 00000000 00000008 01020304 05060708 00000000 00000000 0000000e 00000000 0000000e"
		written = "5a000003 00000001 00000010 00000000 00000000 00000000 00000000 5a000003 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0000000e 00000000 0102030405060708"
		read    = "5a000004 00000001 00000020 00000000 00000000 00000001 00000001 2200bb01 00000010 0000000020000000 00000000 00000001 00000001 3300cc01 00000100 0000000030000000" +
			"5a000004 00000000 00000002 000186a3 00000003 00000006 00000000 00000000 00000000 00000000 00000008 01020304 05060708 00000000 00000000 00000010"
		answer = "5a000004 00000001 00000010 00000001 00000000 00000001 00000001 2200bb01 00000009 0000000020000000 00000000 00000001 00000001 3300cc01 00000018 0000000030000000"
		begin  = "6b000007 00000002 00080008 00000000 00000002 00000000 00000000 00000000 00000000 6b000007 00000000 00000002 000186a3"
		end    = "6b000007 00000002 00080001 00000000 00000000 00000000 00000000 00000000 00000000 00000003 00000000 00000000 00000000 00000000 00000000"
		props  = "c0000001 00000002 00080004 00000005 00000000 00000001 00000005 00000004 00000003"
	)
	two := rpcSend(0, hexOctets(write))
	two = append(two, hexOctets("05 1100aa01 10000000 0010  06 00 0008  06 00 0008  07")...)
	two = append(two, rpcSend(1, hexOctets(written))...)
	two = append(two, rpcSend(0, hexOctets(read))...)
	two = append(two, hexOctets("09 2200bb01 20000000 8009  09 3300cc01 30000000 8018")...)
	two = append(two, 3, 0x22, 0, 0xbb, 1)
	two = append(two, rpcSend(1, hexOctets(answer))[1:]...)
	all = append(all, two, append(two, two...))
	three := rpcSend(0, hexOctets(props))
	three = append(three, rpcSend(1, hexOctets(props))...)
	three = append(append(append(three, rpcSend(0, hexOctets(begin))...), 11), rpcSend(0, hexOctets(end))...)
	return append(all, three)
}
