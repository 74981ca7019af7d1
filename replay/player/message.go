package player

// Messages of the other side, put together from their segments.

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// An incoming is a message whose end has not come.
type incoming struct {
	want       *expected             // nil if no step expects it: it is passed over
	header     [ddp.UntaggedLen]byte // the DDP header that its next segment has, with L clear
	first      [ddp.UntaggedLen]byte // that of its first segment
	n          int                   // octets of these
	limit      int                   // octets of it that are kept
	candidates []candidate
	paused     bool // a Write has ended, and more of what is expected is to come in another one
}

// A candidate is a message that an incoming one may be.
type candidate struct {
	message *scenario.Message
	header  []byte // DDP and RDMAP headers of the first segment
	values  scenario.Values
	why     string   // it is tolerated; empty if it is right
	refused *refused // the message is the Terminate that is due for it; nil if it was not made for a Refusal
}

// lBit is the L bit in the first octet of a ULPDU.
const lBit = 0x40

// creditOctets is how many octets of payload that is expected count as something that has come about.
const creditOctets = 64 << 10

// ulpdu takes in a ULPDU.
func (p *Player) ulpdu(u []byte, f *mpa.Deframed) {
	id := laneOf(u)
	l := &p.lanes[id]
	in := l.continued(u)
	if in == nil {
		in = p.strayed(l, id, u)
	}
	if in == nil {
		if in = p.begin(id, u, f); in == nil {
			return
		}
	} else if in.paused {
		in.paused, in.want.split = false, "it was divided into several Writes"
	}
	p.more(l, in, u[in.n:], u[0]&lBit != 0)
}

// continued is the message in progress that goes on with a ULPDU; nil if none does.
func (l *lane) continued(u []byte) *incoming {
	for _, in := range l.open {
		if len(u) >= in.n && u[0]&^lBit == in.header[0] && bytes.Equal(u[1:in.n], in.header[1:in.n]) {
			return in
		}
	}
	return nil
}

// strayed is for a ULPDU that does not go on where the message in progress of its queue does. It is that message if the
// ULPDU seems to be of it nevertheless.
func (p *Player) strayed(l *lane, id laneID, u []byte) *incoming {
	const msn = 10 // octet of it
	if id > laneAtomic || len(l.open) == 0 {
		return nil
	}
	in := l.open[0]
	if in.want != nil {
		d := &outcome.Diff{Layer: outcome.ULPDU, Expected: bytes.Clone(in.header[:in.n]), Actual: bytes.Clone(u[:in.n])}
		d.Expected[0] |= u[0] & lBit
		p.mark(in.want, outcome.Mismatched, "a segment of it does not go on where the one before it ended: "+difference(d), d)
	}
	if bytes.Equal(u[msn:msn+4], in.header[msn:msn+4]) {
		copy(in.header[:], u[:in.n])
		in.header[0] &^= lBit
		return in
	}
	if in.want != nil {
		p.conclude(in.want, outcome.Mismatched, "", nil)
	}
	l.open = l.open[:0]
	return nil
}

// begin begins with what a ULPDU is the first segment of. It is nil if that is over with the ULPDU.
func (p *Player) begin(id laneID, u []byte, f *mpa.Deframed) *incoming {
	l := &p.lanes[id]
	if p.probing && id == laneResponse && p.answers(l, u) {
		p.probing = false
		p.took(p.mine[p.sent])
		return nil
	}
	e := p.choose(id, u)
	if e == nil {
		if e = p.misfit(u); e != nil {
			p.judgeAlone(e, u, f)
			return nil
		}
		return p.surplus(l, u)
	}
	if p.isAlone(e, u, f) {
		return nil
	}
	return p.open(l, e, u)
}

// answers tells whether a ULPDU is the answer to the own Probe: no octets for STag 0 and TO 0, which no step expects.
func (p *Player) answers(l *lane, u []byte) bool {
	nowhere := [ddp.TaggedLen - 2]byte{}
	return len(u) == ddp.TaggedLen && u[0]&lBit != 0 && bytes.Equal(u[2:], nowhere[:]) && p.beginsAt(l, 0, 0) == nil
}

