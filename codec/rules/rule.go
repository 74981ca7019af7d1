package rules

import (
	"iter"
	"slices"
)

// Severity is how much a finding weighs.
type Severity uint8

// The severities. A breach of a MUST is an Error, one of a SHOULD a Warning, all else is a Note; see Rule.Lighter for
// what weighs less.
const (
	Note Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"note", "warning", "error"}

// String is "note", "warning" or "error".
func (s Severity) String() string { return severityNames[s] }

// A Rule is something that the protocols demand and that traffic can be seen to break.
type Rule struct {
	Name      string   // "send-msn"
	Text      string   // what is demanded, in a sentence
	IDs       []string // the requirements that a breach breaks, by their ids in the catalogue; the primary one first
	Severity  Severity
	Situation Situation // with which Terminates peers answer a breach; NoSituation if no Terminate answers it
	ErrorCode uint8     // of the Terminate that fits best, if the Situation has several

	Successive bool // it is about what follows what
	Grave      bool // though no Terminate answers a breach, the receiver cannot go on as if it were none: data or an answer is lost

	// Lighter is why a breach weighs less than the level of the primary requirement says: no capture can prove it, or
	// the documents contradict each other. A sentence; empty if the Severity follows from the level.
	Lighter string
}

// ID is the id of the primary requirement.
func (r *Rule) ID() string { return r.IDs[0] }

// all is every Rule, by subject.
var all []*Rule

// newRule adds a Rule that no Terminate answers to all.
func newRule(name string, severity Severity, text string, ids ...string) *Rule {
	r := &Rule{Name: name, Text: text, IDs: ids, Severity: severity}
	all = append(all, r)
	return r
}

// situation says which Terminates answer a breach of r.
func (r *Rule) situation(s Situation) *Rule {
	r.Situation = s
	return r
}

// outOfBounds says that the STag is right and the place wrong: Base or Bounds Violation, code 1 of DDP and RDMAP alike.
func (r *Rule) outOfBounds() *Rule {
	r.ErrorCode = 1
	return r
}

// successive says that r is about what follows what.
func (r *Rule) successive() *Rule {
	r.Successive = true
	return r
}

// lighter says why r weighs less than its primary requirement.
func (r *Rule) lighter(why string) *Rule {
	r.Lighter = why
	return r
}

// grave says that a receiver cannot go on after a breach of r as if it were none.
func (r *Rule) grave() *Rule {
	r.Grave = true
	return r
}

// Rules yields every Rule about MPA, DDP, RDMAP and SCTP. Package rpcrules has those of RPC-over-RDMA.
func Rules() iter.Seq[*Rule] { return slices.Values(all) }

// A Violation is a breach of a Rule.
type Violation struct {
	*Rule
	Situation Situation // that a receiver finds: not that of the Rule where another error hides the breach
	ErrorCode uint8     // as that of the Rule, for this breach
	Seen      string    // what was there, briefly: "MSN 7"
	Expected  string    // what should have been: "MSN 5"
	Doubt     Doubt     // whether what it rests on was seen
}

// A Doubt says of what a Violation rests on whether that was seen. Where it was not, the Violation may be none.
type Doubt uint8

// The doubts.
const (
	Seen     Doubt = iota
	Inferred       // from what fits best, where other messages were missed
	Lost           // it may be otherwise, by messages that were missed
)

// Doubtful says of violations that they rest on something that is in doubt.
func Doubtful(v []Violation, d Doubt) {
	for i := range v {
		v[i].Doubt = max(v[i].Doubt, d)
	}
}

// Breach is a breach of r.
func (r *Rule) Breach(seen, expected string) Violation {
	return Violation{Rule: r, Situation: r.Situation, ErrorCode: r.ErrorCode, Seen: seen, Expected: expected}
}

// broken appends to v that r is broken.
func (r *Rule) broken(v []Violation, seen, expected string) []Violation {
	return append(v, r.Breach(seen, expected))
}

// answersFirst moves the violations that a Terminate answers before those that a receiver passes over, each kind in its
// order.
func answersFirst(v []Violation) {
	slices.SortStableFunc(v, func(a, b Violation) int { return passedOver(a) - passedOver(b) })
}

func passedOver(v Violation) int {
	if v.Situation == NoSituation {
		return 1
	}
	return 0
}
