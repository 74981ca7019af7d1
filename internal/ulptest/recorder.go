// Package ulptest drives the followers of upper layers in tests, with captures or by hand, and keeps what they report.
package ulptest

import (
	"context"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Recorder keeps what was reported, without Body and Upper, which are not valid for long. OnUpper and OnTransaction can copy
// what they need of these.
type Recorder struct {
	Discard       // implements the rest of ulp.Reporter
	Uppers        []record.Upper
	Transactions  []record.Transaction // of upper layers
	Findings      []record.Finding
	Verdicts      []record.Verdict
	OnUpper       func(*record.Upper)
	OnTransaction func(*record.Transaction)
}

// Record implements record.Sink.
func (r *Recorder) Record(rec *record.Record) {
	for _, f := range rec.Findings {
		r.Finding(f)
	}
	if rec.Upper != nil {
		r.Upper(rec.Upper)
	}
	for _, t := range rec.Over {
		r.Transaction(t)
	}
	if rec.Verdict != nil {
		r.Verdicts = append(r.Verdicts, *rec.Verdict)
	}
}

// Finding implements ulp.Reporter.
func (r *Recorder) Finding(f *record.Finding) { r.Findings = append(r.Findings, *f) }

// Transaction implements ulp.Reporter.
func (r *Recorder) Transaction(t *record.Transaction) {
	if t.Kind != record.UpperTransaction {
		return
	}
	if r.OnTransaction != nil {
		r.OnTransaction(t)
	}
	r.Transactions = append(r.Transactions, *t)
	r.Transactions[len(r.Transactions)-1].Upper = nil
}

// Upper implements ulp.Reporter.
func (r *Recorder) Upper(m *record.Upper) {
	if r.OnUpper != nil {
		r.OnUpper(m)
	}
	r.Uppers = append(r.Uppers, *m)
	r.Uppers[len(r.Uppers)-1].Body = nil
}

// Count counts the transactions by name and outcome: "NVMe Read answered".
func (r *Recorder) Count() map[string]int {
	counts := make(map[string]int)
	for i := range r.Transactions {
		t := &r.Transactions[i]
		counts[t.Name+" "+t.Outcome.String()]++
	}
	return counts
}

// CountFindings counts the findings by name.
func (r *Recorder) CountFindings() map[string]int {
	counts := make(map[string]int)
	for i := range r.Findings {
		counts[r.Findings[i].Name]++
	}
	return counts
}

// Octets returns the sum of the octets that transactions moved, by name.
func (r *Recorder) Octets() map[string]uint64 {
	octets := make(map[string]uint64)
	for i := range r.Transactions {
		octets[r.Transactions[i].Name] += r.Transactions[i].Octets
	}
	return octets
}

// Run analyses a capture.
func (r *Recorder) Run(t testing.TB, file string, ulps ...*ulp.Layer) {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	a := judge.New(r, judge.Options{ULPs: ulps})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
}

// Captures is the folder of the captures, relative to the folder of an upper layer.
const Captures = "../../testdata/captures/"

// Discard is a ulp.Reporter that does nothing.
type Discard struct{}

// Finding implements ulp.Reporter.
func (Discard) Finding(*record.Finding) {}

// Transaction implements ulp.Reporter.
func (Discard) Transaction(*record.Transaction) {}

// Upper implements ulp.Reporter.
func (Discard) Upper(*record.Upper) {}

// MissedAt implements ulp.Reporter.
func (Discard) MissedAt() [2]uint64 { return [2]uint64{} }

// Mute implements ulp.Reporter.
func (Discard) Mute(*record.Transaction) bool { return false }

// Advertise implements ulp.Reporter.
func (Discard) Advertise(flow.Direction, uint32) {}

// Stray implements ulp.Reporter.
func (Discard) Stray(flow.Direction, flow.Span, uint64) {}

// Join implements ulp.Reporter.
func (Discard) Join(*record.Transaction, record.Body) {}

// A Printer prints what is reported about the first connection, for examples.
type Printer struct {
	Before uint64                           // messages that begin before this frame are printed
	Line   func(*record.Transaction) string // the line for a transaction; empty to print none
}

// Record implements record.Sink.
func (p *Printer) Record(r *record.Record) {
	if m := r.Upper; m != nil && m.Conn.ID == 0 && m.Frame < p.Before {
		fmt.Printf("frame %d %v: %s\n", m.Frame, m.Dir, m.Name)
	}
	for _, t := range r.Over {
		if line := p.Line(t); line != "" && t.Conn.ID == 0 {
			fmt.Println(line)
		}
	}
}
