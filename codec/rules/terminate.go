package rules

// The Terminate alone: its form and registered values. Profile.CheckTerminate checks whether it fits the error.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Rules about a Terminate alone.
var (
	ruleTerminateQueue = newRule("terminate-queue", Error,
		"A Terminate must be untagged, with QN 2.", "RDMAP-5.4-2", "RDMAP-5.4-1", "RDMAP-4.1-6").in("iwarp_ddp.qn").situation(TerminateBad)
	ruleTerminateMSN = newRule("terminate-msn", Error,
		"A Terminate must have MSN 1 and MO 0.", "RDMAP-5.4-3").in("iwarp_ddp.msn", "iwarp_ddp.mo").situation(TerminateBad)
	ruleTerminateL = newRule("terminate-l", Warning, // see ruleLMissing
		"A Terminate should be one segment, with L set.", "MPA-4.5-4", "RDMAP-3.1-3", "DDP-4.1-3").
		in("iwarp_ddp.last_flag").situation(TerminateBad)
	ruleTerminateShort = newRule("terminate-short", Error,
		"A Terminate must have at least 4 octets after its DDP header.", "RDMAP-4.8-1", "RDMAP-4.2-1").
		in("iwarp_mpa.ulpdulength").situation(TerminateBad)
	RuleTerminateAgain = newRule("terminate-again", Error,
		"No more than one Terminate may be sent in each direction.", "RDMAP-5.4-8", "RDMAP-5.4-3").successive().situation(TerminateBad)
	ruleAfterTerminate = newRule("after-terminate", Error,
		"Nothing may be sent after a Terminate.", "RDMAP-5.4-8", "DDP-3-9").successive()

	RuleTerminateSwapped = newRule("terminate-swapped", Error,
		"The first octets of a Terminate must be Layer, EType, Error Code and HdrCt in the bit order of RFC 5040, figure 8.",
		"RDMAP-4.8-2", "RDMAP-4.8-3", "RDMAP-4.8-7").in(controlFields...)
	RuleTerminateCode = newRule("terminate-code", Error,
		"Layer, EType and Error Code of a Terminate must be registered.",
		"RDMAP-4.8-3", "IANA-3.1-1", "IANA-3.2-1", "IANA-3.3-1", "DDP-7.2-1", "RDMAP-4.8-18").in(codeFields...)
	ruleTerminateCut = newRule("terminate-cut", Error,
		"A Terminate must hold what its HdrCt bits announce: the DDP Segment Length, the DDP header, the RDMA header.",
		"RDMAP-4.8-11", "RDMAP-4.8-10", "RDMAP-4.8-13").in(hdrCtFields...)
	RuleTerminateNoRead = newRule("terminate-no-read", Error,
		"If R is set in a Terminate, the RDMA header must be there.", "RDMAP-4.8-13").in("iwarp_rdma.hdrct_r")
	ruleTerminateTrailing = newRule("terminate-trailing", Error,
		"A Terminate must end after what its HdrCt bits announce.", "RDMAP-4.2-2").in("iwarp_rdma.trailing")
	ruleTerminateZeros = newRule("terminate-zeros", Note,
		"A Terminate must omit headers that its HdrCt bits do not announce, and not send zeros.",
		"RDMAP-4.2-2").in("iwarp_rdma.trailing").
		lighter("RFC 5040, section 7.1, says that such headers \"are set to zero\", which can be read as sending them.")
	ruleTerminateLocal = newRule("terminate-local-header", Error,
		"A Terminate for a Local Catastrophic Error of RDMAP must enclose no DDP header.", "RDMAP-4.8-12").in(controlFields...)
	ruleTerminateReserved = newRule("terminate-reserved", Error,
		"The last octet of Terminate Control and Reserved must be zero.", "RDMAP-4.8-7", "D00-6.8-2").in("iwarp_rdma.term_rsvd")
	ruleTerminateReservedBits = newRule("terminate-reserved-bits", Error,
		"The five bits after the HdrCt bits of a Terminate must be zero.", "RDMAP-4.8-7").in("iwarp_rdma.term_rsvd")
)

func (r *Receiver) terminate(s *rdmap.Segment, payload int, v []Violation) []Violation {
	r.terminated = true
	r.open, r.cut = 0, 0
	u := &s.Untagged
	if u.MSN != 1 || u.MO != 0 {
		v = ruleTerminateMSN.broken(v, msn(u.MSN)+" "+mo(u.MO), "MSN 1 MO 0")
	}
	if payload < rdmap.TerminateLen {
		return ruleTerminateShort.broken(v, octets(payload)+" after the DDP header", "at least 4")
	}
	if !u.L {
		return ruleTerminateL.broken(v, "L 0", "L 1")
	}
	if len(s.Body) < payload || u.MO != 0 {
		return v // it is incomplete
	}
	return r.profile.checkFormat(s.Body, v)
}

// checkFormat checks a whole Terminate header.
func (p *Profile) checkFormat(b []byte, v []Violation) []Violation {
	var t rdmap.Terminate
	if p.DecodeTerminate(&t, b) == rdmap.ReadingSwapped {
		v = RuleTerminateSwapped.broken(v, fmt.Sprintf("0x%x", b[:rdmap.TerminateLen]), controlText(&t))
	}
	switch form := t.Form(); form {
	case rdmap.HeaderCut:
		v = ruleTerminateCut.broken(v, octets(len(b)), "all of M D R "+HdrCtOf(&t).String())
	case rdmap.NoReadRequest:
		v = RuleTerminateNoRead.broken(v, "R 1 and no RDMA header", "an RDMA header")
	case rdmap.ZeroFilled:
		v = ruleTerminateZeros.broken(v, octets(len(t.Rest))+" of zero after M D R "+HdrCtOf(&t).String(), "none")
	case rdmap.TrailingOctets:
		v = ruleTerminateTrailing.broken(v, octets(len(t.Rest))+" after M D R "+HdrCtOf(&t).String(), "none")
	}
	if !p.known(t.Code) {
		v = RuleTerminateCode.broken(v, t.Code.String(), "a registered code")
	}
	if t.HasHeader && local(t.Code) {
		v = ruleTerminateLocal.broken(v, octets(t.Header.Len())+" of DDP header", "none")
	}
	switch {
	case t.Reserved&0xff != 0:
		v = ruleTerminateReserved.broken(v, fmt.Sprintf("0x%04x", t.Reserved), "0")
	case t.Reserved != 0:
		v = ruleTerminateReservedBits.broken(v, fmt.Sprintf("0x%04x", t.Reserved), "0")
	}
	return v
}

// checkAfterTerminate checks a segment after a Terminate. It reports the first such segment, and every Terminate.
func (r *Receiver) checkAfterTerminate(s *rdmap.Segment, v []Violation) []Violation {
	if s.Control.Opcode == rdmap.OpTerminate {
		return RuleTerminateAgain.broken(v, "another Terminate", "nothing")
	}
	if r.afterTerminate {
		return v
	}
	r.afterTerminate = true
	return ruleAfterTerminate.broken(v, "a "+s.Control.Opcode.String(), "nothing")
}

// controlText writes the first octets of a Terminate as the RFC wants them.
func controlText(t *rdmap.Terminate) string {
	b, err := t.AppendBinary(nil)
	if err != nil {
		return t.Code.String()
	}
	return fmt.Sprintf("0x%x", b[:rdmap.TerminateLen])
}
