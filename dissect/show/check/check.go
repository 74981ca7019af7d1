// Package check prints what iwarp check says of iWARP connections: how each connection went, what was wrong, and
// by which document.
//
// [Text] is for people, [Document] is one JSON document of the form that docs/json.md describes. Both are a record.Sink,
// and count what they were given in a [Summary].
package check

import (
	"cmp"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Summary is what an analysis comes to in all.
type Summary struct {
	Connections             int
	Errors, Warnings, Notes uint64          // findings, those withheld included
	Failed                  int             // connections
	HalfSeen                int             // connections that have not failed as far as packets from one side show
	Excused                 uint64          // findings that are known deviations of their senders
	Withheld                uint64          // findings that were counted only, for there were too many of their rule
	AtLeast                 bool            // there may be more findings than are counted
	half                    string          // the Summary of the first that is half seen
	attempts                []attempt       // the first ones
	between                 map[peers][]int // the places of those of a client to a server
	First                   Place           // where the first error was found, or the first warning if there is no error
}

// A Place is where something was found.
type Place struct {
	Severity rules.Severity
	ID       string // of the requirement or observation; empty if nothing was found
	Frame    uint64
	Conn     *flow.Conn
}

// finding notes where a finding is, if it is the first.
func (s *Summary) finding(f *record.Finding) {
	if f.Severity == rules.Note {
		return
	}
	first := &s.First
	if first.ID == "" || f.Severity > first.Severity || f.Severity == first.Severity && f.Frame < first.Frame {
		*first = Place{f.Severity, f.ID, f.Frame, f.Conn}
	}
}

// verdict counts what is known of a connection at its end.
func (s *Summary) verdict(v *record.Verdict) {
	s.Connections++
	if len(s.attempts) < maxAttempts {
		s.attempt(newAttempt(v))
	}
	switch {
	case v.Cause != nil:
		s.Failed++
	case v.Conn.OnlySide() != flow.Nobody:
		s.HalfSeen++
		s.half = cmp.Or(s.half, v.Summary)
	}
	for _, e := range v.Excused {
		s.Excused += e.Count
	}
	s.Errors += v.Errors
	s.Warnings += v.Warnings
	s.Notes += v.Notes
	s.Withheld += v.Withheld
	s.AtLeast = s.AtLeast || v.AtLeast
}

// isObservation reports whether an id is that of an observation.
func isObservation(id string) bool { return rfc.Lookup(id) == nil }
