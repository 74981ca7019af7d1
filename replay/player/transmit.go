package player

// What the own side sends.

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// sending is what is on its way out: a step, or the answer to a Probe if that is nil.
type sending struct {
	own      *own
	message  *scenario.Outgoing // still to be segmented; nil if octets are all there is
	octets   []byte
	splits   []int      // offsets in octets at which TCP segments end
	at       int        // how many octets were taken
	frame    *mpa.Frame // that the octets are; nil for others
	blocking bool       // the step is complete only when its answer comes
}

// AppendTransmit appends to dst octets to be sent: of a Message as many whole FPDUs as fit limit, but at least one; of
// anything else at most limit octets, up to the end of the step or to where a TCP segment ends. limit is above zero. What
// one call appends begins a TCP segment and ends one.
func (p *Player) AppendTransmit(dst []byte, limit int) []byte {
	begin := len(dst)
	for p.ready(len(dst) > begin) {
		s := p.current
		if s.message == nil {
			if len(dst) == begin {
				dst = p.drain(dst, limit)
			}
			break
		}
		framed := p.nextFPDU(s, dst, begin, limit)
		if len(framed) == len(dst) {
			break
		}
		dst = framed
		p.moved()
	}
	return dst
}

// drain appends octets of what is being sent.
func (p *Player) drain(dst []byte, limit int) []byte {
	s := p.current
	to := min(len(s.octets), s.at+limit)
	for len(s.splits) > 0 && s.splits[0] <= s.at {
		s.splits = s.splits[1:]
	}
	if len(s.splits) > 0 {
		to = min(to, s.splits[0])
	}
	dst = append(dst, s.octets[s.at:to]...)
	s.at = to
	p.moved()
	if s.at == len(s.octets) {
		p.complete()
	}
	return dst
}

// nextFPDU appends the next FPDU of a message, if it fits.
func (p *Player) nextFPDU(s *sending, dst []byte, begin, limit int) []byte {
	mulpdu := mpa.MULPDU(p.options.EMSS, p.framer.Markers)
	if most := min(mulpdu, s.message.Remaining()+ddp.UntaggedLen); len(dst) > begin {
		// With what may still be in the way of Markers.
		if len(dst)-begin+mpa.FPDULen(most)+(most/mpa.MarkerSpacing+2)*mpa.MarkerLen > limit {
			return dst
		}
	}
	header, octets, ok := s.message.Parts(mulpdu)
	if !ok {
		p.complete()
		return dst
	}
	p.note(s, header, octets)
	framed, err := p.framer.Append(dst, header, octets)
	if err != nil {
		p.giveUp("a segment cannot be sent: %v", err)
		return dst
	}
	if s.message.Remaining() == 0 {
		p.complete()
	}
	return framed
}

// complete ends what is being sent.
func (p *Player) complete() {
	s := p.current
	p.current = nil
	if s.frame != nil {
		p.startup(s.frame)
	}
	if s.own == nil || s.blocking {
		return
	}
	p.took(s.own)
}

// took notes that a step of the own side is complete.
func (p *Player) took(o *own) {
	s := &p.result.Steps[o.result]
	s.Verdict, s.Reason, s.At = outcome.Sent, "", p.elapsed()
	p.sent++
	p.reached = max(p.reached, o.At)
	p.moved()
	p.awaken()
}

// ready tells whether something can be sent, and prepares it. Behind other octets no direction ends, so that whoever asks
// for the Ending misses none.
func (p *Player) ready(behind bool) bool {
	for !p.over && p.current == nil && p.ending != EndsReset {
		if len(p.probes) > 0 {
			p.answerProbe()
			return true
		}
		if p.probing || p.sent == len(p.mine) {
			return false
		}
		o := p.mine[p.sent]
		switch can, never := p.may(o); {
		case never != "":
			p.stop(never)
			return false
		case !can || p.now < p.due(o) || behind && ends(o.Do):
			return false
		}
		if p.start(o) {
			return p.current != nil
		}
	}
	return p.current != nil && p.ending != EndsReset
}

// stop ends the connection because nothing more can be sent.
func (p *Player) stop(why string) {
	p.end(why)
	if p.ending == GoesOn {
		p.ending = EndsFIN
	}
}

// due is when a step of the own side may begin, on the clock of Advance.
func (p *Player) due(o *own) time.Duration {
	if p.options.Speed <= 0 {
		return p.options.Begin
	}
	return p.options.Begin + time.Duration(float64(o.At)/p.options.Speed)
}

// may tells whether a step of the own side may begin but for its time. never, if it is not empty, is why it never will.
func (p *Player) may(o *own) (can bool, never string) {
	for _, number := range [...]int{o.After, answered(o.Do)} {
		if number == 0 {
			continue
		}
		if done, lost := p.settled(number); lost {
			return false, stepName(o.Number) + " waits for " + stepName(number) + ", which did not come"
		} else if !done {
			return false, ""
		}
	}
	for name := range o.Uses() {
		if _, known := p.values[name]; known {
			continue
		}
		if p.come == len(p.theirs) {
			return false, stepName(o.Number) + " needs $" + name + ", which was not learned"
		}
		return false, ""
	}
	switch o.Do.(type) {
	case *scenario.Message, *scenario.Segment, *scenario.FPDU, scenario.Probe:
		switch {
		case p.rejected():
			return false, "the connection was rejected"
		case !p.established && p.framesLeft():
			if p.come == len(p.theirs) {
				return false, stepName(o.Number) + " needs an MPA Request and Reply"
			}
			return false, ""
		}
	case scenario.FIN:
		return p.answersBefore(o), ""
	case scenario.Reset:
		return p.nothingBefore(o), ""
	}
	return true, ""
}

