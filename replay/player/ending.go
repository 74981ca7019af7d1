package player

// How the other side ends the connection.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// ended judges the end of the other side's direction. is recognises what is expected for it. It is open
// if the end fits, and another one would have, too.
func (p *Player) ended(what string, is func(scenario.Action) bool) (open bool) {
	for i := range p.lanes {
		p.lanes[i].abandon(p)
	}
	e := p.front()
	switch {
	case e == nil:
		return false
	case one(e.Do, is) || len(refusals(e.Do)) > 0:
		return p.endsStep(e, what, is)
	case p.wholeBut(e):
		p.swallows = true
		p.judgeRaw(e, e.Do.(*scenario.Octets).Payload)
		return p.ended(what, is)
	}
	reason := fmt.Sprintf("a %s came before %s", what, stepName(e.Number))
	for _, later := range p.theirs[p.come:] {
		if one(later.Do, is) && !later.over {
			p.conclude(later, outcome.Mismatched, reason, nil)
			p.nothingFollows(what)
			return false
		}
	}
	if ends(e.Do) {
		p.conclude(e, outcome.Mismatched, "a "+what+" came", nil)
	} else {
		p.unexpected(reason, nil)
	}
	p.nothingFollows(what)
	return false
}

// wholeBut tells whether a step is octets of which all have come that there have to be.
func (p *Player) wholeBut(e *expected) bool {
	do, ok := e.Do.(*scenario.Octets)
	return ok && bound(do.Payload) < 0 && len(p.raw) == do.Payload.Len()
}

// nothingFollows makes the steps over that cannot come any more behind a FIN or reset.
func (p *Player) nothingFollows(what string) {
	if e := p.front(); what == "FIN" && e != nil && p.come == len(p.theirs)-1 && onlyReset(e.Do) {
		return
	}
	p.lose("the other side had closed the connection with a " + what)
}

// onlyReset tells whether an action can be a reset, and no other end.
func onlyReset(a scenario.Action) bool {
	return one(a, func(a scenario.Action) bool { return a == scenario.Reset{} }) &&
		!one(a, func(a scenario.Action) bool { return a == scenario.FIN{} })
}

// endsStep judges an end that may be what a step expects: itself, or because something is refused.
func (p *Player) endsStep(e *expected, what string, is func(scenario.Action) bool) (open bool) {
	v, reason, refused := outcome.NotReached, "", false
	for why, each := range scenario.Alternatives(e.Do) {
		r, ok := each.(*scenario.Refusal)
		verdict, text := came(why), why
		switch {
		case is(each):
		case !ok:
			continue
		default:
			if verdict, text = p.endsRefusal(r, what); verdict == outcome.Exact {
				verdict, text = came(why), why
			}
		}
		if v == outcome.NotReached || verdict < v {
			v, reason, refused = verdict, text, ok
		}
	}
	p.conclude(e, v, reason, nil)
	switch {
	case v == outcome.Mismatched:
		p.ended(what, is)
		return false
	case refused: // and that is the end which follows, whatever it was to be
		for e := p.front(); e != nil && ends(e.Do); e = p.front() {
			p.conclude(e, outcome.Exact, "", nil)
		}
	}
	p.nothingFollows(what)
	return !is(e.Do)
}

// endsRefusal judges an end of the connection that comes for a Refusal.
func (p *Player) endsRefusal(r *scenario.Refusal, what string) (v outcome.Verdict, reason string) {
	s, profile := rules.LookupSituation(r.Situation), p.options.Profile
	known := &s.Answers[profile.Peer]
	switch {
	case profile.Due(s).Closes:
		return outcome.Exact, ""
	case known.Closes:
		return outcome.Accepted, profile.Peer.String() + ": " + known.Note
	}
	return outcome.Mismatched, fmt.Sprintf("a %s came without a Terminate, expected is %s", what, p.dueText(s))
}

// ends tells whether an action ends the direction of a side.
func ends(a scenario.Action) bool {
	return one(a, func(a scenario.Action) bool { return a == scenario.FIN{} || a == scenario.Reset{} })
}

// forgoEnds gives up the ends of the own side that the reset of the other one has made needless. It is false if there is
// anything else left to do.
func (p *Player) forgoEnds() bool {
	for _, o := range p.mine[p.sent:] {
		if !ends(o.Do) {
			return false
		}
	}
	for _, o := range p.mine[p.sent:] {
		s := &p.result.Steps[o.result]
		s.Verdict, s.Reason = outcome.NotApplicable, "the other side has reset the connection"
	}
	return true
}
