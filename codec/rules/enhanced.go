package rules

// Enhanced connection set-up: Read queue depths and the Ready to Receive indication (RFC 6581).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Rules about enhanced connection set-up.
var (
	ruleEnhancedRev = newRule("enhanced-rev", Error,
		"S must not be set in MPA frames below revision 2.", "EMPA-6-4", "EMPA-6-1").in("iwarp_mpa.enhanced_flag", "iwarp_mpa.rev")
	RuleEnhancedShort = newRule("enhanced-short", Error,
		"With S, the Private Data must begin with the Enhanced word of 4 octets, which PD_Length counts.",
		"EMPA-6-8", "EMPA-6-1", "EMPA-6-7").in("iwarp_mpa.pdlength").situation(MPAFrame)
	ruleEnhancedUnused = newRule("enhanced-unused", Warning,
		"An enhanced Request must ask for something: a peer-to-peer connection, or depths for Reads.", "EMPA-10-3").
		in("iwarp_mpa.enhanced_flag").
		lighter("It depends on the Initiator's needs, which a capture does not show.")
	ruleEnhancedReply = newRule("enhanced-reply", Error,
		"The Reply must be enhanced if and only if the Request is.",
		"EMPA-10-1", "EMPA-10-2", "EMPA-6-9").in("iwarp_mpa.enhanced_flag").situation(MPAFrame)
	ruleRTRNone = newRule("rtr-none", Error,
		"With A, at least one of B, C and D must be set.", "EMPA-9.2-2", "EMPA-9.2-6", "EMPA-9.2-8").situation(MPARTR)
	ruleRTRUnasked = newRule("rtr-unasked", Error,
		"Without A, none of B, C and D may be set.", "EMPA-9.2-13").in(kindFields...)
	ruleReplyAMissing = newRule("reply-a-missing", Error,
		"A must be set in the Reply if it is in the Request.", "EMPA-9.2-4").in("iwarp_mpa.enhanced.a").situation(MPARTR)
	ruleReplyAUnasked = newRule("reply-a-unasked", Error,
		"A must be clear in the Reply if it is in the Request.", "EMPA-9.2-12").in("iwarp_mpa.enhanced.a")
	ruleORDOverIRD = newRule("ord-over-ird", Error,
		"The ORD of an accepting Reply must be at most the IRD of the Request.",
		"EMPA-9.1-4", "EMPA-9.1-2", "EMPA-9.1-14").situation(MPAIRD)
	RuleIRDUnderORD = newRule("ird-under-ord", Warning,
		"The IRD of an accepting Reply should be at least the ORD of the Request.", "EMPA-9.1-15").in("iwarp_mpa.enhanced.ird")
	RuleIRDEcho = newRule("ird-echo", Error,
		"The IRD of the Reply must be 3FFF if the ORD of the Request is.", "EMPA-9.1-10").in("iwarp_mpa.enhanced.ird")
	RuleORDEcho = newRule("ord-echo", Error,
		"The ORD of the Reply must be 3FFF if the IRD of the Request is.", "EMPA-9.1-12").in("iwarp_mpa.enhanced.ord")
	RuleRTRKind = newRule("rtr-kind", Error,
		"The first FPDU of the Initiator must be a Ready to Receive of a kind that both sides offered.",
		"EMPA-9.2-9", "EMPA-5-1", "EMPA-9.3-2").in("iwarp_rdma.opcode")
	RuleRTRLength = newRule("rtr-length", Error,
		"A Ready to Receive must not carry or request octets.", "EMPA-9.2-15").in("iwarp_mpa.ulpdulength")
	ruleRTRUnmatched = newRule("rtr-unmatched", Error,
		"An Initiator that finds no kind of Ready to Receive in common with the Reply must send Terminate 2/0/07.",
		"EMPA-9.2-10", "EMPA-8-1").in(codeFields...)
	ruleIRDUnmatched = newRule("ird-unmatched", Warning,
		"An Initiator that cannot accept as many Reads as the Reply asks for must send Terminate 2/0/06.", "EMPA-9.1-8", "EMPA-8-1").
		in(codeFields...).
		lighter("The Terminate may have another reason, which a capture does not show.")
	ruleMPATerminate = newRule("mpa-terminate", Warning,
		"An Initiator must not send Terminate 2/0/06 unless the Reply asks for too many Reads, nor 2/0/07 unless no kind of RTR fits.",
		"EMPA-8-1", "EMPA-9.1-8", "EMPA-9.2-10").in(codeFields...).
		lighter("Only the Initiator knows which resources it has left when the Reply arrives.")
)

