package player

// Verdicts, and what shows the reason of one.

import (
	"fmt"
	"maps"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// conclude ends a step of the other side that has come. An earlier mark of a mismatch stays.
func (p *Player) conclude(e *expected, v outcome.Verdict, reason string, d *outcome.Diff) {
	switch why, order := p.disordered(e); {
	case order > v:
		v, reason = order, why
	case order == v && why != "":
		reason = why + "; " + reason
	}
	p.mark(e, v, reason, d)
	e.over = true
	p.stepOf(e).At = p.elapsed()
	p.reached = max(p.reached, e.At)
	p.free(e)
	p.skipOver()
	p.silent = -1
	p.moved()
	p.awaken()
}

// skipOver goes on to the first step of the other side that is not over.
func (p *Player) skipOver() {
	for p.come < len(p.theirs) && p.theirs[p.come].over {
		p.come++
	}
}

// came is the verdict on something that is as it was expected, or was tolerated for the given reason.
func came(why string) outcome.Verdict {
	if why != "" {
		return outcome.Accepted
	}
	return outcome.Exact
}

// mark gives a step a verdict, unless it has one already.
func (p *Player) mark(e *expected, v outcome.Verdict, reason string, d *outcome.Diff) {
	s := p.stepOf(e)
	if s.Verdict == outcome.NotReached {
		s.Verdict, s.Reason, s.Diff, s.At = v, reason, d, p.elapsed()
	}
}

// marked tells whether a step has a verdict.
func (p *Player) marked(e *expected) bool { return p.stepOf(e).Verdict != outcome.NotReached }

// unexpected notes something that came and that no step expects.
func (p *Player) unexpected(reason string, d *outcome.Diff) {
	if n := len(p.result.Steps) - len(p.conn.Steps); n >= MaxUnexpected {
		p.giveUp("more came that no step expects than can be told")
		return
	}
	p.result.Steps = append(p.result.Steps, outcome.Step{Verdict: outcome.Mismatched, Reason: reason, At: p.elapsed(), Diff: d})
}

// disordered tells why a step that is complete was too early, and what verdict that deserves.
func (p *Player) disordered(e *expected) (why string, v outcome.Verdict) {
	if m, ok := e.Do.(*scenario.Message); ok && m.To != 0 {
		if done, _ := p.settled(m.To); !done {
			return "it came before " + stepName(m.To) + ", which it answers", outcome.Mismatched
		}
	}
	if f := p.silences.front(); f != nil && f.index < e.index {
		return "it came before " + stepName(f.Number) + ", which is a Silence", outcome.Mismatched
	}
	for i := range p.lanes {
		f := p.lanes[i].front()
		if f == nil || f.index >= e.index {
			continue
		}
		if why = "it came before " + stepName(f.Number); !mayPass(e.Do, f.Do) {
			return why, outcome.Mismatched
		}
		v = outcome.Accepted
	}
	if done, _ := p.settled(e.After); v == 0 && e.After != 0 && !done {
		return "it came before " + stepName(e.After) + ", for which it had waited", outcome.Accepted
	}
	if v != 0 {
		why += ", in an order that RDMAP leaves open"
	}
	return why, v
}

// mayPass tells whether a message may come before another one that was before it in the Scenario. A Send tells that what
// was written before it is there, so it passes no Write, nor does a Write pass it. Responses come when they can, but in
// the order of the requests, and a request can wait for one that has none yet (RFC 5040, section 5.5; RFC 7306, section
// 5.4).
func mayPass(a, before scenario.Action) bool {
	const told, answers = laneSet(1<<laneSend | 1<<laneWrite), laneSet(1<<laneResponse | 1<<laneAtomic)
	one, other := lanesOf(a), lanesOf(before)
	if one&told != 0 && other&told != 0 {
		return one == other && one == 1<<laneWrite
	}
	return one&answers == 0 || other&answers == 0
}

// stepName is how a text names a step.
func stepName(number int) string { return fmt.Sprintf("step %d", number) }

// trial is a copy of the values, to see what becomes of them.
func (p *Player) trial() scenario.Values { return maps.Clone(p.values) }

// bound is how many octets a payload has; -1 if there may be any number of them behind those.
func bound(payload scenario.Payload) int {
	if n := len(payload); n > 0 && payload[n-1].Any == scenario.Rest {
		return -1
	}
	return payload.Len()
}

// render is the octets of a payload, and which of them may be anything. Variables that are not known are.
func render(payload scenario.Payload, values scenario.Values) (octets []byte, mask []bool) {
	for i := range payload {
		part := &payload[i]
		from := len(octets)
		b, err := payload[i:i+1].AppendOctets(octets, values)
		if err != nil {
			b = append(octets, make([]byte, part.Len())...)
		}
		octets = b
		for range len(octets) - from {
			mask = append(mask, err != nil || part.Any != 0)
		}
	}
	return octets, mask
}

// wanted is an excerpt of a payload that is expected, about an offset.
func wanted(payload scenario.Payload, values scenario.Values, at int) outcome.Excerpt {
	at = min(at, payload.Len())
	from := max(0, at-16) &^ 15
	octets, mask := render(payload.Slice(from, from+outcome.MaxExcerpt), values)
	e := outcome.NewExcerpt(octets, mask, 0, bound(payload))
	e.From = from
	return e
}
