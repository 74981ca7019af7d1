package rules

// How a connection begins: Request and Reply, and when FPDUs may follow (RFC 5044, section 7.1 and appendix C).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Rules about how a connection begins.
var (
	RuleMPAReserved = newRule("mpa-reserved", Error,
		"The reserved bits of an MPA frame must be zero.", "MPA-7.1.1-11", "EMPA-6-2").in("iwarp_mpa.res")
	ruleRequestR = newRule("request-r", Error,
		"R must be clear in an MPA Request.", "MPA-7.1.1-13").in("iwarp_mpa.rej_flag")
	RuleMPARev = newRule("mpa-rev", Warning,
		"The revision of an MPA frame must be 1 or 2, or 0 for an RNIC of the RDMA Consortium.", "MPA-7.1.1-15").in("iwarp_mpa.rev").
		lighter("RFC 6581, section 6, allows any revision from 2 on, although no document defines one above 2.")
	RuleRDMACRev = newRule("rdmac-rev", Note,
		"The revision of an MPA frame must be at least 1.", "MPA-7.1.1-15", "MPA-C.1-1").in("iwarp_mpa.rev").
		lighter("Revision 0 is that of the RDMA Consortium, which an RNIC may support (RFC 5044, appendix C); the " +
			"profile rdmac checks against its documents.")
	RulePrivateData = newRule("private-data", Error,
		"The Private Data of an MPA frame must be at most 512 octets long.",
		"MPA-7.1.1-20", "EMPA-9-2", "MPA-7.1.1-18").in("iwarp_mpa.pdlength").situation(MPAFrame)
	ruleRDMACOptions = newRule("rdmac-options", Warning,
		"An MPA frame of revision 0 must have M and C set.", "MPA-C.2.4-1", "MPA-C.2.1-1", "MPA-C.1-2").
		in("iwarp_mpa.marker_flag", "iwarp_mpa.crc_flag")
	ruleRDMACMixed = newRule("rdmac-mixed", Warning,
		"A connection must be closed if its Request has revision 0 and its Reply another.", "MPA-C.2.1-1", "MPA-7.1.1-16").in("iwarp_mpa.rev")
	ruleReplyRev = newRule("reply-rev", Warning,
		"An accepting Reply must not have a higher revision than the Request.", "MPA-7.1.1-16", "MPA-7.1.1-15").in("iwarp_mpa.rev").
		lighter("RFC 6581, section 6, allows revision 2 in any frame, and only the Initiator knows whether it can continue with it.")
	ruleMPAOrder = newRule("mpa-order", Error,
		"One MPA Request must come first, and one Reply answer it.", "MPA-7.1.2-2", "MPA-7.1.2-1").situation(MPAFrame)
	ruleCRCOff = newRule("crc-off", Note,
		"CRCs must be on unless the whole path has equivalent protection.", "MPA-1.2-2", "MPA-4.4-3", "DDP-3-6").in("iwarp_mpa.crc_flag").
		lighter("Only the operators know whether the path has equivalent protection.")
	RuleFPDUBeforeReply = newRule("fpdu-before-reply", Error,
		"No FPDU may be sent before the Reply has arrived.", "MPA-7.1.2-8", "MPA-7.1-1", "MPA-7.1.2-1").situation(MPAFrame)
	RuleResponderFirst = newRule("responder-first", Error,
		"The Responder must send no FPDU before it has received one.", "MPA-7.1.2-12")
)

// A Startup checks how a connection begins: its MPA Request and Reply, alone and against each other, and the first FPDU
// of either side (RFC 5044, section 7.1 and appendix C, and RFC 6581). Without a Request it reports nothing about
// FPDUs. The zero value is ready for use.
type Startup struct {
	Profile *Profile // nil for "rfc"

	request, reply mpa.Frame    // without their Private Data
	asked, offered mpa.Enhanced // the words of both, if enhanced
	requested      bool         // request is set
	replied        bool         // reply is set, for this request
	enhanced       bool
	begun          [2]bool // the Initiator has sent an FPDU, and the Responder
}

// The sides of a connection.
const (
	initiator = iota
	responder
)

// Frame checks the next MPA Request or Reply of the connection and appends its violations to v.
func (s *Startup) Frame(f *mpa.Frame, v []Violation) []Violation {
	v = s.checkFrame(f, v)
	if f.Reply {
		return s.takeReply(f, v)
	}
	return s.takeRequest(f, v)
}

func (s *Startup) checkFrame(f *mpa.Frame, v []Violation) []Violation {
	if f.PDLength > mpa.MaxPrivateData {
		v = RulePrivateData.broken(v, octets(int(f.PDLength)), "at most 512 octets")
	}
	if f.Res != 0 {
		v = RuleMPAReserved.broken(v, fmt.Sprintf("Res 0x%x", f.Res), "Res 0")
	}
	if f.R && !f.Reply {
		v = ruleRequestR.broken(v, "R 1", "R 0")
	}
	switch {
	case s.profile().Edition == RDMAC && f.Rev != mpa.RevRDMAC:
		v = RuleMPARev.broken(v, rev(f.Rev), "Rev 0")
	case f.Rev > mpa.Rev2:
		v = RuleMPARev.broken(v, rev(f.Rev), "Rev 1 or 2")
	case f.Rev == mpa.RevRDMAC && s.profile().Edition == IETF:
		v = RuleRDMACRev.broken(v, rev(f.Rev), "Rev 1 or 2")
	}
	if f.Rev == mpa.RevRDMAC && !(f.M && f.C) {
		v = ruleRDMACOptions.broken(v, fmt.Sprintf("M %s C %s with Rev 0", flag(f.M), flag(f.C)), "M 1 C 1")
	}
	return checkEnhanced(f, v)
}

