package player

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// MPA changes the own MPA frames. Nil leaves the Scenario's value.
type MPA struct {
	Markers  *bool // M
	CRC      *bool // C
	Rev      *uint8
	IRD, ORD *uint16 // in enhanced frames
}

// A startup is the MPA startup of the connection (RFC 5044, section 7.1): the frames of both sides, and what they agree
// on.
type startup struct {
	deviations     deviations
	options        *MPA
	initiator      bool // the own side sends the MPA Request
	script         *script
	known          *known
	octets         []byte // of the frame that is being received
	request, reply *mpa.Frame
	negotiated     *outcome.Negotiated // nil without a Reply
}

// An agreement is how FPDUs are framed once MPA is negotiated.
type agreement struct {
	in, out mpa.Options
	version uint8 // of DDP and RDMAP
}

func newStartup(s *script, k *known, o *MPA, role scenario.Side) *startup {
	u := &startup{options: o, initiator: role == scenario.Client, script: s, known: k}
	for _, step := range s.mine {
		if f, ok := scenario.First(step.Do).(*scenario.Frame); ok {
			u.initiator = !f.Reply
			break
		}
	}
	return u
}

// frame returns a frame of the own side as it is sent.
func (u *startup) frame(f *scenario.Frame) (*mpa.Frame, []byte, error) {
	wire, err := u.options.apply(f).Wire(u.known.values)
	if err != nil {
		return nil, nil, err
	}
	octets, err := wire.AppendBinary(nil)
	return wire, octets, err
}

// apply returns a copy of f changed by the options.
func (o *MPA) apply(f *scenario.Frame) *scenario.Frame {
	c := *f
	override(&c.M, o.Markers)
	override(&c.C, o.CRC)
	override(&c.Rev, o.Rev)
	if f.Enhanced != nil {
		e := *f.Enhanced
		override(&e.IRD, o.IRD)
		override(&e.ORD, o.ORD)
		c.Enhanced = &e
	}
	return &c
}

func override[T any](v, with *T) {
	if with != nil {
		*v = *with
	}
}

// observe records a frame of either side. After an accepting Reply FPDUs begin, framed as in a.
func (u *startup) observe(f *mpa.Frame) (a agreement, begins bool) {
	if f.Reply {
		u.reply = f
	} else {
		u.request, u.reply, u.known.established, u.negotiated = f, nil, false, nil
	}
	if u.request == nil || u.reply == nil {
		return a, false
	}
	n := rules.Negotiate(u.request, u.reply)
	a.in = mpa.Options{CRC: n.CRC, Markers: n.MarkersFromInit}
	a.out = mpa.Options{CRC: n.CRC, Markers: n.MarkersFromResp}
	if u.initiator {
		a.in, a.out = a.out, a.in
	}
	a.version = n.DDPVersion
	u.negotiated = &outcome.Negotiated{
		Rev: n.Rev, CRC: n.CRC, MarkersReceived: a.in.Markers, MarkersSent: a.out.Markers, Rejected: n.Rejected,
	}
	if n.Rejected {
		return a, false
	}
	u.known.established = true
	return a, true
}

// rejected reports whether the MPA Reply has rejected the connection, so that no FPDUs follow.
func (u *startup) rejected() bool { return !u.known.established && u.negotiated != nil }

// maxFrame is the length of the longest MPA frame, unless a longer one is expected.
const maxFrame = mpa.FrameLen + mpa.MaxPrivateData

// receive consumes a prefix of b for step e, which expects an MPA frame, and returns its length. f is the frame once it is
// complete.
func (u *startup) receive(e *expected, b []byte) (n int, f *mpa.Frame) {
	frames, limit := framesOf(e.Do), maxFrame
	for _, each := range frames {
		limit = max(limit, mpa.FrameLen+mpa.EnhancedLen+each.PrivateData.Len())
	}
	for n < len(b) {
		need := mpa.FrameLen - len(u.octets)
		if need <= 0 {
			need = u.length(frames[0]) - len(u.octets)
		}
		if need > 0 {
			k := min(need, len(b)-n)
			u.octets = append(u.octets, b[n:n+k]...)
			n += k
			e.begun, e.length = true, len(u.octets)
		}
		var wire mpa.Frame
		if _, err := wire.Decode(u.octets); errors.Is(err, field.ErrValue) {
			u.script.mark(e, mismatched("not an MPA frame", streamDiff(u.octets)))
			u.script.giveUp("no MPA frame for step %d", e.Number)
			return len(b), nil
		}
		if len(u.octets) < mpa.FrameLen {
			continue
		}
		switch total := u.length(frames[0]); {
		case total > limit:
			reason := fmt.Sprintf("its PD_Length is %d, which is more than MPA allows", total-mpa.FrameLen)
			u.script.mark(e, mismatched(reason, u.diff(frames[0])))
			u.script.giveUp("the MPA frame of step %d is too long", e.Number)
			return len(b), nil
		case len(u.octets) >= total:
			return n, u.finish(e)
		}
	}
	return n, nil
}