// answersBefore tells whether all answers have come that stand before a FIN. Another order than the recorded one, which
// RDMAP leaves open, can let them be later than the step for which the FIN has waited.
func (p *Player) answersBefore(o *own) bool {
	for _, e := range p.theirs[p.come:] {
		if !e.over && e.result < o.result && answered(e.Do) != 0 {
			return false
		}
	}
	return true
}

// answered is the step that an action answers; 0 for none.
func answered(a scenario.Action) int {
	if m, ok := a.(*scenario.Message); ok {
		return m.To
	}
	return 0
}

// nothingBefore tells whether nothing is expected any more that a reset would destroy.
func (p *Player) nothingBefore(o *own) bool {
	for _, e := range p.theirs[p.come:] {
		switch e.Do.(type) {
		case scenario.FIN, scenario.Reset:
			continue
		}
		if !e.over {
			return e.After >= o.Number
		}
	}
	return true
}

// start begins a step of the own side. It is true if nothing follows at once: there are octets to be sent, the direction
// ends, or time has to pass.
func (p *Player) start(o *own) bool {
	s := &sending{own: o}
	var err error
	switch do := first(o.Do).(type) {
	case *scenario.Frame:
		err = p.beginFrame(s, do)
	case *scenario.Message:
		err = p.beginMessage(s, do)
	case *scenario.Segment:
		err = p.beginFPDU(s, &scenario.FPDU{Segment: *do})
	case *scenario.FPDU:
		err = p.beginFPDU(s, do)
	case *scenario.Octets:
		s.octets, err = do.Payload.AppendOctets(nil, p.values)
		s.splits = do.Splits
		if p.established {
			p.noteFPDU(s, p.framer.Pos())
		}
		p.framer.Skip(uint64(len(s.octets)))
	case scenario.FIN:
		p.ending = EndsFIN
		p.took(o)
		return true
	case scenario.Reset:
		p.ending = EndsReset
		p.took(o)
		for _, e := range p.theirs[p.come:] {
			p.mark(e, outcome.NotApplicable, stepName(o.Number)+" had reset the connection", nil)
		}
		p.end("")
		return true
	case *scenario.Silence:
		return p.beSilent(o, do)
	case scenario.Probe:
		err = p.beginProbe(s)
	case *scenario.Refusal:
		err = errExpected
	}
	if err != nil {
		p.giveUp("step %d cannot be sent: %v", o.Number, err)
		return true
	}
	p.current = s
	if s.message == nil && len(s.octets) == 0 {
		p.complete()
		return false
	}
	return true
}

var errExpected = errors.New("a Refusal can only be expected")

// first is an action, or the first of several that it is one of.
func first(a scenario.Action) scenario.Action {
	if o, ok := a.(*scenario.OneOf); ok && len(o.Of) > 0 {
		return o.Of[0]
	}
	return a
}

// beSilent lets the time of a Silence pass.
func (p *Player) beSilent(o *own, do *scenario.Silence) bool {
	if p.quiet == 0 {
		p.quiet = p.now + do.For
	}
	if p.now < p.quiet {
		return true
	}
	p.quiet = 0
	p.took(o)
	return false
}

func (p *Player) beginMessage(s *sending, m *scenario.Message) (err error) {
	p.establish()
	s.message, err = p.sender.Message(m, p.requests[m.To], p.values)
	delete(p.requests, m.To)
	if r := m.Request(p.values); r != nil {
		p.requests[s.own.Number] = r
	}
	return err
}

func (p *Player) beginFPDU(s *sending, f *scenario.FPDU) (err error) {
	p.establish()
	at := p.framer.Pos()
	s.octets, err = p.sender.FPDU(nil, f, &p.framer, p.values)
	s.splits = f.Splits
	p.noteFPDU(s, at)
	return err
}

// noteFPDU remembers what the first FPDU has in octets that begin at a place of the stream, if its framing lets a receiver
// find that.
func (p *Player) noteFPDU(s *sending, at uint64) {
	var d mpa.Deframer
	d.ResetAt(p.framer.Options, at)
	d.Push(s.octets)
	var f mpa.Deframed
	if !d.Next(&f) {
		return
	}
	p.note(s, f.ULPDU)
	if n := ddp.HeaderLen(f.ULPDU); s.own != nil && len(f.ULPDU) >= n {
		if r := requestIn(f.ULPDU[:n], f.ULPDU[n:]); r != nil {
			p.requests[s.own.Number] = r
		}
	}
}

// beginProbe begins an RDMA Read Request for no octets.
func (p *Player) beginProbe(s *sending) (err error) {
	p.establish()
	s.message, err = p.sender.Message(&scenario.Message{Opcode: rdmap.OpReadRequest}, nil, p.values)
	s.blocking, p.probing = true, true
	return err
}

// answerProbe begins the RDMA Read Response to a Probe of the other side.
func (p *Player) answerProbe() {
	request := p.probes[0]
	p.probes = p.probes[1:]
	m := &scenario.Message{Opcode: rdmap.OpReadResponse, To: -1}
	out, err := p.sender.Message(m, &request, p.values)
	if err != nil {
		p.giveUp("a Probe cannot be answered: %v", err)
		return
	}
	p.current = &sending{message: out}
}

// asProbe takes in the request of a Probe of the other side.
func (p *Player) asProbe(ulpdu []byte) {
	if len(p.probes) < MaxUnexpected && len(ulpdu) >= ddp.UntaggedLen+rdmap.ReadRequestLen {
		p.probes = append(p.probes, scenario.Request{
			SinkSTag: binary.BigEndian.Uint32(ulpdu[ddp.UntaggedLen:]), SinkTO: binary.BigEndian.Uint64(ulpdu[ddp.UntaggedLen+4:]),
		})
	}
}
