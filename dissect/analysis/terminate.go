package analysis

// Terminates: what they mean, which segment they blame, and whether they say what has happened.

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// terminate looks at the first Terminate of a direction. A second one has nothing to say.
func (c *connection) terminate(m *record.Message) {
	side := &c.sides[m.Dir]
	if side.cause != nil || m.First.T || m.First.Untagged.MO != 0 || len(m.First.Body) < rdmap.TerminateLen {
		return
	}
	cause := &record.Cause{Terminate: m.Origin}
	side.cause = cause
	c.verdict.Causes = append(c.verdict.Causes, cause)
	read, meant := c.decode(m, cause)
	k := c.culprit(1-m.Dir, meant, cause)
	if k != nil {
		c.describe(k, cause)
		c.judge(k, cause)
	}
	if whole(m) {
		v := c.a.opts.Profile.CheckTerminate(read, c.accused(k, cause, read.HasHeader), nil)
		for i := range v {
			c.violation(&m.Origin, &v[i], cause, func() string {
				return sentence("The Terminate in %s from the %v%s", frames(&m.Span), record.Sender(m.Dir), about(cause))
			})
		}
	}
	f := &c.a.finding
	*f = record.Finding{
		Origin: m.Origin, Severity: ObsTerminate.Severity, ID: ObsTerminate.ID, Name: ObsTerminate.Name,
		Seen: codeName(cause.Code), Text: c.terminateText(cause), Cause: cause,
	}
	c.report(f, nil)
	if k != nil && k.request != nil && !k.request.over {
		k.request.Response = m.Span
		c.finish(k.request, record.Refused)
	}
}

// accused is the culprit as the Profile may judge the Terminate by it; nil if it may well be another.
func (c *connection) accused(k *culprit, cause *record.Cause, hasHeader bool) *rules.Culprit {
	if k == nil || cause.Blame == record.BlameByPosition && !c.remembered() && (hasHeader || k.fault == nil) ||
		cause.Blame == record.BlameByPosition && !hasHeader && k.fault == nil {
		return nil
	}
	if fault := c.sides[k.Dir].fault; fault != nil && fault != k.fault {
		k.Earlier = fault.LastFrame < k.LastFrame
	}
	k.Known = c.remembered()
	return &k.Culprit
}

// remembered tells whether all segments of the connection are in the history.
func (c *connection) remembered() bool {
	return c.gaps() == 0 && c.a.history.latest-c.begun <= historyLen
}

// decode decodes a Terminate, as the Profile reads it and as its sender meant it. They differ if it makes sense in the
// order of siw too, and only the place where it stands tells.
func (c *connection) decode(m *record.Message, cause *record.Cause) (read, meant *rdmap.Terminate) {
	b := m.First.Body
	read = new(rdmap.Terminate)
	reading := rdmap.ReadingRFC
	if whole(m) {
		reading = c.a.opts.Profile.DecodeTerminate(read, b)
	} else {
		read.Decode(b)
		reading = readingOfCut(m, read)
	}
	meant, cause.Code, cause.Swapped = read, read.Code, reading == rdmap.ReadingSwapped
	if reading == rdmap.ReadingAmbiguous {
		swapped := new(rdmap.Terminate)
		swapped.DecodeSwapped(b)
		if c.prefersSwapped(m, read.Code, swapped.Code) {
			meant, cause.Code, cause.Swapped = swapped, swapped.Code, true
		}
	}
	return read, meant
}

// whole tells whether all octets of a Terminate were captured.
func whole(m *record.Message) bool { return len(m.First.Body) == m.ULPDU-ddp.UntaggedLen }

// readingOfCut is the reading of a Terminate that was not captured whole. t is made what its sender meant if only that
// fits its length.
func readingOfCut(m *record.Message, t *rdmap.Terminate) rdmap.Reading {
	parts := rdmap.AppendLayout(make([]rdmap.Part, 0, rdmap.MaxParts), m.Header, m.ULPDU)
	swappable := slices.ContainsFunc(parts, func(p rdmap.Part) bool { return p.Table.Name == rdmap.MeantFields.Name })
	switch {
	case !swappable:
		return rdmap.ReadingRFC
	case !t.M && !t.D && !t.R && m.ULPDU > ddp.UntaggedLen+rdmap.TerminateLen:
		t.DecodeSwapped(m.First.Body)
		return rdmap.ReadingSwapped
	}
	return rdmap.ReadingAmbiguous
}

