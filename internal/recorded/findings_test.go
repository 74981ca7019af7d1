package recorded

// Findings are neither lost nor told twice, whoever reads them.

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/report"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A tally counts findings by their IDs.
type tally map[string]int

// A ledger counts what Records hold.
type ledger struct {
	findings, marks tally
	bySeverity      [rules.Error + 1]int
	judged          [rules.Error + 1]int // what the Verdicts say, but for what was withheld
	withheld        int
	readers         []record.Sink
}

// Record implements record.Sink.
func (l *ledger) Record(r *record.Record) {
	for _, f := range r.Findings {
		l.findings[f.ID]++
		l.bySeverity[f.Severity]++
	}
	for i := range r.Marks {
		l.marks[r.Marks[i].ID] += r.Marks[i].Count
	}
	if v := r.Verdict; v != nil {
		l.judged[rules.Error] += int(v.Errors)
		l.judged[rules.Warning] += int(v.Warnings)
		l.judged[rules.Note] += int(v.Notes)
		l.withheld += int(v.Withheld)
	}
	for _, s := range l.readers {
		s.Record(r)
	}
}

// read gives the Records of a capture to readers.
func read(t *testing.T, file string, readers ...record.Sink) *ledger {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	l := &ledger{findings: tally{}, marks: tally{}, readers: readers}
	o := dissect.Options{Analysis: &judge.Options{ULPs: all.Layers()}}
	if err := dissect.NewEngine(l, o).Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	return l
}

// inTree are the findings that a tree shows.
var inTree = regexp.MustCompile(`(?m)^(?: +! |Finding: )(?:note|warning|error) ([\w.-]+)`)

// inLine are the findings that a line of text shows, and how many there are of each.
var inLine = regexp.MustCompile(`\[(?:note|warning|error) ([\w.-]+)[^\[\]]*?(?:; (\d+) times)?\]`)

func TestFindingsAreToldOnce(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../pcaps/samples/*.pcap*", "../../dissect/testdata/captures/*.pcap*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 20 {
		t.Fatalf("%d captures", len(files))
	}
	total := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var lines, blocks, document strings.Builder
			printer, trees := text.New(&lines, text.Options{}), tree.New(&blocks, tree.Options{Payload: -1})
			summary := report.NewDocument(&document, report.Head{})
			others := tally{} // that no line shows
			rest := record.SinkFunc(func(r *record.Record) {
				if r.Kind != record.KindStartup && r.Kind != record.KindMessage {
					for i := range r.Marks {
						others[r.Marks[i].ID] += r.Marks[i].Count
					}
				}
			})
			l := read(t, file, printer, trees, summary, rest)
			printer.Flush()
			trees.Flush()
			summary.Finish(nil)
			sum := 0
			for _, n := range l.bySeverity {
				sum += n
			}
			if total += sum; sum+l.withheld != l.judged[0]+l.judged[1]+l.judged[2] || l.withheld == 0 && l.bySeverity != l.judged {
				t.Errorf("Records hold %v, %d are withheld, Verdicts count %v", l.bySeverity, l.withheld, l.judged)
			}
			for reader, told := range map[string]tally{
				"marks": l.marks, "tree": counted(inTree, blocks.String()), "document": inDocument(t, document.String()),
				"text": merged(counted(inLine, lines.String()), others),
			} {
				if d := cmp.Diff(l.findings, told); d != "" {
					t.Errorf("%s (-judged +told)\n%s", reader, d)
				}
			}
		})
	}
	if total < 100 {
		t.Errorf("only %d findings", total)
	}
}

func counted(r *regexp.Regexp, s string) tally {
	n := tally{}
	for _, m := range r.FindAllStringSubmatch(s, -1) {
		times := 1
		if len(m) > 2 && m[2] != "" {
			times, _ = strconv.Atoi(m[2])
		}
		n[m[1]] += times
	}
	return n
}

func inDocument(t *testing.T, s string) tally {
	t.Helper()
	var d struct {
		Findings []struct {
			ID string `json:"id"`
		} `json:"findings"`
	}
	if err := json.Unmarshal([]byte(s), &d); err != nil {
		t.Fatal(err)
	}
	n := tally{}
	for _, f := range d.Findings {
		n[f.ID]++
	}
	return n
}

func merged(a, b tally) tally {
	n := maps.Clone(a)
	for id, times := range b {
		n[id] += times
	}
	return n
}
