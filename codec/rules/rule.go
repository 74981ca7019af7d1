package rules

import (
	"iter"
	"slices"
)

// Severity is the weight of a finding.
type Severity uint8

// The severities. A breach of a MUST is an Error, one of a SHOULD a Warning, all else a Note; Rule.Lighter names the
// exceptions.
const (
	Note Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"note", "warning", "error"}

// String is "note", "warning" or "error".
func (s Severity) String() string { return severityNames[s] }

// A Rule is a demand of the protocols whose breach shows in traffic.
type Rule struct {
	Name      string   // "send-msn"
	Text      string   // the demand, in a sentence
	IDs       []string // the requirements that a breach violates, by catalogue id; the primary one first
	Severity  Severity
	Situation Situation // which determines the Terminates that answer a breach; NoSituation if none does
	Shown     []string  // see Fields; nil if they are those of the Situation

	Upper      bool // it binds the upper layer, not the RNIC
	Successive bool // it is about order
	Elsewhere  bool // it is about where a service is, and no receiver minds a breach
	Grave      bool // the receiver cannot continue after a breach, although no Terminate answers it: data or an answer is lost

	// Lighter is why a breach weighs less than the level of the primary requirement: no capture can prove it, or the
	// documents contradict each other. A sentence; empty if the Severity follows from the level.
	Lighter string
}

// ID returns the id of the primary requirement.
func (r *Rule) ID() string { return r.IDs[0] }

// Fields returns the names of the header fields that show a breach, as display filters have them: "iwarp_ddp.msn"; nil if no
// field shows it.
func (r *Rule) Fields() []string {
	if r.Shown != nil {
		return r.Shown
	}
	return Situations[r.Situation].Fields
}

// Fields that several rules are about.
var (
	kindFields    = []string{"iwarp_mpa.enhanced.a", "iwarp_mpa.enhanced.b", "iwarp_mpa.enhanced.c", "iwarp_mpa.enhanced.D"}
	codeFields    = []string{"iwarp_rdma.term_layer", "iwarp_rdma.term_etype", "iwarp_rdma.term_errcode"}
	hdrCtFields   = []string{"iwarp_rdma.term_hdrct_m", "iwarp_rdma.hdrct_d", "iwarp_rdma.hdrct_r"}
	controlFields = slices.Concat(codeFields, hdrCtFields)
)

// all holds every Rule, by subject.
var all []*Rule

// newRule adds a Rule that no Terminate answers to all.
func newRule(name string, severity Severity, text string, ids ...string) *Rule {
	r := &Rule{Name: name, Text: text, IDs: ids, Severity: severity}
	all = append(all, r)
	return r
}

// situation sets which Terminates answer a breach of r.
func (r *Rule) situation(s Situation) *Rule {
	r.Situation = s
	return r
}

// in sets the fields that show a breach of r, where they are not those of its situation.
func (r *Rule) in(fields ...string) *Rule {
	r.Shown = fields
	return r
}

// successive marks r as a rule about order.
func (r *Rule) successive() *Rule {
	r.Successive = true
	return r
}

// lighter sets why r weighs less than its primary requirement.
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
	Situation Situation // as a receiver finds it: not that of the Rule if another error hides the breach
	Seen      string    // what was seen, briefly: "MSN 7"
	Expected  string    // what was expected: "MSN 5"
	Doubt     Doubt     // whether its grounds were seen
}

// A Doubt says whether the grounds of a Violation were seen. If not, there may be none.
type Doubt uint8

// The doubts.
const (
	Seen     Doubt = iota
	Inferred       // as the best match, where other messages were missed
	Lost           // missed messages may have changed it
	Spoiled        // its octets are perhaps not those that were sent
)

// Doubtful marks violations as resting on doubtful grounds.
func Doubtful(v []Violation, d Doubt) {
	for i := range v {
		v[i].Doubt = max(v[i].Doubt, d)
	}
}

// Breach returns a violation of r.
func (r *Rule) Breach(seen, expected string) Violation {
	return Violation{Rule: r, Situation: r.Situation, Seen: seen, Expected: expected}
}

// broken appends a violation of r to v.
func (r *Rule) broken(v []Violation, seen, expected string) []Violation {
	return append(v, r.Breach(seen, expected))
}

// answersFirst moves the violations that a Terminate answers before those that a receiver ignores, and keeps the order
// of each kind.
func answersFirst(v []Violation) {
	slices.SortStableFunc(v, func(a, b Violation) int { return passedOver(a) - passedOver(b) })
}

func passedOver(v Violation) int {
	if v.Situation == NoSituation {
		return 1
	}
	return 0
}
