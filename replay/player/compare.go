package player

// Comparing what has come with what is expected.

import (
	"bytes"
	"fmt"
	"maps"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// judge compares a message that is whole with what is expected: what it fits best counts.
func (p *Player) judge(in *incoming) {
	e := in.want
	v, reason, d := outcome.Mismatched, "it is none of the messages that may come", (*outcome.Diff)(nil)
	var matched *candidate
	for i := range in.candidates {
		c := &in.candidates[i]
		each, why, diff := p.compare(in, c, i == 0)
		if i == 0 || each < v {
			v, reason, d = each, why, diff
			if matched = nil; diff == nil {
				matched = c
			}
		}
	}
	if v == outcome.Mismatched && len(in.candidates) > 1 {
		reason = "it is none of those that may come; of the first one, " + reason
	}
	if matched != nil {
		maps.Copy(p.values, matched.values)
	}
	p.noteRequest(in)
	p.conclude(e, v, reason, d)
}

// compare judges a message by one that it may be. There is a Diff unless it is that. first tells that nothing was
// expected rather.
func (p *Player) compare(in *incoming, c *candidate, first bool) (v outcome.Verdict, reason string, d *outcome.Diff) {
	switch {
	case !in.matches(c):
	case c.why != "":
		return outcome.Accepted, c.why, nil
	case in.want.split != "":
		return outcome.Accepted, in.want.split, nil
	default:
		return outcome.Exact, "", nil
	}
	d = in.diff(c)
	v, reason = outcome.Mismatched, difference(d)
	switch {
	case c.refused != nil:
		v, reason = p.gradeRefusal(in, c, reason)
	case c.message.Opcode == rdmap.OpTerminate && first:
		v, reason = p.gradeTerminate(in, c, reason)
	}
	if v == outcome.Accepted && c.why != "" {
		reason = c.why + "; " + reason
	}
	return v, reason, d
}

// matches tells whether a message is a candidate.
func (in *incoming) matches(c *candidate) bool {
	e := in.want
	own := len(c.header) - in.n
	if c.refused != nil && !c.refused.due {
		return false // no Terminate is
	}
	if len(e.body) < own || !bytes.Equal(c.header[:in.n], in.first[:in.n]) || !bytes.Equal(c.header[in.n:], e.body[:own]) {
		return false
	}
	if e.length > len(e.body) && bound(c.message.Payload) >= 0 {
		return false
	}
	_, ok := c.message.Payload.Match(e.body[own:], c.values)
	return ok
}

// diff is where a message differs from a candidate.
func (in *incoming) diff(c *candidate) *outcome.Diff {
	e := in.want
	own := min(len(e.body), max(0, len(c.header)-in.n))
	payload := e.body[own:]
	d := &outcome.Diff{Layer: outcome.ULPDU, Expected: c.header, Actual: append(bytes.Clone(in.first[:in.n]), e.body[:own]...)}
	if c.message.Opcode == rdmap.OpTerminate {
		octets, mask := render(c.message.Payload, c.values)
		for i := range octets {
			if mask[i] && i < len(payload) {
				octets[i] = payload[i]
			}
		}
		d.Expected = head(append(bytes.Clone(c.header), octets...))
		d.Actual = head(append(d.Actual, payload...))
		return d
	}
	at, _ := c.message.Payload.Match(payload, maps.Clone(c.values))
	d.Want = wanted(c.message.Payload, c.values, at)
	d.Got = outcome.NewExcerpt(payload, nil, at, e.length-own)
	return d
}

// difference says in words what differs first.
func difference(d *outcome.Diff) string {
	if !bytes.Equal(d.Expected, d.Actual) {
		for _, f := range d.Fields() {
			switch {
			case !f.Differs:
			case f.Actual == "":
				return f.Name + " is not there, expected is " + f.Expected
			case f.Expected == "":
				return f.Name + " is " + f.Actual + ", expected is none"
			default:
				return f.Name + " is " + f.Actual + ", expected is " + f.Expected
			}
		}
		return "the header differs"
	}
	at := d.Want.From + common(d.Want.Octets, d.Got.Octets)
	if d.Want.Length >= 0 && d.Want.Length != d.Got.Length {
		return fmt.Sprintf("the payload has %d octets, expected are %d", d.Got.Length, d.Want.Length)
	}
	for i := range min(len(d.Want.Octets), len(d.Got.Octets)) {
		if d.Want.Octets[i] != d.Got.Octets[i] && !(d.Want.Any != nil && d.Want.Any[i]) {
			at = d.Want.From + i
			break
		}
	}
	return fmt.Sprintf("the payload differs at octet %d", at)
}

// noteRequest keeps what the response to a request has to have, and forgets it with the response.
func (p *Player) noteRequest(in *incoming) {
	e := in.want
	switch do := e.Do.(type) {
	case *scenario.Message:
		delete(p.requests, do.To)
	case scenario.Probe:
		p.asProbe(append(bytes.Clone(in.first[:in.n]), e.body...))
		return
	}
	if r := requestIn(in.first[:in.n], e.body); r != nil {
		p.requests[e.Number] = r
	}
}

// requestIn is the request that a ULPDU is, by its DDP header and what follows that; nil if it is none.
func requestIn(header, body []byte) *scenario.Request {
	if len(header) != ddp.UntaggedLen {
		return nil
	}
	switch rdmap.Opcode(header[rdmap.ControlOff] & 15) {
	case rdmap.OpReadRequest:
		var r rdmap.ReadRequest
		if _, err := r.Decode(body); err == nil {
			return &scenario.Request{SinkSTag: r.SinkSTag, SinkTO: r.SinkTO}
		}
	case rdmap.OpAtomicRequest:
		var r rdmap.AtomicRequest
		if _, err := r.Decode(body); err == nil {
			return &scenario.Request{RequestIdentifier: r.RequestIdentifier}
		}
	}
	return nil
}

// isAlone judges a ULPDU if the step is a Segment or FPDU, or one of several that may come; else it is false.
func (p *Player) isAlone(e *expected, u []byte, f *mpa.Deframed) bool {
	switch do := e.Do.(type) {
	case *scenario.Segment, *scenario.FPDU:
		p.judgeAlone(e, u, f)
		return true
	case *scenario.OneOf:
		messages := false
		for why, each := range scenario.Alternatives(do) {
			switch each := each.(type) {
			case *scenario.Segment:
				values := p.trial()
				if _, ok := p.compareSegment(each, u, values); ok {
					maps.Copy(p.values, values)
					p.conclude(e, came(why), why, nil)
					return true
				}
			case *scenario.Message, *scenario.Refusal:
				messages = messages || lanesOf(each)&(1<<laneOf(u)) != 0
			}
		}
		if !messages {
			p.judgeAlone(e, u, f)
			return true
		}
	}
	return false
}

// judgeAlone judges a step by one ULPDU.
func (p *Player) judgeAlone(e *expected, u []byte, f *mpa.Deframed) {
	e.begun = true
	switch do := first(e.Do).(type) {
	case *scenario.Segment:
		d, ok := p.compareSegment(do, u, p.values)
		p.concludeAlone(e, d, ok)
	case *scenario.FPDU:
		d, ok := p.compareSegment(&do.Segment, u, p.values)
		if reason, v := p.framing(do, f); ok && reason != "" {
			p.conclude(e, v, reason, nil)
			return
		}
		p.concludeAlone(e, d, ok)
	case *scenario.Message:
		header := p.mirror.ExpectMessage(do, p.requests[do.To], u, p.trial(), false)
		n := min(len(u), len(header))
		p.concludeAlone(e, &outcome.Diff{Layer: outcome.ULPDU, Expected: header, Actual: bytes.Clone(u[:n])}, false)
	default:
		p.conclude(e, outcome.Mismatched, "something else came", &outcome.Diff{Layer: outcome.ULPDU, Actual: head(u)})
	}
}

func (p *Player) concludeAlone(e *expected, d *outcome.Diff, ok bool) {
	if ok {
		p.conclude(e, outcome.Exact, "", nil)
		return
	}
	p.conclude(e, outcome.Mismatched, difference(d), d)
}

// compareSegment compares a ULPDU with a Segment. Variables that are not known are learned.
func (p *Player) compareSegment(s *scenario.Segment, u []byte, values scenario.Values) (d *outcome.Diff, ok bool) {
	header := p.mirror.ExpectSegment(s, u, values)
	n := min(len(header), len(u))
	at, same := s.Payload.Match(u[n:], values)
	if same && bytes.Equal(header, u[:n]) {
		return nil, true
	}
	d = &outcome.Diff{Layer: outcome.ULPDU, Expected: head(header), Actual: head(u[:n])}
	if s.Raw {
		d.Layer = outcome.Stream
	}
	d.Want, d.Got = wanted(s.Payload, values, at), outcome.NewExcerpt(u[n:], nil, at, len(u)-n)
	return d, false
}

// framing judges the framing of an FPDU that is to be wrong. reason is empty if it is as it has to be.
func (p *Player) framing(do *scenario.FPDU, f *mpa.Deframed) (reason string, v outcome.Verdict) {
	switch {
	case (do.BadCRC || do.CRC != nil) && !p.received.CRC:
		return "the connection has no CRCs", outcome.NotApplicable
	case do.Markers != scenario.RightMarkers && !p.received.Markers:
		return "the connection has no Markers", outcome.NotApplicable
	case do.BadCRC && f.CRC != ^f.WantCRC:
		return fmt.Sprintf("the CRC is 0x%08x, expected is 0x%08x", f.CRC, ^f.WantCRC), outcome.Mismatched
	case do.CRC != nil && f.CRC != *do.CRC:
		return fmt.Sprintf("the CRC is 0x%08x, expected is 0x%08x", f.CRC, *do.CRC), outcome.Mismatched
	case do.Markers == scenario.BadMarkers && f.Markers > 0 && f.BadMarkers == 0:
		return "the Markers point to the begin of the FPDU, expected are some that do not", outcome.Mismatched
	case do.Markers > scenario.BadMarkers && f.Markers > 0 && f.ReservedMarkers == 0:
		return "the reserved bits of the Markers are zero, expected are some that are not", outcome.Mismatched
	}
	return "", outcome.Exact
}
