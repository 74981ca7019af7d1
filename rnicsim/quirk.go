package rnicsim

// How an RNIC can be made to do other than the documents demand, as those of others do.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Quirk is a set of deviations with a name. It has a form as text, which String writes and ParseQuirk reads. What
// nobody looks at would do nothing: [Quirk.Check] tells.
type Quirk struct {
	Name string
	Text string // what it does, in a sentence

	Suppress []Suppression
	React    map[rules.Situation]Reaction // what is done in place of what the Profile demands
	Rewrite  []Rewrite
}

// A Suppression is an error that is not checked for: a Situation, or the breach of a Rule.
type Suppression struct {
	Situation rules.Situation // NoSituation for a Rule
	Rule      *rules.Rule     // nil for a Situation
}

// String is the name of the Situation or Rule.
func (s Suppression) String() string {
	if s.Rule != nil {
		return s.Rule.Name
	}
	return s.Situation.String()
}

// A Reaction is what a problem leads to: a Terminate, unless one of the others is set.
type Reaction struct {
	Code  rdmap.Code
	Drop  bool // the segment is passed over
	Reset bool // the connection is reset
}

// quirks are those of an RNIC. The zero value has none.
type quirks struct {
	ignored   []Suppression
	reactions map[rules.Situation]Reaction
	headers   []Rewrite // in ULPDUs
	framing   []Rewrite // of FPDUs around them
	frames    []Rewrite // in MPA frames
	layout    []field.Part
	copied    []byte
}

// newQuirks joins sets of deviations; where two contradict each other the later one counts.
func newQuirks(all []Quirk) (q quirks) {
	for i := range all {
		q.ignored = append(q.ignored, all[i].Suppress...)
		for _, w := range all[i].Rewrite {
			switch {
			case w.Frame != InFPDU:
				q.frames = append(q.frames, w)
			case lookup(framingTables, w.Field) != nil:
				q.framing = append(q.framing, w)
			default:
				q.headers = append(q.headers, w)
			}
		}
		for s, r := range all[i].React {
			if q.reactions == nil {
				q.reactions = make(map[rules.Situation]Reaction)
			}
			q.reactions[s] = r
		}
	}
	return q
}

// ignores tells whether a Situation is not checked for.
func (q *quirks) ignores(s rules.Situation) bool {
	return slices.Contains(q.ignored, Suppression{Situation: s})
}

// permits tells whether the breach of a Rule is not checked for.
func (q *quirks) permits(r *rules.Rule) bool {
	return q != nil && slices.Contains(q.ignored, Suppression{Rule: r})
}

// reaction is what a situation leads to, if not to what the Profile demands.
func (q *quirks) reaction(s rules.Situation) (r Reaction, ok bool) {
	if q == nil {
		return r, false
	}
	r, ok = q.reactions[s]
	return r, ok
}

// drops tells whether a segment which is to blame for a situation is passed over.
func (q *quirks) drops(s rules.Situation) bool {
	r, _ := q.reaction(s)
	return r.Drop || q.ignores(s)
}
