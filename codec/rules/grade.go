package rules

// Which Terminate a Profile demands in a Situation, and how well another one fits.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Grade is how well a Terminate fits what it answers.
type Grade uint8

// The grades.
const (
	Unjudged Grade = iota // nobody knows what is due
	Wrong
	Accepted // the documents leave room for it, or the Profile's peer is known for it
	Exact    // what the Profile demands
)

var gradeNames = [...]string{"unjudged", "wrong", "accepted", "exact"}

// String is "unjudged", "wrong", "accepted" or "exact".
func (g Grade) String() string { return gradeNames[g] }

// draft00 is what draft-ietf-rddp-rdmap-00 demands otherwise than RFC 5040, by the name of a Situation (sections 7.3
// and 10.3 of the draft).
var draft00 = map[string]struct{ exact, accepted []rdmap.Code }{
	"read-association":       {exact: codes("0/1/00"), accepted: codes("0/1/03")},
	"write-association":      {exact: codes("1/1/00"), accepted: codes("1/1/02")},
	"invalidate-association": {exact: codes("0/1/09"), accepted: codes("0/1/00", "0/1/03")},
	"local":                  {exact: codes("0/0/00")},
}

// codes reads codes as Code.String writes them.
func codes(words ...string) (all []rdmap.Code) {
	for _, word := range words {
		c, err := rdmap.ParseCode(word)
		if err != nil {
			panic("rules: " + err.Error())
		}
		all = append(all, c)
	}
	return all
}

// exact is the Terminates that the Profile demands in a situation.
func (p *Profile) exact(s *Situation) []rdmap.Code {
	return p.Due(s).Codes
}

// Due is what the Profile demands in a situation.
func (p *Profile) Due(s *Situation) Answer {
	if d, ok := draft00[s.Name]; ok && p.Edition == Draft00 {
		return Answer{Known: true, Codes: d.exact}
	}
	if a := &s.Answers[p.Codes]; a.Known {
		return *a
	}
	return s.Answers[RFC]
}

// Exact is the Terminate that the Profile demands in a situation; ok is false if it demands none. Where it leaves the
// choice of several it is the first.
func (p *Profile) Exact(s *Situation) (code rdmap.Code, ok bool) {
	if all := p.exact(s); len(all) > 0 {
		return all[0], true
	}
	return rdmap.Code{}, false
}

// Grade says how well a Terminate with code fits a situation, which may be nil for one that no Terminate answers.
func (p *Profile) Grade(s *Situation, code rdmap.Code) Grade {
	switch {
	case s == nil:
		return Unjudged
	case slices.Contains(p.exact(s), code):
		return Exact
	case p.accepts(s, code):
		return Accepted
	case p.Peer != RFC && !s.Answers[p.Peer].Known:
		return Unjudged
	}
	return Wrong
}

// accepts tells that the documents, or what is known of the Profile's peer, leave room for a code.
func (p *Profile) accepts(s *Situation, code rdmap.Code) bool {
	// Any error code goes with a Local Catastrophic Error, whatever the Profile prefers.
	if answer := (Answer{Codes: p.exact(s)}); answer.Sends(code) {
		return true
	}
	also := Answer{Codes: s.Also}
	if also.Sends(code) || s.Answers[RFC].Sends(code) || s.Answers[p.Peer].Sends(code) {
		return true
	}
	return p.Edition == Draft00 && slices.Contains(draft00[s.Name].accepted, code)
}

// known tells that the registry has a code, or the documents of the Profile beside it.
func (p *Profile) known(code rdmap.Code) bool {
	return code.Registered() || slices.ContainsFunc(Situations, func(s Situation) bool {
		return s.Answers[p.Codes].Sends(code)
	})
}
