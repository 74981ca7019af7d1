package check

import (
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/junit"
)

// Tests makes a test of each connection.
type Tests struct {
	Summary
	Suite *junit.Suite

	fails func(failed bool, errors, warnings uint64) bool
	open  map[*flow.Conn][]string
}

// maxOutput is how many findings of a connection its test shows.
const maxOutput = 64

// NewTests returns Tests with a name, which is also the class of tests if there is one file; else that is the file of the connection. A
// connection fails its test if fails says so.
func NewTests(name string, fails func(failed bool, errors, warnings uint64) bool) *Tests {
	return &Tests{Suite: &junit.Suite{Name: name}, fails: fails, open: make(map[*flow.Conn][]string)}
}

// Record implements record.Sink.
func (t *Tests) Record(r *record.Record) {
	for _, f := range r.Findings {
		t.finding(f)
		if found := t.open[f.Conn]; f.Severity > rules.Note && len(found) < maxOutput {
			t.open[f.Conn] = append(found, fmt.Sprintf("%v %s: %s (%s): %s\n", f.Severity, f.Conn.Frames.Text(f.Span), f.ID, f.Name, f.Text))
		}
	}
	if r.Verdict != nil {
		t.verdict(r.Verdict)
		t.test(r.Verdict)
	}
	if r.Kind == record.KindEnd {
		delete(t.open, r.Conn)
	}
}

// test adds the test of a connection that is over.
func (t *Tests) test(v *record.Verdict) {
	c := v.Conn
	took := time.Duration(c.Latest - c.Earliest)
	test := junit.Test{Class: t.Suite.Name, Name: fmt.Sprintf("connection %v", c), Time: took}
	if file, _ := c.Frames.Place(c.Frame); file != "" {
		test.Class = file
	}
	for _, line := range t.open[c] {
		test.Output += line
	}
	if t.fails(v.Cause != nil, v.Errors, v.Warnings) {
		kind := worst(v).String()
		if v.Cause != nil {
			kind = v.Cause.Name
		}
		test.Failure = &junit.Note{Message: v.Text, Type: kind, Text: test.Output}
		test.Output = ""
	}
	t.Suite.Time += took
	t.Suite.Add(&test)
}
