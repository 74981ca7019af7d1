package rules

// The Terminate and the segment that it is about.

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Rules about a Terminate and the segment that it is about.
var (
	RuleTerminateHdrCt = newRule("terminate-hdrct", Warning,
		"A Terminate should enclose the headers that RFC 5040, figure 10, has for its error, and no others.",
		"RDMAP-4.8-5", "RDMAP-4.8-4", "RDMAP-4.8-6", "DDP-7.1-13", "RDMAP-7.1-3", "RDMAP-7.1-4", "RDMAPX-8.1-2").in(hdrCtFields...)
	RuleTerminateRDMAHeader = newRule("terminate-rdma-header", Error,
		"A Terminate must not enclose an RDMA header unless it is about a Read Request.",
		"RDMAP-4.8-14", "RDMAP-4.8-6", "RDMAPX-8.1-2").in("iwarp_rdma.hdrct_r")
	RuleTerminateProtection = newRule("terminate-protection", Error,
		"A Remote Protection Error of RDMAP must be about a Read Request, a Send with Invalidate or an Atomic Request.",
		"RDMAP-4.8-19").in(codeFields...)
	RuleTerminateHeader = newRule("terminate-header", Error,
		"The DDP header in a Terminate must equal that of the segment that it is about.", "RDMAP-4.8-11")
	ruleTerminateSegmentLength = newRule("terminate-segment-length", Error,
		"The DDP Segment Length in a Terminate must be the length of the ULPDU that it is about.", "RDMAP-4.8-9").
		in("iwarp_rdma.term_ddp_seg_len")
	ruleTerminatePayloadLength = newRule("terminate-payload-length", Note,
		"The DDP Segment Length in a Terminate must include the header of the segment.", "RDMAP-4.8-9").in("iwarp_rdma.term_ddp_seg_len").
		lighter("RFC 5040, section 4.8, wants the length that DDP hands up, which can be read as that of the payload.")
	RuleTerminateReadHeader = newRule("terminate-read-header", Error,
		"The RDMA header in a Terminate must be that of the Read Request, less what was already sent in response.",
		"RDMAP-4.8-15", "RDMAP-4.8-16")
	ruleTerminateReadAhead = newRule("terminate-read-ahead", Note,
		"The RDMA header in a Terminate must be that of the Read Request, less no more than was already sent in response.",
		"RDMAP-4.8-16").
		lighter("RFC 5040, section 4.8, counts octets processed as well as octets sent; octets processed " +
			"but not sent do not show in a capture.")
	ruleTerminateFirst = newRule("terminate-first", Warning,
		"A Terminate must be about the first wrong segment.", "RDMAP-7.1-5").
		lighter("DDP may check segments in another order than they were sent in, and reports the first error that it " +
			"finds.")
	ruleTerminateLocalCode = newRule("terminate-local-code", Note,
		"A Terminate for a Local Catastrophic Error of RDMAP must have error code 0.", "D00-6.8-1").in(codeFields...).
		lighter("The draft has no error code for it, and a receiver ignores the field.")
	ruleTerminateCause = newRule("terminate-cause", Error,
		"A Terminate must have the code of the error in the message that it is about.",
		"RDMAP-7.1-3", "RDMAP-7.1-4", "RDMAP-4.8-18", "RDMAPX-8.1-2").in(codeFields...)
)

// A Culprit is the segment that a Terminate is about.
type Culprit struct {
	Header     []byte      // octets of the segment, its DDP header first, as captured
	ULPDU      int         // octets of its ULPDU, as stated
	Answered   uint64      // octets of Read Response already sent, if it is a Read Request
	Violations []Violation // found in it
	Known      bool        // all before it was captured: no other error that a capture can show was made
	Earlier    bool        // an earlier segment has a Violation that a Terminate answers
}

// CheckTerminate checks a Terminate and appends its violations to v. t is its header, by DecodeTerminate. c is the
// segment that it is about; if c is nil, because that is not known, CheckTerminate checks only what does not depend on
// it.
func (p *Profile) CheckTerminate(t *rdmap.Terminate, c *Culprit, v []Violation) []Violation {
	blamed := blames(t, c)
	v = p.checkHdrCt(t, c, blamed, v)
	if blamed != nil && misplacedProtection(t.Code, blamed) && !p.explains(t.Code, blamed.Control.Opcode) {
		v = RuleTerminateProtection.broken(v, t.Code.String()+" for a "+blamed.Control.Opcode.String(), "a code of DDP")
	}
	if p.Edition == Draft00 && local(t.Code) && t.Code.ErrorCode != 0 {
		v = ruleTerminateLocalCode.broken(v, t.Code.String(), "0/0/00")
	}
	if c == nil {
		return v
	}
	v = checkEnclosed(t, c, v)
	v = p.checkCause(t, c, blamed, v)
	if c.Earlier {
		v = ruleTerminateFirst.broken(v, "a later segment", "the first wrong one")
	}
	return v
}

