package pending_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

type table = pending.Table[int]

func at(d flow.Direction, frame uint64) *record.Origin {
	return &record.Origin{Conn: new(flow.Conn), Dir: d, Span: flow.Span{Frame: frame, LastFrame: frame}}
}

// answer is what a response in a frame says.
func answer(frame uint64, o record.Outcome, detail int) *pending.Answer[int] {
	return &pending.Answer[int]{Span: at(0, frame).Span, Outcome: o, Detail: detail}
}

func write(d flow.Direction, stag uint32, to uint64, octets int) *record.Segment {
	s := &record.Segment{Origin: record.Origin{Dir: d}}
	s.RDMAP.T, s.RDMAP.Control.Opcode = true, rdmap.OpWrite
	s.RDMAP.Tagged.STag, s.RDMAP.Tagged.TO = stag, to
	s.FPDU.ULPDULength = uint16(14 + octets)
	return s
}

// TestTask checks that requests have a Task in common exactly where they have a name in common.
func TestTask(t *testing.T) {
	var r ulptest.Recorder
	var p table
	p.Begin(&r)
	get, put, again := p.Open(at(flow.C2S, 1), 1, "get").Task, p.Open(at(flow.C2S, 2), 2, "put").Task, p.Open(at(flow.C2S, 3), 3, "get").Task
	if get == put || get != again {
		t.Errorf("Tasks %#x, %#x and %#x", get, put, again)
	}
}

