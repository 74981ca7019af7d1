package marks_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/internal/marks"
	"github.com/iwarpkit/iwarp/dissect/record"
)

var one, other = &record.Conn{ID: 1}, &record.Conn{ID: 2}

func at(c *record.Conn, d record.Direction, first, last uint64) record.Origin {
	return record.Origin{Conn: c, Dir: d, Span: record.Span{Frame: first, LastFrame: last}}
}

// taken is what Take gives for an event, in short.
func taken(p *marks.Pending, o record.Origin) (words []string) {
	t := p.Take(&o)
	for _, f := range t.Findings {
		words = append(words, fmt.Sprintf("%s %d", f.ID, f.Count))
	}
	for _, u := range t.Uppers {
		words = append(words, u.Name)
	}
	return words
}

func TestTake(t *testing.T) {
	var loose []string
	p := marks.Pending{Loose: func(f *record.Finding) { loose = append(loose, f.ID) }}
	finding := func(id string, o record.Origin) { p.Finding(&record.Finding{Origin: o, ID: id}) }
	finding("A", at(one, record.C2S, 5, 5))
	finding("A", at(one, record.C2S, 7, 7))
	finding("B", at(one, record.C2S, 9, 9))
	finding("A", at(one, record.S2C, 5, 5))
	finding("A", at(other, record.C2S, 5, 5))
	p.Upper(&record.Upper{Origin: at(one, record.C2S, 4, 6), Name: "Call"})
	p.Upper(&record.Upper{Origin: at(other, record.C2S, 4, 6), Name: "Reply"})

	for _, step := range []struct {
		event record.Origin
		want  []string
	}{
		{at(one, record.C2S, 1, 3), nil},
		{at(one, record.C2S, 4, 6), []string{"A 2", "Call"}},
		{at(one, record.C2S, 4, 6), nil},
		{at(one, record.S2C, 1, 9), []string{"A 1"}},
		{at(other, record.C2S, 6, 6), []string{"Reply"}},
	} {
		if d := cmp.Diff(step.want, taken(&p, step.event)); d != "" {
			t.Errorf("%v: (-want +got)\n%s", step.event.Span, d)
		}
	}
	p.End(one)
	p.End(other)
	if d := cmp.Diff([]string{"B", "A"}, loose); d != "" {
		t.Errorf("loose (-want +got)\n%s", d)
	}
}

func TestPendingIsBounded(t *testing.T) {
	loose := 0
	p := marks.Pending{Loose: func(*record.Finding) { loose++ }}
	const n = 10_000
	for i := range n {
		p.Finding(&record.Finding{Origin: at(one, record.C2S, 1, 1), ID: fmt.Sprint(i)})
		p.Upper(&record.Upper{Origin: at(one, record.C2S, 1, 1)})
	}
	o := at(one, record.C2S, 1, 1)
	got := p.Take(&o)
	if len(got.Findings)+loose != n || len(got.Findings) > 1000 || len(got.Uppers) > 1000 {
		t.Errorf("%d findings, %d of them loose, %d upper-layer messages", len(got.Findings), loose, len(got.Uppers))
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	var p marks.Pending
	f := &record.Finding{Origin: at(one, record.C2S, 1, 1), ID: "A"}
	u := &record.Upper{Origin: at(one, record.C2S, 1, 1)}
	if n := testing.AllocsPerRun(100, func() {
		p.Finding(f)
		p.Upper(u)
		if got := p.Take(&f.Origin); len(got.Findings) != 1 || len(got.Uppers) != 1 {
			t.Fatalf("%+v", got)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestKeeper(t *testing.T) {
	message := at(one, record.C2S, 5, 5)
	for _, off := range []bool{false, true} {
		k := marks.Keeper{Off: off}
		k.Finding(&record.Finding{Origin: message, ID: "A"})
		k.Upper(&record.Upper{Origin: message, Name: "Call"})
		k.Finding(&record.Finding{Origin: at(other, record.C2S, 5, 5), ID: "B"})
		k.End(other)
		want := []string{"A 1", "Call"}
		if off {
			want = nil
		}
		if d := cmp.Diff(want, taken(&k.Pending, message)); d != "" {
			t.Errorf("off %v: (-want +got)\n%s", off, d)
		}
		if left := taken(&k.Pending, at(other, record.C2S, 5, 5)); left != nil {
			t.Errorf("off %v: left of a connection that has ended: %v", off, left)
		}
	}
}