// blames returns the header of the segment that a Terminate is about: the captured one, else the enclosed one; nil if
// there is neither.
func blames(t *rdmap.Terminate, c *Culprit) *rdmap.Header {
	if c != nil {
		var h rdmap.Header
		if _, err := h.Decode(c.Header); err == nil {
			return &h
		}
	}
	if t.HasHeader {
		return &t.Header
	}
	return nil
}

// protection reports whether a code is a Remote Protection Error of RDMAP.
func protection(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPRemoteProtection
}

// protected reports whether RDMAP rather than DDP protects the STag that an opcode names (RFC 5040, figure 10, and by
// analogy Atomics).
func protected(op rdmap.Opcode) bool { return op.IsRequest() || op.HasInvalidateSTag() }

// misplacedProtection reports whether a code is a protection error of RDMAP, for a message that DDP protects.
func misplacedProtection(c rdmap.Code, blamed *rdmap.Header) bool {
	return protection(c) && !protected(blamed.Control.Opcode)
}

// checkHdrCt checks which headers a Terminate encloses.
func (p *Profile) checkHdrCt(t *rdmap.Terminate, c *Culprit, blamed *rdmap.Header, v []Violation) []Violation {
	read := blamed != nil && blamed.Control.Opcode == rdmap.OpReadRequest
	switch {
	case !p.known(t.Code), local(t.Code) && t.HasHeader, t.R && !t.HasReadRequest:
		return v // already reported of the Terminate itself
	case t.R && blamed != nil && !read:
		return RuleTerminateRDMAHeader.broken(v, "R 1 for a "+blamed.Control.Opcode.String(), "R 0")
	}
	want, tolerated := headersOf(t.Code, read)
	if d := p.added(t.Code); d != nil {
		want = d.HdrCt
	}
	seen := HdrCtOf(t)
	if seen == want || slices.Contains(tolerated, seen) || c != nil && p.hdrCtOf(c, t.Code, seen) {
		return v
	}
	if blamed == nil && want == MDR && seen == MD {
		return v
	}
	return RuleTerminateHdrCt.broken(v, "M D R "+seen.String()+" with "+t.Code.String(), "M D R "+want.String())
}

// headersOf returns which headers a Terminate with a code encloses, and which others are tolerated because the
// documents contradict each other (RFC 5040, figure 10, against its sections 4.8 and 7.1).
func headersOf(c rdmap.Code, read bool) (want HdrCt, tolerated []HdrCt) {
	switch {
	case protection(c) && read:
		return MDR, nil
	case protection(c):
		return MD, nil
	case c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPRemoteOperation:
		if c.ErrorCode == catastrophic || c.ErrorCode == globalCatastrophic || c.ErrorCode == unspecified {
			return MD, []HdrCt{Bare, MDR} // no message need be the cause
		}
		return MD, []HdrCt{MDR}
	case c.Layer == rdmap.LayerDDP && c.EType == rdmap.DDPLocalCatastrophic:
		return Bare, []HdrCt{0b100, MD}
	case c.Layer == rdmap.LayerDDP:
		return MD, []HdrCt{MDR}
	}
	return Bare, nil
}

// Error codes of RDMAP Remote Operation Errors that are not about one message.
const (
	catastrophic       = 0x07
	globalCatastrophic = 0x08
	unspecified        = 0xff
)

// hdrCtOf reports whether a situation found in the culprit has this code and these headers.
func (p *Profile) hdrCtOf(c *Culprit, code rdmap.Code, seen HdrCt) bool {
	for i := range c.Violations {
		s := c.Violations[i].Situation
		if Situations[s].HdrCt == seen && p.Grade(s, code) >= Accepted {
			return true
		}
	}
	return false
}

// checkEnclosed compares what a Terminate encloses with the segment that it is about.
func checkEnclosed(t *rdmap.Terminate, c *Culprit, v []Violation) []Violation {
	if t.HasHeader {
		v = checkHeader(t, c, v)
	}
	if t.M && t.HasSegmentLength && int(t.SegmentLength) != c.ULPDU {
		seen, want := octets(int(t.SegmentLength)), octets(c.ULPDU)
		var s rdmap.Segment
		s.Decode(c.Header)
		if n := int(t.SegmentLength); n == s.PayloadLen(c.ULPDU) || n == c.ULPDU-s.Header.Len() {
			v = ruleTerminatePayloadLength.broken(v, seen, want)
		} else {
			v = ruleTerminateSegmentLength.broken(v, seen, want)
		}
	}
	if t.HasReadRequest {
		v = checkReadHeader(t, c, v)
	}
	return v
}

