package compile_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/internal/captures"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// compiled is what becomes of a capture.
var compiled = captures.Compile

// A story is what the Engine reports of a connection, without any code of package compile.
type story struct {
	source   *flow.Conn
	messages [2][]string // by direction: MPA frames, and messages with a digest of their payload
	open     [2]map[string]*bytes.Buffer
}

// A recorder records all connections of a capture.
type recorder struct {
	conns map[*flow.Conn]*story
	order []*story
}

func (r *recorder) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r *recorder) of(o *record.Origin) *story {
	if r.conns[o.Conn] == nil {
		r.conns[o.Conn] = &story{source: o.Conn}
	}
	return r.conns[o.Conn]
}

func (r *recorder) StartupFrame(f *record.Startup) {
	c := r.of(&f.Origin)
	c.messages[f.Dir] = append(c.messages[f.Dir], fmt.Sprintf("%s %x", f.Name(), f.Octets))
}

func (r *recorder) Segment(s *record.Segment) {
	c := r.of(&s.Origin)
	h := &s.RDMAP.Header
	key := fmt.Sprintf("%v %d %d", h.Control.Opcode, h.Untagged.QN, h.Untagged.MSN)
	if c.open[s.Dir] == nil {
		c.open[s.Dir] = make(map[string]*bytes.Buffer)
	}
	b := c.open[s.Dir][key]
	if b == nil {
		b = new(bytes.Buffer)
		c.open[s.Dir][key] = b
		fmt.Fprintf(b, "%x %x %x", h.Tagged.STag, h.Tagged.TO, h.InvalidateSTag)
	}
	b.Write(s.RDMAP.Body)
	if h.L() {
		c.messages[s.Dir] = append(c.messages[s.Dir], fmt.Sprintf("%s %x", key, sha256.Sum256(b.Bytes())))
		delete(c.open[s.Dir], key)
	}
}

func (r *recorder) End(c *flow.Conn) { r.order = append(r.order, r.of(&record.Origin{Conn: c})) }

// recorded returns what the Engine says of the connections of a capture that have an MPA frame, in the order in which they begin.
func recorded(t *testing.T, c *pcaps.Capture) []*story {
	t.Helper()
	r := &recorder{conns: make(map[*flow.Conn]*story)}
	if err := dissect.NewEngine(r, dissect.Options{}).Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	all := slices.DeleteFunc(r.order, func(c *story) bool { return !c.source.Requested && !c.source.Replied })
	slices.SortStableFunc(all, func(a, b *story) int { return int(a.source.Earliest - b.source.Earliest) })
	return all
}

// open opens a capture.
func open(t *testing.T, name string) *pcaps.Capture {
	t.Helper()
	c, err := pcaps.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// difference returns the first step in which two Scenarios differ.
func difference(a, b *scenario.Scenario) string {
	for i, c := range a.Conns {
		for j, s := range c.Steps {
			if i >= len(b.Conns) || j >= len(b.Conns[i].Steps) || !reflect.DeepEqual(s, b.Conns[i].Steps[j]) {
				return fmt.Sprintf("connection %d: %v", i, s)
			}
		}
	}
	return "outside of the steps"
}

// firstDifference returns the first element in which two lists differ.
func firstDifference(want, got []string) string {
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			return fmt.Sprintf("message %d of %d is\n%s, want\n%s", i+1, len(want), got[i], want[i])
		}
	}
	return fmt.Sprintf("%d messages, want %d", len(got), len(want))
}

// TestCaptures compiles every capture. The Scenario has to survive being printed and parsed, to have as many messages as
// the Engine counts, and to become a capture that holds the same frames and messages.
func TestCaptures(t *testing.T) {
	for _, name := range captures.All(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			s, report := compiled(t, name)
			if problems := scenario.Check(s); problems != nil {
				t.Fatal(problems[0])
			}
			text := s.String()
			again, err := scenario.Parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s, again) {
				t.Errorf("it is not parsed as it was printed: %s", difference(s, again))
			}
			if again.String() != text {
				t.Error("the text is not printed as it was parsed")
			}
			all := recorded(t, open(t, name))
			applicable := 0
			for i, c := range report.Conns {
				if c.NotApplicable != "" {
					continue
				}
				if applicable < len(all) && c.Complete() {
					count(t, s.Conns[applicable], all[applicable].source)
				} else if c.Complete() {
					t.Errorf("connection %d is not one that the Engine sees", i)
				}
				applicable++
			}
			rewrite(t, s, report, all)
		})
	}
}

// count compares the messages of a connection with the Engine's counters.
func count(t *testing.T, c *scenario.Conn, source *flow.Conn) {
	t.Helper()
	var got [2][flow.NumOpcodes]uint64
	for _, s := range c.Steps {
		switch do := s.Do.(type) {
		case *scenario.Message:
			got[s.Side][do.Opcode]++
		case *scenario.Segment:
			countSegment(&got[s.Side], do)
		case *scenario.FPDU:
			countSegment(&got[s.Side], &do.Segment)
		}
	}
	for d := range got {
		for o, n := range source.Traffic[d].Messages {
			if got[d][o] != n {
				t.Errorf("%s: %d %v by the %v, the Engine counts %d", c.Name, got[d][o], rdmap.Opcode(o), scenario.Side(d), n)
			}
		}
	}
}

// countSegment counts a segment that ends a message.
func countSegment(got *[flow.NumOpcodes]uint64, s *scenario.Segment) {
	if l, given := s.Fields.Lookup("L"); !s.Raw && (!given || l.Number == 1) {
		got[s.Opcode]++
	}
}

// rewrite writes a Scenario as a capture and compares what the Engine says of that.
func rewrite(t *testing.T, s *scenario.Scenario, report *compile.Report, want []*story) {
	t.Helper()
	var b bytes.Buffer
	if err := compile.Write(&b, s, compile.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	c, err := pcaps.NewCapture("written", &b)
	if err != nil {
		t.Fatal(err)
	}
	got := recorded(t, c)
	if len(got) != len(want) {
		t.Fatalf("%d connections, want %d", len(got), len(want))
	}
	reports := slices.DeleteFunc(slices.Clone(report.Conns), func(c *compile.ConnReport) bool { return c.NotApplicable != "" })
	for i := range got {
		if !reports[i].Complete() {
			continue
		}
		for d := range got[i].messages {
			if !slices.Equal(want[i].messages[d], got[i].messages[d]) {
				t.Errorf("connection %d, direction %d: %s", i, d, firstDifference(want[i].messages[d], got[i].messages[d]))
			}
		}
		before, now := want[i].source, got[i].source
		for d := range before.FIN {
			if (before.FIN[d] == flow.Span{}) != (now.FIN[d] == flow.Span{}) {
				t.Errorf("connection %d: the FIN of direction %d is not the same", i, d)
			}
		}
	}
}

// TestMain checks that the captures are there.
func TestMain(m *testing.M) {
	if _, err := os.Stat("../../dissect/testdata/captures"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
