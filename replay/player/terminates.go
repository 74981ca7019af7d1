package player

// Terminates that may differ from the expected ones: recorded ones, and those for Refusals.

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// received returns the Terminate in m, and whether its bits are swapped; ok is false if the header differs from that of
// the candidate, or m is too short.
func (j *verdicts) received(m *message, c *candidate) (t rdmap.Terminate, swapped, ok bool) {
	if !m.sameDDP(c) || len(m.body) < rdmap.TerminateLen {
		return t, false, false
	}
	swapped = j.profile.DecodeTerminate(&t, m.body) == rdmap.ReadingSwapped
	return t, swapped, true
}

// terminate checks a Terminate that differs from the recorded one; difference is the first difference.
func (j *verdicts) terminate(m *message, c *candidate, difference string) (v outcome.Verdict, reason string) {
	got, swapped, ok := j.received(m, c)
	if !ok {
		return outcome.Mismatched, difference
	}
	octets, _ := render(c.message.Payload, c.values)
	var want rdmap.Terminate
	reading := j.profile.DecodeTerminate(&want, append(bytes.Clone(c.header[m.headerLen:]), octets...))
	switch recorded := reading == rdmap.ReadingSwapped; {
	case recorded && !swapped:
		difference = "its first octets are in the bit order of RFC 5040, where the recorded ones are swapped"
	case swapped && !recorded:
		difference = "the bits of its first octets are swapped"
	}
	if sameError(got.Code, want.Code) {
		reason = sameErrorBut + difference
	} else {
		s := j.situation(&want)
		if s == rules.NoSituation || j.profile.Grade(s, got.Code) < rules.Accepted {
			return outcome.Mismatched, unlike(codeText(got.Code), codeText(want.Code))
		}
		reason = permitted(got.Code, s)
	}
	if why := j.malformed(&got); why != "" {
		return outcome.Mismatched, why
	}
	return outcome.Accepted, reason
}

// Texts for both kinds of Terminates.
const (
	sameErrorBut = "the error is as expected, but "
	blamesNone   = "it is about a segment that was not sent"
)

func unlike(got, want string) string { return fmt.Sprintf("it has code %s, expected %s", got, want) }

func permitted(c rdmap.Code, s rules.Situation) string {
	return fmt.Sprintf("%s is permitted where %s", codeText(c), s.Text())
}

// sameError reports whether two codes stand for the same error, as all Local Catastrophic Errors of RDMAP do, whatever
// their error code (RFC 5040, section 4.8).
func sameError(a, b rdmap.Code) bool {
	local := func(c rdmap.Code) bool { return c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPLocalCatastrophic }
	return a == b || local(a) && local(b)
}

// situation returns the error that a recorded Terminate reports, or NoSituation. It is the first situation with this code among
// those that a message like the enclosed one can cause, in the order in which a receiver checks, else among all.
func (j *verdicts) situation(t *rdmap.Terminate) rules.Situation {
	if t.HasHeader {
		for s := range rules.Hidden(t.Header.Control.Opcode) {
			if code, ok := j.profile.Exact(s); ok && code == t.Code {
				return s
			}
		}
	}
	for s := range rules.NumSituations {
		if code, ok := j.profile.Exact(s); ok && code == t.Code {
			return s
		}
	}
	return rules.NoSituation
}

// malformed says what is wrong with a Terminate apart from its code; empty if nothing is.
func (j *verdicts) malformed(t *rdmap.Terminate) string {
	if err := t.Check(); err != nil {
		return err.Error()
	}
	if t.Form() != rdmap.WellFormed {
		return "its HdrCt bits do not agree with the headers that it encloses"
	}
	c := j.blame.find(t)
	if t.HasHeader && c == nil {
		return blamesNone
	}
	for _, v := range j.profile.CheckTerminate(t, c, nil) {
		if j.profile.Severity(v.Rule) > rules.Note {
			return fmt.Sprintf("it has %s, expected %s", v.Seen, v.Expected)
		}
	}
	return ""
}

func codeText(c rdmap.Code) string { return c.String() + " (" + c.Describe() + ")" }

// terminateText returns the code of the Terminate in a ULPDU, after a blank; it is empty if there is none.
func (j *verdicts) terminateText(u []byte) string {
	body := u[min(len(u), ddp.UntaggedLen):]
	if len(body) < rdmap.TerminateLen {
		return ""
	}
	var t rdmap.Terminate
	j.profile.DecodeTerminate(&t, body)
	return " " + codeText(t.Code)
}

// A refused is a Refusal with the Terminate that is due for it.
type refused struct {
	*scenario.Refusal
	code    rdmap.Code // that is due
	due     bool       // some code is
	culprit *rules.Culprit
}

// refuse returns the candidate for a ULPDU and a Refusal; ok is false if the ULPDU is not a Terminate.
func (j *verdicts) refuse(r *scenario.Refusal, u []byte) (c candidate, ok bool) {
	if len(u) < ddp.UntaggedLen || opcodeOf(u) != rdmap.OpTerminate {
		return c, false
	}
	var got rdmap.Terminate
	if body := u[ddp.UntaggedLen:]; len(body) >= rdmap.TerminateLen {
		j.profile.DecodeTerminate(&got, body)
	}
	of := &refused{Refusal: r, culprit: j.blame.refused(r, &got)}
	of.code, of.due = j.profile.Exact(r.Situation)
	if j.profile.Grade(r.Situation, got.Code) == rules.Exact {
		of.code = got.Code // one of several
	}
	return candidate{refused: of, message: of.message(&got)}, true
}

