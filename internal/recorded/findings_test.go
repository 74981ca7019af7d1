package recorded

// Findings are neither lost nor told twice, whoever reads them.

import (
	"bytes"
	"context"
	stdcsv "encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/dissect/show/ladder"
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
	others          tally // the marks that no line of text shows
	listed, drawn   tally // how many lines show marks with an ID, and of these, lines of connection 0
	bySeverity      [rules.Error + 1]int
	judged          [rules.Error + 1]int // what the Verdicts say, except for what was withheld
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
		m := &r.Marks[i]
		l.marks[m.ID] += m.Count
		if r.Kind != record.KindStartup && r.Kind != record.KindMessage {
			l.others[m.ID] += m.Count
			continue
		}
		l.listed[m.ID]++
		if r.Conn.ID == 0 {
			l.drawn[m.ID]++
		}
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
	l := &ledger{findings: tally{}, marks: tally{}, others: tally{}, listed: tally{}, drawn: tally{}, readers: readers}
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

// inLadder are the findings below an arrow, of which there may be several.
var inLadder = regexp.MustCompile(`\| +(?:note|warning|error) ([\w.-]+):`)

// inComment are the findings that the comments of an annotated capture tell.
var inComment = regexp.MustCompile(`iwarp \d+ (?:c2s|s2c): (?:note|warning|error) ([\w.-]+) \(`)

// TestFindingsAreToldOnce counts the findings of each capture in every output.
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
		t.Run(filepath.Base(file), func(t *testing.T) { total += countOutputs(t, file) })
	}
	if total < 100 {
		t.Errorf("only %d findings", total)
	}
}

// countOutputs compares what the outputs tell of a capture with what was judged, and returns how many findings there are.
func countOutputs(t *testing.T, file string) (sum int) {
	var lines, blocks, document, objects, table, steps strings.Builder
	var annotated bytes.Buffer
	printer, trees := text.New(&lines, text.Options{}), tree.New(&blocks, tree.Options{Payload: -1})
	encoder, rows := jsonl.New(&objects, jsonl.Options{}), csv.New(&table, csv.Options{})
	arrows, comments := ladder.New(&steps, ladder.Options{Conn: 0, All: true, Width: ladder.MostWidth}), annotate.New(annotate.Options{})
	summary := check.NewDocument(&document, check.Head{})
	l := read(t, file, printer, trees, encoder, rows, arrows, comments, summary)
	err := errors.Join(
		printer.Flush(), trees.Flush(), encoder.Flush(), rows.Flush(), arrows.Flush(), summary.Finish(nil), comments.Write(&annotated, nil, file),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range l.bySeverity {
		sum += n
	}
	if sum+l.withheld != l.judged[0]+l.judged[1]+l.judged[2] || l.withheld == 0 && l.bySeverity != l.judged {
		t.Errorf("Records hold %v, %d are withheld, Verdicts count %v", l.bySeverity, l.withheld, l.judged)
	}
	for _, output := range []struct {
		name       string
		want, told tally
	}{
		{"marks", l.findings, l.marks},
		{"tree", l.findings, counted(inTree, blocks.String())},
		{"document", l.findings, inDocument(t, document.String())},
		{"text", l.findings, merged(counted(inLine, lines.String()), l.others)},
		{"comments", l.findings, counted(inComment, annotated.String())},
		{"JSON", l.listed, inObjects(t, objects.String())},
		{"CSV", l.listed, inTable(t, table.String())},
	} {
		if d := cmp.Diff(output.want, output.told); d != "" {
			t.Errorf("%s (-judged +told)\n%s", output.name, d)
		}
	}
	told := counted(inLadder, steps.String())
	for id, n := range l.drawn {
		if told[id] < n {
			t.Errorf("the ladder tells %s %d times, and has arrows with %d", id, told[id], n)
		}
	}
	return sum
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

// inObjects are the IDs in the lines of JSON, inTable those in the rows of CSV.
func inObjects(t *testing.T, s string) tally {
	t.Helper()
	n := tally{}
	for d := json.NewDecoder(strings.NewReader(s)); ; {
		var line struct{ Findings []string }
		if err := d.Decode(&line); err == io.EOF {
			return n
		} else if err != nil {
			t.Fatal(err)
		}
		for _, id := range line.Findings {
			n[id]++
		}
	}
}

func inTable(t *testing.T, s string) tally {
	t.Helper()
	rows, err := stdcsv.NewReader(strings.NewReader(s)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	n, column := tally{}, slices.Index(rows[0], "findings")
	for _, row := range rows[1:] {
		for _, id := range strings.Fields(row[column]) {
			n[id]++
		}
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