// checkEnhanced checks the enhanced part of a frame alone. Below revision 2 S is a reserved bit without meaning.
func checkEnhanced(f *mpa.Frame, v []Violation) []Violation {
	var e mpa.Enhanced
	switch {
	case !f.S:
		return v
	case f.Rev < mpa.Rev2:
		return ruleEnhancedRev.broken(v, "S 1 with "+rev(f.Rev), "Rev 2, or S 0")
	case f.PDLength < mpa.EnhancedLen:
		return RuleEnhancedShort.broken(v, octets(int(f.PDLength)), "at least 4 octets")
	case !f.Enhanced(&e):
		return v // it was not captured
	}
	switch some := e.B || e.C || e.D; {
	case e.A && !some:
		v = ruleRTRNone.broken(v, kindsText(&e), "B, C or D")
	case !e.A && some:
		v = ruleRTRUnasked.broken(v, kindsText(&e), "A 0 B 0 C 0 D 0")
	}
	if !f.Reply && !e.A && e.IRD == mpa.NotNegotiated && e.ORD == mpa.NotNegotiated {
		v = ruleEnhancedUnused.broken(v, "A 0, IRD and ORD 0x3fff", "S 0")
	}
	return v
}

// compareEnhanced compares the enhanced parts of Reply and Request.
func (s *Startup) compareEnhanced(v []Violation) []Violation {
	if want := s.request.S && s.request.Rev >= mpa.Rev2; s.reply.S != want {
		return ruleEnhancedReply.broken(v, "S "+flag(s.reply.S), "S "+flag(want))
	}
	if !s.enhanced {
		return v
	}
	return s.compareWords(v)
}

// compareWords compares the Enhanced words of Reply and Request.
func (s *Startup) compareWords(v []Violation) []Violation {
	switch {
	case s.asked.A && !s.offered.A:
		v = ruleReplyAMissing.broken(v, "A 0", "A 1")
	case !s.asked.A && s.offered.A:
		v = ruleReplyAUnasked.broken(v, "A 1", "A 0")
	}
	if s.reply.R {
		return v // it may state what the Responder would have needed
	}
	return s.compareDepths(v)
}

// compareDepths compares the Read queue depths of an accepting Reply with those of the Request.
func (s *Startup) compareDepths(v []Violation) []Violation {
	asked, offered := &s.asked, &s.offered
	switch {
	case asked.ORD == mpa.NotNegotiated && offered.IRD != mpa.NotNegotiated:
		v = RuleIRDEcho.broken(v, depth("IRD", offered.IRD), depth("IRD", mpa.NotNegotiated))
	case offered.IRD < asked.ORD && asked.ORD != mpa.NotNegotiated:
		v = RuleIRDUnderORD.broken(v, depth("IRD", offered.IRD), "at least "+depth("ORD", asked.ORD))
	}
	switch {
	case asked.IRD == mpa.NotNegotiated && offered.ORD != mpa.NotNegotiated:
		v = RuleORDEcho.broken(v, depth("ORD", offered.ORD), depth("ORD", mpa.NotNegotiated))
	case s.tooDeep():
		v = ruleORDOverIRD.broken(v, depth("ORD", offered.ORD), "at most "+depth("IRD", asked.IRD))
	}
	return v
}

// tooDeep reports whether the Reply asks for more Read Requests than the Request offered. A depth that is not
// negotiated asks for nothing.
func (s *Startup) tooDeep() bool {
	return s.offered.ORD != mpa.NotNegotiated && s.asked.IRD != mpa.NotNegotiated && s.offered.ORD > s.asked.IRD
}