// prefersSwapped chooses between two readings of a Terminate that both make sense, by what has gone wrong and by what
// may happen where it comes.
func (c *connection) prefersSwapped(m *record.Message, rfc, swapped rdmap.Code) bool {
	p := c.a.opts.Profile
	if fault := c.sides[1-m.Dir].fault; fault != nil {
		if a, b := p.Grade(fault.violation.Situation, rfc), p.Grade(fault.violation.Situation, swapped); a != b {
			return b > a
		}
	}
	t := &m.Conn.Traffic
	first := m.Dir == record.C2S && t[record.C2S].FPDUs == 1 && t[record.S2C].FPDUs == 0
	if a, b := ofStartup(rfc), ofStartup(swapped); a != b {
		return b == first
	}
	return swapped.Layer == rdmap.LayerLLP && p.Codes != rules.Verbs
}

// ofStartup tells whether a code is one with which an Initiator refuses an MPA Reply, in its first FPDU (RFC 6581,
// section 8).
func ofStartup(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerLLP && c.EType == rdmap.LLPMPA && c.ErrorCode >= 0x05 && c.ErrorCode <= 0x07
}

// blame keeps the first error of a direction that a Terminate may be about.
func (c *connection) blame(s *record.Segment, v []rules.Violation) {
	side := &c.sides[s.Dir]
	if side.fault != nil {
		return
	}
	i := slices.IndexFunc(v, func(v rules.Violation) bool {
		return v.Situation != nil && c.a.opts.Profile.Severity(v.Rule) == rules.Error
	})
	if i < 0 {
		return
	}
	side.fault = &fault{
		Origin: s.Origin, violation: v[i], opcode: s.RDMAP.Control.Opcode, framing: s.FPDU.Verdict == mpa.Bad || side.markers && s.FPDU.Start == 0,
		header: bytes.Clone(s.FPDU.ULPDU[:min(len(s.FPDU.ULPDU), s.RDMAP.Header.Len()+rdmap.AtomicRequestLen)]),
		ulpdu:  int(s.FPDU.ULPDULength),
	}
}

// judge says what may have gone wrong with the culprit, and how well the code fits that.
func (c *connection) judge(k *culprit, cause *record.Cause) {
	if k.fault == nil {
		c.guess(k, cause)
		return
	}
	r := k.fault.violation.Rule
	cause.Rule, cause.Situations = r, []*rules.Situation{r.Situation}
	cause.Grade = c.a.opts.Profile.Grade(r.Situation, cause.Code)
}

// guess finds the situations that no capture shows, are possible for the culprit and fit the code best. Whoever swaps
// the bits is siw, whose answers are known.
func (c *connection) guess(k *culprit, cause *record.Cause) {
	p := c.a.opts.Profile
	fits := func(s *rules.Situation) bool { return p.Grade(s, cause.Code) == cause.Grade }
	for s := range k.possible {
		if g := p.Grade(s, cause.Code); g >= rules.Accepted {
			cause.Grade = max(cause.Grade, g)
		}
	}
	if cause.Swapped {
		fits = func(s *rules.Situation) bool { return s.Answers[rules.SIW].Sends(cause.Code) }
	} else if cause.Grade == rules.Unjudged {
		fits = func(*rules.Situation) bool { return false }
	}
	for s := range k.possible {
		if fits(s) {
			cause.Situations = append(cause.Situations, s)
		}
	}
	if cause.Grade == rules.Unjudged && cause.Blame != record.BlameByPosition && c.remembered() {
		cause.Grade = rules.Wrong
	}
}

// possible yields the hidden situations that the culprit may be in.
func (k *culprit) possible(yield func(*rules.Situation) bool) {
	for s := range rules.Hidden(k.opcode) {
		if s.Name == "read-source-lost" && k.Answered == 0 {
			continue // it is for an error behind the begin of the response
		}
		if !yield(s) {
			return
		}
	}
}