// checkHeader compares the DDP header.
func checkHeader(t *rdmap.Terminate, c *Culprit, v []Violation) []Violation {
	b, err := t.Header.AppendBinary(make([]byte, 0, ddp.UntaggedLen))
	n := min(len(b), len(c.Header))
	if err != nil || bytes.Equal(b[:n], c.Header[:n]) {
		return v
	}
	return RuleTerminateHeader.broken(v, fmt.Sprintf("%x", b), fmt.Sprintf("%x", c.Header[:n]))
}

// checkReadHeader compares the RDMA header.
func checkReadHeader(t *rdmap.Terminate, c *Culprit, v []Violation) []Violation {
	var s rdmap.Segment
	var h rdmap.ReadRequest
	if _, err := s.Decode(c.Header); err != nil || s.Control.Opcode != rdmap.OpReadRequest || s.T {
		return v
	}
	if _, err := h.Decode(s.Body); err != nil || c.Answered > uint64(h.RDMARDSZ) {
		return v
	}
	want := h.Advanced(uint32(c.Answered))
	rule := RuleTerminateReadHeader
	if n := want.RDMARDSZ - t.ReadRequest.RDMARDSZ; n <= want.RDMARDSZ && t.ReadRequest == want.Advanced(n) {
		if n == 0 {
			return v
		}
		rule = ruleTerminateReadAhead
	}
	return rule.broken(v, readText(&t.ReadRequest), readText(&want))
}

func readText(h *rdmap.ReadRequest) string {
	return fmt.Sprintf("%d octets from %s to %s", h.RDMARDSZ, place(h.SrcSTag, h.SrcTO), place(h.SinkSTag, h.SinkTO))
}

// checkCause compares the code of a Terminate with the errors found in the segment that it is about, and with those
// that a capture does not show.
func (p *Profile) checkCause(t *rdmap.Terminate, c *Culprit, blamed *rdmap.Header, v []Violation) []Violation {
	if blamed != nil && misplacedProtection(t.Code, blamed) {
		return v // already reported if wrong
	}
	op := t.Header.Control.Opcode
	swapped := rdmap.Code{Layer: rdmap.Layer(t.Code.EType), EType: uint8(t.Code.Layer), ErrorCode: t.Code.ErrorCode}
	due, judged := p.due(t.Code, c)
	switch {
	case !judged:
		return v
	case due != nil && p.Grade(due.Situation, swapped) >= Accepted:
		return RuleTerminateSwapped.broken(v, t.Code.String(), swapped.String())
	case due != nil && t.HasHeader && hidden(t.Code, op) && p.explains(t.Code, op):
		return v
	case due != nil && !t.HasHeader && mayBeHidden(t.Code):
		return v
	case due == nil && (!t.HasHeader || !c.Known || c.Earlier || p.explains(t.Code, op)):
		return v
	case due == nil && p.explains(swapped, op):
		return RuleTerminateSwapped.broken(v, t.Code.String(), swapped.String())
	case !p.known(t.Code):
		return v // already reported of the Terminate itself
	}
	want := "a code that fits: no such error is in this " + op.String() + ", nor one that a capture cannot show"
	if due != nil {
		code, ok := p.Exact(due.Situation)
		if !ok {
			return v
		}
		want = code.String() + ", for " + due.Situation.Text()
	}
	return ruleTerminateCause.broken(v, t.Code.String()+" ("+t.Code.Describe()+")", want)
}

// due returns the first error in the culprit that the code does not fit, nil if none was found. judged is false if the
// code fits one of them, or if the fitting code is unknown.
func (p *Profile) due(code rdmap.Code, c *Culprit) (due *Violation, judged bool) {
	for i := range c.Violations {
		found := &c.Violations[i]
		switch p.Grade(found.Situation, code) {
		case Exact, Accepted:
			return nil, false
		case Wrong:
			if due == nil {
				due = found
			}
		}
	}
	return due, due != nil || len(c.Violations) == 0
}

// mayBeHidden reports whether the capture may not show the cause of a Terminate.
func mayBeHidden(c rdmap.Code) bool {
	for o := range rdmap.OpExperimental {
		if hidden(c, o) {
			return true
		}
	}
	return false
}

// Error codes of DDP.
const (
	ddpTaggedVersion = 0x04
	noBuffer         = 0x02
	tooLong          = 0x05
)