// message returns the due Terminate as a message: in the right form, and about the culprit.
func (r *refused) message(got *rdmap.Terminate) *scenario.Message {
	want := rdmap.Terminate{Code: r.code}
	demand := &rules.Situations[r.Situation]
	headers := demand.HdrCt
	if !demand.RFC.Codes.Accepts(r.code) { // the code of another document, which may want other headers
		headers = rules.HdrCtOf(got)
	}
	if c := r.culprit; c != nil && headers != rules.Bare && headers != rules.NoTerminate {
		want.Enclose(c.Header, headers == rules.MDR)
		want.SegmentLength = uint16(c.ULPDU)
	}
	octets, err := want.AppendBinary(nil)
	if err != nil {
		octets = make([]byte, rdmap.TerminateLen) // cannot happen: all values fit
	}
	m := &scenario.Message{
		Opcode: rdmap.OpTerminate, Payload: scenario.Payload(nil).Append(scenario.Part{Octets: octets[rdmap.TerminateLen:]}),
	}
	for _, f := range []struct {
		name  string
		value int
	}{
		{"Layer", int(r.code.Layer)}, {"EType", int(r.code.EType)}, {"ErrorCode", int(r.code.ErrorCode)},
		{"M", bit(want.M)}, {"D", bit(want.D)}, {"R", bit(want.R)},
	} {
		m.Fields = append(m.Fields, scenario.Field{Name: f.name, Value: scenario.Value{Number: uint64(f.value)}})
	}
	return m
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// refusal checks a Terminate that differs from the due one; difference is the first difference.
func (j *verdicts) refusal(m *message, c *candidate, difference string) (v outcome.Verdict, reason string) {
	got, _, ok := j.received(m, c)
	if !ok {
		return outcome.Mismatched, difference
	}
	r := c.refused
	grade := j.profile.Grade(r.Situation, got.Code)
	switch {
	case grade < rules.Accepted:
		return outcome.Mismatched, unlike(codeText(got.Code), j.due(r.Situation))
	case got.HasHeader && r.culprit == nil:
		return outcome.Mismatched, blamesNone
	case got.HasHeader && j.blame.elsewhere(r.Refusal, &got):
		return outcome.Mismatched, "it is not about a segment of " + stepName(r.To)
	}
	deviation, wrong := j.faults(m, r, &got)
	switch {
	case wrong != "":
		return outcome.Mismatched, wrong
	case grade == rules.Accepted:
		reason = permitted(got.Code, r.Situation)
		if known := j.profile.RNIC.Answer(r.Situation); known.Note != "" {
			reason += "; " + j.profile.RNIC.Name + ": " + known.Note
		}
	case deviation != "":
		reason = deviation
	default:
		reason = sameErrorBut + difference
	}
	return outcome.Accepted, reason
}

// faults says what is wrong with a Terminate apart from its code: wrong is the first fault that no deviation of the peer
// excuses, deviation the first that one excuses.
func (j *verdicts) faults(m *message, r *refused, t *rdmap.Terminate) (deviation, wrong string) {
	var s rdmap.Segment
	if _, err := s.Decode(append(bytes.Clone(m.first[:m.headerLen]), m.body...)); err != nil {
		return "", err.Error()
	}
	var receiver rules.Receiver
	receiver.Reset(rules.Conditions{Version: -1, IRD: -1, Profile: j.profile})
	violations := receiver.Segment(&s, m.headerLen+m.step.length, nil)
	for _, v := range j.profile.CheckTerminate(t, r.culprit, violations) {
		if j.profile.Severity(v.Rule) > rules.Note {
			return "", fmt.Sprintf("it has %s, expected %s. %s (%s)", v.Seen, v.Expected, strings.TrimSuffix(v.Text, "."), v.ID())
		}
		if why, ok := j.profile.Excuses(v.Rule); deviation == "" && ok {
			deviation = why
		}
	}
	return deviation, ""
}

// due names the Terminate that the Profile demands in a situation.
func (j *verdicts) due(s rules.Situation) string {
	if code, ok := j.profile.Exact(s); ok {
		return codeText(code)
	}
	return "none: " + j.profile.Due(s).Note
}

// silent says why a missing reaction to a Refusal is accepted: the peer is known for it. It is empty if it is not.
func (j *verdicts) silent(a scenario.Action) string {
	peer := j.profile.RNIC
	for _, r := range refusals(a) {
		if known := peer.Answer(r.Situation); known.PassesOver() {
			return "no Terminate; " + peer.Name + ": " + known.Note
		}
	}
	return ""
}

// closed checks an end of the connection where a Refusal expects a Terminate.
func (j *verdicts) closed(r *scenario.Refusal, with string) verdict {
	due, known := j.profile.Due(r.Situation), j.profile.RNIC.Answer(r.Situation)
	switch {
	case due.Ends():
		return tolerated("")
	case known.Ends():
		return tolerated(j.profile.RNIC.Name + ": " + known.Note)
	}
	return mismatched(fmt.Sprintf("a %s without a Terminate, expected %s", with, j.due(r.Situation)), nil)
}
