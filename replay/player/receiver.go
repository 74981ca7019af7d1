package player

import (
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A receiver handles the stream of the other side except MPA frames: plain octets, and FPDUs, whose segments it gives
// to the lanes.
type receiver struct {
	script     *script
	known      *known
	lanes      *lanes
	profile    *rules.Profile
	deviations deviations
	amended    []byte // room for a ULPDU
	octets     []byte // not in FPDUs
	want       []byte // expected octets, of an FPDU that cannot be deframed
	discarding bool   // a step discards all further octets
	single     bool   // FPDUs are deframed octet by octet, because other octets may follow
	deframer   mpa.Deframer
	fpdu       mpa.Deframed
	violations []rules.Violation
}

func newReceiver(s *script, k *known, l *lanes, p *rules.Profile) *receiver {
	r := &receiver{script: s, known: k, lanes: l, profile: p}
	for i, e := range s.theirs {
		switch do := e.Do.(type) {
		case *scenario.FPDU:
			r.single = r.single || misstatesLength(do)
		case *scenario.Octets:
			r.single = r.single || i > 0 && lanesOf(s.theirs[i-1].Do) != 0
		}
	}
	return r
}

func (r *receiver) establish(in mpa.Options, version uint8) {
	r.known.framing, r.known.numbers = in, scenario.NewSender(version)
	r.deframer.Reset(in)
}

// partial returns how many octets of an incomplete FPDU have arrived; ok is false if there is none.
func (r *receiver) partial() (octets int, ok bool) {
	_, ok = r.deframer.InProgress()
	return r.deframer.Pending(), ok && r.known.established
}

// receiveOctets consumes a prefix of b for step e, which expects plain octets, and returns its length.
func (r *receiver) receiveOctets(e *expected, want scenario.Payload, b []byte) (n int) {
	n = min(want.Len()-len(r.octets), len(b))
	r.octets = append(r.octets, b[:n]...)
	e.begun, e.length = true, len(r.octets)
	if len(r.octets) == want.Len() {
		r.discarding = bound(want) < 0
		r.judgeOctets(e, want)
	}
	return n
}

// judgeOctets compares received octets with the expected ones, and continues after them.
func (r *receiver) judgeOctets(e *expected, want scenario.Payload) {
	v := tolerated("")
	if at, ok := want.Match(r.octets, r.known.values); !ok {
		v = mismatched(fmt.Sprintf("the octets differ at octet %d", at), &outcome.Diff{
			Layer: outcome.Stream, Want: wanted(want, r.known.values, at), Got: outcome.NewExcerpt(r.octets, nil, at, len(r.octets)),
		})
	}
	r.script.conclude(e, v)
	r.skip()
}

// finishOctets checks a step that has all required octets, although more are allowed. It fails for other steps.
func (r *receiver) finishOctets(e *expected) bool {
	do, ok := e.Do.(*scenario.Octets)
	if !ok || bound(do.Payload) >= 0 || len(r.octets) != do.Payload.Len() {
		return false
	}
	r.discarding = true
	r.judgeOctets(e, do.Payload)
	return true
}

// skip continues after received octets, which are part of the stream of FPDUs if that has begun.
func (r *receiver) skip() {
	if r.known.established {
		r.deframer.ResetAt(r.known.framing, r.deframer.Pos()+uint64(len(r.octets)))
	}
	r.octets = r.octets[:0]
}

// receiveMisstated consumes a prefix of b for step e, which expects an FPDU with a wrong length. It returns the length
// of the prefix; 0 means that the state has changed.
func (r *receiver) receiveMisstated(e *expected, do *scenario.FPDU, b []byte) (n int) {
	if r.want == nil {
		framer := mpa.Framer{Options: r.known.framing}
		framer.Skip(r.deframer.Pos())
		octets, err := r.known.numbers.FPDU(nil, do, &framer, r.known.values)
		if err != nil || len(octets) == 0 {
			r.script.conclude(e, notApplicable(fmt.Sprintf("the expected octets are unknown: %v", err)))
			return 0
		}
		r.want, e.begun = octets, true
	}
	n = min(len(r.want)-len(r.octets), len(b))
	r.octets = append(r.octets, b[:n]...)
	if len(r.octets) < len(r.want) {
		return n
	}
	v := tolerated("")
	if at := common(r.want, r.octets); at < len(r.want) {
		d := &outcome.Diff{Layer: outcome.FPDU, Expected: head(r.want), Actual: head(r.octets)}
		if at >= outcome.MaxHeader {
			d.Want, d.Got = outcome.NewExcerpt(r.want, nil, at, len(r.want)), outcome.NewExcerpt(r.octets, nil, at, len(r.octets))
		}
		v = mismatched(fmt.Sprintf("the FPDU differs at octet %d", at), d)
	}
	r.script.conclude(e, v)
	r.skip()
	r.want = nil
	return n
}

// receiveFPDUs consumes a prefix of b, which is in FPDUs, and returns its length.
func (r *receiver) receiveFPDUs(b []byte) (n int) {
	if r.single {
		b = b[:1]
	}
	r.deframer.Push(b)
	for !r.script.over && r.deframer.Next(&r.fpdu) {
		f := &r.fpdu
		r.deviations.amendFPDU(f)
		if r.framed(f) {
			r.amended = r.deviations.amend(r.known.numbers, f.ULPDU, r.amended)
			r.lanes.receive(r.amended, f)
		}
	}
	return len(b)
}

// framed checks the framing of an FPDU. It returns false if the FPDU is unusable.
func (r *receiver) framed(f *mpa.Deframed) bool {
	r.violations = rules.CheckFPDU(f, r.known.framing, r.violations[:0])
	r.violations = slices.DeleteFunc(r.violations, r.excused)
	if len(r.violations) == 0 && f.Verdict != mpa.Bad {
		return true
	}
	e := r.lanes.concerned(f)
	if e != nil {
		if do, ok := e.Do.(*scenario.FPDU); ok && (do.BadCRC || do.CRC != nil || do.Markers != scenario.RightMarkers) {
			return true // it is judged with the rest
		}
	}
	v := &r.violations[0]
	r.reject(e, fmt.Sprintf("an FPDU of it has %s, expected %s", v.Seen, v.Expected), framingField(v.Rule))
	if f.Verdict == mpa.Bad {
		r.script.giveUp("the CRC of an FPDU was wrong")
		return false
	}
	return true
}

// excused reports whether a violation is a known deviation of the peer that the Profile is for.
func (r *receiver) excused(v rules.Violation) bool {
	_, ok := r.profile.Excuses(v.Rule)
	return ok
}

// reject marks step e as mismatched, or records something unexpected if e is nil or has a verdict.
func (r *receiver) reject(e *expected, reason, field string) {
	if e != nil && !r.script.marked(e) {
		r.script.mark(e, mismatched(reason, nil))
		r.script.stepOf(e).Framing = field
	} else {
		r.script.unexpected(reason, nil)
	}
}

// cutShort marks the step of an FPDU whose rest is missing.
func (r *receiver) cutShort() {
	octets, ok := r.partial()
	if !ok {
		return
	}
	reason := fmt.Sprintf("%d octets of an incomplete FPDU", octets)
	if e := r.script.nextSegment(); e != nil {
		r.script.mark(e, mismatched(reason, nil))
	} else {
		r.script.unexpected(reason, nil)
	}
}
