package pending_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/ulp/internal/pending"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

type table = pending.Table[int]

func at(d dissect.Direction, frame uint64) *dissect.Origin {
	return &dissect.Origin{Dir: d, Span: dissect.Span{Frame: frame, LastFrame: frame}}
}

func write(d dissect.Direction, stag uint32, to uint64, octets int) *dissect.Segment {
	s := &dissect.Segment{Origin: dissect.Origin{Dir: d}}
	s.RDMAP.T, s.RDMAP.Control.Opcode = true, rdmap.OpWrite
	s.RDMAP.Tagged.STag, s.RDMAP.Tagged.TO = stag, to
	s.FPDU.ULPDULength = uint16(14 + octets)
	return s
}

// TestOutcomes ends requests in every way there is.
func TestOutcomes(t *testing.T) {
	var r ulptest.Recorder
	var p table
	p.Begin(&r)
	p.Open(at(dissect.C2S, 1), 1, "answered")
	p.Open(at(dissect.C2S, 2), 2, "refused")
	p.Open(at(dissect.S2C, 3), 1, "of the other side, with the same id")
	p.Open(at(dissect.C2S, 4), 3, "forgotten")
	p.Open(at(dissect.C2S, 5), 3, "with an id again")
	p.Close(p.Find(dissect.C2S, 1), at(dissect.S2C, 6), analysis.Answered)
	p.Close(p.Find(dissect.C2S, 2), at(dissect.S2C, 7), analysis.Refused)
	p.Gap(dissect.S2C)
	p.Open(at(dissect.C2S, 8), 4, "behind the gap")
	p.Open(at(dissect.C2S, 9), 5, "standing").Standing = true
	if p.Find(dissect.C2S, 1) != nil || p.Find(dissect.S2C, 4) != nil {
		t.Error("found what is not there")
	}
	if got := p.End(); got != [2]int{2, 1} {
		t.Errorf("outstanding %v", got)
	}
	ulptest.Expect(t, "transactions", r.TransactionLines(),
		"c2s forgotten id=0x3 unanswered frames 4-0 octets=0",
		"c2s answered id=0x1 answered frames 1-6 octets=0",
		"c2s refused id=0x2 refused frames 2-7 octets=0",
		"s2c of the other side, with the same id id=0x1 unanswered frames 3-0 octets=0",
		"c2s with an id again id=0x3 unknown frames 5-0 octets=0",
		"c2s behind the gap id=0x4 unanswered frames 8-0 octets=0",
		"c2s standing id=0x5 unanswered frames 9-0 octets=0",
	)
}

// TestRegions moves data to and from memory that several requests advertise under the same STag.
func TestRegions(t *testing.T) {
	var r ulptest.Recorder
	var p table
	p.Begin(&r)
	one, two := p.Open(at(dissect.C2S, 1), 1, "one"), p.Open(at(dissect.C2S, 2), 2, "two")
	p.Advertise(one, pending.Region{STag: 7, TO: 0x1000, Length: 0x1000})
	p.Advertise(two, pending.Region{STag: 7, TO: 0x2000, Length: 0x1000})
	p.Advertise(two, pending.Region{STag: 8, TO: 0, Length: 10})
	p.Advertise(two, pending.Region{STag: 9, TO: 0, Length: 0})

	p.Tagged(write(dissect.S2C, 7, 0x1ff0, 100), nil)
	p.Tagged(write(dissect.S2C, 7, 0x2ff0, 20), nil)
	p.Tagged(write(dissect.S2C, 7, 0x9000, 3), nil)    // in nobody's: the latest has it
	p.Tagged(write(dissect.C2S, 7, 0x1000, 1000), nil) // to an STag of the other side
	p.Tagged(write(dissect.S2C, 9, 0, 1000), nil)

	read := &analysis.Transaction{Dir: dissect.S2C, Read: rdmap.ReadRequest{SinkSTag: 7, SinkTO: 50, SrcSTag: 8, SrcTO: 4}}
	response := write(dissect.C2S, 7, 52, 4)
	response.RDMAP.Control.Opcode = rdmap.OpReadResponse
	p.Tagged(response, read)
	p.Tagged(response, nil) // the request was not seen

	if one.Octets != 100 || two.Octets != 27 {
		t.Errorf("%d and %d octets", one.Octets, two.Octets)
	}
	p.Close(two, at(dissect.S2C, 3), analysis.Answered)
	p.Tagged(write(dissect.S2C, 7, 0x2000, 5), nil)
	p.Tagged(write(dissect.S2C, 8, 0, 1000), nil)
	if one.Octets != 105 {
		t.Errorf("%d octets when only one is left", one.Octets)
	}
}

