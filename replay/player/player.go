package player

import (
	"cmp"
	"fmt"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Options configure a Player. The zero value is the default.
type Options struct {
	Profile        *rules.Profile // checks Terminates and framing; nil for "rfc"
	MPA            MPA            // changes to the own MPA frames
	Speed          float64        // recorded times are divided by it and kept; 0 sends as soon as possible
	StepTimeout    time.Duration  // extra time of a step beyond that in the Scenario; 0 for 10 s
	Misses         int            // how many messages in a row may time out before the Player gives up
	EMSS           int            // octets of a TCP segment, which FPDUs fit; 0 for 1460
	Deviations     []Deviation    // fields that are ignored
	Map            []Mapping      // known values of the other side
	Begin          time.Duration  // when the connection begins, on the clock of Advance
	Client, Server netip.AddrPort // of the live connection, for the Outcome
}

// MaxUnexpected limits the entries of an Outcome for unexpected messages.
const MaxUnexpected = 32

const (
	defaultTimeout = 10 * time.Second
	defaultEMSS    = 1460
)

// A Player plays one side of a connection.
type Player struct {
	clock    *clock
	script   *script
	known    *known
	startup  *startup
	sender   *sender
	receiver *receiver
	verdicts *verdicts
	closing  *closing
	misses   int // Options.Misses
}

// New returns a Player of one side of a valid connection (see scenario.Check). Do not change the connection while it is
// played.
func New(c *scenario.Conn, role scenario.Side, o Options) *Player {
	o.Profile = cmp.Or(o.Profile, &rules.RFC)
	if o.StepTimeout <= 0 {
		o.StepTimeout = defaultTimeout
	}
	if o.EMSS <= 0 {
		o.EMSS = defaultEMSS
	}
	p := &Player{clock: newClock(&o), known: newKnown(c, role, o.Map), misses: o.Misses}
	p.script = newScript(c, role, &o, p.clock)
	p.startup = newStartup(p.script, p.known, &o.MPA, role)
	p.startup.deviations = o.Deviations
	blame := newBlame(p.script)
	p.sender = newSender(p.script, p.known, p.startup, blame, o.EMSS)
	p.verdicts = &verdicts{o.Profile, p.known, blame}
	p.receiver = newReceiver(p.script, p.known, &lanes{script: p.script, known: p.known, verdicts: p.verdicts}, o.Profile)
	p.receiver.deviations = o.Deviations
	p.closing = &closing{p.script, p.verdicts, p.receiver}
	p.script.proceed()
	return p
}

// Advance sets the time, on a clock of the caller's that never goes back.
func (p *Player) Advance(now time.Duration) {
	p.clock.advance(now)
	p.script.endSilence()
	p.script.proceed()
	if !p.Done() && p.clock.now >= p.clock.expiry(p.sender.paced(), p.recorded()) {
		p.expire()
	}
}

// NextDeadline returns the time for the next call of Advance, on its clock; ok is false if there is none.
func (p *Player) NextDeadline() (at time.Duration, ok bool) {
	if p.Done() {
		return 0, false
	}
	return p.clock.deadline(p.sender.paced(), p.recorded()), true
}

// recorded returns the recorded time of the next expected step; 0 if there is none.
func (p *Player) recorded() time.Duration {
	if e := p.script.front(); e != nil {
		return e.At
	}
	return 0
}

// AppendTransmit appends octets to be sent to dst: of a Message as many complete FPDUs as fit limit, but at least one;
// of anything else at most limit octets, up to the end of the step or of a TCP segment. limit is above zero. The octets
// of one call begin and end TCP segments.
func (p *Player) AppendTransmit(dst []byte, limit int) []byte {
	dst, f := p.sender.appendTransmit(dst, limit)
	if f != nil {
		p.observe(f)
	}
	return dst
}

// observe records an MPA frame of either side. FPDUs may follow it.
func (p *Player) observe(f *mpa.Frame) {
	if a, begins := p.startup.observe(f); begins {
		p.sender.establish(a.out, a.version)
		p.receiver.establish(a.in, a.version)
	}
}

// Ending returns how the own direction ends. Call it whenever AppendTransmit appends nothing.
func (p *Player) Ending() mpa.Ending { return p.script.ending }

// Done reports whether all steps are over. Then the connection can be closed.
func (p *Player) Done() bool { return p.script.done() }

// Progress returns how many steps of both sides are over.
func (p *Player) Progress() int { return p.script.sent + p.script.received }

// Outcome returns the result so far. It is final once Done is true and the Player gets no more input. Do not change it.
func (p *Player) Outcome() *outcome.Conn {
	o := p.script.outcome()
	o.Negotiated = p.startup.negotiated
	return o
}

// Input handles octets that TCP has delivered. It keeps nothing of b.
func (p *Player) Input(b []byte) {
	for len(b) > 0 && !p.script.over && !p.script.finished {
		b = b[p.receive(b):]
	}
}

// receive consumes a prefix of b and returns its length; 0 means that the state has changed.
func (p *Player) receive(b []byte) (n int) {
	e := p.script.front()
	if p.receiver.discarding {
		return len(b)
	}
	if e == nil && !p.known.established {
		p.script.unexpected("octets that no step expects", streamDiff(b))
		p.script.giveUp("unexpected octets")
		return len(b)
	}
	if _, partial := p.receiver.partial(); e != nil && !partial {
		if n, ok := p.receiveStep(e, b); ok {
			return n
		}
	}
	if !p.known.established && p.script.framesLeft() || p.startup.rejected() {
		p.script.unexpected(fmt.Sprintf("octets before MPA was negotiated, expected %s", stepName(e.Number)), streamDiff(b))
		p.script.giveUp("octets before MPA was negotiated")
		return len(b)
	}
	p.known.established = true // in a Scenario without MPA frames
	return p.receiver.receiveFPDUs(b)
}

// receiveStep does the same for a step that is not in regular FPDUs; ok is false for other steps.
func (p *Player) receiveStep(e *expected, b []byte) (n int, ok bool) {
	switch do := e.Do.(type) {
	case *scenario.Silence:
		p.script.conclude(e, mismatched("octets arrived", streamDiff(b)))
		return 0, true
	case *scenario.Octets:
		return p.receiver.receiveOctets(e, do.Payload, b), true
	case *scenario.FPDU:
		if p.known.established && misstatesLength(do) {
			return p.receiver.receiveMisstated(e, do, b), true
		}
	default:
		if !p.known.established && framesOf(do) != nil {
			n, f := p.startup.receive(e, b)
			if f != nil {
				p.observe(f)
			}
			return n, true
		}
	}
	return 0, false
}

// InputFIN records that the other side has closed its direction.
func (p *Player) InputFIN() {
	if p.script.over || p.script.finished {
		return
	}
	p.script.finished = true
	p.receiver.cutShort()
	p.closing.judge(endFIN)
	p.script.proceed()
}

// InputReset records that the other side has reset the connection.
func (p *Player) InputReset() {
	s := p.script
	moreToSend := s.next() != nil
	switch {
	case s.over || s.ending == mpa.EndsReset:
		return
	case s.front() == nil && moreToSend:
		s.unexpected("a reset arrived while there was more to send", nil)
	}
	p.receiver.cutShort()
	open := p.closing.judge(endReset)
	why := ""
	if moreToSend && !(open && p.closing.forgoEnds()) {
		why = "the other side has reset the connection"
	}
	s.end(why)
	s.ending = mpa.EndsReset
}

// expire handles a step that timed out.
func (p *Player) expire() {
	s, e := p.script, p.script.front()
	if s.forgo() {
		p.clock.moved()
		s.proceed()
		return
	}
	switch o := s.next(); {
	case s.probing:
		s.result.Steps[o.result].Reason = "no answer"
		s.giveUp("the Probe of %s was not answered in time", stepName(o.Number))
		return
	case e == nil:
		s.giveUp("%s could not be sent in time", stepName(o.Number))
		return
	}
	if why := p.verdicts.silent(e.Do); why != "" {
		if _, partial := p.receiver.partial(); !partial {
			s.conclude(e, tolerated(why))
			return
		}
	}
	p.receiver.cutShort()
	patience := quantity.Duration(int64(max(p.clock.patience(e.At).Round(time.Millisecond), time.Millisecond)))
	text := "no response within " + patience
	switch {
	case e.length > 0:
		text = e.partly() + " within " + patience
	case s.mustBegin(e):
		text = "no response: the Responder sends no FPDU before the Initiator's first one (RFC 5044, section 7.1.2), and that was not sent"
	}
	if _, message := e.Do.(*scenario.Message); message && !e.begun && s.misses < p.misses && s.holdsUp(e) {
		s.misses++
		s.miss(e, text)
		p.clock.moved()
		s.proceed()
		return
	}
	if !s.marked(e) {
		s.stepOf(e).Reason = text
	}
	s.giveUp("%s timed out", stepName(e.Number))
}
