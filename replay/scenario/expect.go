package scenario

// Actions that can only be expected: a Refusal, and a OneOf.

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Refusal means that a side refuses a step of the other side because of an error. A rules.Profile decides which
// Terminate that demands, or whether the connection ends without one.
type Refusal struct {
	Situation rules.Situation // any but NoSituation
	To        int             // the Number of the refused step; 0 if unspecified
}

// Verb returns "Refusal".
func (*Refusal) Verb() string { return "Refusal" }

// OneOf means that a side does one of several things.
type OneOf struct {
	Of        []Action    // at least one, each a *Frame, *Message, *Segment, FIN, Reset, *Silence or *Refusal
	Tolerated []Tolerated // what it may do instead
}

// Verb returns "OneOf".
func (*OneOf) Verb() string { return "OneOf" }

// Tolerated is a wrong but harmless reaction.
type Tolerated struct {
	Why string // why it is harmless: one line, without quotation marks
	Do  Action // as in OneOf
}

// First returns the first alternative of a *[OneOf], or nil if it has none, and any other action itself.
func First(a Action) Action {
	for _, each := range Alternatives(a) {
		return each
	}
	return nil
}

// Alternatives yields the alternatives of a *[OneOf], and for any other action the action itself. Each comes with the
// reason why it is tolerated, which is empty if it is right.
func Alternatives(a Action) iter.Seq2[string, Action] {
	return func(yield func(string, Action) bool) {
		o, ok := a.(*OneOf)
		if !ok {
			yield("", a)
			return
		}
		for _, each := range o.Of {
			if !yield("", each) {
				return
			}
		}
		for i := range o.Tolerated {
			if !yield(o.Tolerated[i].Why, o.Tolerated[i].Do) {
				return
			}
		}
	}
}
