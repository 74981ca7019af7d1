package player

// MPA: the frames of both sides, and what they come to.

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// changed is a frame of the own side with what the Options want otherwise.
func (o *MPA) changed(f *scenario.Frame) *scenario.Frame {
	c := *f
	if o.Markers != nil {
		c.M = *o.Markers
	}
	if o.CRC != nil {
		c.C = *o.CRC
	}
	if o.Rev != nil {
		c.Rev = *o.Rev
	}
	if f.Enhanced != nil {
		e := *f.Enhanced
		if o.IRD != nil {
			e.IRD = *o.IRD
		}
		if o.ORD != nil {
			e.ORD = *o.ORD
		}
		c.Enhanced = &e
	}
	return &c
}

func (p *Player) beginFrame(s *sending, f *scenario.Frame) (err error) {
	if s.frame, err = p.options.MPA.changed(f).Wire(p.values); err != nil {
		return err
	}
	s.octets, err = s.frame.AppendBinary(nil)
	return err
}

// startup takes in a frame of either side. With the Reply FPDUs begin, unless it rejects.
func (p *Player) startup(f *mpa.Frame) {
	if f.Reply {
		p.reply = f
	} else {
		p.request, p.reply, p.established, p.result.Negotiated = f, nil, false, nil
	}
	if p.request == nil || p.reply == nil {
		return
	}
	a := rules.Negotiate(p.request, p.reply)
	in, out := mpa.Options{CRC: a.CRC, Markers: a.MarkersFromInit}, mpa.Options{CRC: a.CRC, Markers: a.MarkersFromResp}
	if p.initiates() {
		in, out = out, in
	}
	p.result.Negotiated = &outcome.Negotiated{
		Rev: a.Rev, CRC: a.CRC, MarkersReceived: in.Markers, MarkersSent: out.Markers, Rejected: a.Rejected,
	}
	if !a.Rejected {
		p.operate(in, out, a.DDPVersion)
	}
}

// initiates tells whether the own side has sent the MPA Request.
func (p *Player) initiates() bool {
	for _, o := range p.mine {
		if f, ok := first(o.Do).(*scenario.Frame); ok {
			return !f.Reply
		}
	}
	return p.role == scenario.Client
}

// operate begins with FPDUs.
func (p *Player) operate(in, out mpa.Options, version uint8) {
	p.established, p.received = true, in
	p.framer.Reset(out)
	p.deframer.Reset(in)
	p.sender, p.mirror = scenario.NewSender(version), scenario.NewSender(version)
}

// framesLeft tells whether there are MPA frames to come.
func (p *Player) framesLeft() bool {
	for _, o := range p.mine[p.sent:] {
		if isFrame(o.Do) {
			return true
		}
	}
	for _, e := range p.theirs[p.come:] {
		if isFrame(e.Do) && !e.over {
			return true
		}
	}
	return false
}

func isFrame(a scenario.Action) bool { return framesOf(a) != nil }

// establish begins with FPDUs without negotiation, in a Scenario that has none.
func (p *Player) establish() {
	if !p.established {
		p.established = true
	}
}

// maxFrame is how many octets of an MPA frame are waited for, unless one is expected that is longer.
const maxFrame = mpa.FrameLen + mpa.MaxPrivateData

// takeFrame takes octets of an MPA frame, which may be one of several, and returns how many.
func (p *Player) takeFrame(e *expected, frames []*scenario.Frame, b []byte) (n int) {
	f, most := frames[0], maxFrame
	for _, each := range frames {
		most = max(most, mpa.FrameLen+mpa.EnhancedLen+each.PrivateData.Len())
	}
	for n < len(b) {
		need := mpa.FrameLen - len(p.raw)
		if need <= 0 {
			need = p.frameLen(f) - len(p.raw)
		}
		if need > 0 {
			k := min(need, len(b)-n)
			p.raw = append(p.raw, b[n:n+k]...)
			n += k
			e.begun, e.length = true, len(p.raw)
		}
		var wire mpa.Frame
		if _, err := wire.Decode(p.raw); errors.Is(err, field.ErrValue) {
			p.garbage(e)
			return len(b)
		}
		if len(p.raw) < mpa.FrameLen {
			continue
		}
		switch total := p.frameLen(f); {
		case total > most:
			p.mark(e, outcome.Mismatched, fmt.Sprintf("its PD_Length is %d, which is more than MPA allows", total-mpa.FrameLen), p.frameDiff(e, f))
			p.giveUp("the MPA frame of step %d is too long", e.Number)
			return len(b)
		case len(p.raw) >= total:
			p.judgeFrame(e)
			return n
		}
	}
	return n
}

