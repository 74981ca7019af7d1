package check

// Counts by connection, rule, peer or file.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A Row counts what belongs to one connection, rule, peer or file.
type Row struct {
	Name    string
	Conns   int            // connections
	Half    int            // those of them that have not failed as far as packets from one side show
	Failed  int            // those of them that failed; of a peer, not those that are the other side's doing or silence
	Worst   rules.Severity // of its findings
	Found   uint64         // findings of that severity
	Partial bool           // only a part of the capture could be read
	Story   string         // how the first failed, else the first of these findings, in a sentence or more; empty if there is none
}

// Outcome is the worst that there is of a row, in a few words.
func (w *Row) Outcome() string {
	switch {
	case w.Failed > 0 && w.Conns == 1:
		return "failed"
	case w.Failed > 0:
		return fmt.Sprintf("%d of %d failed", w.Failed, w.Conns)
	case w.Worst > rules.Note:
		return quantity.Count(w.Found, w.Worst.String())
	case w.Half > 0 && w.Conns == 1:
		return "half seen"
	case w.Half > 0:
		return fmt.Sprintf("%d of %d half seen", w.Half, w.Conns)
	case w.Conns > 0 && w.Partial:
		return "ok so far"
	case w.Conns > 0:
		return "ok"
	}
	return "no iWARP"
}

// A Grouping names the rows of a Tally: those that a connection belongs to, and that of a finding.
type Grouping struct {
	Conns   func(*flow.Conn) []string
	Finding func(*record.Finding) string
}

// ByConn has a row for each connection.
var ByConn = Grouping{
	Conns:   func(c *flow.Conn) []string { return []string{c.String()} },
	Finding: func(f *record.Finding) string { return f.Conn.String() },
}

// ByRule has a row for each rule that was broken, and for each observation.
var ByRule = Grouping{
	Finding: func(f *record.Finding) string { return fmt.Sprintf("%s (%s)", f.ID, f.Name) },
}

// ByPeer has a row for each address.
var ByPeer = Grouping{
	Conns: func(c *flow.Conn) []string {
		return slices.Compact([]string{c.Client.Addr().String(), c.Server.Addr().String()})
	},
	Finding: func(f *record.Finding) string { return f.Conn.Peer(f.Dir).Addr().String() },
}

// ByFile has a row for each file, by the first frame of a connection or a finding; if there is one file, one with a name.
func ByFile(name string) Grouping {
	of := func(c *flow.Conn, frame uint64) string {
		file, _ := c.Frames.Place(frame)
		return cmp.Or(file, name)
	}
	return Grouping{
		Conns:   func(c *flow.Conn) []string { return []string{of(c, c.Frame)} },
		Finding: func(f *record.Finding) string { return of(f.Conn, f.Frame) },
	}
}

// A Tally counts findings and connections in Rows.
type Tally struct {
	Summary
	by      Grouping
	rows    map[string]*row
	touched map[*flow.Conn]map[*row]bool // for rows that no connection belongs to as such
}

// A row is a Row, with what its Story is about, so that the order in which connections come does not matter.
type row struct {
	Row
	rank int   // see tell
	at   int64 // time
	conn int   // ID
}

// The ranks of stories: between them are the severities of findings.
const (
	rankHalf   = -1
	rankFailed = math.MaxInt
)

// tell makes a story that of the row if it has a higher rank, or happened earlier; at the same time, on the earlier connection.
func (w *row) tell(rank int, at int64, c *flow.Conn, story string) {
	if w.Story == "" || cmp.Or(-cmp.Compare(rank, w.rank), cmp.Compare(at, w.at), cmp.Compare(c.ID, w.conn)) < 0 {
		w.rank, w.at, w.conn, w.Story = rank, at, c.ID, beginning(story)
	}
}

// NewTally returns an empty Tally.
func NewTally(by Grouping) *Tally {
	return &Tally{by: by, rows: make(map[string]*row), touched: make(map[*flow.Conn]map[*row]bool)}
}

// maxRows is how many rows are told apart; the others are one.
const maxRows = 1 << 16

// row returns the row with a name.
func (t *Tally) row(name string) *row {
	if t.rows[name] == nil {
		if len(t.rows) >= maxRows {
			name = "others"
		}
		if t.rows[name] == nil {
			t.rows[name] = &row{Row: Row{Name: name}}
		}
	}
	return t.rows[name]
}

// Record implements record.Sink.
func (t *Tally) Record(r *record.Record) {
	for _, f := range r.Findings {
		t.finding(f)
		if f.Severity > rules.Note {
			row := t.row(t.by.Finding(f))
			row.add(f)
			t.touch(f.Conn, row)
		}
	}
	if r.Verdict != nil {
		t.verdict(r.Verdict)
		t.end(r.Verdict)
	}
	if r.Kind == record.KindEnd {
		delete(t.touched, r.Conn)
	}
}

// add counts a finding.
func (w *row) add(f *record.Finding) {
	if f.Severity > w.Worst {
		w.Worst, w.Found = f.Severity, 0
	}
	if f.Severity == w.Worst {
		w.Found++
	}
	w.tell(int(f.Severity), f.Time, f.Conn, f.Text)
}

// beginning is as much of a text as a line can have.
func beginning(s string) string {
	const most = 400 // octets
	return printable.String(s[:min(len(s), most)])
}

// touch notes that a row has to do with a connection.
func (t *Tally) touch(c *flow.Conn, w *row) {
	if t.by.Conns != nil {
		return
	}
	if t.touched[c] == nil {
		t.touched[c] = make(map[*row]bool)
	}
	t.touched[c][w] = true
}

// end counts a connection that is over.
func (t *Tally) end(v *record.Verdict) {
	if t.by.Conns == nil {
		if v.Cause != nil { // perhaps a note
			cause := t.row(t.by.Finding(v.Cause))
			cause.fail(v)
			t.touch(v.Conn, cause)
		}
		for row := range t.touched[v.Conn] {
			row.Conns++
		}
		return
	}
	names := t.by.Conns(v.Conn)
	for _, name := range names {
		t.row(name).Conns++
	}
	if v.Cause == nil {
		for _, name := range names {
			t.row(name).seen(v)
		}
		return
	}
	if len(names) > 1 && v.Culprit != flow.Nobody {
		names = names[v.Culprit-flow.Client:][:1]
	}
	for _, name := range names {
		t.row(name).fail(v)
	}
}

// seen counts a connection that has not failed, if it is half seen.
func (w *row) seen(v *record.Verdict) {
	if v.Conn.OnlySide() != flow.Nobody {
		w.Half++
		w.tell(rankHalf, v.Conn.Time, v.Conn, v.Summary)
	}
}

// fail counts a failure.
func (w *row) fail(v *record.Verdict) {
	w.Failed++
	w.tell(rankFailed, v.Cause.Time, v.Conn, show.Within(show.FileOf(v), false, v.Headline))
}

// Rows returns all rows, the worst first.
func (t *Tally) Rows() []Row {
	var all []Row
	for _, name := range slices.Sorted(maps.Keys(t.rows)) {
		all = append(all, t.rows[name].Row)
	}
	SortRows(all)
	return all
}

// SortRows sorts rows, the worst first.
func SortRows(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(-cmp.Compare(min(a.Failed, 1), min(b.Failed, 1)), -cmp.Compare(a.Worst, b.Worst), -cmp.Compare(a.Failed, b.Failed),
			-cmp.Compare(a.Found, b.Found))
	})
}
