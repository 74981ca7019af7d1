package rpc

// What peers can make a Follower keep: everything is bounded, and every Call is reported once.

import (
	"math/rand/v2"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// A tally is a Reporter that counts how often the Call in each frame is reported.
type tally struct {
	ulptest.Discard
	calls    map[uint64]int
	outcomes map[record.Outcome]int
	findings int
}

func (r *tally) Finding(*record.Finding) { r.findings++ }

func (r *tally) Transaction(t *record.Transaction) {
	r.calls[t.Request.Frame]++
	r.outcomes[t.Outcome]++
}

// A driver gives a follower what it wants.
type driver struct {
	*follower
	*tally
	frame uint64
	msn   [2]uint32
}

func newDriver(o Options) *driver {
	d := &driver{tally: &tally{calls: map[uint64]int{}, outcomes: map[record.Outcome]int{}}}
	d.follower = newLayer(o).follow(&flow.Conn{Requested: true, Replied: true})
	d.Begin(d.tally)
	return d
}

func (d *driver) origin(dir flow.Direction) record.Origin {
	d.frame++
	return record.Origin{Conn: d.conn, Dir: dir, Span: flow.Span{Frame: d.frame, LastFrame: d.frame}}
}

func (d *driver) send(dir flow.Direction, h *rpcrdma.Version1, payload []byte) {
	d.sendAs(rdmap.OpSend, 0, dir, h, payload)
}

func (d *driver) sendAs(o rdmap.Opcode, stag uint32, dir flow.Direction, h *rpcrdma.Version1, payload []byte) {
	b, _ := h.AppendBinary(nil)
	b = append(b, payload...)
	d.msn[dir]++
	m := &record.Message{Origin: d.origin(dir), Opcode: o, Len: uint64(len(b)), Complete: true}
	m.First.Untagged.MSN, m.First.InvalidateSTag = d.msn[dir], stag
	d.Send(m, b)
}

func (d *driver) write(dir flow.Direction, stag uint32, to uint64, b []byte) {
	s := &record.Segment{Origin: d.origin(dir)}
	s.RDMAP.T = true
	s.RDMAP.Tagged.L, s.RDMAP.Tagged.STag, s.RDMAP.Tagged.TO = true, stag, to
	s.RDMAP.Body = b
	s.FPDU.ULPDULength = uint16(14 + len(b))
	d.Tagged(s, nil)
}

func word(v uint32) []byte { return []byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)} }

func callPayload(xid uint32) []byte {
	b := append(word(xid), make([]byte, 36)...)
	b[11] = 2 // rpcvers
	b[12] = 0x20
	return b
}

func replyPayload(xid uint32) []byte {
	b := append(word(xid), make([]byte, 20)...)
	b[7] = 1 // REPLY
	return b
}

func (d *driver) call(xid uint32, writes rpcrdma.WriteList) {
	d.send(flow.C2S, &rpcrdma.Version1{XID: xid, Vers: 1, Credit: 32, Writes: writes}, callPayload(xid))
}

// check looks at the limits.
func (d *driver) check(t *testing.T) {
	t.Helper()
	for i := range d.sides {
		s := &d.sides[i]
		segments, lists := 0, 0
		for c := s.calls.open.Latest(); c != nil; c = c.order.Earlier() {
			segments += len(c.segments)
			lists += c.law.Len()
		}
		if s.calls.n > maxOpen || s.calls.byXID.n != s.calls.n {
			t.Fatalf("%d open Calls, %d XIDs", s.calls.n, s.calls.byXID.n)
		}
		memory, kept := &d.transfers.sides[i].memory, d.pool.lists
		if memory.regions > maxRegions || segments > maxRegions+maxSegments || lists > kept || kept > maxListsInAll {
			t.Fatalf("%d regions, %d segments, lists of %d and %d octets", memory.regions, segments, lists, kept)
		}
		if memory.dead.byTag.n > maxDead || memory.hidden < 0 {
			t.Fatalf("STags of %d dead regions, %d hidden", memory.dead.byTag.n, memory.hidden)
		}
	}
	if d.bufs.used > d.bufs.limit || d.bufs.used < 0 || d.bufs.spare > maxIdleOctets || d.bufs.spare < 0 {
		t.Fatalf("%d octets of %d, %d idle", d.bufs.used, d.bufs.limit, d.bufs.spare)
	}
	calls, regions, pulls := len(d.pool.idle), len(d.transfers.regions), len(d.transfers.reads)
	if calls > maxIdleCalls || regions > maxIdleRegions || pulls > maxReads {
		t.Fatalf("%d calls, %d regions idle, %d pulls", calls, regions, pulls)
	}
}

// end ends the connection, and checks whether every Call was reported once.
func (d *driver) end(t *testing.T, calls int) {
	t.Helper()
	before := d.outcomes[record.Unanswered]
	outstanding := d.End()
	if n := outstanding[0] + outstanding[1]; n != d.outcomes[record.Unanswered]-before {
		t.Errorf("%d outstanding, %v", n, d.outcomes)
	}
	if len(d.calls) != calls {
		t.Errorf("%d Calls reported of %d", len(d.calls), calls)
	}
	for frame, n := range d.calls {
		if n != 1 {
			t.Errorf("the Call in frame %d is reported %d times", frame, n)
		}
	}
}

