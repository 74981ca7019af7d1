package player

// Refusals: which Terminate is due for a step that is refused, and how well another one fits.

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A refused is a Refusal that a Terminate is compared with.
type refused struct {
	*scenario.Refusal
	situation *rules.Situation
	code      rdmap.Code // that is due
	due       bool       // some code is
	culprit   *rules.Culprit
}

// refusals are those among what an action may be.
func refusals(a scenario.Action) (all []*scenario.Refusal) {
	for _, each := range scenario.Alternatives(a) {
		if r, ok := each.(*scenario.Refusal); ok {
			all = append(all, r)
		}
	}
	return all
}

// blame prepares to remember what is sent for the steps that are to be refused.
func (p *Player) blame() {
	for _, e := range p.theirs {
		for _, r := range refusals(e.Do) {
			if r.To != 0 && p.blamed[r.To] == nil {
				p.blamed[r.To] = new(culprits)
			}
		}
	}
}

// note remembers a ULPDU, in its parts, of what is being sent.
func (p *Player) note(s *sending, parts ...[]byte) {
	p.culprits.note(parts...)
	if s.own != nil && len(p.blamed) > 0 {
		if c := p.blamed[s.own.Number]; c != nil {
			c.note(parts...)
		}
	}
}

// refuse is the Refusal that a Terminate, by its header, is compared with.
func (p *Player) refuse(r *scenario.Refusal, got *rdmap.Terminate) *refused {
	profile := p.options.Profile
	of := &refused{Refusal: r, situation: rules.LookupSituation(r.Situation)}
	if of.code, of.due = profile.Exact(of.situation); profile.Grade(of.situation, got.Code) == rules.Exact {
		of.code = got.Code // which is one of several
	}
	if c := p.blamed[r.To]; c == nil {
		of.culprit = p.culprits.find(got)
	} else if of.culprit = c.find(got); of.culprit == nil {
		of.culprit = c.latest()
	}
	return of
}

