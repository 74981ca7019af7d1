package rules

// Which Terminate a Profile demands in a Situation, and how well another one fits.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Grade is how well a Terminate fits the error that it answers.
type Grade uint8

// The grades.
const (
	Unjudged Grade = iota // the demand is unknown
	Wrong
	Accepted // the documents allow it, or the Profile's peer is known for it
	Exact    // what the Profile demands
)

var gradeNames = [...]string{"unjudged", "wrong", "accepted", "exact"}

// String is "unjudged", "wrong", "accepted" or "exact".
func (g Grade) String() string { return gradeNames[g] }

// Due returns what the Profile demands in a situation.
func (p *Profile) Due(s Situation) Answer {
	d := &Situations[s]
	switch {
	case p.Edition == Draft00 && d.Draft00 != nil:
		return Answer{Act: Terminates, Codes: d.Draft00}
	case p.Codes == Verbs && d.Verbs.Act != Unknown:
		return d.Verbs.In(s)
	}
	return d.RFC
}

// Exact returns the Terminate that the Profile demands in a situation; ok is false if it demands none. If it allows
// several, Exact returns the first.
func (p *Profile) Exact(s Situation) (code rdmap.Code, ok bool) {
	return p.Due(s).Codes.First()
}

// Grade returns how well a Terminate with code fits a situation, which may be NoSituation for one that no Terminate
// answers.
func (p *Profile) Grade(s Situation, code rdmap.Code) Grade {
	switch {
	case s == NoSituation:
		return Unjudged
	case p.Due(s).Codes.Contains(code):
		return Exact
	case p.accepts(s, code):
		return Accepted
	case p.RNIC != nil && p.RNIC.Answers[s].Act == Unknown:
		return Unjudged
	}
	return Wrong
}

// accepts reports whether the documents, or the deviations of the Profile's RNIC, allow a code.
func (p *Profile) accepts(s Situation, code rdmap.Code) bool {
	d := &Situations[s]
	switch {
	case p.Due(s).Codes.Accepts(code), d.Also.Accepts(code), d.RFC.Codes.Accepts(code), p.RNIC.Answer(s).Codes.Accepts(code):
		return true
	}
	return p.Edition == Draft00 && d.AlsoDraft00.Contains(code)
}

// known reports whether the registry has a code, or the Profile's documents add it.
func (p *Profile) known(code rdmap.Code) bool { return code.Registered() || p.added(code) != nil }

// added returns a demand for which the Profile's documents add a code to the registry; nil if they do not.
func (p *Profile) added(code rdmap.Code) *Demand {
	i := slices.IndexFunc(Situations[:], func(d Demand) bool { return d.Verbs.Codes.Accepts(code) })
	if i < 0 || p.Codes != Verbs || code.Registered() {
		return nil
	}
	return &Situations[i]
}
