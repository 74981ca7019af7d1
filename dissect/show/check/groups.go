package check

// Findings of a connection, those of one kind together.

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
)

// maxGroups is how many kinds of findings are told apart on one connection; of more there is only the number.
const maxGroups = 64

// A group is findings of one rule or observation on one connection.
type group struct {
	severity       rules.Severity
	id, name       string
	also           []string
	seen, expected string // of the first
	text           string // of the first
	in             flow.Frames
	at             flow.Span // of the first
	basis          show.Basis
	more           uint64    // findings after the first
	rest           flow.Span // of those
	goesOn         bool      // there are more after these frames, which are counted in more
	told           bool      // the verdict has the text
}

// groups are the findings of one connection, in the order in which the first of each came.
type groups struct {
	all    []group
	others uint64 // findings of further kinds
}

func (g *groups) add(f *record.Finding) {
	for i := range g.all {
		if o := &g.all[i]; o.name == f.Name && o.id == f.ID && o.severity == f.Severity {
			o.add(f)
			return
		}
	}
	if len(g.all) == maxGroups {
		g.others++
		return
	}
	g.all = append(g.all, group{
		severity: f.Severity, id: f.ID, name: f.Name, also: slices.Clone(f.Also),
		seen: f.Seen, expected: f.Expected, text: f.Text, in: f.Conn.Frames, at: f.Span, basis: show.BasisOf(f),
	})
}

// add adds a finding that is not the first.
func (g *group) add(f *record.Finding) {
	g.rest.Include(f.Span)
	g.more++
}

// tell notes that the verdict has the text of an observation that is the cause.
func (g *groups) tell(cause *record.Finding) {
	for i := range g.all {
		o := &g.all[i]
		o.told = cause != nil && isObservation(o.id) && o.id == cause.ID && o.at == cause.Span
	}
}

// withheld takes how many findings were counted only, for there were too many of their rule. If one group alone has as
// many as are reported of a rule, they are of that one, and come after those that it has. It returns the others.
func (g *groups) withheld(n uint64) uint64 {
	var full *group
	for i := range g.all {
		if o := &g.all[i]; o.more+1 >= judge.MaxReports {
			if full != nil {
				return n
			}
			full = o
		}
	}
	if full == nil {
		return n
	}
	full.more, full.goesOn = full.more+n, n > 0
	return 0
}

// sorted returns the groups, most severe first, those of one severity by their first frames.
func (g *groups) sorted() []group {
	slices.SortStableFunc(g.all, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(a.at.Frame, b.at.Frame))
	})
	return g.all
}