// misfit is the step that was to come, if a ULPDU has a header that breaks a rule and is in no lane of an expected step;
// else nil.
func (p *Player) misfit(u []byte) *expected {
	var h rdmap.Header
	if _, err := h.Decode(u); err == nil && h.Check() == nil {
		return nil
	}
	return p.nextStep()
}

// nextStep is the first step with an FPDU that has not begun to come; nil if there is none.
func (p *Player) nextStep() *expected {
	for _, e := range p.theirs[p.come:] {
		if !e.over && !e.begun && lanesOf(e.Do) != 0 {
			return e
		}
	}
	return nil
}

// surplus notes a message that no step expects, and passes over the rest of it.
func (p *Player) surplus(l *lane, u []byte) *incoming {
	var h rdmap.Header
	name := "a segment that is too short"
	if _, err := h.Decode(u); err == nil {
		name = "a " + h.Control.Opcode.String()
	}
	if h.Control.Opcode == rdmap.OpTerminate {
		name += p.terminateText(u)
	}
	d := &outcome.Diff{Layer: outcome.ULPDU, Actual: head(u[:min(len(u), headersLen(u))])}
	payload := u[len(d.Actual):]
	d.Got = outcome.NewExcerpt(payload, nil, 0, len(payload))
	p.unexpected(name+" came that no step expects", d)
	if len(u) < ddp.TaggedLen || len(u) < ddp.HeaderLen(u) || u[0]&lBit != 0 || len(l.open) >= window {
		return nil
	}
	in := newIncoming(u)
	l.open = append(l.open, in)
	return in
}

// headersLen is how many octets of a ULPDU are headers.
func headersLen(u []byte) int {
	var h rdmap.Header
	n, err := h.Decode(u)
	if err != nil {
		return len(u)
	}
	if h.Control.Opcode == rdmap.OpTerminate {
		return len(u)
	}
	return n + h.Control.Opcode.RDMAPHeaderLen()
}

func newIncoming(u []byte) *incoming {
	in := &incoming{n: ddp.HeaderLen(u)}
	copy(in.first[:], u[:min(in.n, len(u))])
	in.header = in.first
	in.header[0] &^= lBit
	return in
}

// open begins with a message that a step expects.
func (p *Player) open(l *lane, e *expected, u []byte) *incoming {
	in := newIncoming(u)
	in.want, e.begun = e, true
	p.expect(in, e, u)
	if n := len(p.spare); n > 0 && e.body == nil {
		e.body, p.spare = p.spare[n-1][:0], p.spare[:n-1]
	}
	l.open = append(l.open, in)
	return in
}

// expect notes what a message is expected to be that begins with a ULPDU.
func (p *Player) expect(in *incoming, e *expected, u []byte) {
	in.candidates, in.limit = in.candidates[:0], 0
	add := func(c candidate, pattern bool) {
		c.header = p.mirror.ExpectMessage(c.message, p.requests[c.message.To], u, c.values, pattern)
		in.candidates = append(in.candidates, c)
		in.limit = max(in.limit, len(c.header)-ddp.TaggedLen+c.message.Payload.Len()+outcome.MaxExcerpt)
	}
	_, several := e.Do.(*scenario.OneOf)
	for why, each := range scenario.Alternatives(e.Do) {
		if lanesOf(each)&(1<<laneOf(u)) == 0 {
			continue
		}
		values := p.values
		if several {
			values = p.trial()
		}
		switch do := each.(type) {
		case *scenario.Message:
			add(candidate{message: do, values: values, why: why}, several)
		case scenario.Probe:
			add(candidate{message: &scenario.Message{Opcode: rdmap.OpReadRequest}, values: values}, false)
		case *scenario.Refusal:
			if c, ok := p.refusing(do, u); ok {
				c.values, c.why = values, why
				add(c, false)
			}
		}
	}
}

// refusing is the candidate for a Refusal; ok is false if a ULPDU is no Terminate.
func (p *Player) refusing(r *scenario.Refusal, u []byte) (c candidate, ok bool) {
	if len(u) < ddp.UntaggedLen || rdmap.Opcode(u[rdmap.ControlOff]&15) != rdmap.OpTerminate {
		return c, false
	}
	var got rdmap.Terminate
	if body := u[ddp.UntaggedLen:]; len(body) >= rdmap.TerminateLen {
		p.options.Profile.DecodeTerminate(&got, body)
	}
	c.refused = p.refuse(r, &got)
	c.message = c.refused.message(&got)
	return c, true
}

