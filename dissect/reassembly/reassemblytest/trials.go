package reassemblytest

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// Faithful sends a stream that arrives completely, though cut anyhow, in disorder and more than once.
func Faithful(tb testing.TB, octets []byte) {
	s := script(octets)
	budget := reassembly.NewBudget(reassembly.Limits{Fragments: 1 << 20})
	st := newStream(tb, budget, 0, &s)
	st.ack()
	if !st.started {
		st.send(st.next(&s), len(st.sent))
	}
	for len(s) > 0 && st.frontier < len(st.sent) {
		switch s.below(12) {
		case 0, 1, 2:
			st.delayed = append(st.delayed, st.next(&s))
		case 3, 4:
			if n := len(st.delayed); n > 0 {
				st.sendDelayed(s.below(n))
			}
		default:
			st.step(&s)
		}
		st.ack()
		if s.below(8) > 0 {
			st.pull()
		}
	}
	st.delayed = append(st.delayed, span{st.frontier, len(st.sent)})
	for len(st.delayed) > 0 {
		st.sendDelayed(s.below(len(st.delayed)))
		st.pull()
	}
	st.fin = true
	st.send(span{len(st.sent), len(st.sent)}, 0)
	st.pull()
	if !st.half.Finished() || st.holes != 0 || st.pulled != uint64(len(st.sent)-st.first) {
		tb.Fatalf("pulled %d of %d octets, %d of them holes; finished: %v",
			st.pulled, len(st.sent)-st.first, st.holes, st.half.Finished())
	}
	st.end()
	if c := st.half.Counters(); budget.Held() != 0 || c.Dropped != 0 || c.Conflicting != 0 {
		tb.Fatalf("the budget holds %d octets, counted %+v", budget.Held(), c)
	}
}

// Lossy sends up to three streams whose segments may be lost or cut by the snaplen, within one small budget.
func Lossy(tb testing.TB, octets []byte) {
	s := script(octets)
	limits := reassembly.Limits{Half: 1000 + s.below(20000), Fragments: 3 + s.below(60)}
	limits.Total = limits.Half + s.below(20000)
	budget := reassembly.NewBudget(limits)
	streams := make([]*stream, 1+s.below(3))
	for i := range streams {
		streams[i] = newStream(tb, budget, limits.Half, &s)
		streams[i].fin = s.below(2) == 0
	}
	acked := s.below(2) == 0
	for len(s) > 0 {
		st := streams[s.below(len(streams))]
		switch s.below(16) {
		case 0, 1, 2:
			st.delayed = append(st.delayed, st.next(&s))
		case 3, 4:
			if n := len(st.delayed); n > 0 {
				st.sendDelayed(s.below(n))
			}
		case 5:
			st.next(&s)
		case 6, 7:
			st.send(st.next(&s), s.below(64))
		default:
			st.step(&s)
		}
		if acked {
			st.ack()
		}
		if s.below(8) > 0 {
			st.pull()
		}
		if held := budget.Held(); held > limits.Total {
			tb.Fatalf("%d octets held, the limit is %d", held, limits.Total)
		}
	}
	finish(tb, budget, streams)
}

// finish ends all streams of a budget, which then holds nothing.
func finish(tb testing.TB, budget *reassembly.Budget, streams []*stream) {
	for _, st := range streams {
		st.end()
	}
	if budget.Held() != 0 {
		tb.Fatalf("the budget holds %d octets in the end", budget.Held())
	}
}

// step sends something harmless: the next segment, a part of what was sent, a keep-alive probe, the SYN again.
func (st *stream) step(s *script) {
	switch s.below(8) {
	case 0, 1:
		from := s.below(st.frontier + 1)
		st.send(span{from, from + s.below(st.frontier-from+1)}, len(st.sent))
	case 2:
		if st.frontier > 0 && st.started {
			st.send(span{st.frontier - 1, st.frontier - s.below(2)}, len(st.sent))
		}
	case 3:
		if st.half.Started() && st.first == 0 && !st.half.NewISN(st.base-1) {
			st.push(&reassembly.Segment{Seq: st.base - 1, SYN: true})
		}
	default:
		st.send(st.next(s), len(st.sent))
	}
}

// Hostile pushes segments with arbitrary fields, and acknowledgements likewise.
func Hostile(tb testing.TB, octets []byte) {
	s := script(octets)
	limits := reassembly.Limits{Half: 500 + s.below(5000), Fragments: 1 + s.below(40)}
	limits.Total = 500 + s.below(8000)
	budget := reassembly.NewBudget(limits)
	streams := []*stream{newStream(tb, budget, limits.Half, &s), newStream(tb, budget, limits.Half, &s)}
	for _, st := range streams {
		st.conflict = true
	}
	for len(s) > 0 {
		st := streams[s.below(len(streams))]
		kind := s.octet()
		segment := reassembly.Segment{
			SYN:     kind&0x70 == 0x10,
			FIN:     kind&0x70 == 0x20,
			RST:     kind&0x78 == 0x30,
			Seq:     st.half.NextSeq() + st.distance(&s),
			Missing: s.below(4) * s.below(200),
		}
		segment.Data = make([]byte, s.below(200))
		for i := range segment.Data {
			segment.Data[i] = byte(kind + i)
		}
		switch kind & 15 {
		case 0:
			st.half.Flush()
		case 1, 2:
			st.half.Acked(segment.Seq)
		case 3:
			segment.Missing = int(s.uint32())
		case 4:
			for range s.octet() {
				st.push(&segment)
				segment.Seq += uint32(len(segment.Data))
			}
		case 5:
			if s.below(8) == 0 {
				st.half.Close()
			}
		}
		st.push(&segment)
		if kind >= 0x40 {
			st.pull()
		}
		if held := budget.Held(); held > limits.Total {
			tb.Fatalf("%d octets held, the limit is %d", held, limits.Total)
		}
	}
	finish(tb, budget, streams)
}

// distance returns how far a segment lies ahead of what is expected, or behind it.
func (st *stream) distance(s *script) uint32 {
	switch s.below(8) {
	case 0:
		return s.uint32()
	case 1:
		return 1<<30 + s.uint32()%1024 - 512
	case 2:
		return 1<<31 + s.uint32()%1024 - 512
	case 3:
		return -uint32(s.below(1000))
	case 4:
		return 0
	default:
		return uint32(s.below(3000))
	}
}
