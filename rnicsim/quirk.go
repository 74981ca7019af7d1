package rnicsim

// Quirks: how an RNIC can be made to deviate from the documents, as other RNICs do.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Quirk is a set of deviations with a name. String writes it as text, which ParseQuirk reads. [Quirk.Check] finds
// deviations that would have no effect.
type Quirk struct {
	Name string
	Text string // what it does, in a sentence

	Suppress []Suppression
	React    map[rules.Situation]Reaction // replaces what the Profile demands
	Rewrite  []Rewrite
}

// A Suppression is an error that is not checked for: a Situation, or the breach of a Rule.
type Suppression struct {
	Situation rules.Situation // NoSituation for a Rule
	Rule      *rules.Rule     // nil for a Situation
}

// String returns the name of the Situation or Rule.
func (s Suppression) String() string {
	if s.Rule != nil {
		return s.Rule.Name
	}
	return s.Situation.String()
}

// A Reaction is the response to a problem: a Terminate, unless Drop or Reset is set.
type Reaction struct {
	Code  rdmap.Code
	Drop  bool // the segment is ignored
	Reset bool // the connection is reset
}

// A quirks holds those of an RNIC. The zero value has none.
type quirks struct {
	ignored   []Suppression
	reactions map[rules.Situation]Reaction
	headers   []Rewrite // in ULPDUs
	framing   []Rewrite // of FPDUs around them
	frames    []Rewrite // in MPA frames
	layout    []field.Part
	copied    []byte
}

// newQuirks joins sets of deviations. If two contradict each other, the later one counts.
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

// ignores reports whether a Situation is not checked for.
func (q *quirks) ignores(s rules.Situation) bool {
	return slices.Contains(q.ignored, Suppression{Situation: s})
}

// permits reports whether the breach of a Rule is not checked for.
func (q *quirks) permits(r *rules.Rule) bool {
	return q != nil && slices.Contains(q.ignored, Suppression{Rule: r})
}

// reaction returns what replaces the response that the Profile demands, if anything does.
func (q *quirks) reaction(s rules.Situation) (r Reaction, ok bool) {
	if q == nil {
		return r, false
	}
	r, ok = q.reactions[s]
	return r, ok
}

// drops reports whether a segment that causes a situation is ignored.
func (q *quirks) drops(s rules.Situation) bool {
	r, _ := q.reaction(s)
	return r.Drop || q.ignores(s)
}
