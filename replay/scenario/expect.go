package scenario

// What can only be expected: a refusal, and one of several things.

import "iter"

// A Refusal is that a side refuses a step of the other one, because of an error that the protocols know. Which Terminate
// that takes, or whether it is the end of the connection without one, is for a rules.Profile to say.
type Refusal struct {
	Situation string // the Name of one of rules.Situations: "send-msn"
	To        int    // the Number of the step that is refused; 0 if it is not said
}

// Verb is "Refusal".
func (*Refusal) Verb() string { return "Refusal" }

// OneOf is that a side does one of several things.
type OneOf struct {
	Of        []Action    // at least one, each a *Frame, *Message, *Segment, FIN, Reset, *Silence or *Refusal
	Tolerated []Tolerated // what it may do instead
}

// Verb is "OneOf".
func (*OneOf) Verb() string { return "OneOf" }

// Tolerated is something that a side should not do, and that does no harm.
type Tolerated struct {
	Why string // it does none: one line, without quotation marks
	Do  Action // as in OneOf
}

// Alternatives are the actions that a is one of, each with why it is tolerated, which is empty for what is right: those
// of a *[OneOf], else a itself.
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