func TestManyCalls(t *testing.T) {
	d := newDriver(Options{})
	const n = 3 * maxOpen
	for i := range uint32(n) {
		d.call(i, nil)
	}
	d.check(t)
	d.end(t, n)
	if d.outcomes[record.OutcomeUnknown] != n-maxOpen {
		t.Errorf("%v", d.outcomes)
	}
}

// TestManySegments offers more segments than are followed, in few Calls and in many. Nothing is said of what is not known.
func TestManySegments(t *testing.T) {
	for _, each := range []int{1, 40, 1500, 4000} {
		d := newDriver(Options{})
		var writes rpcrdma.WriteList
		for i := range each {
			writes = writes.Append(rpcrdma.Segment{Handle: 7, Length: 16, Offset: uint64(i) * 16})
		}
		const n = 20000
		for i := range uint32(n/each + 1) {
			d.call(i, writes)
		}
		d.check(t)
		before := d.findings
		d.write(flow.S2C, 7, uint64(each)*16+1, make([]byte, 16)) // beyond all of them
		d.write(flow.S2C, 8, 0, make([]byte, 16))
		if d.findings != before && each*min(maxOpen, n/each+1) > maxRegions {
			t.Errorf("%d segments each: found though not all segments are known", each)
		}
		d.end(t, n/each+1)
	}
}

// TestSparseWrites writes single octets at the ends of large chunks.
func TestSparseWrites(t *testing.T) {
	d := newDriver(Options{MaxConnection: 1 << 20, OnMessage: func(*Message) {}})
	for i := range uint32(200) {
		d.call(i, rpcrdma.WriteList(nil).Append(rpcrdma.Segment{Handle: i, Length: 1 << 30}))
	}
	for i := range uint32(200) {
		d.write(flow.S2C, i, 1<<19, make([]byte, 1))
		d.write(flow.S2C, i, 1<<29, make([]byte, 1))
		for at := range uint64(100) {
			d.write(flow.S2C, i, at*1000, make([]byte, 1)) // more intervals than are told apart
		}
	}
	d.check(t)
	if d.bufs.used == 0 {
		t.Error("nothing is kept")
	}
	d.end(t, 200)
}

// TestAnyOrder opens and answers Calls of few XIDs and STags at random, with Writes, gaps and invalidations between.
func TestAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := newDriver(Options{MaxMessage: 1 << 12, MaxConnection: 1 << 16, OnMessage: func(*Message) {}})
	begun := 0
	for range 30000 {
		xid, dir := uint32(r.IntN(40)), flow.Direction(r.IntN(2))
		switch r.IntN(12) {
		case 0, 1, 2, 3:
			if d.sides[dir].calls.byXID.get(xid) == nil {
				begun++
			}
			h := &rpcrdma.Version1{XID: xid, Vers: 1, Credit: 32}
			for range r.IntN(3) {
				h.Writes = h.Writes.Append(rpcrdma.Segment{Handle: xid % 7, Length: 64, Offset: uint64(r.IntN(9)) * 32})
			}
			if r.IntN(3) == 0 {
				h.Reads = h.Reads.Append(40, rpcrdma.Segment{Handle: xid % 7, Length: 64, Offset: uint64(r.IntN(9)) * 32})
			}
			before := d.sides[dir].calls.next
			old := d.sides[dir].calls.byXID.get(xid) != nil
			d.send(dir, h, callPayload(xid))
			if old && d.sides[dir].calls.next != before {
				begun++ // another Call in the place of the open one
			}
		case 4, 5, 6:
			d.send(dir, &rpcrdma.Version1{XID: xid, Vers: 1, Credit: 16, Reply: rpcrdma.WriteChunk(nil).Append()}, replyPayload(xid))
		case 7:
			d.send(dir, &rpcrdma.Version1{XID: xid, Vers: 1, Credit: 16, Proc: rpcrdma.ProcError, Err: rpcrdma.ErrCodeChunk}, nil)
		case 8, 9:
			d.write(dir, xid%7, uint64(r.IntN(300)), make([]byte, r.IntN(100)))
		case 10:
			if r.IntN(100) == 0 {
				d.Gap(dir)
			}
		case 11:
			d.sendAs(rdmap.OpSendInvalidate, xid%7, dir, &rpcrdma.Version1{XID: xid, Vers: 1, Credit: 16}, replyPayload(xid))
		}
		d.check(t)
	}
	d.end(t, begun)
}

// TestUsedAgain checks whether a Follower that is used for another connection knows nothing of the first.
func TestUsedAgain(t *testing.T) {
	d := newDriver(Options{})
	d.call(1, rpcrdma.WriteList(nil).Append(rpcrdma.Segment{Handle: 7, Length: 64}))
	u := d.layer
	d.end(t, 1)
	again := u.follow(&flow.Conn{Requested: true, Replied: true})
	if again != d.follower {
		t.Fatal("it is not used again")
	}
	d.Begin(d.tally)
	d.msn = [2]uint32{}
	before := d.findings
	d.write(flow.S2C, 7, 0, make([]byte, 16))
	if d.findings != before+1 {
		t.Error("the segment of the first connection is still there")
	}
	d.check(t)
}
