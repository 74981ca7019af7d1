package player

import (
	"bytes"
	"fmt"
	"maps"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A verdicts compares messages and segments of the other side with the expected ones. It learns the variables of those
// that match.
type verdicts struct {
	profile *rules.Profile
	known   *known
	blame   *blame
}

// message compares a complete message with the candidate that it fits best.
func (j *verdicts) message(m *message) verdict {
	best := mismatched("it is none of the allowed messages", nil)
	var matched *candidate
	for i := range m.candidates {
		c := &m.candidates[i]
		if v := j.compare(m, c, i == 0); i == 0 || v.Verdict < best.Verdict {
			best, matched = v, nil
			if v.diff == nil {
				matched = c
			}
		}
	}
	if best.Verdict == outcome.Mismatched && len(m.candidates) > 1 {
		best.reason = "it is none of the allowed messages; compared with the first, " + best.reason
	}
	if matched != nil {
		j.known.adopt(matched.values)
	}
	return best
}

// compare compares a message with a candidate. The verdict has a Diff unless they are equal. foremost is set for the
// first candidate.
func (j *verdicts) compare(m *message, c *candidate, foremost bool) verdict {
	switch {
	case !m.matches(c):
	case c.why != "":
		return tolerated(c.why)
	default:
		return tolerated(m.split)
	}
	d := m.diff(c)
	v := mismatched(difference(d), d)
	switch {
	case c.refused != nil:
		v.Verdict, v.reason = j.refusal(m, c, v.reason)
	case c.message.Opcode == rdmap.OpTerminate && foremost:
		v.Verdict, v.reason = j.terminate(m, c, v.reason)
	}
	if v.Verdict == outcome.Accepted && c.why != "" {
		v.reason = c.why + "; " + v.reason
	}
	return v
}

func (m *message) matches(c *candidate) bool {
	if c.refused != nil && !c.refused.due {
		return false // no Terminate is due
	}
	own := len(c.header) - m.headerLen
	if len(m.body) < own || !m.sameDDP(c) || !bytes.Equal(c.header[m.headerLen:], m.body[:own]) {
		return false
	}
	if m.length > len(m.body) && bound(c.message.Payload) >= 0 {
		return false
	}
	_, ok := c.message.Payload.Match(m.body[own:], c.values)
	return ok
}

// sameDDP reports whether the DDP header of the first segment equals that of a candidate.
func (m *message) sameDDP(c *candidate) bool {
	return bytes.Equal(c.header[:m.headerLen], m.first[:m.headerLen])
}

// diff shows where a message differs from a candidate.
func (m *message) diff(c *candidate) *outcome.Diff {
	own := min(len(m.body), max(0, len(c.header)-m.headerLen))
	payload := m.body[own:]
	d := &outcome.Diff{
		Layer: outcome.ULPDU, Expected: c.header, Actual: append(bytes.Clone(m.first[:m.headerLen]), m.body[:own]...),
	}
	if c.message.Opcode == rdmap.OpTerminate {
		want, got := bothSides(c.message.Payload, c.values, payload)
		d.Expected, d.Actual = head(append(bytes.Clone(c.header), want...)), head(append(d.Actual, got...))
		return d
	}
	at, _ := c.message.Payload.Match(payload, maps.Clone(c.values))
	d.Want = wanted(c.message.Payload, c.values, at)
	d.Got = outcome.NewExcerpt(payload, nil, at, m.length-own)
	if c.message.Opcode.IsSend() {
		d.ExpectedSend, d.ActualSend = bothSides(c.message.Payload, c.values, payload)
	}
	return d
}

// bothSides returns a payload as expected, with received octets for wildcards, and as received.
func bothSides(expected scenario.Payload, values scenario.Values, came []byte) (want, got []byte) {
	got = bytes.Clone(came[:min(len(came), outcome.MaxSend)])
	want, mask := render(expected.Slice(0, min(expected.Len(), outcome.MaxSend)), values)
	for i := range min(len(want), len(got)) {
		if mask[i] {
			want[i] = got[i]
		}
	}
	return want, got
}

// single checks a ULPDU for a step that one ULPDU decides: a Segment, an FPDU, or an alternative that is a Segment. ok
// is false if the step may be a message of several segments.
func (j *verdicts) single(e *expected, u []byte, f *mpa.Deframed) (v verdict, ok bool) {
	switch do := e.Do.(type) {
	case *scenario.Segment, *scenario.FPDU:
		return j.segment(e.Step, u, f), true
	case *scenario.OneOf:
		messages := false
		for why, each := range scenario.Alternatives(do) {
			switch each := each.(type) {
			case *scenario.Segment:
				values := j.known.trial()
				if j.compareSegment(each, u, values) == nil {
					j.known.adopt(values)
					return tolerated(why), true
				}
			case *scenario.Message, *scenario.Refusal:
				messages = messages || lanesOf(each)&(1<<laneOf(u)) != 0
			}
		}
		if !messages {
			return j.segment(e.Step, u, f), true
		}
	}
	return v, false
}

func (j *verdicts) segment(step *scenario.Step, u []byte, f *mpa.Deframed) verdict {
	switch do := scenario.First(step.Do).(type) {
	case *scenario.Segment:
		return different(j.compareSegment(do, u, j.known.values))
	case *scenario.FPDU:
		d := j.compareSegment(&do.Segment, u, j.known.values)
		if v := j.framing(do, f); d == nil && v.reason != "" {
			return v
		}
		return different(d)
	case *scenario.Message:
		header := j.known.numbers.ExpectMessage(do, j.known.requests[do.To], u, j.known.trial(), false)
		n := min(len(u), len(header))
		return different(&outcome.Diff{Layer: outcome.ULPDU, Expected: header, Actual: bytes.Clone(u[:n])})
	}
	return mismatched("something else arrived", &outcome.Diff{Layer: outcome.ULPDU, Actual: head(u)})
}

// different returns the verdict for a difference d; d is nil if there is none.
func different(d *outcome.Diff) verdict {
	if d == nil {
		return tolerated("")
	}
	return mismatched(difference(d), d)
}

// compareSegment compares a ULPDU with a Segment, and returns nil if they agree. values learns unknown variables.
func (j *verdicts) compareSegment(s *scenario.Segment, u []byte, values scenario.Values) *outcome.Diff {
	header := j.known.numbers.ExpectSegment(s, u, values)
	n := min(len(header), len(u))
	at, same := s.Payload.Match(u[n:], values)
	if same && bytes.Equal(header, u[:n]) {
		return nil
	}
	d := &outcome.Diff{
		Layer: outcome.ULPDU, Expected: head(header), Actual: head(u[:n]),
		Want: wanted(s.Payload, values, at), Got: outcome.NewExcerpt(u[n:], nil, at, len(u)-n),
	}
	if s.Raw {
		d.Layer = outcome.Stream
	}
	return d
}

// framing checks the framing of an FPDU that should be wrong. The reason is empty if it is wrong as expected.
func (j *verdicts) framing(do *scenario.FPDU, f *mpa.Deframed) verdict {
	switch {
	case (do.BadCRC || do.CRC != nil) && !j.known.framing.CRC:
		return notApplicable("the connection has no CRCs")
	case do.Markers != scenario.RightMarkers && !j.known.framing.Markers:
		return notApplicable("the connection has no Markers")
	case do.BadCRC && f.CRC != ^f.WantCRC:
		return mismatched(fmt.Sprintf("the CRC is 0x%08x, expected 0x%08x", f.CRC, ^f.WantCRC), nil)
	case do.CRC != nil && f.CRC != *do.CRC:
		return mismatched(fmt.Sprintf("the CRC is 0x%08x, expected 0x%08x", f.CRC, *do.CRC), nil)
	case do.Markers == scenario.BadMarkers && f.Markers > 0 && f.BadMarkers == 0:
		return mismatched("the Markers point to the start of the FPDU, expected some that do not", nil)
	case do.Markers > scenario.BadMarkers && f.Markers > 0 && f.ReservedMarkers == 0:
		return mismatched("the reserved bits of the Markers are zero, expected some that are not", nil)
	}
	return tolerated("")
}
