package player

// Alignment: messages can be lost, added, changed, or reordered. Later messages are compared with their own steps
// again.

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// reach limits how many steps of a lane, in each direction, are compared with an unexpected message.
const reach = 16

// realign looks for the step that a mismatched message belongs to: an earlier one that was passed or matched with
// something else, or a later one that it matches. If there is none, the message is the expected one, changed, with
// verdict v.
func (l *lanes) realign(q *queue, m *message, v verdict) verdict {
	l.instead = m.instead()
	e := m.step
	if _, ok := e.Do.(*scenario.Message); !ok || l.script.marked(e) || l.fits(m, e) != nil {
		return v
	}
	if found, c := l.earlier(q, m); found != nil {
		return l.assignTo(m, found, c, nil)
	}
	if found, c, passed := l.later(q, m); found != nil {
		q.astray = append(q.astray, passed...)
		return l.assignTo(m, found, c, passed)
	}
	if !slices.Contains(q.astray, e) {
		q.astray = append(q.astray, e)
	}
	return v
}

// instead returns the place that a message should have had; nil if it is tagged.
func (m *message) instead() *instead {
	if m.headerLen != ddp.UntaggedLen {
		return nil
	}
	return &instead{binary.BigEndian.Uint32(m.first[offQN:]), m.due}
}

// assignTo moves a message, as candidate c, to another step, and returns the verdict.
func (l *lanes) assignTo(m *message, e *expected, c *candidate, passed []*expected) verdict {
	m.release(l.known)
	m.step, e.begun = e, true
	if l.script.stepOf(e).Diff != nil {
		l.script.retract(e)
	}
	for _, p := range passed {
		p.passed = true
		l.script.overtake(e, p)
	}
	return l.verdicts.aligned(m, c, len(passed))
}

// earlier returns the latest step before the expected one that a message matches, or nil.
func (l *lanes) earlier(q *queue, m *message) (*expected, *candidate) {
	q.astray = slices.DeleteFunc(q.astray, l.script.came)
	q.astray = q.astray[max(0, len(q.astray)-reach):]
	for i, e := range slices.Backward(q.astray) {
		if c := l.fits(m, e); c != nil {
			q.astray = slices.Delete(q.astray, i, i+1)
			return e, c
		}
	}
	return nil, nil
}

// later returns the step after the expected one that a message matches, and the steps in between.
func (l *lanes) later(q *queue, m *message) (found *expected, c *candidate, passed []*expected) {
	for _, e := range q.steps[q.next:min(len(q.steps), q.next+reach)] {
		switch {
		case e.over || e.passed || e.begun && e != m.step:
			continue
		case e != m.step && l.script.waits(e.Step):
			return nil, nil, nil
		case e != m.step:
			if c := l.fits(m, e); c != nil {
				return e, c, passed
			}
		}
		passed = append(passed, e)
	}
	return nil, nil, nil
}

// fits returns the candidate of a step that a message equals except for its MSN and MO, or nil.
func (l *lanes) fits(m *message, e *expected) *candidate {
	do, ok := e.Do.(*scenario.Message)
	if !ok || do.Opcode != opcodeOf(m.first[:]) || do.To != 0 && l.known.requests[do.To] == nil {
		return nil
	}
	if n := bound(do.Payload); n >= 0 && m.length != n+do.Opcode.RDMAPHeaderLen() {
		return nil
	}
	c := &candidate{message: do, values: l.known.trial()}
	if m.step != nil && m.step != e {
		forget(c.values, m.step)
	}
	whole := append(bytes.Clone(m.first[:m.headerLen]), m.body...)
	c.header = l.known.numbers.ExpectMessage(do, l.known.requests[do.To], whole, c.values, false)
	if m.headerLen == ddp.UntaggedLen {
		copy(c.header[offMSN:], m.first[offMSN:m.headerLen])
	}
	if !m.matches(c) {
		return nil
	}
	return c
}