// more takes in the payload of a segment of a message, RDMAP header included.
func (p *Player) more(l *lane, in *incoming, payload []byte, last bool) {
	if in.want != nil && l == &p.lanes[laneWrite] {
		payload = p.spill(in, payload)
	}
	in.advance(len(payload))
	if e := in.want; e != nil {
		p.keep(e, payload, in.limit)
	}
	switch {
	case !last:
	case in.want == nil:
		l.drop(in)
	case l == &p.lanes[laneWrite] && in.incomplete():
		in.paused = true
		p.moved()
	default:
		l.drop(in)
		p.judge(in)
	}
}

// keep keeps payload of a step.
func (p *Player) keep(e *expected, payload []byte, limit int) {
	room := max(0, limit-e.length)
	e.length += len(payload)
	if len(payload) > room {
		payload = payload[:room]
	}
	e.body = append(e.body, payload...)
	if p.credit += len(payload); p.credit >= creditOctets {
		p.moved()
	}
}

// free gives back the buffer of a step.
func (p *Player) free(e *expected) {
	const most = 4
	if e.body != nil && len(p.spare) < most {
		p.spare = append(p.spare, e.body)
	}
	e.body = nil
}

// advance moves the header on by octets of payload.
func (in *incoming) advance(n int) {
	const to, mo = 6, 14 // octets of them
	if in.n == ddp.TaggedLen {
		binary.BigEndian.PutUint64(in.header[to:], binary.BigEndian.Uint64(in.header[to:])+uint64(n))
	} else {
		binary.BigEndian.PutUint32(in.header[mo:], binary.BigEndian.Uint32(in.header[mo:])+uint32(n))
	}
}

// incomplete tells whether a Write has ended before what is expected.
func (in *incoming) incomplete() bool {
	m := in.candidates[0].message
	return in.want.length < m.Payload.Len()
}

// spill takes the octets of a Write that are behind those of the step that it is for those of the next steps, if these go
// on there. It returns the octets of the last of them.
func (p *Player) spill(in *incoming, payload []byte) []byte {
	for len(in.candidates) == 1 {
		m, e := in.candidates[0].message, in.want
		room := m.Payload.Len() - e.length
		if bound(m.Payload) < 0 || room < 0 || len(payload) <= room {
			break
		}
		stag, to := binary.BigEndian.Uint32(in.header[2:]), binary.BigEndian.Uint64(in.header[6:])
		next := p.beginsAt(&p.lanes[laneWrite], stag, to+uint64(room))
		if next == nil {
			break
		}
		in.advance(room)
		p.keep(e, payload[:room], in.limit)
		payload = payload[room:]
		e.split = "it was joined with the Write behind it"
		p.judge(in)
		in.want, in.first = next, in.header
		next.begun, next.split = true, "it was joined with the Write before it"
		in.first[0] |= lBit
		in.candidates = nil
		p.expect(in, next, in.first[:in.n])
	}
	return payload
}

// drop takes a message out of those in progress.
func (l *lane) drop(in *incoming) {
	for i := range l.open {
		if l.open[i] == in {
			l.open[i] = l.open[len(l.open)-1]
			l.open = l.open[:len(l.open)-1]
			return
		}
	}
}

// abandon ends the messages in progress, whose end does not come any more.
func (l *lane) abandon(p *Player) {
	open := l.open
	l.open = nil
	for _, in := range open {
		if in.want != nil && !in.want.over {
			p.conclude(in.want, outcome.Mismatched, in.want.partly(), nil)
		}
	}
}

// partly says how much of a step has come.
func (e *expected) partly() string {
	switch do := e.Do.(type) {
	case *scenario.Message:
		return fmt.Sprintf("only %d octets of %d came", e.length, do.Payload.Len()+do.Opcode.RDMAPHeaderLen())
	case *scenario.Octets:
		return fmt.Sprintf("only %d octets of %d came", e.length, do.Payload.Len())
	}
	return fmt.Sprintf("only %d octets of it came", e.length)
}
