package player

// What time does: silences, and steps that do not come.

import (
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// silence is how long the other side may send nothing to do what is expected; 0 if that is nothing it can do.
func silence(a scenario.Action) (d time.Duration) {
	one(a, func(each scenario.Action) bool {
		if s, ok := each.(*scenario.Silence); ok {
			d = s.For
		}
		return d > 0
	})
	return d
}

// awaken begins to wait for a Silence of the other side, if that is what comes next.
func (p *Player) awaken() {
	p.passOver()
	e := p.front()
	if e == nil || p.silent >= 0 {
		return
	}
	if done, _ := p.settled(e.After); e.After != 0 && !done {
		return
	}
	if d := silence(e.Do); d > 0 {
		p.silent = p.now + d
	}
}

// endSilence ends a Silence of the other side whose time is over.
func (p *Player) endSilence() {
	for p.silent >= 0 && p.now >= p.silent && !p.over {
		e := p.front()
		why, _ := which(e.Do, isSilence)
		p.conclude(e, came(why), why, nil)
	}
}

func isSilence(a scenario.Action) bool { return silence(a) > 0 }

// NextDeadline is the time at which Advance is to be called, on its clock; ok is false if there is none.
func (p *Player) NextDeadline() (at time.Duration, ok bool) {
	if p.Done() {
		return 0, false
	}
	at, ok = p.timeout()
	sooner := func(t time.Duration) {
		if !ok || t < at {
			at, ok = t, true
		}
	}
	if p.silent >= 0 {
		sooner(p.silent)
	}
	if p.quiet > p.now {
		sooner(p.quiet)
	}
	if due, waits := p.paced(); waits {
		sooner(due)
	}
	return at, ok
}

// paced tells whether the next step of the own side waits for nothing but its time, and when that is.
func (p *Player) paced() (due time.Duration, waits bool) {
	if p.current != nil || p.probing || p.sent == len(p.mine) {
		return 0, false
	}
	o := p.mine[p.sent]
	if due = p.due(o); due <= p.now {
		return 0, false
	}
	can, _ := p.may(o)
	return due, can
}

// timeout is when the Player gives up if nothing comes about before; ok is false if it waits for nothing.
func (p *Player) timeout() (at time.Duration, ok bool) {
	if p.Done() {
		return 0, false
	}
	at = max(p.progress, p.silent, p.quiet)
	if due, waits := p.paced(); waits {
		at = max(at, due)
	}
	return at + p.patience(), true
}

// patience is how long the next step may take: what it took in the Scenario, and the StepTimeout.
func (p *Player) patience() time.Duration {
	e := p.front()
	if e == nil {
		return p.options.StepTimeout
	}
	return p.options.StepTimeout + min(max(0, e.At-p.reached), maxPatience)
}

// shown is a time as a text has it: finer than a millisecond none is of interest.
func shown(d time.Duration) time.Duration { return max(d.Round(time.Millisecond), time.Millisecond) }

// timedOut is for a step that has not come in time.
func (p *Player) timedOut() {
	if p.probing {
		p.result.Steps[p.mine[p.sent].result].Reason = "no answer came"
		p.giveUp("the Probe of %s was not answered in time", stepName(p.mine[p.sent].Number))
		return
	}
	if e := p.front(); e != nil {
		if why := p.unanswered(e.Do); why != "" && !p.midFPDU() {
			p.conclude(e, outcome.Accepted, why, nil)
			return
		}
		p.cutShort()
		patience := shown(p.patience())
		text := fmt.Sprintf("nothing came for it in %v", patience)
		if e.length > 0 {
			text = fmt.Sprintf("%s within %v", e.partly(), patience)
		}
		if !p.marked(e) {
			p.stepOf(e).Reason = text
		}
		p.giveUp("%s did not come in time", stepName(e.Number))
		return
	}
	p.giveUp("%s could not be sent in time", stepName(p.mine[p.sent].Number))
}