// frameLen is the octets of the frame that raw begins with: what it says itself, or where a wrong PD_Length is expected,
// what is expected.
func (p *Player) frameLen(f *scenario.Frame) int {
	if f.PDLength != nil {
		n := mpa.FrameLen + f.PrivateData.Len()
		if f.Enhanced != nil {
			n += mpa.EnhancedLen
		}
		return n
	}
	return mpa.FrameLen + (int(p.raw[mpa.FrameLen-2])<<8 | int(p.raw[mpa.FrameLen-1]))
}

// garbage is for octets that are no MPA frame where one is expected.
func (p *Player) garbage(e *expected) {
	d := &outcome.Diff{Layer: outcome.Stream, Got: outcome.NewExcerpt(p.raw, nil, 0, len(p.raw))}
	p.mark(e, outcome.Mismatched, "what came is no MPA frame", d)
	p.giveUp("there was no MPA frame where step %d was expected", e.Number)
}

// judgeFrame compares the frame that raw is with those that are expected.
func (p *Player) judgeFrame(e *expected) {
	wire := new(mpa.Frame)
	wire.Decode(bytes.Clone(p.raw)) // a wrong PD_Length is of no interest to who goes on
	v, reason, d := outcome.Mismatched, "", (*outcome.Diff)(nil)
	for why, a := range scenario.Alternatives(e.Do) {
		f, ok := a.(*scenario.Frame)
		if !ok {
			continue
		}
		each, values := p.frameDiff(e, f), p.trial()
		_, payload := f.PrivateData.Match(p.raw[len(each.Actual):], values)
		switch {
		case payload && bytes.Equal(each.Expected, each.Actual):
			v, reason, d = came(why), why, nil
		case payload && wire.Reply && bytes.Equal(p.excused(each), each.Actual):
			v, reason, d = outcome.Accepted, "the MPA Request was not the recorded one: "+difference(each), each
		default:
			if d == nil {
				reason, d = difference(each), each
			}
			continue
		}
		maps.Copy(p.values, values)
		break
	}
	p.conclude(e, v, reason, d)
	p.raw = p.raw[:0]
	p.startup(wire)
}

// frameDiff is the frame that is expected and the one that came.
func (p *Player) frameDiff(e *expected, f *scenario.Frame) *outcome.Diff {
	n := mpa.FrameLen
	if f.Enhanced != nil {
		n += mpa.EnhancedLen
	}
	n = min(n, len(p.raw))
	private := p.raw[n:]
	values := p.trial()
	at, _ := f.PrivateData.Match(private, values)
	octets, mask := render(f.PrivateData, values)
	if bound(f.PrivateData) < 0 && len(octets) < len(private) {
		mask = append(mask, slices.Repeat([]bool{true}, len(private)-len(octets))...)
		octets = append(octets, private[len(octets):]...)
	}
	d := &outcome.Diff{
		Layer: outcome.Frame, Actual: bytes.Clone(p.raw[:n]), Want: outcome.NewExcerpt(octets, mask, at, bound(f.PrivateData)),
		Got: outcome.NewExcerpt(private, nil, at, len(private)),
	}
	want := *f
	want.PrivateData = scenario.Payload{}.Append(scenario.Part{Octets: octets})
	if wire, err := want.Wire(values); err == nil {
		b, _ := wire.AppendBinary(nil)
		d.Expected = b[:min(n, len(b))]
		adopt(d.Expected, d.Actual, f.Any...)
	}
	return d
}

// excused is the header that is expected in a Reply, with what the Options have changed as it came.
func (p *Player) excused(d *outcome.Diff) []byte {
	b, o := bytes.Clone(d.Expected), &p.options.MPA
	if o.Markers != nil {
		adopt(b, d.Actual, "iwarp_mpa.marker_flag")
	}
	if o.CRC != nil {
		adopt(b, d.Actual, "iwarp_mpa.crc_flag")
	}
	if o.Rev != nil {
		adopt(b, d.Actual, "iwarp_mpa.rev")
	}
	if o.IRD != nil || o.ORD != nil {
		adopt(b, d.Actual, "iwarp_mpa.enhanced.ird", "iwarp_mpa.enhanced.ord")
	}
	return b
}

// adopt makes fields of an MPA frame, its Enhanced word included, what they are in another one that is as long.
func adopt(frame, other []byte, names ...string) {
	if len(frame) != len(other) {
		return
	}
	for _, name := range names {
		f, off := mpa.ReplyFields.Lookup(name), 0
		if f == nil {
			f, off = mpa.EnhancedFields.Lookup(name), mpa.FrameLen
		}
		if f == nil || off >= len(other) {
			continue
		}
		if v, ok := f.Get(other[off:]); ok {
			f.Set(frame[off:], v) // it was read from a field that is as wide
		}
	}
}
