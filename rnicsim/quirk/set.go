package quirk

// How an RNIC queries its quirks.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Set holds the quirks of an RNIC. The zero value has none.
type Set struct {
	ignored   []Suppression
	reactions map[rules.Situation]Reaction
	headers   []Rewrite // in ULPDUs
	framing   []Rewrite // of FPDUs around them
	frames    []Rewrite // in MPA frames
	layout    []field.Part
	copied    []byte
}

// NewSet joins quirks. If two contradict each other, the later one counts.
func NewSet(all []Quirk) (q Set) {
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

// Ignores reports whether the check for a Situation is omitted.
func (q *Set) Ignores(s rules.Situation) bool {
	return slices.Contains(q.ignored, Suppression{Situation: s})
}

// Permits reports whether the check of a Rule is omitted.
func (q *Set) Permits(r *rules.Rule) bool {
	return q != nil && slices.Contains(q.ignored, Suppression{Rule: r})
}

// Reaction returns what replaces the response that the Profile demands, if anything does.
func (q *Set) Reaction(s rules.Situation) (r Reaction, ok bool) {
	if q == nil {
		return r, false
	}
	r, ok = q.reactions[s]
	return r, ok
}

// Drops reports whether a segment that causes a situation is ignored.
func (q *Set) Drops(s rules.Situation) bool {
	r, _ := q.Reaction(s)
	return r.Drop || q.Ignores(s)
}
