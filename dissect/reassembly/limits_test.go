package reassembly

import (
	"bytes"
	"testing"
)

// drain pulls everything and returns the number of octets and holes.
func drain(h *Half) (octets, holes int) {
	for p := (Piece{}); h.Next(&p); {
		octets += len(p.Data)
		if p.Hole > 0 {
			holes++
		}
	}
	return octets, holes
}

// started returns a half whose stream begins at sequence number 0.
func started(b *Budget) *Half {
	h := NewHalf(b)
	h.Push(&Segment{Seq: 1<<32 - 1, SYN: true})
	return h
}

// everyOther pushes n segments of one octet with gaps of one octet between them, from the offset 2*first+1 on.
func everyOther(h *Half, first, n int) {
	for i := first; i < first+n; i++ {
		h.Push(&Segment{Seq: uint32(2*i + 1), Data: []byte{1}})
	}
}

func TestOneDirectionGivesUpAt256Fragments(t *testing.T) {
	h := started(nil)
	everyOther(h, 0, unackedPatience-1)
	if octets, holes := drain(h); octets+holes != 0 {
		t.Fatalf("%d octets and %d holes while fewer fragments wait", octets, holes)
	}
	everyOther(h, unackedPatience-1, 1)
	if octets, holes := drain(h); octets != 1 || holes != 1 {
		t.Errorf("got %d octets and %d holes, want the first gap only", octets, holes)
	}
	everyOther(h, unackedPatience, 10)
	if octets, holes := drain(h); octets != 10 || holes != 10 {
		t.Errorf("got %d octets and %d holes, want the next ten gaps", octets, holes)
	}
}

func TestAcknowledgementsThatEnded(t *testing.T) {
	h := started(nil)
	h.Acked(0)
	everyOther(h, 0, ackSilence)
	if octets, _ := drain(h); octets != 0 {
		t.Fatalf("%d octets while the other side may still be there", octets)
	}
	everyOther(h, ackSilence, 1)
	if octets, _ := drain(h); octets != ackSilence+1-unackedPatience+1 {
		t.Errorf("got %d octets after %d segments without acknowledgement", octets, ackSilence)
	}
}

func TestResynchronises(t *testing.T) {
	for _, jump := range []uint32{1<<30 + 500, 1 << 31, 3<<30 - 500} {
		h := started(nil)
		h.Push(&Segment{Data: []byte("abc")})
		h.Push(&Segment{Seq: 5, Data: []byte("f")})
		drain(h)
		for i := range uint32(resyncAfter - 1) {
			h.Push(&Segment{Seq: jump + 2*i, Data: []byte("xy")})
		}
		if octets, _ := drain(h); octets != 0 {
			t.Fatalf("jump %d: gave in after %d segments", jump, resyncAfter-1)
		}
		h.Push(&Segment{Seq: jump + 64, Data: []byte("xy"), Frame: 7})
		want := []Piece{
			{Offset: 3, Hole: 2, Frame: 7},
			{Offset: 5, Data: []byte("f")},
			{Offset: 6, Hole: uint64(jump) + 64 - 6, Frame: 7},
			{Offset: uint64(jump) + 64, Data: []byte("xy"), Frame: 7},
		}
		for i, p := 0, (Piece{}); h.Next(&p); i++ {
			if i == len(want) || p.Offset != want[i].Offset || p.Hole != want[i].Hole || p.Frame != want[i].Frame || !bytes.Equal(p.Data, want[i].Data) {
				t.Errorf("jump %d: piece %d is %+v", jump, i, p)
			}
		}
		h.Push(&Segment{Seq: jump + 66, Data: []byte("z")})
		if octets, _ := drain(h); octets != 1 {
			t.Errorf("jump %d: the stream does not go on", jump)
		}
	}
}

func TestDoesNotResynchronise(t *testing.T) {
	const far = 1<<30 + 500
	data := []byte("xy")
	for name, strays := range map[string][2]Segment{
		"far from each other":   {{Seq: far, Data: data}, {Seq: 3<<30 - 500, Data: data}},
		"good ones in between":  {{Seq: far, Data: data}, {Seq: 0, Data: data}},
		"near, but too long":    {{Seq: 1 << 29, Data: data, Missing: 1<<29 + 100}, {Seq: 1 << 29, Data: data, Missing: 1<<29 + 100}},
		"far, and far too long": {{Seq: far, Data: data, Missing: 1 << 30}, {Seq: far, Data: data, Missing: 1 << 30}},
		"without data":          {{Seq: far}, {Seq: far}},
	} {
		h := started(nil)
		h.Push(&Segment{Data: []byte("abc")})
		drain(h)
		for range 4 * resyncAfter {
			h.Push(&strays[0])
			h.Push(&strays[1])
		}
		if octets, holes := drain(h); octets+holes != 0 {
			t.Errorf("%s: got %d octets and %d holes", name, octets, holes)
		}
	}
}

// Behind a FIN there is nothing to resynchronise with.
func TestDoesNotResynchroniseBehindFIN(t *testing.T) {
	h := started(nil)
	h.Push(&Segment{Seq: 3, FIN: true})
	for range 4 * resyncAfter {
		h.Push(&Segment{Seq: 1<<30 + 500, Data: []byte("xy")})
	}
	if octets, holes := drain(h); octets+holes != 0 {
		t.Errorf("got %d octets and %d holes", octets, holes)
	}
}

