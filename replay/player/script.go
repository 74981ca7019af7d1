package player

import (
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A script holds the steps of both sides: their order, state and verdicts.
type script struct {
	clock    *clock
	result   outcome.Conn
	steps    int // of the Scenario; unexpected messages follow them in result
	mine     []*own
	theirs   []*expected
	sent     int // of mine, complete
	received int // of theirs: those before it are over
	byNumber map[int]place

	late     []*expected // overtaken steps of the other side that may still arrive
	queues   [numLanes]queue
	silences queue // steps of the other side during which no message may come

	probing  bool       // our Probe waits for its answer
	ending   mpa.Ending // of the own direction
	misses   int        // steps missed since the latest one that arrived
	finished bool       // the other side has sent its FIN
	over     bool       // nothing more is sent or received
}

// A place is an index in mine or in theirs.
type place struct {
	mine  bool
	index int
}

type own struct {
	*scenario.Step
	result int // index in the Steps of the Outcome
}

// expected is a step of the other side.
type expected struct {
	*scenario.Step
	index        int    // in theirs
	result       int    // index in the Steps of the Outcome
	unanswerable string // why the Profile expects nothing; empty if it does
	over         bool
	lost         bool      // it is over and did not arrive
	overtaker    *expected // the first later step that arrived before it; nil if there is none
	missed       bool      // it did not arrive, and the rest continues without it
	passed       bool      // a step of its own lane has overtaken it
	tells        []string  // variables that it is the first to contain
	begun        bool      // part of it arrived
	assembling   bool      // it is a message with at least one segment
	length       int       // octets received, without DDP headers
}

// A verdict is the result of a step, and the reason.
type verdict struct {
	outcome.Verdict
	reason string
	diff   *outcome.Diff
}

// tolerated returns the verdict on a match: exact, or accepted with the reason why it is tolerated.
func tolerated(why string) verdict {
	if why != "" {
		return verdict{outcome.Accepted, why, nil}
	}
	return verdict{Verdict: outcome.Exact}
}

func mismatched(reason string, d *outcome.Diff) verdict {
	return verdict{outcome.Mismatched, reason, d}
}

func notApplicable(reason string) verdict { return verdict{outcome.NotApplicable, reason, nil} }

func newScript(c *scenario.Conn, role scenario.Side, o *Options, clock *clock) *script {
	s := &script{
		clock: clock, steps: len(c.Steps), byNumber: make(map[int]place),
		result: outcome.Conn{Name: c.Name, Role: role, Client: o.Client, Server: o.Server, Steps: make([]outcome.Step, len(c.Steps))},
	}
	untold := make(map[string]bool)
	for _, v := range c.Vars {
		_, given := mapped(o.Map, v.Kind, v.Value)
		untold[v.Name] = v.Owner != role && !given
	}
	for i, step := range c.Steps {
		s.result.Steps[i].Expected = step
		if step.Side == role {
			s.result.Steps[i].Verdict = outcome.NotSent
			s.byNumber[step.Number] = place{true, len(s.mine)}
			s.mine = append(s.mine, &own{Step: substitute(o.Map, step), result: i})
			continue
		}
		e := &expected{Step: step, index: len(s.theirs), result: i, unanswerable: unanswerable(o.Profile, step.Do)}
		s.byNumber[step.Number] = place{false, e.index}
		for name := range step.Uses() {
			if untold[name] {
				untold[name], e.tells = false, append(e.tells, name)
			}
		}
		s.theirs = append(s.theirs, e)
		s.enqueue(e)
	}
	return s
}

func (s *script) done() bool {
	return s.over || s.sent == len(s.mine) && len(s.late) == 0 && (s.received == len(s.theirs) || s.onlyResetLeft())
}

// onlyResetLeft reports whether both sides have closed their directions, so that a reset can no longer be noticed.
func (s *script) onlyResetLeft() bool {
	return s.finished && s.ending == mpa.EndsFIN && s.received == len(s.theirs)-1 && s.theirs[s.received].Do == scenario.Reset{}
}

// outcome returns the results so far.
func (s *script) outcome() *outcome.Conn {
	if e := s.front(); s.done() && e != nil && !e.lost {
		o := s.stepOf(e)
		o.Verdict, o.Reason = outcome.NotApplicable, "both sides had closed the connection before"
	}
	return &s.result
}

// mustBegin reports whether a step of the Responder is to send an FPDU, and the Initiator, which is played, has sent none.
func (s *script) mustBegin(e *expected) bool {
	return s.result.Role == scenario.Client && hasFPDU(e.Do) &&
		!slices.ContainsFunc(s.mine[:s.sent], func(o *own) bool {
			return s.result.Steps[o.result].Verdict == outcome.Sent && hasFPDU(o.Do)
		})
}

// hasFPDU reports whether an action sends an FPDU.
func hasFPDU(a scenario.Action) bool {
	switch scenario.First(a).(type) {
	case *scenario.Message, *scenario.Segment, *scenario.FPDU:
		return true
	}
	return false
}

// front returns the first step of the other side that is not over, or nil.
func (s *script) front() *expected {
	if s.received == len(s.theirs) {
		return nil
	}
	return s.theirs[s.received]
}

// next returns the next step of the own side, or nil.
func (s *script) next() *own {
	if s.sent == len(s.mine) {
		return nil
	}
	return s.mine[s.sent]
}

// settled reports whether a step of either side is complete, and whether it never will be.
func (s *script) settled(number int) (done, never bool) {
	switch at, ok := s.byNumber[number]; {
	case !ok:
		return true, false
	case at.mine:
		return at.index < s.sent, false
	default:
		e := s.theirs[at.index]
		return (e.over || e.overtaker != nil) && !e.lost, e.lost
	}
}

func (s *script) waits(step *scenario.Step) bool {
	done, _ := s.settled(step.After)
	return step.After != 0 && !done
}

// framesLeft reports whether MPA frames are still to be sent or received.
func (s *script) framesLeft() bool {
	return slices.ContainsFunc(s.mine[s.sent:], func(o *own) bool { return framesOf(o.Do) != nil }) ||
		slices.ContainsFunc(s.theirs[s.received:], func(e *expected) bool { return framesOf(e.Do) != nil && !e.over })
}

// completeOwn records that the next step of the own side is complete.
func (s *script) completeOwn() {
	o := s.next()
	r := &s.result.Steps[o.result]
	r.Verdict, r.Reason, r.At = outcome.Sent, "", s.clock.elapsed()
	s.sent++
	s.clock.complete(o.At)
	s.proceed()
}

func (s *script) stepOf(e *expected) *outcome.Step { return &s.result.Steps[e.result] }

func (s *script) marked(e *expected) bool { return s.stepOf(e).Verdict != outcome.NotReached }

// mark gives a step a verdict, unless it has one.
func (s *script) mark(e *expected, v verdict) {
	if o := s.stepOf(e); o.Verdict == outcome.NotReached {
		o.Verdict, o.Reason, o.Diff, o.At = v.Verdict, v.reason, v.diff, s.clock.elapsed()
	}
}

// conclude completes a step that arrived. It keeps an earlier verdict.
func (s *script) conclude(e *expected, v verdict) {
	switch why, order := s.disorder(e); {
	case order > v.Verdict:
		v.Verdict, v.reason = order, why
	case order == v.Verdict && why != "":
		v.reason = why + "; " + v.reason
	}
	s.mark(e, v)
	e.over, s.misses = true, 0
	s.arrive(e)
	s.stepOf(e).At = s.clock.elapsed()
	s.skipOver()
	s.clock.peerSilence = -1
	s.clock.complete(e.At)
	s.proceed()
}

// skipOver continues to the first step of the other side that is not over.
func (s *script) skipOver() {
	for s.received < len(s.theirs) && (s.theirs[s.received].over || s.theirs[s.received].overtaker != nil) {
		s.received++
	}
}

// unexpected records something that no step expects.
func (s *script) unexpected(reason string, d *outcome.Diff) {
	if len(s.result.Steps)-s.steps >= MaxUnexpected {
		s.giveUp("more unexpected messages follow")
		return
	}
	s.result.Steps = append(s.result.Steps, outcome.Step{Verdict: outcome.Mismatched, Reason: reason, At: s.clock.elapsed(), Diff: d})
}

// proceed skips Refusals without an answer in the Profile, and begins a Silence of the other side if that comes next.
func (s *script) proceed() {
	for e := s.front(); e != nil && e.unanswerable != "" && !s.waits(e.Step); e = s.front() {
		s.mark(e, notApplicable(e.unanswerable))
		e.over = true
		s.skipOver()
	}
	if e := s.front(); e != nil && s.clock.peerSilence < 0 && !s.waits(e.Step) && isSilence(e.Do) {
		s.clock.expectSilence(silence(e.Do))
	}
}

// endSilence concludes Silences of the other side that have lasted long enough.
func (s *script) endSilence() {
	for !s.over && s.clock.peerSilenceOver() {
		e := s.front()
		why, _ := which(e.Do, isSilence)
		s.conclude(e, tolerated(why))
	}
}

// giveUp ends the connection with a reset.
func (s *script) giveUp(format string, args ...any) {
	if !s.over {
		s.end(fmt.Sprintf(format, args...))
		s.ending = mpa.EndsReset
	}
}

// end makes the connection over. why, if not empty, is the reason for all remaining steps.
func (s *script) end(why string) {
	if !s.over {
		s.over = true
		s.lose(why)
		s.result.End = why
	}
}

// lose ends all steps of the other side that have not arrived.
func (s *script) lose(why string) {
	s.abandon()
	s.forgo()
	for _, e := range s.theirs[s.received:] {
		if e.over {
			continue
		}
		e.over, e.lost = true, true
		switch o := s.stepOf(e); {
		case o.Verdict != outcome.NotReached:
		case e.begun && e.length > 0:
			s.mark(e, mismatched(e.partly(), nil))
		case o.Reason == "":
			o.Reason = why
		}
	}
	s.received = len(s.theirs)
	s.clock.peerSilence = -1
}

// abandon concludes the messages whose last segment is missing.
func (s *script) abandon() {
	for i := range s.queues {
		q := &s.queues[i]
		for _, e := range q.steps[q.next:] {
			if e.assembling && !e.over {
				s.conclude(e, mismatched(e.partly(), nil))
			}
		}
	}
}

// partly says how much of a step arrived.
func (e *expected) partly() string {
	switch do := e.Do.(type) {
	case *scenario.Message:
		return fmt.Sprintf("only %d of %d octets arrived", e.length, do.Payload.Len()+do.Opcode.RDMAPHeaderLen())
	case *scenario.Octets:
		return fmt.Sprintf("only %d of %d octets arrived", e.length, do.Payload.Len())
	}
	return fmt.Sprintf("only %d octets of it arrived", e.length)
}

// unanswerable says why no reaction can be expected for an action that is a Refusal; it is empty if one can.
func unanswerable(profile *rules.Profile, a scenario.Action) (note string) {
	for _, each := range scenario.Alternatives(a) {
		r, ok := each.(*scenario.Refusal)
		if !ok {
			return ""
		}
		due := profile.Due(r.Situation)
		if len(due.Codes) > 0 || due.Ends() {
			return ""
		}
		note = profile.Codes.String() + ": " + due.Note
	}
	return note
}