// TestEitherOrder uses an STag whose octets were advertised in the reverse order.
func TestEitherOrder(t *testing.T) {
	for _, either := range []bool{false, true} {
		p := table{Reporter: new(ulptest.Recorder), EitherOrder: either}
		r := p.Open(at(dissect.C2S, 1), 1, "request")
		p.Advertise(r, pending.Region{STag: 0x11223344, TO: 0, Length: 100})
		p.Tagged(write(dissect.S2C, 0x44332211, 0, 10), nil)
		if r.Octets != map[bool]uint64{true: 10}[either] {
			t.Errorf("either order %v: %d octets", either, r.Octets)
		}
	}
}

// An advertised notes what an Advertiser is told.
type advertised struct {
	ulptest.Recorder
	stags []uint32
}

func (a *advertised) Advertise(d dissect.Direction, stag uint32) {
	if d == dissect.S2C {
		a.stags = append(a.stags, stag)
	}
}

// TestLimits opens more requests, and advertises more regions, than are kept.
func TestLimits(t *testing.T) {
	var r advertised
	var p table
	p.Begin(&r)
	for id := range uint64(pending.MaxRequests + 10) {
		p.Advertise(p.Open(at(dissect.C2S, id+1), id, "request"), pending.Region{STag: 1, TO: id, Length: 1})
	}
	if len(r.Transactions) != 10 || r.Transactions[9].Outcome != analysis.Unknown || r.Transactions[9].ID != 9 {
		t.Errorf("%d transactions, %+v", len(r.Transactions), r.Transactions)
	}
	if len(r.stags) != pending.MaxRequests+10 {
		t.Errorf("%d STags were told of", len(r.stags))
	}
	last := p.Find(dissect.C2S, 100)
	for stag := range uint32(2 * pending.MaxRegions) {
		p.Advertise(last, pending.Region{STag: stag + 2, Length: 1})
	}
	p.Tagged(write(dissect.S2C, pending.MaxRegions, 0, 1), nil)
	p.Tagged(write(dissect.S2C, 2*pending.MaxRegions, 0, 1), nil) // not kept
	if last.Octets != 1 {
		t.Errorf("%d octets", last.Octets)
	}
	if got := p.End(); got != [2]int{pending.MaxRequests, 0} {
		t.Errorf("outstanding %v", got)
	}
}

// silent is a Reporter that keeps nothing.
type silent struct{ analysis.Discard }

// TestAllocations opens and closes requests, eight of which wait at a time.
func TestAllocations(t *testing.T) {
	p := table{Reporter: silent{}}
	origin, segment := at(dissect.C2S, 1), write(dissect.S2C, 0, 0, 10)
	id := uint64(0)
	round := func() {
		stag := uint32(id % 8)
		r := p.Open(origin, uint64(stag), "request")
		p.Advertise(r, pending.Region{STag: stag, Length: 100})
		segment.RDMAP.Tagged.STag = stag
		p.Tagged(segment, nil)
		id++
	}
	for range 100 {
		round()
	}
	if allocs := testing.AllocsPerRun(100, round); allocs != 0 {
		t.Errorf("%v allocations a request", allocs)
	}
}