func (s *Startup) profile() *Profile {
	if s.Profile == nil {
		return &RFC
	}
	return s.Profile
}

// takeRequest begins a connection. After a rejection the sides may try again.
func (s *Startup) takeRequest(f *mpa.Frame, v []Violation) []Violation {
	late := s.replied && !s.requested && !s.reply.R
	switch {
	case late:
		v = ruleMPAOrder.broken(v, "a Request after the Reply", "the Request before it")
	case s.requested && !(s.replied && s.reply.R):
		v = ruleMPAOrder.broken(v, "another Request", "one Request")
	}
	begun := s.begun // already, if the capture has FPDUs before the first Request
	if s.requested {
		begun = [2]bool{}
	}
	*s = Startup{Profile: s.Profile, request: *f, requested: true, reply: s.reply, replied: late, begun: begun}
	s.enhanced = f.Enhanced(&s.asked) && !late
	s.request.PrivateData = nil
	return v
}

// takeReply compares a Reply with its Request, if seen.
func (s *Startup) takeReply(f *mpa.Frame, v []Violation) []Violation {
	if s.replied {
		v = ruleMPAOrder.broken(v, "another Reply", "one Reply")
	}
	s.reply, s.replied = *f, true
	s.reply.PrivateData = nil
	s.enhanced = f.Enhanced(&s.offered) && s.enhanced
	if !s.requested {
		return v
	}
	if request := &s.request; !f.R && request.Rev != mpa.RevRDMAC && f.Rev != mpa.RevRDMAC {
		if f.Rev > request.Rev {
			v = ruleReplyRev.broken(v, rev(f.Rev), "at most "+rev(request.Rev))
		}
		if !f.C && !request.C {
			v = ruleCRCOff.broken(v, "CRCs are off: neither side requested them", "C 1 in either")
		}
	}
	return s.compareEnhanced(v)
}

// Begun reports whether a side has sent an FPDU: there is nothing more to check of what it sends.
func (s *Startup) Begun(fromInitiator bool) bool { return s.begun[sideOf(fromInitiator)] }

// Segment checks whether a segment may be sent at this point, and appends the violations to v.
func (s *Startup) Segment(fromInitiator bool, g *rdmap.Segment, ulpduLen int, v []Violation) []Violation {
	side := sideOf(fromInitiator)
	if s.begun[side] {
		return v
	}
	v = s.first(side, g, ulpduLen, v)
	s.begun[side] = true
	return v
}

// Early records that the next segment was sent before the Reply arrived, and appends the violation to v. It is for
// callers who can read FPDUs only after the Reply.
func (s *Startup) Early(fromInitiator bool, g *rdmap.Segment, v []Violation) []Violation {
	if s.begun[sideOf(fromInitiator)] || !s.requested {
		return v
	}
	return RuleFPDUBeforeReply.broken(v, "a "+g.Control.Opcode.String(), "the Reply")
}

// Unasked records that the Responder sent the next segment before it received an FPDU of the Initiator, whatever the
// order of the calls, and appends the violation to v.
func (s *Startup) Unasked(g *rdmap.Segment, v []Violation) []Violation {
	if s.begun[responder] || !s.begun[initiator] || !s.requested || !s.replied || s.reply.R {
		return v // it was not the first, or Segment will report it
	}
	return tooSoon(g, v)
}

func tooSoon(g *rdmap.Segment, v []Violation) []Violation {
	return RuleResponderFirst.broken(v, "a "+g.Control.Opcode.String()+" before the Initiator's first FPDU", "the Initiator to send first")
}

// Gap records that octets of a direction are missing after its MPA frame, perhaps its first FPDU.
func (s *Startup) Gap(fromInitiator bool) { s.begun[sideOf(fromInitiator)] = true }

func sideOf(fromInitiator bool) int {
	if fromInitiator {
		return initiator
	}
	return responder
}

// first checks the first FPDU of a side.
func (s *Startup) first(side int, g *rdmap.Segment, ulpduLen int, v []Violation) []Violation {
	seen := "a " + g.Control.Opcode.String()
	switch {
	case !s.requested, !s.replied && s.begun[responder]: // the capture lacks the frame
		return v
	case !s.replied:
		return s.Early(side == initiator, g, v)
	case s.reply.R:
		return v // what follows belongs to the upper layers (RFC 5044, section 7.1.2)
	}
	if s.request.Rev == mpa.RevRDMAC && s.reply.Rev != mpa.RevRDMAC && s.begun == [2]bool{} {
		v = ruleRDMACMixed.broken(v, seen+" after Rev 0 and "+rev(s.reply.Rev), "a close")
	}
	if side == responder {
		if !s.begun[initiator] {
			v = tooSoon(g, v)
		}
		return v
	}
	return s.firstOfInitiator(g, ulpduLen, v)
}

func rev(n uint8) string { return fmt.Sprintf("Rev %d", n) }
