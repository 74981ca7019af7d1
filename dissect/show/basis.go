package show

import (
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Basis is what a finding rests on. That of an observation is empty.
type Basis struct {
	Source  string // where the requirement stands: "RFC 5041, section 5.3"
	Quote   string // what is said there; empty if a figure or table says it, or if the finding weighs less than that
	Demand  string // the requirement in our words, where there is neither a Quote nor a decision
	Decided string // that the finding weighs less than the requirement, and why, in sentences; empty if it does not
}

// BasisOf returns what a finding rests on. A quotation that the severity does not follow would contradict it: the reason stands in
// its place.
func BasisOf(f *record.Finding) (b Basis) {
	r := rfc.Lookup(f.ID)
	switch {
	case r == nil:
		return b
	case f.Rule != nil && f.Rule.Lighter != "" && f.Severity <= f.Rule.Severity: // a profile may make it more
		b.Decided = "iwarp reports this only as a " + f.Severity.String() + ". " + f.Rule.Lighter
	case r.Quote != "":
		b.Quote = r.Quote
	default:
		b.Demand = r.Text
	}
	b.Source = r.Source()
	return b
}
