package rules_test

import (
	"encoding"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var midstream = rules.Conditions{Version: -1, IRD: 1, Midstream: true}

var gapCases = []receiverCase{
	{"in the middle of everything", midstream, `
		in +1000 0143 00000000 00000000 00000007 00001000
		in +1000 4143 00000000 00000000 00000007 000013E8
		in +10   4143 00000000 00000000 00000008 00000000
		in +10   8140 A1B2C301 00000000 00001000
		in +10   C140 A1B2C301 00000000 0000100A
		in C142 0000000A 00000000 00000000 61626364 -> none
		in 414B 00000000 00000003 00000009 00000000 00000008 01234567 89ABCDEF -> none`},
	{"and then all counts", midstream, `
		in +10   4143 00000000 00000000 00000008 00000000
		in +10   4143 00000000 00000000 0000000A 00000000 ! send-msn`},
	{"a request whose end closes the gap", midstream, `
		in C142 0000000C 00000000 00000000 61626364 -> none
		out 4141 00000000 00000001 00000005 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		in C142 0000000A 00000000 00000000 61626364 -> 0 last
		in C142 0000000A 00000000 00000000 61626364 -> none ! response-unexpected`},
	{"segments of a Send are missing", agreed, `
		in +1000 0143 00000000 00000000 00000001 00000000
		gap
		in +1000 0143 00000000 00000000 00000001 000007D0
		in +1000 4143 00000000 00000000 00000001 00000BB8
		in +1000 4143 00000000 00000000 00000003 00000000 ! send-msn`},
	{"segments of a Write are missing", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		gap
		in +1000 C140 A1B2C302 00000000 00001000`},
	{"a Write whose L may have come before the rest, in the gap", agreed, `
		gap
		in +1000 8140 A1B2C301 00000000 00001000
		in +10   4143 00000000 00000000 00000001 00000000 ? interleaved
		in +1000 8140 A1B2C301 00000000 00001000
		in +10   4143 00000000 00000000 00000002 00000000 ! interleaved`},
	{"a Write whose L may have come before the rest, and another Write", agreed, `
		gap
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 8140 A1B2C302 00000000 00001000 ? write-continuation
		in +10   4143 00000000 00000000 00000001 00000000 ! interleaved`},
	{"a Write whose L may have come before the rest, and another to the same octets", agreed, `
		gap
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 00001000 ? to-overlap`},
	{"a Write whose L may have come before the rest, and another elsewhere", agreed, `
		gap
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 00002000 ! to-order
		in +10   4143 00000000 00000000 00000001 00000000 ? write-hole`},
	{"L of a Write comes after the gap, and octets below it are missing", agreed, `
		gap
		in +1000 C140 A1B2C301 00000000 00002000
		in +1000 8140 A1B2C301 00000000 00001000
		in +10   4143 00000000 00000000 00000001 00000000 ? interleaved`},
	{"a Write after a whole one has its L after the gap", agreed, `
		gap
		in +1000 C140 A1B2C301 00000000 00001000
		in +1000 8140 A1B2C301 00000000 00002000
		in +10   4143 00000000 00000000 00000001 00000000 ! interleaved`},
	{"a Write after a whole Send has its L after the gap", agreed, `
		gap
		in +10   4143 00000000 00000000 00000001 00000000
		in +1000 8140 A1B2C301 00000000 00001000
		in +10   4143 00000000 00000000 00000002 00000000 ! interleaved`},
	{"a Send whose L may have come before the rest", agreed, `
		gap
		in +1000 0143 00000000 00000000 00000001 00000000
		in +10   C140 A1B2C301 00000000 00001000 ? interleaved
		gap
		in +1000 0143 00000000 00000000 00000004 00000000
		in +1000 0143 00000000 00000000 00000005 00000000 ? send-end
		in +1000 4143 00000000 00000000 00000006 00000000 ! send-end
		gap
		in +1000 4143 00000000 00000000 00000008 000003E8
		in +1000 0143 00000000 00000000 00000008 00000000 ! mo-order`},
	{"a Send whose L comes first after a gap, and all of the rest", agreed, `
		gap
		in +1000 4143 00000000 00000000 00000008 000007D0
		in +1000 0143 00000000 00000000 00000008 000003E8 ! mo-order
		in +1000 0143 00000000 00000000 00000008 00000000
		in +10   4143 00000000 00000000 00000009 00000000
		in +10   4143 00000000 00000000 0000000B 00000000 ! send-msn`},
	{"a Send in any order after the tail of another", agreed, `
		gap
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000008 0000000B 00000000 00000000
		in C142 0000000A 00000000 00000000 0102030405060708
		in +1000 4143 00000000 00000000 00000008 000007D0
		in +1000 0143 00000000 00000000 00000009 000003E8 ! mo-order
		in +1000 0143 00000000 00000000 00000009 00000000
		in +1000 4143 00000000 00000000 00000009 000007D0
		in +10   4143 00000000 00000000 0000000A 00000000`},
	{"a Send whose L comes first after a gap, which may hold the rest", agreed, `
		gap
		in +1000 4143 00000000 00000000 00000008 000007D0
		in +1000 0143 00000000 00000000 00000008 00000000 ! mo-order
		in +10   4143 00000000 00000000 00000009 00000000
		in +10   4143 00000000 00000000 0000000B 00000000 ! send-msn`},
	{"a Send of which the last segments come first after a gap", agreed, `
		gap
		in +1000 0143 00000000 00000000 00000008 000003E8
		in +1000 4143 00000000 00000000 00000008 000007D0
		in +1000 0143 00000000 00000000 00000008 00000000 ! mo-order
		in +10   4143 00000000 00000000 00000009 00000000
		in +10   4143 00000000 00000000 0000000B 00000000 ! send-msn`},
	{"a Send of which the last segments come first after a gap, which may hold others", agreed, `
		gap
		in +1000 0143 00000000 00000000 00000008 00000BB8
		in +1000 4143 00000000 00000000 00000008 00000FA0
		in +1000 0143 00000000 00000000 00000008 00000000 ! mo-order
		in +10   C140 A1B2C301 00000000 00001000 ? interleaved`},
	{"a Send without L, whose segments come in any order after a gap", agreed, `
		gap
		in +1000 0143 00000000 00000000 00000008 000003E8
		in +1000 0143 00000000 00000000 00000008 00000000 ! mo-order
		in +1000 0143 00000000 00000000 00000008 000007D0
		in +1000 4143 00000000 00000000 00000008 00000BB8
		in +10   4143 00000000 00000000 00000009 00000000`},
	{"a Response whose L may have come before the rest", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000008 0000000B 00000000 00000000
		gap
		in 8142 0000000A 00000000 00000000 61626364 -> 0
		in +10   4143 00000000 00000000 00000001 00000000 ? interleaved`},
	{"the first segments of a Response are missing", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		out 4141 00000000 00000001 00000002 00000000 0000000C 00000000 00001000 0000000C 0000000B 00000000 00000000
		gap
		in 8142 0000000C 00000000 00001004 61626364 -> 1
		in C142 0000000C 00000000 00001008 61626364 -> 1 last`},
	{"segments within a Response are missing", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 0000000C 0000000B 00000000 00000000
		out 4141 00000000 00000001 00000002 00000000 0000000A 00000000 00000000 0000000C 0000000B 00000000 00000000
		in 8142 0000000A 00000000 00000000 61626364 -> 0
		gap
		in C142 0000000A 00000000 00000008 61626364 -> 0 last
		in 8142 0000000A 00000000 00000000 61626364 -> 1
		gap
		in C142 0000000A 00000000 00000008 616263 -> 1 last ! response-size`},
	{"which of two equal requests is answered nobody knows", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		out 4141 00000000 00000001 00000002 00000000 0000000A 00000000 00000000 00000008 0000000B 00000000 00000000
		out 4141 00000000 00000001 00000003 00000000 0000000C 00000000 00000000 00000004 0000000B 00000000 00000000
		gap
		in 8142 0000000A 00000000 00000000 61626364 -> 0
		in C142 0000000A 00000000 00000004 61626364 -> 0 last
		in C142 0000000C 00000000 00000000 61626364 -> 2 last
		in C142 0000000A 00000000 00000000 61626364 -> none ! response-unexpected`},
	{"whole Responses are missing", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		out 4141 00000000 00000001 00000002 00000000 0000000C 00000000 00000000 00000004 0000000B 00000000 00000000
		gap
		in C142 0000000C 00000000 00000000 61626364 -> 1 last
		in C142 0000000A 00000000 00000000 61626364 -> none ! response-unexpected`},
	{"Atomic Responses are missing", agreed, `
		out 414A 00000000 00000001 00000001 00000000 00000002 00000007 BEEF0002 00007F00 00004008 00000000 0000AAAA 00000000 0000FFFF 00000000 00001234 00000000 0000FF00
		out 414A 00000000 00000001 00000002 00000000 00000002 00000008 BEEF0002 00007F00 00004008 00000000 0000AAAA 00000000 0000FFFF 00000000 00001234 00000000 0000FF00
		gap
		in 414B 00000000 00000003 00000002 00000000 00000008 01234567 89ABCDEF -> 1 last`},
	{"requests are missing", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		out-gap
		out 4141 00000000 00000001 00000003 00000000 0000000C 00000000 00000000 00000004 0000000B 00000000 00000000
		in C142 0000000A 00000000 00000000 61626364 -> 0 last
		in C142 0000000D 00000000 00000000 61626364 -> none
		in C142 0000000C 00000000 00000000 61626364 -> 1 last
		in C142 0000000C 00000000 00000000 61626364 -> none ! response-unexpected`},
	{"requests come late, after their responses", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		out-gap
		in C142 0000000A 00000000 00000000 61626364 -> 0 last
		in C142 0000000B 00000000 00000000 61626364 -> none
		in C142 0000000C 00000000 00000000 61626364 -> none
		out 4141 00000000 00000001 00000002 00000000 0000000B 00000000 00000000 00000004 0000000B 00000000 00000000
		out 4141 00000000 00000001 00000003 00000000 0000000C 00000000 00000000 00000004 0000000B 00000000 00000000
		out 4141 00000000 00000001 00000004 00000000 0000000D 00000000 00000000 00000004 0000000B 00000000 00000000
		in C142 0000000D 00000000 00000000 61626364 -> 3 last
		in C142 0000000D 00000000 00000000 61626364 -> none ! response-unexpected`},
	{"responses that went out are missing: nobody has too many requests", rules.Conditions{Version: 1, IRD: 1}, `
		in 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		out-gap
		in 4141 00000000 00000001 00000002 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000
		in 4141 00000000 00000001 00000003 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000 ! read-ird`},
	{"a request that was not captured whole", agreed, `
		out +20 4141 00000000 00000001 00000001 00000000 0000000A 00000000
		in 8142 0000000A 00000000 00000000 61626364 -> 0
		in C142 0000000A 00000000 00000004 61626364 -> 0 last`},
	{"requests that were not captured whole, and the middle of a Response is missing", agreed, `
		out +20 4141 00000000 00000001 00000001 00000000 0000000A 00000000
		out +20 4141 00000000 00000001 00000002 00000000 0000000C 00000000
		in 8142 0000000A 00000000 00000000 61626364 -> 0
		gap
		in C142 0000000A 00000000 00000008 61626364 -> 1 last
		out +20 4141 00000000 00000001 00000003 00000000 0000000D 00000000
		in C142 0000000C 00000000 00000000 61626364 -> 2 last
		in C142 0000000D 00000000 00000000 61626364 -> none`},
}

// TestStrayResponse has a Response that answers no request that was seen: where others may be missing, that is in doubt.
func TestStrayResponse(t *testing.T) {
	for _, c := range []rules.Conditions{agreed, midstream} {
		var r rules.Receiver
		r.Reset(c)
		r.Sent(segment(t, "4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000004 0000000B 00000000 00000000"))
		s, n := segment(t, "C142 0000000D 00000000 00000000 61626364")
		v := r.Segment(s, n, nil)
		if len(v) != 1 || v[0].Name != "response-stag" || (v[0].Doubt == rules.Lost) != c.Midstream {
			t.Errorf("midstream %v: %+v", c.Midstream, v)
		}
	}
}

// TestGapsBringNothing checks that correct traffic yields no certain violation, whatever part of it is missing. All
// requests have one sink, or each has its own, or their sinks overlap.
func TestGapsBringNothing(t *testing.T) {
	for seed := range uint64(2400) {
		w := newWell(seed)
		var v []rules.Violation
		for i := range 400 {
			if i == 100 && w.midstream {
				w.r.Reset(rules.Conditions{Version: -1, IRD: 3, Midstream: true})
			}
			v = slices.DeleteFunc(w.step(v), func(v rules.Violation) bool { return v.Doubt != rules.Seen })
		}
		if len(v) > 0 {
			t.Fatalf("seed %d: %s: seen %s, expected %s", seed, v[0].Name, v[0].Seen, v[0].Expected)
		}
		if !w.lossy && !w.midstream && (w.matched != w.responses || w.r.Outstanding() != w.theirs) {
			t.Errorf("seed %d: %d of %d responses matched, %d of %d outstanding",
				seed, w.matched, w.responses, w.r.Outstanding(), w.theirs)
		}
	}
}

// A well is one end of a correct stream, of which its Receiver may miss segments.
type well struct {
	r     rules.Receiver
	rand  *rand.Rand
	lossy bool
	sinks uint32 // 1 if each request has its own sink
	among uint32 // number of TOs

	midstream bool // the capture begins late
	cut       bool // it has only the start of each sent packet

	msn       [4]uint32 // of what arrives, by QN
	asked     uint32    // requests sent
	rest      []*rdmap.Segment
	ours      []*rdmap.Segment // responses due to us
	theirs    int              // requests received and not answered
	responses int              // segments of them
	matched   int
}

func newWell(seed uint64) *well {
	w := &well{
		rand:  rand.New(rand.NewPCG(seed, 1)),
		lossy: seed%3 > 0, sinks: uint32(seed % 2), midstream: seed%5 == 0, cut: seed%4 == 3,
		among: 1 + uint32(seed/7%3), msn: [4]uint32{1, 1, 1, 1},
	}
	w.r.Reset(rules.Conditions{Version: 1, IRD: 3})
	return w
}

// step receives or sends one segment.
func (w *well) step(v []rules.Violation) []rules.Violation {
	switch n := w.rand.IntN(10); {
	case n < 6:
		return w.in(v)
	case n < 8:
		w.ask()
	case w.theirs > 0:
		w.theirs--
		w.out(tagged(rdmap.OpReadResponse, 1, 0, true, 0))
	}
	return v
}

// missed reports whether the next segment is not captured. Often several in a row are missed.
func (w *well) missed() bool { return w.lossy && w.rand.IntN(12) == 0 }

func (w *well) out(s *rdmap.Segment) {
	if w.missed() {
		w.r.SentGap()
		return
	}
	n := s.Len()
	if w.cut {
		s.Body = s.Body[:min(len(s.Body), 10)]
	}
	w.r.Sent(s, n)
}

// ask sends a request, and keeps the segments of its response.
func (w *well) ask() {
	w.asked++
	if w.rand.IntN(3) == 0 {
		id := w.asked * w.sinks
		request := rdmap.AtomicRequest{RequestIdentifier: id, CompareMask: 1<<64 - 1}
		response := rdmap.AtomicResponse{OriginalRequestIdentifier: id}
		w.out(untagged(rdmap.OpAtomicRequest, w.asked, true, 0, &request))
		w.ours = append(w.ours, untagged(rdmap.OpAtomicResponse, 0, true, 0, &response))
		return
	}
	h := rdmap.ReadRequest{SinkSTag: w.asked * w.sinks, SinkTO: 100 * uint64(1+w.rand.Uint32N(w.among)), RDMARDSZ: w.rand.Uint32N(4) * 100}
	w.out(untagged(rdmap.OpReadRequest, w.asked, true, 0, &h))
	for at := uint32(0); at == 0 || at < h.RDMARDSZ; at += 100 {
		n := min(100, h.RDMARDSZ)
		w.ours = append(w.ours, tagged(rdmap.OpReadResponse, h.SinkSTag, h.SinkTO+uint64(at), at+100 >= h.RDMARDSZ, int(n)))
	}
}

// in receives the next segment: the rest of a message, or the first of another.
func (w *well) in(v []rules.Violation) []rules.Violation {
	if len(w.rest) == 0 {
		w.rest = w.message()
	}
	s := w.rest[0]
	w.rest = w.rest[1:]
	if w.missed() {
		w.r.Gap()
		return v
	}
	v = w.r.Segment(s, s.Len(), v)
	if op := s.Control.Opcode; op == rdmap.OpReadResponse || op == rdmap.OpAtomicResponse {
		w.responses++
		if m := w.r.Match(); m.Known && m.Last == s.L() {
			w.matched++
		}
	}
	return v
}

// message returns the segments of a received message.
func (w *well) message() (all []*rdmap.Segment) {
	segments := 1 + w.rand.IntN(3)
	switch n := w.rand.IntN(8); {
	case n < 3 && len(w.ours) > 0:
		for last := false; !last; w.ours = w.ours[1:] {
			last = w.ours[0].L()
			all = append(all, w.number(w.ours[0]))
		}
		return all
	case n < 4 && w.theirs < 3:
		w.theirs++
		return append(all, w.number(untagged(rdmap.OpReadRequest, 1, true, 0, new(rdmap.ReadRequest))))
	case n < 6:
		for i := range segments {
			all = append(all, tagged(rdmap.OpWrite, 5, uint64(1000+100*i), i == segments-1, 100))
		}
		return all
	}
	msn := w.msn[0]
	w.msn[0]++
	for i := range segments {
		s := untagged(rdmap.OpSend, msn, i == segments-1, uint32(100*i), nil)
		s.Body = make([]byte, 100)
		all = append(all, s)
	}
	return all
}

// number sets the MSN of a message of one segment, if it has one.
func (w *well) number(s *rdmap.Segment) *rdmap.Segment {
	if !s.T {
		s.Untagged.MSN = w.msn[s.Untagged.QN]
		w.msn[s.Untagged.QN]++
	}
	return s
}

func tagged(op rdmap.Opcode, stag uint32, to uint64, last bool, n int) *rdmap.Segment {
	s := &rdmap.Segment{Body: make([]byte, n)}
	s.T, s.Control = true, rdmap.Control{RV: 1, Opcode: op}
	s.Tagged = ddp.Tagged{L: last, DV: 1, STag: stag, TO: to}
	return s
}

func untagged(op rdmap.Opcode, msn uint32, last bool, mo uint32, header encoding.BinaryAppender) *rdmap.Segment {
	s := new(rdmap.Segment)
	qn, _ := op.QN()
	s.Control = rdmap.Control{RV: 1, Opcode: op}
	s.Untagged = ddp.Untagged{L: last, DV: 1, QN: qn, MSN: msn, MO: mo}
	if header != nil {
		s.Body, _ = header.AppendBinary(nil)
	}
	return s
}

// TestReceiverTakesAnything checks that random segments do no harm, and that the state kept is bounded.
func TestReceiverTakesAnything(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 80)
	var r [2]rules.Receiver
	for i := range r {
		r[i].Reset(rules.Conditions{Version: -1, IRD: 2})
	}
	var v []rules.Violation
	for i := range 200_000 {
		for j := range b {
			b[j] = byte(rnd.Uint32() & rnd.Uint32()) // few bits
		}
		b[0], b[1] = 0x41|b[0]&0xc0, 0x40|b[1]&0x0f
		if i%3 > 0 {
			copy(b[6:], "\x00\x00\x00\x01") // QN
		}
		var s rdmap.Segment
		n := int(rnd.Uint32N(uint32(len(b))))
		s.Decode(b[:n])
		d := i & 1
		v = r[d].Segment(&s, n+int(rnd.Uint32N(2)*rnd.Uint32()>>12), v[:0])
		r[1-d].Sent(&s, n)
		switch rnd.Uint32N(500) {
		case 0:
			r[d].Gap()
		case 1:
			r[d].SentGap()
		case 2:
			r[d].Reset(rules.Conditions{Version: 1, IRD: -1})
		}
	}
}
