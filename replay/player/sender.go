package player

import (
	"errors"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A sender sends the steps of the own side, one after the other, and the answers to Probes.
type sender struct {
	script  *script
	known   *known
	startup *startup
	blame   *blame
	emss    int
	numbers *scenario.Sender
	framer  mpa.Framer
	current *sending // nil if nothing is being sent
}

// A sending is a step, or the answer to a Probe, that is being sent.
type sending struct {
	step     *own               // nil for the answer to a Probe
	message  *scenario.Outgoing // to be divided into segments; nil if octets is everything
	octets   []byte
	splits   []int      // offsets in octets at which TCP segments end
	at       int        // octets that were sent
	frame    *mpa.Frame // that the octets are; nil if they are not one
	blocking bool       // the step is complete only with its answer
}

func newSender(s *script, k *known, u *startup, b *blame, emss int) *sender {
	return &sender{script: s, known: k, startup: u, blame: b, emss: emss, numbers: scenario.NewSender(ddp.Version)}
}

func (s *sender) establish(out mpa.Options, version uint8) {
	s.framer.Reset(out)
	s.numbers = scenario.NewSender(version)
}

// appendTransmit implements Player.AppendTransmit. f is the MPA frame that is complete with the octets, if any.
func (s *sender) appendTransmit(dst []byte, limit int) (out []byte, f *mpa.Frame) {
	begin := len(dst)
	for s.ready(len(dst) > begin) {
		if s.current.message == nil {
			if len(dst) == begin {
				return s.drain(dst, limit)
			}
			break
		}
		framed := s.appendFPDU(dst, begin, limit)
		if len(framed) == len(dst) {
			break
		}
		dst = framed
		s.script.clock.moved()
	}
	return dst, nil
}

// drain appends octets of what is being sent.
func (s *sender) drain(dst []byte, limit int) (out []byte, f *mpa.Frame) {
	c := s.current
	to := min(len(c.octets), c.at+limit)
	for len(c.splits) > 0 && c.splits[0] <= c.at {
		c.splits = c.splits[1:]
	}
	if len(c.splits) > 0 {
		to = min(to, c.splits[0])
	}
	dst = append(dst, c.octets[c.at:to]...)
	c.at = to
	s.script.clock.moved()
	if c.at < len(c.octets) {
		return dst, nil
	}
	s.complete()
	return dst, c.frame
}

// appendFPDU appends the next FPDU of a message, if it fits.
func (s *sender) appendFPDU(dst []byte, begin, limit int) []byte {
	m := s.current.message
	mulpdu := mpa.MULPDU(s.emss, s.framer.Markers)
	if most := min(mulpdu, m.Remaining()+ddp.UntaggedLen); len(dst) > begin {
		markers := (most/mpa.MarkerSpacing + 2) * mpa.MarkerLen // at most
		if len(dst)-begin+mpa.FPDULen(most)+markers > limit {
			return dst
		}
	}
	header, octets, ok := m.Parts(mulpdu)
	if !ok {
		s.complete()
		return dst
	}
	s.note(header, octets)
	framed, err := s.framer.Append(dst, header, octets)
	if err != nil {
		s.script.giveUp("a segment cannot be sent: %v", err)
		return dst
	}
	if m.Remaining() == 0 {
		s.complete()
	}
	return framed
}

// note remembers a ULPDU that is sent, given in parts.
func (s *sender) note(parts ...[]byte) {
	step := 0
	if s.current.step != nil {
		step = s.current.step.Number
	}
	s.blame.sent(step, parts...)
}

func (s *sender) complete() {
	c := s.current
	s.current = nil
	if c.step != nil && !c.blocking {
		s.script.completeOwn()
	}
}

// ready reports whether something can be sent, and prepares it. No direction ends after other octets, so that no Ending
// is missed.
func (s *sender) ready(after bool) bool {
	for !s.script.over && s.current == nil && s.script.ending != mpa.EndsReset {
		if len(s.known.probes) > 0 {
			s.answerProbe()
			return true
		}
		o := s.script.next()
		if s.script.probing || o == nil {
			return false
		}
		if to := answered(o.Do); s.script.missed(to) {
			s.script.omit(o, stepName(to)+", which it answers, is missing")
			continue
		}
		switch can, never := s.may(o); {
		case never != "":
			s.script.end(never)
			s.script.ending = max(s.script.ending, mpa.EndsFIN)
			return false
		case !can || s.script.clock.now < s.script.clock.due(o.At) || after && mayEnd(o.Do):
			return false
		}
		if s.start(o) {
			return s.current != nil
		}
	}
	return s.current != nil && s.script.ending != mpa.EndsReset
}

// paced returns when the next step may begin, if it waits only for its time; else 0.
func (s *sender) paced() time.Duration {
	o := s.script.next()
	if s.current != nil || s.script.probing || o == nil {
		return 0
	}
	if due := s.script.clock.due(o.At); due > s.script.clock.now {
		if can, _ := s.may(o); can {
			return due
		}
	}
	return 0
}

// may reports whether a step may begin, apart from its time. never, if not empty, says why it never may.
func (s *sender) may(o *own) (can bool, never string) {
	for _, number := range [...]int{o.After, answered(o.Do)} {
		if number == 0 {
			continue
		}
		if done, lost := s.script.settled(number); lost {
			return false, stepName(o.Number) + " waits for " + stepName(number) + ", which is missing"
		} else if !done || number == answered(o.Do) && s.script.isLate(number) {
			return false, ""
		}
	}
	nothingComes := s.script.front() == nil
	for name := range o.Uses() {
		if _, known := s.known.values[name]; known {
			continue
		}
		if nothingComes {
			return false, stepName(o.Number) + " needs $" + name + ", which was not learned"
		}
		return false, ""
	}
	switch o.Do.(type) {
	case *scenario.Message, *scenario.Segment, *scenario.FPDU, scenario.Probe:
		switch {
		case s.startup.rejected():
			return false, "the connection was rejected"
		case !s.known.established && s.script.framesLeft():
			if nothingComes {
				return false, stepName(o.Number) + " needs an MPA Request and Reply"
			}
			return false, ""
		}
	case scenario.FIN:
		return s.answersReceived(o), ""
	case scenario.Reset:
		return s.nothingExpected(o), ""
	}
	return true, ""
}

// answersReceived reports whether all answers before a FIN have arrived. In another order, which RDMAP allows, they can
// follow the step that the FIN waits for.
func (s *sender) answersReceived(o *own) bool {
	return !slices.ContainsFunc(s.script.theirs[s.script.received:], func(e *expected) bool {
		return !e.over && e.result < o.result && answered(e.Do) != 0
	})
}

// nothingExpected reports whether nothing more is expected that a reset would destroy.
func (s *sender) nothingExpected(o *own) bool {
	for _, e := range s.script.theirs[s.script.received:] {
		if !e.over && !isFIN(e.Do) && !isReset(e.Do) {
			return e.After >= o.Number
		}
	}
	return true
}

// start begins a step. It returns true if nothing follows at once: there are octets to be sent, the direction ends, or
// time has to pass.
func (s *sender) start(o *own) bool {
	switch do := scenario.First(o.Do).(type) {
	case scenario.FIN:
		s.script.ending = mpa.EndsFIN
		s.script.completeOwn()
		return true
	case scenario.Reset:
		s.reset(o)
		return true
	case *scenario.Silence:
		if !s.script.clock.ownSilenceOver(do.For) {
			return true
		}
		s.script.completeOwn()
		return false
	}
	s.current = &sending{step: o}
	if err := s.prepare(s.current, o.Do); err != nil {
		s.script.giveUp("step %d cannot be sent: %v", o.Number, err)
		s.current = nil
		return true
	}
	if s.current.message == nil && len(s.current.octets) == 0 {
		s.complete()
		return false
	}
	return true
}

func (s *sender) reset(o *own) {
	s.script.ending = mpa.EndsReset
	s.script.completeOwn()
	for _, e := range s.script.theirs[s.script.received:] {
		s.script.mark(e, notApplicable(stepName(o.Number)+" had reset the connection"))
	}
	s.script.end("")
}

var errExpected = errors.New("a Refusal can only be expected")

func (s *sender) prepare(c *sending, a scenario.Action) (err error) {
	switch do := scenario.First(a).(type) {
	case *scenario.Frame:
		c.frame, c.octets, err = s.startup.frame(do)
	case *scenario.Message:
		err = s.prepareMessage(c, do)
	case *scenario.Segment:
		err = s.prepareFPDU(c, &scenario.FPDU{Segment: *do})
	case *scenario.FPDU:
		err = s.prepareFPDU(c, do)
	case *scenario.Octets:
		c.octets, err = do.Payload.AppendOctets(nil, s.known.values)
		c.splits = do.Splits
		if s.known.established {
			s.noteFPDU(c, s.framer.Pos())
		}
		s.framer.Skip(uint64(len(c.octets)))
	case scenario.Probe:
		s.known.established = true
		c.message, err = s.numbers.Message(&scenario.Message{Opcode: rdmap.OpReadRequest}, nil, s.known.values)
		c.blocking, s.script.probing = true, true
	case *scenario.Refusal:
		err = errExpected
	}
	return err
}

func (s *sender) prepareMessage(c *sending, m *scenario.Message) (err error) {
	s.known.established = true // in a Scenario without MPA frames
	c.message, err = s.numbers.Message(m, s.known.requests[m.To], s.known.values)
	delete(s.known.requests, m.To)
	if r := m.Request(s.known.values); r != nil {
		s.known.requests[c.step.Number] = r
	}
	return err
}

func (s *sender) prepareFPDU(c *sending, f *scenario.FPDU) (err error) {
	s.known.established = true
	at := s.framer.Pos()
	c.octets, err = s.numbers.FPDU(nil, f, &s.framer, s.known.values)
	c.splits = f.Splits
	s.noteFPDU(c, at)
	return err
}

// noteFPDU remembers the first FPDU in octets at a place of the stream, if a receiver can find it by its framing.
func (s *sender) noteFPDU(c *sending, at uint64) {
	var d mpa.Deframer
	d.ResetAt(s.framer.Options, at)
	d.Push(c.octets)
	var f mpa.Deframed
	if !d.Next(&f) {
		return
	}
	s.note(f.ULPDU)
	if n := ddp.HeaderLen(f.ULPDU); len(f.ULPDU) >= n {
		s.known.request(c.step.Number, f.ULPDU[:n], f.ULPDU[n:])
	}
}

// answerProbe begins the RDMA Read Response to a Probe of the other side.
func (s *sender) answerProbe() {
	request := s.known.probes[0]
	s.known.probes = s.known.probes[1:]
	m := &scenario.Message{Opcode: rdmap.OpReadResponse, To: -1}
	out, err := s.numbers.Message(m, &request, s.known.values)
	if err != nil {
		s.script.giveUp("a Probe cannot be answered: %v", err)
		return
	}
	s.current = &sending{message: out}
}
