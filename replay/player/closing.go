package player

import (
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A closing checks how the other side ends its direction, or the connection.
type closing struct {
	script   *script
	verdicts *verdicts
	receiver *receiver
}

type end struct {
	name string
	is   func(scenario.Action) bool
}

var (
	endFIN   = end{"FIN", isFIN}
	endReset = end{"reset", isReset}
)

// judge checks a received end. open says that it fits, and that another end would fit, too.
func (c *closing) judge(by end) (open bool) {
	c.script.abandon()
	c.script.forgo()
	e := c.script.front()
	switch {
	case e == nil:
		return false
	case has(e.Do, by.is) || len(refusals(e.Do)) > 0:
		return c.judgeStep(e, by)
	case c.receiver.finishOctets(e):
		return c.judge(by)
	}
	reason := fmt.Sprintf("a %s arrived before %s", by.name, stepName(e.Number))
	for _, later := range c.script.theirs[c.script.received:] {
		if has(later.Do, by.is) && !later.over {
			c.script.conclude(later, mismatched(reason, nil))
			c.loseRest(by)
			return false
		}
	}
	if mayEnd(e.Do) {
		c.script.conclude(e, mismatched("a "+by.name+" came", nil))
	} else {
		c.script.unexpected(reason, nil)
	}
	c.loseRest(by)
	return false
}

// judgeStep checks an end that step e may expect: the end itself, or the reaction to something refused.
func (c *closing) judgeStep(e *expected, by end) (open bool) {
	var best verdict
	refused := false
	for why, each := range scenario.Alternatives(e.Do) {
		r, isRefusal := each.(*scenario.Refusal)
		v := tolerated(why)
		switch {
		case by.is(each):
		case !isRefusal:
			continue
		default:
			if of := c.verdicts.closed(r, by.name); of.Verdict != outcome.Exact {
				v = of
			}
		}
		if best.Verdict == outcome.NotReached || v.Verdict < best.Verdict {
			best, refused = v, isRefusal
		}
	}
	c.script.conclude(e, best)
	switch {
	case best.Verdict == outcome.Mismatched:
		c.judge(by)
		return false
	case refused: // the same end also satisfies the next step
		for e := c.script.front(); e != nil && mayEnd(e.Do); e = c.script.front() {
			c.script.conclude(e, tolerated(""))
		}
	}
	c.loseRest(by)
	return !by.is(e.Do)
}

// loseRest gives up the steps that cannot follow an end. A reset can follow a FIN.
func (c *closing) loseRest(by end) {
	s := c.script
	e := s.front()
	if by.name == endFIN.name && e != nil && s.received == len(s.theirs)-1 && has(e.Do, isReset) && !has(e.Do, isFIN) {
		return
	}
	s.lose("the other side had closed the connection with a " + by.name)
}

// forgoEnds gives up the ends of the own side that a reset by the other side makes needless. It fails if anything else
// is left to do.
func (c *closing) forgoEnds() bool {
	left := c.script.mine[c.script.sent:]
	if slices.ContainsFunc(left, func(o *own) bool { return !mayEnd(o.Do) }) {
		return false
	}
	for _, o := range left {
		r := &c.script.result.Steps[o.result]
		r.Verdict, r.Reason = outcome.NotApplicable, "the other side has reset the connection"
	}
	return true
}