// length returns the length of the frame being received: as stated, or as expected if a wrong PD_Length is.
func (u *startup) length(f *scenario.Frame) int {
	if f.PDLength != nil {
		return headerLen(f) + f.PrivateData.Len()
	}
	return mpa.FrameLen + (int(u.octets[mpa.FrameLen-2])<<8 | int(u.octets[mpa.FrameLen-1]))
}

// headerLen returns the length of the part before the Private Data of the upper layer.
func headerLen(f *scenario.Frame) int {
	if f.Enhanced != nil {
		return mpa.FrameLen + mpa.EnhancedLen
	}
	return mpa.FrameLen
}

// finish concludes the step of the frame that is complete, and returns the frame.
func (u *startup) finish(e *expected) *mpa.Frame {
	if frames := framesOf(e.Do); len(u.deviations) > 0 {
		u.deviations.amendFrame(u.octets, u.diff(frames[0]).Expected)
	}
	f := new(mpa.Frame)
	f.Decode(bytes.Clone(u.octets)) // a wrong PD_Length does not matter here
	u.script.conclude(e, u.judge(e, f.Reply))
	u.octets = u.octets[:0]
	return f
}

// judge compares the received frame with the expected ones.
func (u *startup) judge(e *expected, reply bool) verdict {
	v := mismatched("", nil)
	for why, a := range scenario.Alternatives(e.Do) {
		f, ok := a.(*scenario.Frame)
		if !ok {
			continue
		}
		d, values := u.diff(f), u.known.trial()
		_, same := f.PrivateData.Match(u.octets[len(d.Actual):], values)
		switch {
		case same && bytes.Equal(d.Expected, d.Actual):
			v = tolerated(why)
		case same && reply && bytes.Equal(u.excused(d), d.Actual):
			v = verdict{outcome.Accepted, "the MPA Request was not the recorded one: " + difference(d), d}
		default:
			if v.diff == nil {
				v = mismatched(difference(d), d)
			}
			continue
		}
		u.known.adopt(values)
		return v
	}
	return v
}

// diff compares the received frame with an expected one.
func (u *startup) diff(f *scenario.Frame) *outcome.Diff {
	n := min(headerLen(f), len(u.octets))
	private, values := u.octets[n:], u.known.trial()
	at, _ := f.PrivateData.Match(private, values)
	octets, mask := render(f.PrivateData, values)
	if bound(f.PrivateData) < 0 && len(octets) < len(private) {
		mask = append(mask, slices.Repeat([]bool{true}, len(private)-len(octets))...)
		octets = append(octets, private[len(octets):]...)
	}
	d := &outcome.Diff{
		Layer: outcome.Frame, Actual: bytes.Clone(u.octets[:n]), Want: outcome.NewExcerpt(octets, mask, at, bound(f.PrivateData)),
		Got: outcome.NewExcerpt(private, nil, at, len(private)),
	}
	want := *f
	want.PrivateData = scenario.Payload{}.Append(scenario.Part{Octets: octets})
	if wire, err := want.Wire(values); err == nil {
		b, _ := wire.AppendBinary(nil)
		d.Expected = b[:min(n, len(b))]
		copyFields(d.Expected, d.Actual, f.Any...)
	}
	return d
}

// excused returns the expected header of a Reply, with the received values for the fields that the options influence.
func (u *startup) excused(d *outcome.Diff) []byte {
	b, o := bytes.Clone(d.Expected), u.options
	if o.Markers != nil {
		copyFields(b, d.Actual, "iwarp_mpa.marker_flag")
	}
	if o.CRC != nil {
		copyFields(b, d.Actual, "iwarp_mpa.crc_flag")
	}
	if o.Rev != nil {
		copyFields(b, d.Actual, "iwarp_mpa.rev")
	}
	if o.IRD != nil || o.ORD != nil {
		copyFields(b, d.Actual, "iwarp_mpa.enhanced.ird", "iwarp_mpa.enhanced.ord")
	}
	return b
}

// copyFields copies fields of an MPA frame, its Enhanced word included, from another one of the same length.
func copyFields(frame, other []byte, names ...string) {
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
			f.Set(frame[off:], v) // cannot fail: the value comes from a field of the same width
		}
	}
}