// A missing tail of any length is one hole, costs nothing, and cannot be longer than a window.
func TestHugeMissing(t *testing.T) {
	h := started(nil)
	h.Push(&Segment{Data: []byte("a"), Missing: 1<<30 - 1})
	if octets, holes := drain(h); octets != 1 || holes != 1 || h.NextSeq() != 1<<30 {
		t.Errorf("%d octets, %d holes, next %d", octets, holes, h.NextSeq())
	}
	h.Push(&Segment{Seq: 1 << 30, Data: []byte("a"), Missing: 1<<31 - 1})
	if octets, _ := drain(h); octets != 0 || h.Counters().OutOfWindow != 1 {
		t.Error("a segment longer than a window was taken in")
	}
	h.Push(&Segment{Seq: 1 << 30, Data: []byte("a"), Missing: -5})
	if octets, holes := drain(h); octets != 1 || holes != 0 {
		t.Error("a negative Missing is not 0")
	}
}

// Octets of 1000 halves, each with one waiting fragment, within a budget for ten: the ten latest keep theirs.
func TestTheIdlestHalfDrops(t *testing.T) {
	const room = 10
	b := NewBudget(Limits{Total: room * (fragmentCost + 64)})
	halves := make([]*Half, 1000)
	for i := range halves {
		halves[i] = started(b)
		halves[i].Push(&Segment{Seq: 5, Data: []byte("x")})
		if b.Held() > b.limits.Total {
			t.Fatalf("%d octets held", b.Held())
		}
		halves[0].Push(&Segment{Seq: 1 << 20}) // keeps the first one active
	}
	for i, h := range halves {
		h.Flush()
		octets, _ := drain(h)
		if kept := i == 0 || i > len(halves)-room; (octets == 1) != kept {
			t.Errorf("half %d: %d octets", i, octets)
		}
		if want := uint64(1 - octets); h.Counters().Dropped != want {
			t.Errorf("half %d: counted %d dropped octets, want %d", i, h.Counters().Dropped, want)
		}
	}
	if b.Held() != 0 || b.waiting.Latest() != nil {
		t.Errorf("the budget holds %d", b.Held())
	}
}

// Buffers at rest and in use stay within the limit together, whatever sizes come.
func TestBuffersAtRestStayWithinTheLimit(t *testing.T) {
	b := NewBudget(Limits{Total: 1 << 20})
	packet := make([]byte, 200_000)
	for size := 1; size < len(packet); size *= 3 {
		h := started(b)
		for i := range 100 {
			h.Push(&Segment{Seq: uint32(1 + i*len(packet)), Data: packet[:size]})
			if total := b.held + b.buffers.idle; total > b.limits.Total+1<<18 {
				t.Fatalf("size %d: %d octets in use and at rest", size, total)
			}
		}
		h.Close()
	}
	if b.Held() != 0 {
		t.Errorf("%d octets held in the end", b.Held())
	}
}

// Segments that lie across thousands of waiting fragments must not be able to make more of them than the limit allows.
func TestFragmentsAreLimited(t *testing.T) {
	h := started(nil)
	h.Acked(0)
	packet := make([]byte, 20_000)
	for round := range 3 {
		everyOther(h, 0, 5000)
		h.Push(&Segment{Seq: 1, Data: packet})
		h.Push(&Segment{Seq: 1, Missing: 1<<29 + 100})
		if n := h.queue.count(); n > DefaultLimits.Fragments {
			t.Fatalf("round %d: %d fragments", round, n)
		}
	}
	h.Push(&Segment{Seq: 0, Data: packet[:1]})
	drain(h)
	if h.Close(); h.Held() != 0 {
		t.Errorf("%d octets held in the end", h.Held())
	}
}

// A missing tail goes around 64 waiting fragments and reaches the next one, however long it claims to be.
func TestMissingReachesOnlySoFar(t *testing.T) {
	h := started(nil)
	h.Acked(0)
	everyOther(h, 0, 100)
	h.Push(&Segment{Missing: 1000})
	if octets, holes := drain(h); octets != cutReach+1 || holes != cutReach+1 {
		t.Errorf("got %d octets and %d holes", octets, holes)
	}
	if got, want := h.NextSeq(), uint32(2*cutReach+2); got != want {
		t.Errorf("expects %d next, want %d", got, want)
	}
}

func TestInOrderAllocatesNothing(t *testing.T) {
	h := started(nil)
	s := Segment{Data: make([]byte, 1460), Missing: 40}
	var p Piece
	if n := testing.AllocsPerRun(1000, func() {
		h.Push(&s)
		h.Acked(s.Seq)
		for h.Next(&p) {
		}
		s.Seq += 1500
	}); n != 0 {
		t.Errorf("%v allocations per segment in order", n)
	}
}

func TestReorderingAllocatesNothingInTheLongRun(t *testing.T) {
	b := NewBudget(Limits{})
	halves := []*Half{started(b), started(b), started(b)}
	data, seq := make([]byte, 1460), uint32(0)
	var p Piece
	if n := testing.AllocsPerRun(1000, func() {
		for i := uint32(40); i > 0; i-- { // each half waits for the last one
			for _, h := range halves {
				h.Push(&Segment{Seq: seq + (i-1)*1460, Data: data})
				h.Acked(seq)
				for h.Next(&p) {
				}
			}
		}
		seq += 40 * 1460
	}); n != 0 {
		t.Errorf("%v allocations per 120 reordered segments", n)
	}
	if h := halves[0]; h.NextSeq() != seq || b.Held() != 0 {
		t.Errorf("next %d, want %d; %d octets held", h.NextSeq(), seq, b.Held())
	}
}
