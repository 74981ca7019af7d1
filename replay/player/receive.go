package player

// What comes from the other side: octets, FIN, reset.

import (
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Input takes in octets that TCP has delivered. It keeps nothing of b.
func (p *Player) Input(b []byte) {
	for len(b) > 0 && !p.over && !p.finished {
		b = b[p.take(b):]
	}
}

// take takes in some of b and returns how many octets. It may take none, but then something else has come about.
func (p *Player) take(b []byte) (n int) {
	e := p.front()
	if p.swallows {
		return len(b)
	}
	if e == nil && !p.established {
		p.unexpected("octets came, and no step expects any", streamDiff(b))
		p.giveUp("octets came that no step expects")
		return len(b)
	}
	if e != nil && !p.midFPDU() {
		switch do := e.Do.(type) {
		case *scenario.Silence:
			p.conclude(e, outcome.Mismatched, "something came", streamDiff(b))
			return 0
		case *scenario.Octets:
			return p.takeOctets(e, do, b)
		case *scenario.FPDU:
			if p.established && unframed(do) {
				return p.takeUnframed(e, do, b)
			}
		default:
			if f := framesOf(do); f != nil && !p.established {
				return p.takeFrame(e, f, b)
			}
		}
	}
	if !p.established && p.framesLeft() || p.rejected() {
		p.unexpected(fmt.Sprintf("octets came before MPA was negotiated, where %s was expected", stepName(e.Number)), streamDiff(b))
		p.giveUp("octets came before MPA was negotiated")
		return len(b)
	}
	p.establish()
	if p.careful {
		b = b[:1]
	}
	p.deframer.Push(b)
	for !p.over && p.deframer.Next(&p.fpdu) {
		p.receive(&p.fpdu)
	}
	return len(b)
}

// rejected tells that the MPA Reply has rejected the connection, so that nothing has FPDUs.
func (p *Player) rejected() bool { return !p.established && p.result.Negotiated != nil }

// framesOf are the MPA frames that an action is one of.
func framesOf(a scenario.Action) (frames []*scenario.Frame) {
	one(a, func(each scenario.Action) bool {
		if f, ok := each.(*scenario.Frame); ok {
			frames = append(frames, f)
		}
		return false
	})
	return frames
}

// midFPDU tells whether octets of an FPDU have come that is not whole.
func (p *Player) midFPDU() bool {
	if !p.established {
		return false
	}
	_, in := p.deframer.InProgress()
	return in
}

// streamDiff shows octets where none were expected.
func streamDiff(b []byte) *outcome.Diff {
	return &outcome.Diff{Layer: outcome.Stream, Got: outcome.NewExcerpt(b, nil, 0, len(b))}
}

// takeOctets takes in octets that are expected as they are.
func (p *Player) takeOctets(e *expected, do *scenario.Octets, b []byte) (n int) {
	want := do.Payload.Len()
	n = min(want-len(p.raw), len(b))
	p.raw = append(p.raw, b[:n]...)
	e.begun, e.length = true, len(p.raw)
	if len(p.raw) < want {
		return n
	}
	p.swallows = bound(do.Payload) < 0
	p.judgeRaw(e, do.Payload)
	return n
}

// judgeRaw compares the octets in raw with those that are expected, and goes on behind them.
func (p *Player) judgeRaw(e *expected, want scenario.Payload) {
	at, ok := want.Match(p.raw, p.values)
	if ok {
		p.conclude(e, outcome.Exact, "", nil)
	} else {
		p.conclude(e, outcome.Mismatched, fmt.Sprintf("the octets differ at octet %d", at), &outcome.Diff{
			Layer: outcome.Stream, Want: wanted(want, p.values, at), Got: outcome.NewExcerpt(p.raw, nil, at, len(p.raw)),
		})
	}
	p.skip(len(p.raw))
	p.raw = p.raw[:0]
}

// skip notes that octets of the stream came that were not deframed.
func (p *Player) skip(n int) {
	if p.established {
		p.deframer.ResetAt(p.received, p.deframer.Pos()+uint64(n))
	}
}

// unframed tells whether an FPDU cannot be deframed, because it is not as long as it says.
func unframed(f *scenario.FPDU) bool {
	return f.ULPDULength != nil || f.PAD != nil
}

// takeUnframed takes in an FPDU that is not as long as it says.
func (p *Player) takeUnframed(e *expected, do *scenario.FPDU, b []byte) (n int) {
	if e.body == nil {
		framer := mpa.Framer{Options: p.received}
		framer.Skip(p.deframer.Pos())
		octets, err := p.mirror.FPDU(nil, do, &framer, p.values)
		if err != nil || len(octets) == 0 {
			p.conclude(e, outcome.NotApplicable, fmt.Sprintf("it cannot be told what is expected: %v", err), nil)
			return 0
		}
		e.body, e.begun = octets, true
	}
	n = min(len(e.body)-len(p.raw), len(b))
	p.raw = append(p.raw, b[:n]...)
	if len(p.raw) < len(e.body) {
		return n
	}
	want := e.body
	e.body = nil
	at := common(want, p.raw)
	if at == len(want) {
		p.conclude(e, outcome.Exact, "", nil)
	} else {
		d := &outcome.Diff{Layer: outcome.FPDU, Expected: head(want), Actual: head(p.raw)}
		if at >= outcome.MaxHeader {
			d.Want, d.Got = outcome.NewExcerpt(want, nil, at, len(want)), outcome.NewExcerpt(p.raw, nil, at, len(p.raw))
		}
		p.conclude(e, outcome.Mismatched, fmt.Sprintf("the FPDU differs at octet %d", at), d)
	}
	p.skip(len(p.raw))
	p.raw = p.raw[:0]
	return n
}

// head is the octets of an FPDU or ULPDU that may be headers.
func head(b []byte) []byte { return append([]byte{}, b[:min(len(b), outcome.MaxHeader)]...) }

// common is how many octets a and b begin with in common.
func common(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// receive takes in an FPDU.
func (p *Player) receive(f *mpa.Deframed) {
	p.violation = rules.CheckFPDU(f, p.received, p.violation[:0])
	if len(p.violation) > 0 {
		p.violation = slices.DeleteFunc(p.violation, p.habitual)
	}
	if len(p.violation) > 0 || f.Verdict == mpa.Bad {
		if p.misframed(f) {
			return
		}
	}
	p.ulpdu(f.ULPDU, f)
	p.mirror.Sent(f.ULPDU)
}

// habitual tells whether a breach of a rule of framing is a known habit of the peer that the Profile is for.
func (p *Player) habitual(v rules.Violation) bool {
	_, ok := p.options.Profile.Excuses(v.Rule)
	return ok
}

// misframed is for an FPDU whose framing breaks a rule. It is true if the FPDU is of no more use.
func (p *Player) misframed(f *mpa.Deframed) bool {
	e := p.concerned(f)
	if e != nil {
		if do, ok := e.Do.(*scenario.FPDU); ok && (do.BadCRC || do.CRC != nil || do.Markers != scenario.RightMarkers) {
			return false // it is judged with the rest
		}
	}
	v := &p.violation[0]
	reason := fmt.Sprintf("an FPDU of it has %s, expected is %s", v.Seen, v.Expected)
	if e != nil && !p.marked(e) {
		p.mark(e, outcome.Mismatched, reason, nil)
	} else {
		p.unexpected(reason, nil)
	}
	if f.Verdict == mpa.Bad {
		p.giveUp("the CRC of an FPDU was wrong")
		return true
	}
	return false
}

// concerned is the step that an FPDU is part of, as far as can be told; nil if there is none.
func (p *Player) concerned(f *mpa.Deframed) *expected {
	if f.Verdict != mpa.Bad {
		l := &p.lanes[laneOf(f.ULPDU)]
		if in := l.continued(f.ULPDU); in != nil {
			return in.want
		}
		if e := l.front(); e != nil {
			return e
		}
	}
	return p.nextStep()
}

// InputFIN tells that the other side has closed its direction.
func (p *Player) InputFIN() {
	if p.over || p.finished {
		return
	}
	p.finished = true
	p.cutShort()
	p.ended("FIN", func(a scenario.Action) bool { return a == scenario.FIN{} })
	p.awaken()
}

// InputReset tells that the connection was reset by the other side.
func (p *Player) InputReset() {
	if e := p.front(); p.over || p.ending == EndsReset {
		return
	} else if e == nil && p.sent < len(p.mine) {
		p.unexpected("a reset came, although there was more to send", nil)
	}
	p.cutShort()
	open := p.ended("reset", func(a scenario.Action) bool { return a == scenario.Reset{} })
	why := ""
	if p.sent < len(p.mine) && !(open && p.forgoEnds()) {
		why = "the other side has reset the connection"
	}
	p.end(why)
	p.ending = EndsReset
}

// cutShort marks a step of which a part has come that is no whole FPDU: the rest of it does not come.
func (p *Player) cutShort() {
	if !p.midFPDU() {
		return
	}
	reason := fmt.Sprintf("%d octets came of an FPDU that is not whole", p.deframer.Pending())
	if e := p.concerned(&mpa.Deframed{Verdict: mpa.Bad}); e != nil {
		p.mark(e, outcome.Mismatched, reason, nil)
	} else {
		p.unexpected(reason, nil)
	}
}

// one tells whether an action, or one of several that it is one of, is what is asked for.
func one(a scenario.Action, is func(scenario.Action) bool) bool {
	_, ok := which(a, is)
	return ok
}

// which is why the first of several actions that a is one of, and that is what is asked for, is tolerated: empty if it is
// right. ok is false if there is none.
func which(a scenario.Action, is func(scenario.Action) bool) (why string, ok bool) {
	for why, each := range scenario.Alternatives(a) {
		if is(each) {
			return why, true
		}
	}
	return "", false
}
