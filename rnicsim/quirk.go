package rnicsim

// How an RNIC can be made to do other than the documents demand, as those of others do.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Quirk is a set of deviations with a name.
type Quirk struct {
	Name string
	Text string // what it does, in a sentence

	Suppress []string            // Rules and Situations, by name, whose breach is not minded
	React    map[string]Reaction // by the name of a Situation: what is done in place of what the Profile demands
	Rewrite  []Rewrite
}

// A Reaction is what a problem leads to: a Terminate, unless one of the others is set.
type Reaction struct {
	Code  rdmap.Code
	Drop  bool // the segment is passed over
	Reset bool // the connection is reset
}

// A Rewrite sets a field in the headers of segments that are sent. A message without such a field is left alone.
type Rewrite struct {
	Message rdmap.Opcode // of these messages
	Field   string       // as the tables of codec/ddp and codec/rdmap name it: "iwarp_ddp.msn"
	Value   uint64
}

// quirks are those of an RNIC. The zero value has none.
type quirks struct {
	ignored   []string
	reactions map[string]Reaction
	rewrites  []Rewrite
	layout    []rdmap.Part
	copied    []byte
}

// newQuirks joins sets of deviations; where two contradict each other the later one counts.
func newQuirks(all []Quirk) (q quirks) {
	for i := range all {
		q.ignored = append(q.ignored, all[i].Suppress...)
		q.rewrites = append(q.rewrites, all[i].Rewrite...)
		for name, r := range all[i].React {
			if q.reactions == nil {
				q.reactions = make(map[string]Reaction)
			}
			q.reactions[name] = r
		}
	}
	return q
}

// ignores tells that the breach of a Rule, or a Situation, is not minded.
func (q *quirks) ignores(name string) bool { return slices.Contains(q.ignored, name) }

// reaction is what a situation leads to, if not to what the Profile demands.
func (q *quirks) reaction(s *rules.Situation) (r Reaction, ok bool) {
	r, ok = q.reactions[s.Name]
	return r, ok
}

// rewritten is a ULPDU with fields of its headers set as the quirks want. Headers are the first part, and of a
// Terminate the second.
func (q *QP) rewritten(parts [][]byte) [][]byte {
	k := &q.rnic.quirks
	op := q.outgoing.Control.Opcode
	if !slices.ContainsFunc(k.rewrites, func(w Rewrite) bool { return w.Message == op }) {
		return parts
	}
	k.copied = k.copied[:0]
	for _, p := range parts {
		k.copied = append(k.copied, p...)
	}
	k.layout = rdmap.AppendLayout(k.layout[:0], k.copied, len(k.copied))
	for _, w := range k.rewrites {
		for i := range k.layout {
			part := &k.layout[i]
			if f := part.Table.Lookup(w.Field); f != nil && w.Message == op && !part.Enclosed {
				f.Set(k.copied[part.Off:], w.Value)
			}
		}
	}
	q.parts = append(q.parts[:0], k.copied)
	return q.parts
}