// aligned checks a message that equals a candidate except for its MSN and MO. These must continue the earlier messages,
// or skip as many as the message has passed.
func (j *verdicts) aligned(m *message, c *candidate, passed int) verdict {
	j.known.adopt(c.values)
	if m.headerLen == ddp.UntaggedLen {
		if binary.BigEndian.Uint32(c.header[offMSN:]) != m.due+uint32(passed) {
			binary.BigEndian.PutUint32(c.header[offMSN:], m.due)
		}
		binary.BigEndian.PutUint32(c.header[offMO:], 0)
	}
	if m.sameDDP(c) {
		return tolerated(m.split)
	}
	d := m.diff(c)
	return mismatched(difference(d), d)
}

// release frees the step of a message for the right one.
func (m *message) release(k *known) {
	if e := m.step; e != nil {
		e.begun, e.assembling, e.length = false, false, 0
		forget(k.values, e)
	}
}

// forget removes the values learned from a step.
func forget(values scenario.Values, e *expected) {
	for _, name := range e.tells {
		delete(values, name)
	}
}

// came reports whether a step is complete because it arrived itself.
func (s *script) came(e *expected) bool { return e.over && !e.missed && s.stepOf(e).Diff == nil }

// retract withdraws the verdict of a step: the message matched with it was unexpected.
func (s *script) retract(e *expected) {
	o := s.stepOf(e)
	d := &outcome.Diff{Layer: o.Diff.Layer, Actual: o.Diff.Actual, Got: o.Diff.Got, ActualSend: o.Diff.ActualSend}
	at := o.At
	o.Verdict, o.Reason, o.Diff = outcome.NotReached, "", nil
	s.unexpected("a "+rdmap.Opcode(d.Actual[rdmap.ControlOff]&15).String()+" is unexpected", d)
	s.result.Steps[len(s.result.Steps)-1].At = at
}

// overtake records that step e arrived before step f, which it must not pass.
func (s *script) overtake(e, f *expected) {
	if f.overtaker == nil {
		f.overtaker = e
		s.late = append(s.late, f)
	}
}

// arrive records that a step arrived. If another one had overtaken it, that is the other one's fault.
func (s *script) arrive(e *expected) {
	if o := s.stepOf(e); e.missed {
		o.Verdict, o.Reason = outcome.Mismatched, "it arrived too late"
	}
	i := slices.Index(s.late, e)
	if i < 0 {
		return
	}
	s.late = slices.Delete(s.late, i, i+1)
	o, why := s.stepOf(e.overtaker), "it arrived before "+stepName(e.Number)
	if o.Verdict == outcome.Mismatched {
		why += "; " + o.Reason
	}
	o.Verdict, o.Reason = outcome.Mismatched, why
}

// forgo gives up the overtaken steps, and reports whether there are any.
func (s *script) forgo() bool {
	for _, e := range s.late {
		s.miss(e, "it is missing, but "+stepName(e.overtaker.Number)+" did")
	}
	some := len(s.late) > 0
	s.late = nil
	return some
}

// miss gives up a step, and continues without it.
func (s *script) miss(e *expected, why string) {
	e.over, e.missed = true, true
	for i := range s.queues {
		if q := &s.queues[i]; lanesOf(e.Do)>>i&1 == 1 && !slices.Contains(q.astray, e) {
			q.astray = append(q.astray, e)
		}
	}
	if !s.marked(e) {
		s.stepOf(e).Reason = why
	}
	s.skipOver()
}

// isLate reports whether a step was overtaken and may still come.
func (s *script) isLate(number int) bool {
	at, ok := s.byNumber[number]
	return ok && !at.mine && s.theirs[at.index].overtaker != nil && !s.theirs[at.index].over
}

// holdsUp reports whether the next step of the own side waits for step e.
func (s *script) holdsUp(e *expected) bool {
	o := s.next()
	return o != nil && o.After == e.Number
}

// missed reports whether a step was given up.
func (s *script) missed(number int) bool {
	at, ok := s.byNumber[number]
	return ok && !at.mine && s.theirs[at.index].missed
}

// omit skips a step of the own side.
func (s *script) omit(o *own, why string) {
	s.result.Steps[o.result].Reason = why
	s.sent++
	s.proceed()
}
