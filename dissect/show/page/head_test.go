package page

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// sampled is the page of a sample. Its frames have the names of files if naming is not nil.
func sampled(t *testing.T, sample string, naming func(frame uint64) (string, uint64)) (*Page, *document) {
	t.Helper()
	capture, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	p := New(Options{})
	e := dissect.NewEngine(judge.New(p, judge.Options{}), dissect.Options{Frames: naming})
	if err := e.Run(t.Context(), capture); err != nil {
		t.Fatal(err)
	}
	p.rank()
	return p, p.document(e.Totals())
}

func TestTitle(t *testing.T) {
	for want, files := range map[string][]string{
		"iwarp report": nil, "a.pcap - iwarp report": {"in/a.pcap"}, "a.pcap and b.pcap - iwarp report": {"a.pcap", "b.pcap"},
		"a.pcap and 7 more - iwarp report": {"a.pcap", "2", "3", "4", "5", "6", "7", "8"},
	} {
		if got := title("", files); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := title("in", []string{"in/a.pcap"}); got != "in - iwarp report" {
		t.Errorf("got %q", got)
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"only 281316 octets of its Write in frames 1000-7960 had come": "only 281,316 octets of its Write in frames 1000-7960 had come",
		"20 of 40000 octets, 1000 of 2000 messages, 999 times":         "20 of 40,000 octets, 1,000 of 2,000 messages, 999 times",
		"0x12345678 octets, port 20049, 99999999999999999999 octets":   "0x12345678 octets, port 20049, 99999999999999999999 octets",
	} {
		if got := sentence(in); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestTimes wants the time of a cause to be the same wherever it stands, when other files begin long before that of the connection.
func TestTimes(t *testing.T) {
	for before, wants := range map[time.Duration][4]string{
		0:              {"At 117 ms ", "0.117065 s", ">0.117065<", "times count from 2026-11-21 07:45:19.304578 UTC"},
		2 * time.Hour:  {"At 7200.117 s ", "7200.117065 s", ">7200.117065<", "times count from 2026-11-21 05:45:19.304578 UTC"},
		48 * time.Hour: {"At 2026-11-21 07:45:19.421 UTC ", "2026-11-21 07:45:19.421643 UTC", ">07:45:19.421<", ">2026-11-21, UTC<"},
	} {
		capture, err := samples.Open("term-write-badkey")
		if err != nil {
			t.Fatal(err)
		}
		var first pcaps.Record
		if err := capture.Next(&first); err != nil {
			t.Fatal(err)
		}
		begin := first.Time - int64(before)
		p := New(Options{})
		p.Start(begin)
		e := dissect.NewEngine(judge.New(p, judge.Options{}), dissect.Options{})
		e.Pass(begin)
		e.Packet(&first)
		if err := e.Run(t.Context(), capture); err != nil {
			t.Fatal(err)
		}
		p.rank()
		doc := p.document(e.Totals())
		said := doc.Headline + doc.Sections[0].Findings[0].Time + string(doc.Sections[0].Ladder[0].SVG) + strings.Join(doc.Totals, ";")
		for _, want := range wants {
			if !strings.Contains(said, want) {
				t.Errorf("%v before: no %q in %s", before, want, said)
			}
		}
	}
}

// TestOnlyOneConnection wants its cause said once, and its octets shown once.
func TestOnlyOneConnection(t *testing.T) {
	_, doc := sampled(t, "term-write-badkey", nil)
	s := doc.Sections[0]
	if doc.Cards != nil || s.Text != "" || !strings.Contains(doc.Headline, "the server refused the client's Write") || slices.Contains(doc.Totals, "") {
		t.Errorf("%d cards, %q, %q", len(doc.Cards), doc.Headline, s.Text)
	}
	if cause := s.Findings[0]; !cause.Cause || cause.Text != "" {
		t.Errorf("the cause says %q", cause.Text)
	}
	shown := make(map[string]int)
	for _, g := range s.Findings {
		for _, f := range g.Evidence {
			if f.Names == "" && !marked(f.Octets) || f.Names != "" && marked(f.Octets) {
				t.Errorf("%s: octets of %q that are folded and marked, or neither", g.ID, f.Octets[0].Part)
			}
			if f.Names != "" {
				shown[f.Names]++
			}
		}
	}
	for name, n := range shown {
		if n > 1 {
			t.Errorf("%s: %d times", name, n)
		}
	}
	if ladder := string(s.Ladder[0].SVG); !strings.Contains(ladder, ">Cause: 1/1/00 Invalid STag<") || len(shown) == 0 {
		t.Errorf("the ladder does not name the cause; %d headers", len(shown))
	}
	if _, doc := sampled(t, "rping", nil); !strings.HasPrefix(doc.Headline, "No failure. The client closed") {
		t.Errorf("a healthy page: %q", doc.Headline)
	}
}

// TestFileOfLadder wants the name of a file above the numbers of its frames, or, of several files, the ends of their names.
func TestFileOfLadder(t *testing.T) {
	frame := func(name func(uint64) string) string {
		_, doc := sampled(t, "term-write-badkey", func(f uint64) (string, uint64) { return name(f), f + 100 })
		return string(doc.Sections[0].Ladder[0].SVG)
	}
	if svg := frame(func(uint64) string { return "a-long-name.pcap" }); !strings.Contains(svg, ">frames of a-long-name.pcap<") || !strings.Contains(svg, ">104<") {
		t.Error("one file: ", svg)
	}
	if svg := frame(func(f uint64) string { return []string{"a-long-name.pcap", "another.pcap"}[f%2] }); strings.Contains(svg, "frames of") || !strings.Contains(svg, ">...pcap:104<") {
		t.Error("two files: ", svg)
	}
	if svg := frame(func(uint64) string { return "client" }); strings.Contains(svg, "frames of") || !strings.Contains(svg, ">client:104<") {
		t.Error("a short name: ", svg)
	}
}

// TestFailedFirst wants the cards of connections that failed before all others.
func TestFailedFirst(t *testing.T) {
	p, _ := sampled(t, "multi4", nil)
	for _, c := range p.conns {
		c.verdict.failed = c.of.ID == 2
	}
	p.rank()
	var got []int
	for _, c := range p.document(&dissect.Totals{}).Cards {
		got = append(got, c.ID)
	}
	if !slices.Equal(got, []int{2, 0, 1, 3}) {
		t.Errorf("cards of %d", got)
	}
}

// TestWords wants the value that a row has, and beside it the one that it stands for in the other capture.
func TestWords(t *testing.T) {
	d := &diff.Difference{Kind: diff.Changed, Fields: []diff.FieldDifference{{Label: "STag", A: "0x2", B: "0x3", Own: "0x1"}, {Label: "MO", A: "4", B: "5"}}}
	for at, want := range []string{"changed: STag 0x1, which is 0x2 in b.pcap; MO 4", "changed: STag 0x3; MO 5"} {
		if got := words(d, at, 1, "b.pcap"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestStillOpen wants a connection that is open, and the request that waits, to last as long as the capture.
func TestStillOpen(t *testing.T) {
	p, doc := sampled(t, "smbdirect", nil)
	c := p.conns[0]
	if at := slices.IndexFunc(doc.Sections[0].Terms, func(of term) bool { return of.Name == "end" }); doc.Sections[0].Terms[at].Client != "still open" {
		t.Error("the end of an open connection is ", doc.Sections[0].Terms[at])
	}
	c.unanswered, c.verdict.until = true, c.of.Latest+3e9
	c.silence(c.verdict.until, c.verdict.until)
	if about := strings.Join(c.about(), "; "); !strings.HasSuffix(about, ", then silent for 3 s") || len(c.waits()) == 0 {
		t.Errorf("%q, %d silences", about, len(c.waits()))
	}
}

// TestFileOfConnection wants cards and sections to name the file, and their sentences to leave it out.
func TestFileOfConnection(t *testing.T) {
	p, doc := sampled(t, "term-write-badkey", func(f uint64) (string, uint64) { return "one.pcap", f })
	if file := p.card(p.conns[0]).File; file != "one.pcap" {
		t.Errorf("the card names the file %q", file)
	}
	s := doc.Sections[0]
	if s.File != "one.pcap" || !strings.Contains(doc.Headline, "in frame one.pcap:10 with a Terminate (1/1/00 Invalid STag) in frame 12") {
		t.Errorf("the section names the file %q; the headline: %s", s.File, doc.Headline)
	}
	for _, g := range s.Findings {
		if said := g.Frames + g.Text + g.More + g.Of; !strings.Contains(said, "frame 12") || strings.Contains(said, "one.pcap") {
			t.Error("a finding: ", said)
		}
	}
	if _, doc := sampled(t, "term-write-badkey", func(f uint64) (string, uint64) { return []string{"a.pcap", "b.pcap"}[f/10], f }); doc.Sections[0].File != "" {
		t.Error("a connection in two files has the file ", doc.Sections[0].File)
	}
}