// message is the Terminate that is due, as a message: of the right form, and about the culprit.
func (r *refused) message(got *rdmap.Terminate) *scenario.Message {
	want := rdmap.Terminate{Code: r.code}
	headers := r.situation.HdrCt
	if !r.situation.Answers[rules.RFC].Sends(r.code) { // it is the code of another document, which may want other headers
		headers = fmt.Sprintf("%d%d%d", bit(got.M), bit(got.D), bit(got.R))
	}
	if c := r.culprit; c != nil && strings.Contains(headers, "1") {
		want.Enclose(c.Header, headers == "111")
		want.SegmentLength = uint16(c.ULPDU)
	}
	octets, err := want.AppendBinary(nil)
	if err != nil {
		octets = make([]byte, rdmap.TerminateLen) // which cannot be: all values fit
	}
	number := func(v int) scenario.Value { return scenario.Constant(uint64(v)) }
	return &scenario.Message{
		Opcode: rdmap.OpTerminate,
		Fields: scenario.Fields{
			{Name: "Layer", Value: number(int(r.code.Layer))}, {Name: "EType", Value: number(int(r.code.EType))},
			{Name: "ErrorCode", Value: number(int(r.code.ErrorCode))},
			{Name: "M", Value: number(bit(want.M))}, {Name: "D", Value: number(bit(want.D))}, {Name: "R", Value: number(bit(want.R))},
		},
		Payload: scenario.Payload(nil).Append(scenario.Part{Octets: octets[rdmap.TerminateLen:]}),
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// gradeRefusal judges a Terminate that is not the one which is due, of which reason says the first difference.
func (p *Player) gradeRefusal(in *incoming, c *candidate, reason string) (outcome.Verdict, string) {
	r, profile := c.refused, p.options.Profile
	if !bytes.Equal(c.header[:in.n], in.first[:in.n]) || len(in.want.body) < rdmap.TerminateLen {
		return outcome.Mismatched, reason
	}
	var got rdmap.Terminate
	profile.DecodeTerminate(&got, in.want.body)
	grade := profile.Grade(r.situation, got.Code)
	switch {
	case grade < rules.Accepted:
		return outcome.Mismatched, fmt.Sprintf("it gives %s, expected is %s", codeText(got.Code), p.dueText(r.situation))
	case got.HasHeader && r.culprit == nil:
		return outcome.Mismatched, "it blames a segment that was not sent"
	case got.HasHeader && r.To != 0 && p.blamed[r.To].find(&got) == nil && p.culprits.find(&got) != nil:
		return outcome.Mismatched, "it blames another segment than " + stepName(r.To)
	}
	habit, wrong := p.faults(in, r, &got)
	switch {
	case wrong != "":
		return outcome.Mismatched, wrong
	case grade == rules.Accepted:
		reason = fmt.Sprintf("%s is permitted where %s", codeText(got.Code), r.situation.Text)
		if note := r.situation.Answers[profile.Peer].Note; profile.Peer != rules.RFC && note != "" {
			reason += "; " + profile.Peer.String() + ": " + note
		}
	case habit != "":
		reason = habit
	default:
		reason = "the error is the one that is expected, but " + reason
	}
	return outcome.Accepted, reason
}

// faults tells what is wrong with a Terminate apart from its code: wrong is what no habit of the peer excuses, habit the
// first thing that one does.
func (p *Player) faults(in *incoming, r *refused, t *rdmap.Terminate) (habit, wrong string) {
	profile := p.options.Profile
	var s rdmap.Segment
	if _, err := s.Decode(append(bytes.Clone(in.first[:in.n]), in.want.body...)); err != nil {
		return "", err.Error()
	}
	var receiver rules.Receiver
	receiver.Reset(rules.Conditions{Version: -1, IRD: -1, Profile: profile})
	v := receiver.Segment(&s, in.n+in.want.length, nil)
	for _, each := range profile.CheckTerminate(t, r.culprit, v) {
		if profile.Severity(each.Rule) > rules.Note {
			return "", fmt.Sprintf("it has %s, expected is %s. %s (%s)", each.Seen, each.Expected, strings.TrimSuffix(each.Text, "."), each.ID())
		}
		if why, ok := profile.Excuses(each.Rule); habit == "" && ok {
			habit = why
		}
	}
	return habit, ""
}

// dueText is what the Profile demands in a situation.
func (p *Player) dueText(s *rules.Situation) string {
	if code, ok := p.options.Profile.Exact(s); ok {
		return codeText(code)
	}
	return "none: " + p.options.Profile.Due(s).Note
}

// passOver makes those of the next steps over that are Refusals for which the Profile has no answer to be expected.
func (p *Player) passOver() {
	for e := p.front(); e != nil; e = p.front() {
		done, _ := p.settled(e.After)
		note := p.unanswerable(e.Do)
		if note == "" || e.After != 0 && !done {
			return
		}
		p.mark(e, outcome.NotApplicable, note, nil)
		e.over = true
		p.skipOver()
	}
}

// unanswerable is why nothing can be expected for an action that is a Refusal, or one of several; empty if something can.
func (p *Player) unanswerable(a scenario.Action) (note string) {
	for _, each := range scenario.Alternatives(a) {
		r, ok := each.(*scenario.Refusal)
		if !ok {
			return ""
		}
		due := p.options.Profile.Due(rules.LookupSituation(r.Situation))
		if len(due.Codes) > 0 || due.Closes {
			return ""
		}
		note = p.options.Profile.Codes.String() + ": " + due.Note
	}
	return note
}

// unanswered is why it is accepted that nothing has come for a Refusal: what the peer is known for. It is empty if it is
// not accepted.
func (p *Player) unanswered(a scenario.Action) string {
	peer := p.options.Profile.Peer
	for _, r := range refusals(a) {
		known := &rules.LookupSituation(r.Situation).Answers[peer]
		if peer != rules.RFC && known.Known && len(known.Codes) == 0 && !known.Closes {
			return "no Terminate came; " + peer.String() + ": " + known.Note
		}
	}
	return ""
}