// firstOfInitiator checks the first FPDU of the Initiator.
func (s *Startup) firstOfInitiator(g *rdmap.Segment, ulpduLen int, v []Violation) []Violation {
	if !s.enhanced {
		return v
	}
	peers := s.asked.A && s.offered.A
	both := mpa.Enhanced{
		B: peers && s.asked.B && s.offered.B,
		C: peers && s.asked.C && s.offered.C,
		D: peers && s.asked.D && s.offered.D,
	}
	common := both.B || both.C || both.D
	op := g.Control.Opcode
	switch {
	case op == rdmap.OpTerminate:
		return s.firstIsTerminate(g, peers && !common, v)
	case !peers:
		return v
	case !common:
		return ruleRTRUnmatched.broken(v, "a "+op.String(), "Terminate 2/0/07")
	case op == rdmap.OpSend && both.B, op == rdmap.OpWrite && both.C, op == rdmap.OpReadRequest && both.D:
		if n := readyLen(g, ulpduLen); n != 0 {
			v = RuleRTRLength.broken(v, fmt.Sprintf("a %v of %d octets", op, n), "0 octets")
		}
		return v
	}
	return RuleRTRKind.broken(v, "a "+op.String(), readyText(&both))
}

// firstIsTerminate checks a Terminate that is the first FPDU of the Initiator. If it also makes sense in the bit order
// of [rdmap.Terminate.DecodeSwapped], it is read as the RFC says, unless it can then be about nothing.
func (s *Startup) firstIsTerminate(g *rdmap.Segment, unmatched bool, v []Violation) []Violation {
	var t rdmap.Terminate
	reading := s.profile().DecodeTerminate(&t, g.Body)
	if reading == rdmap.ReadingAmbiguous && s.begun[responder] || len(g.Body) < rdmap.TerminateLen {
		return v
	}
	switch {
	case t.Code == insufficientIRD && !s.tooDeep():
		want := fmt.Sprintf("an FPDU: ORD is %d and IRD %d", s.offered.ORD, s.asked.IRD)
		return ruleMPATerminate.broken(v, t.Code.String(), want)
	case t.Code == noMatchingRTR && !unmatched:
		return ruleMPATerminate.broken(v, t.Code.String(), "an FPDU: both sides support a common Ready to Receive")
	case unmatched && t.Code != noMatchingRTR && t.Code.Layer != rdmap.LayerLLP:
		return ruleRTRUnmatched.broken(v, t.Code.String(), noMatchingRTR.String())
	case !unmatched && s.tooDeep() && t.Code.Layer != rdmap.LayerLLP:
		return ruleIRDUnmatched.broken(v, t.Code.String(), insufficientIRD.String())
	}
	return v
}

// The Terminates of RFC 6581, section 8, whose cause is in the Reply.
var (
	insufficientIRD = rdmap.CodeOf(0x2006)
	noMatchingRTR   = rdmap.CodeOf(0x2007)
)

// readyLen returns how many octets a segment carries or requests.
func readyLen(g *rdmap.Segment, ulpduLen int) int64 {
	if g.Control.Opcode != rdmap.OpReadRequest {
		return int64(g.PayloadLen(ulpduLen))
	}
	var h rdmap.ReadRequest
	if _, err := h.Decode(g.Body); err != nil {
		return 0
	}
	return int64(h.RDMARDSZ)
}

func depth(name string, n uint16) string {
	if n == mpa.NotNegotiated {
		return name + " 0x3fff"
	}
	return fmt.Sprintf("%s %d", name, n)
}

func kindsText(e *mpa.Enhanced) string {
	return fmt.Sprintf("A %s B %s C %s D %s", flag(e.A), flag(e.B), flag(e.C), flag(e.D))
}

// readyText names the agreed kinds of Ready to Receive.
func readyText(e *mpa.Enhanced) string {
	text := ""
	for _, kind := range []struct {
		set  bool
		name string
	}{{e.B, "Send"}, {e.C, "Write"}, {e.D, "ReadRequest"}} {
		if !kind.set {
			continue
		}
		if text != "" {
			text += " or "
		}
		text += kind.name
	}
	return "an empty " + text
}