// TestOutcomes ends requests in every way there is.
func TestOutcomes(t *testing.T) {
	var r ulptest.Recorder
	var p table
	p.Begin(&r)
	p.Open(at(flow.C2S, 1), 1, "answered")
	p.Open(at(flow.C2S, 2), 2, "refused")
	p.Open(at(flow.S2C, 3), 1, "of the other side, with the same id")
	p.Open(at(flow.C2S, 4), 3, "forgotten")
	p.Open(at(flow.C2S, 5), 3, "with an id again")
	p.Answer(flow.C2S, 1, answer(6, record.Answered, 0))
	p.Answer(flow.C2S, 2, answer(7, record.Refused, 0))
	p.Gap(flow.S2C)
	p.Open(at(flow.C2S, 8), 4, "behind the gap")
	p.Open(at(flow.C2S, 9), 5, "standing").Standing = true
	if p.Find(flow.C2S, 1) != nil || p.Find(flow.S2C, 4) != nil {
		t.Error("found what is not there")
	}
	if got := p.End(); got != [2]int{1, 1} {
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

// TestEarly has responses before their requests.
func TestEarly(t *testing.T) {
	var r ulptest.Recorder
	var details []int
	r.OnTransaction = func(tr *record.Transaction) { details = append(details, *tr.Upper.(*int)) }
	p := table{Complete: func(detail *int, answer int) { *detail += answer }}
	p.Begin(&r)
	open := func(frame, id uint64, name string) {
		o := p.Open(at(flow.C2S, frame), id, name)
		o.Detail = 100
		p.Await(o)
	}
	p.Answer(flow.C2S, 1, answer(12, record.Answered, 1)) // to one that was lost
	p.Answer(flow.C2S, 1, answer(16, record.Refused, 2))
	p.Answer(flow.S2C, 2, answer(17, record.Answered, 3)) // to the other side
	open(14, 1, "behind in processing")
	open(15, 2, "answered by nobody")
	open(18, 1, "with an id again")

	p.Answer(flow.C2S, 3, answer(300, record.Answered, 4))
	open(301, 3, "swapped with its response")
	p.Gap(flow.S2C)
	open(302, 3, "behind it")
	p.Gap(flow.S2C)
	p.Answer(flow.C2S, 4, answer(310, record.Answered, 5))
	open(311, 4, "with an id of before")
	open(312, 5, "so that there is one later")
	p.Gap(flow.S2C)
	p.Answer(flow.C2S, 6, answer(313, record.Answered, 6))
	open(1000, 6, "long behind")
	p.Gap(flow.S2C)

	if got := p.End(); got != [2]int{0, 0} {
		t.Errorf("outstanding %v", got)
	}
	ulptest.Expect(t, "transactions", r.TransactionLines(),
		"c2s behind in processing id=0x1 refused frames 14-16 octets=0",
		"c2s swapped with its response id=0x3 answered frames 301-300 octets=0",
		"c2s answered by nobody id=0x2 unknown frames 15-0 octets=0",
		"c2s with an id again id=0x1 unknown frames 18-0 octets=0",
		"c2s behind it id=0x3 unknown frames 302-0 octets=0",
		"c2s with an id of before id=0x4 unknown frames 311-0 octets=0",
		"c2s so that there is one later id=0x5 unknown frames 312-0 octets=0",
		"c2s long behind id=0x6 unknown frames 1000-0 octets=0",
	)
	if len(details) != 8 || details[0] != 102 || details[1] != 104 || details[2] != 100 {
		t.Errorf("details %v", details)
	}
}

// TestEarlyLimit keeps more responses than are kept.
func TestEarlyLimit(t *testing.T) {
	var r ulptest.Recorder
	var p table
	p.Begin(&r)
	const n = 100
	for id := range uint64(n) {
		p.Answer(flow.C2S, id, answer(n+id, record.Answered, 0))
	}
	for id := range uint64(n) {
		p.Await(p.Open(at(flow.C2S, id+1), id, "request"))
	}
	if got := p.End(); got != [2]int{n - 64, 0} || len(r.Transactions) != n {
		t.Errorf("outstanding %v, %d transactions", got, len(r.Transactions))
	}
}

// TestOldest asks for what waits.
func TestOldest(t *testing.T) {
	p := table{Reporter: new(ulptest.Recorder)}
	p.Open(at(flow.C2S, 1), 1, "standing").Standing = true
	if o, n := p.Oldest(flow.C2S); o != nil || n != 0 {
		t.Errorf("%v, %d of what may wait", o, n)
	}
	p.Open(at(flow.C2S, 2), 2, "first")
	p.Open(at(flow.S2C, 3), 3, "of the other side")
	p.Open(at(flow.C2S, 4), 4, "second")
	if o, n := p.Oldest(flow.C2S); n != 2 || o == nil || o.Name != "first" {
		t.Errorf("%+v, %d", o, n)
	}
	p.Answer(flow.C2S, 2, answer(5, record.Answered, 0))
	if o, n := p.Oldest(flow.C2S); n != 1 || o == nil || o.Name != "second" {
		t.Errorf("%+v, %d when the first is answered", o, n)
	}
	p.Gap(flow.S2C)
	if o, n := p.Oldest(flow.C2S); o != nil || n != 0 {
		t.Errorf("%v, %d when the answer may have been missed", o, n)
	}
}

// TestRegions moves data to and from memory that several requests advertise under the same STag.
func TestRegions(t *testing.T) {
	var r ulptest.Recorder
	var p table
	p.Begin(&r)
	one, two := p.Open(at(flow.C2S, 1), 1, "one"), p.Open(at(flow.C2S, 2), 2, "two")
	p.Advertise(one, pending.Region{STag: 7, TO: 0x1000, Length: 0x1000})
	p.Advertise(two, pending.Region{STag: 7, TO: 0x2000, Length: 0x1000})
	p.Advertise(two, pending.Region{STag: 8, TO: 0, Length: 10})
	p.Advertise(two, pending.Region{STag: 9, TO: 0, Length: 0})

	p.Tagged(write(flow.S2C, 7, 0x1ff0, 100), nil)
	p.Tagged(write(flow.S2C, 7, 0x2ff0, 20), nil)
	p.Tagged(write(flow.S2C, 7, 0x9000, 3), nil)    // in nobody's: the latest has it
	p.Tagged(write(flow.C2S, 7, 0x1000, 1000), nil) // to an STag of the other side
	p.Tagged(write(flow.S2C, 9, 0, 1000), nil)

	read := &record.Transaction{Dir: flow.S2C, Read: rdmap.ReadRequest{SinkSTag: 7, SinkTO: 50, SrcSTag: 8, SrcTO: 4}}
	response := write(flow.C2S, 7, 52, 4)
	response.RDMAP.Control.Opcode = rdmap.OpReadResponse
	p.Tagged(response, read)
	p.Tagged(response, nil) // the request was not seen

	if one.Octets != 100 || two.Octets != 27 {
		t.Errorf("%d and %d octets", one.Octets, two.Octets)
	}
	const across = "100 octets of STag 0x00000007 at TO 0x1ff0, expected 4096 octets at TO 0x1000, as the one in frame 1 advertises"
	if len(r.Findings) != 4 || r.Findings[0].Seen+", expected "+r.Findings[0].Expected != across {
		t.Errorf("%d findings, the first: %+v", len(r.Findings), r.Findings[0])
	}
	p.Answer(flow.C2S, two.ID, answer(3, record.Answered, 0))
	p.Tagged(write(flow.S2C, 7, 0x2000, 5), nil)
	p.Tagged(write(flow.S2C, 8, 0, 1000), nil)
	if one.Octets != 105 {
		t.Errorf("%d octets when only one is left", one.Octets)
	}
}

// TestBeyond cuts the same Write, which goes beyond its region, in several ways: a later request shares the STag.
func TestBeyond(t *testing.T) {
	for _, cut := range []int{0, 100, 512, 514} {
		var r ulptest.Recorder
		p := table{Reporter: &r}
		p.Advertise(p.Open(at(flow.C2S, 1), 1, "one"), pending.Region{STag: 7, TO: 0x1000, Length: 512})
		p.Advertise(p.Open(at(flow.C2S, 2), 2, "two"), pending.Region{STag: 7, TO: 0x5000, Length: 512})
		if cut > 0 {
			p.Tagged(write(flow.S2C, 7, 0x1000, cut), nil)
		}
		p.Tagged(write(flow.S2C, 7, 0x1000+uint64(cut), 516-cut), nil)
		if len(r.Findings) != 1 || r.Findings[0].Name != record.BeyondAdvertised || r.Findings[0].Expected != "512 octets at TO 0x1000, as the one in frame 1 advertises" {
			t.Errorf("cut at %d: %+v", cut, r.Findings)
		}
	}
}

// TestCutRead reads memory with a Read Request of which only a part is known: what it names is not judged.
func TestCutRead(t *testing.T) {
	for _, cut := range []bool{false, true} {
		var r ulptest.Recorder
		p := table{Reporter: &r}
		p.Advertise(p.Open(at(flow.C2S, 1), 1, "request"), pending.Region{STag: 7, TO: 0x1080, Length: 100})
		read := &record.Transaction{Dir: flow.S2C, Kind: record.ReadTransaction, Cut: cut}
		read.Read = rdmap.ReadRequest{RDMARDSZ: 100, SrcSTag: 7, SrcTO: 0x1000}
		p.Request(read)
		if got := len(r.Findings); got != map[bool]int{false: 1}[cut] {
			t.Errorf("cut %v: %d findings", cut, got)
		}
	}
}

// TestEitherOrder uses an STag whose octets were advertised in the reverse order.
func TestEitherOrder(t *testing.T) {
	for _, either := range []bool{false, true} {
		p := table{Reporter: new(ulptest.Recorder), EitherOrder: either}
		r := p.Open(at(flow.C2S, 1), 1, "request")
		p.Advertise(r, pending.Region{STag: 0x11223344, TO: 0, Length: 100})
		p.Tagged(write(flow.S2C, 0x44332211, 0, 10), nil)
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

func (a *advertised) Advertise(d flow.Direction, stag uint32) {
	if d == flow.S2C {
		a.stags = append(a.stags, stag)
	}
}

// TestLimits opens more requests, and advertises more regions, than are kept.
func TestLimits(t *testing.T) {
	var r advertised
	var p table
	p.Begin(&r)
	for id := range uint64(pending.MaxRequests + 10) {
		p.Advertise(p.Open(at(flow.C2S, id+1), id, "request"), pending.Region{STag: 1, TO: id, Length: 1})
	}
	if len(r.Transactions) != 10 || r.Transactions[9].Outcome != record.OutcomeUnknown || r.Transactions[9].ID != 9 {
		t.Errorf("%d transactions, %+v", len(r.Transactions), r.Transactions)
	}
	if len(r.stags) != pending.MaxRequests+10 {
		t.Errorf("%d STags were told of", len(r.stags))
	}
	last := p.Find(flow.C2S, 100)
	for stag := range uint32(2 * pending.MaxRegions) {
		p.Advertise(last, pending.Region{STag: stag + 2, Length: 1})
	}
	p.Tagged(write(flow.S2C, pending.MaxRegions, 0, 1), nil)
	p.Tagged(write(flow.S2C, 2*pending.MaxRegions, 0, 1), nil) // not kept
	if last.Octets != 1 {
		t.Errorf("%d octets", last.Octets)
	}
	if got := p.End(); got != [2]int{pending.MaxRequests, 0} {
		t.Errorf("outstanding %v", got)
	}
}

// TestAllocations opens and closes requests, eight of which wait at a time.
func TestAllocations(t *testing.T) {
	p := table{Reporter: ulptest.Discard{}}
	origin, segment := at(flow.C2S, 1), write(flow.S2C, 0, 0, 10)
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

// A request and its response.
func Example() {
	var reports ulptest.Recorder
	var t pending.Table[string]
	t.Begin(&reports)
	t.Await(t.Open(at(flow.C2S, 1), 7, "GET"))
	t.Next() // the next message
	t.Answer(flow.C2S, 7, &pending.Answer[string]{Span: at(flow.S2C, 2).Span})
	fmt.Println(reports.TransactionLines())
	// Output: [c2s GET id=0x7 answered frames 1-2 octets=0]
}

// TestMoved answers requests with success after all of their data were moved, and before. Nothing is known if they are refused, or after a
// gap.
func TestMoved(t *testing.T) {
	for _, test := range []struct {
		octets  int
		outcome record.Outcome
		status  string
		gap     bool
		seen    string
	}{
		{octets: 512},
		{octets: 511, seen: "it reports success of the one in frame 1, but only 511 of 512 octets were moved"},
		{octets: 511, outcome: record.Refused},
		{octets: 511, status: "but"},
		{octets: 511, gap: true},
	} {
		var r ulptest.Recorder
		var p table
		p.Begin(&r)
		request := p.Open(at(flow.C2S, 1), 1, "one")
		request.Data = 512
		p.Advertise(request, pending.Region{STag: 0x7000, TO: 0x1000, Length: 512})
		p.Await(request)
		p.Tagged(write(flow.S2C, 0x7000, 0x1000, test.octets), nil)
		if test.gap {
			p.Gap(flow.S2C)
		}
		a := answer(3, test.outcome, 0)
		a.Status = test.status
		p.Answer(flow.C2S, 1, a)
		var seen string
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Name == record.Unmoved && f.Dir == flow.S2C && f.Frame == 3 {
				seen += f.Seen
			}
		}
		if seen != test.seen {
			t.Errorf("%+v: %q", test, seen)
		}
	}
}

// strays counts the responses of which its Reporter is told that no request has their id.
type strays struct {
	ulptest.Recorder
	n int
}

func (s *strays) Stray(flow.Direction, flow.Span, uint64) { s.n++ }

// TestStrayAnswers answers a request twice. That says nothing after a gap in the direction of the requests, or if none waits after a gap in
// the other.
func TestStrayAnswers(t *testing.T) {
	for _, test := range []struct {
		gap   [2]bool // by direction
		waits bool
		want  int
	}{
		{want: 1}, {waits: true, want: 1},
		{gap: [2]bool{true, false}, waits: true}, {gap: [2]bool{false, true}}, {gap: [2]bool{false, true}, waits: true, want: 1},
	} {
		var r strays
		var p table
		p.Begin(&r)
		for d, gap := range test.gap {
			if gap {
				p.Gap(flow.Direction(d))
			}
		}
		p.Open(at(flow.C2S, 1), 1, "one")
		p.Answer(flow.C2S, 1, answer(2, record.Answered, 0))
		p.Answer(flow.C2S, 1, answer(3, record.Answered, 0))
		if test.waits {
			p.Open(at(flow.C2S, 4), 2, "two")
		}
		if p.End(); r.n != test.want {
			t.Errorf("%+v: %d", test, r.n)
		}
	}
}
