package stats

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// Transactions sums up those of one kind.
type Transactions struct {
	Kind string `json:"kind"` // read, atomic or upper
	Outcomes
}

// A Procedure sums up the calls of one procedure of an upper layer.
type Procedure struct {
	Procedure string `json:"procedure"` // "NFSv3 READ" of RPC; commands of other upper layers
	Outcomes
}

// Outcomes counts transactions by what became of them.
type Outcomes struct {
	Count      uint64   `json:"count"`
	Answered   uint64   `json:"answered"`
	Refused    uint64   `json:"refused"`    // by a Terminate, or by an error of the upper layer
	Errors     uint64   `json:"errors"`     // those refused, and those whose answer reports an error of the upper layer
	Unanswered uint64   `json:"unanswered"` // the connection, or the capture, ended before
	Unknown    uint64   `json:"unknown"`    // octets are missing in the capture where the response may have been
	Bytes      uint64   `json:"bytes"`      // data moved
	Latency    *Latency `json:"latency"`    // of those that were answered and timed; null if there are none
}

// Findings counts findings by severity.
type Findings struct {
	Errors   uint64 `json:"error"`
	Warnings uint64 `json:"warning"`
	Notes    uint64 `json:"note"`
	AtLeast  bool   `json:"at_least,omitempty"` // there may be more
}

func (f *Findings) add(v *record.Verdict) {
	f.Errors += v.Errors
	f.Warnings += v.Warnings
	f.Notes += v.Notes
	f.AtLeast = f.AtLeast || v.AtLeast
}

// maxProcedures is how many procedures are told apart; the calls of more are counted together.
const (
	maxProcedures   = 256
	otherProcedures = "others"
)

// A tally counts the transactions of one kind or procedure.
type tally struct {
	Outcomes
	latencies latencies
}

func (y *tally) add(t *record.Transaction) {
	y.Count++
	y.Bytes += t.Octets
	if t.Outcome == record.Refused || t.Status != "" {
		y.Errors++
	}
	switch t.Outcome {
	case record.Answered:
		y.Answered++
		if t.Timed() {
			y.latencies.add(t.Latency())
		}
	case record.Refused:
		y.Refused++
	case record.Unanswered:
		y.Unanswered++
	default:
		y.Unknown++
	}
}

func (y *tally) report(d *Details) Outcomes {
	o := y.Outcomes
	o.Latency = y.latencies.report(d)
	return o
}

// transactions counts all transactions of a capture.
type transactions struct {
	byKind      [record.UpperTransaction + 1]tally
	byProcedure map[string]*tally
}

func (s *transactions) add(t *record.Transaction) {
	s.byKind[t.Kind].add(t)
	if t.Kind == record.UpperTransaction {
		s.procedure(t.Name).add(t)
	}
}

func (s *transactions) procedure(name string) *tally {
	if y := s.byProcedure[name]; y != nil {
		return y
	}
	if len(s.byProcedure) >= maxProcedures {
		name = otherProcedures
	}
	if s.byProcedure == nil {
		s.byProcedure = make(map[string]*tally)
	}
	y := s.byProcedure[name]
	if y == nil {
		y = new(tally)
		s.byProcedure[name] = y
	}
	return y
}

// kinds are the transactions by kind, without those that did not occur.
func (s *transactions) kinds(d *Details) []Transactions {
	all := []Transactions{}
	for k := range s.byKind {
		if y := &s.byKind[k]; y.Count > 0 {
			all = append(all, Transactions{record.TransactionKind(k).String(), y.report(d)})
		}
	}
	return all
}

// procedures are the upper layer's transactions by procedure, the most frequent first.
func (s *transactions) procedures(d *Details) []Procedure {
	all := []Procedure{}
	for name, y := range s.byProcedure {
		all = append(all, Procedure{name, y.report(d)})
	}
	slices.SortFunc(all, func(a, b Procedure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Procedure, b.Procedure))
	})
	return all
}
