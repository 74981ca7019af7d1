package reassemblytest

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// stream is one half-connection: what was sent, and the half that puts it together again.
type stream struct {
	tb    testing.TB
	half  *reassembly.Half
	sent  []byte
	base  uint32 // sequence number of sent[0]
	limit int    // for half.Held

	first    int  // octets of sent before the first segment that was pushed
	started  bool // something was pushed
	frontier int  // everything before was sent once, or lost
	delayed  []span
	fin      bool // what reaches the end carries a FIN

	pulled   uint64 // octets and holes
	holes    uint64
	packets  [2][]byte // the packet of the latest Push, and of the one before
	frame    uint64
	conflict bool // octets are not compared
}

// span is a range of the stream.
type span struct{ from, to int }

func newStream(tb testing.TB, budget *reassembly.Budget, limit int, s *script) *stream {
	st := &stream{tb: tb, half: reassembly.NewHalf(budget), limit: limit, base: s.startNear()}
	st.sent = make([]byte, 1+s.below(6000))
	state := uint32(len(st.sent))
	for i := range st.sent {
		state = state*1664525 + 1013904223
		st.sent[i] = byte(state >> 24)
	}
	if s.below(3) > 0 {
		st.push(&reassembly.Segment{Seq: st.base - 1, SYN: true})
		st.started = true
	}
	return st
}

// push hands a segment to the half in a packet of its own, which is overwritten after the next push.
func (st *stream) push(s *reassembly.Segment) {
	st.frame++
	s.Frame = st.frame
	packet := append(st.packets[1][:0], s.Data...)
	st.packets = [2][]byte{packet, st.packets[0]}
	if s.Data != nil {
		s.Data = packet
	}
	st.half.Push(s)
	for i := range st.packets[1] {
		st.packets[1][i] ^= 0xff
	}
	if st.limit > 0 && st.half.Held() > st.limit {
		st.tb.Fatalf("frame %d: the half holds %d octets of %d", st.frame, st.half.Held(), st.limit)
	}
}

// send pushes a range of the stream, of which the snaplen left captured octets.
func (st *stream) send(r span, captured int) {
	if !st.started && r.to > r.from {
		st.started, st.first = true, r.from
	}
	captured = min(captured, r.to-r.from)
	st.push(&reassembly.Segment{
		Seq:     st.base + uint32(r.from),
		Data:    st.sent[r.from : r.from+captured],
		Missing: r.to - r.from - captured,
		FIN:     st.fin && r.to == len(st.sent),
	})
}

// next cuts the next segment off what was not sent yet.
func (st *stream) next(s *script) span {
	length := 1 + s.below(1+s.below(300))
	r := span{st.frontier, min(st.frontier+length, len(st.sent))}
	st.frontier = r.to
	return r
}

// sendDelayed pushes one of the delayed segments.
func (st *stream) sendDelayed(i int) {
	r := st.delayed[i]
	st.delayed = append(st.delayed[:i], st.delayed[i+1:]...)
	st.send(r, len(st.sent))
}

// ack lets the other side acknowledge what it has certainly received: everything before the first segment that is
// still under way.
func (st *stream) ack() {
	reached := st.frontier
	for _, r := range st.delayed {
		reached = min(reached, r.from)
	}
	if st.started {
		st.half.Acked(st.base + uint32(reached))
	}
}

// pull takes all pieces there are and compares them with what was sent.
func (st *stream) pull() {
	for p := (reassembly.Piece{}); st.half.Next(&p); {
		if p.Offset != st.pulled {
			st.tb.Fatalf("frame %d: a piece at offset %d, want %d", st.frame, p.Offset, st.pulled)
		}
		if (p.Hole > 0) == (len(p.Data) > 0) {
			st.tb.Fatalf("frame %d: %d octets and a hole of %d at offset %d", st.frame, len(p.Data), p.Hole, p.Offset)
		}
		if p.Frame > st.frame || p.Frame == 0 {
			st.tb.Fatalf("a piece of frame %d after frame %d", p.Frame, st.frame)
		}
		st.pulled += uint64(len(p.Data)) + p.Hole
		st.holes += p.Hole
		if st.conflict {
			continue
		}
		if st.pulled > uint64(len(st.sent)-st.first) {
			st.tb.Fatalf("frame %d: the stream has %d octets, pulled up to %d", st.frame, len(st.sent)-st.first, st.pulled)
		}
		if want := st.sent[st.first+int(p.Offset):]; !bytes.HasPrefix(want, p.Data) {
			st.tb.Fatalf("frame %d: wrong octets at offset %d:\n got %x\nwant %x", st.frame, p.Offset, p.Data, want[:len(p.Data)])
		}
	}
}

// end flushes and pulls the rest, and checks what must hold at the end of any stream.
func (st *stream) end() {
	st.half.Flush()
	st.pull()
	if held := st.half.Held(); held != 0 {
		st.tb.Fatalf("the half holds %d octets after all was pulled", held)
	}
	if c := st.half.Counters(); c.HoleOctets != st.holes {
		st.tb.Fatalf("%d octets of holes were counted, %d pulled", c.HoleOctets, st.holes)
	}
}
