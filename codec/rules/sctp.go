package rules

// DDP over SCTP: how a DDP Stream Session begins, continues and ends (RFC 5043, and RFC 6581, section 7).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/sctp"
)

var (
	ruleSessionOrder = newRule("session-order", Error,
		"In the order of DDP-SSNs, the active side of a session must first send one Initiate, and the passive side one answer to it; DDP segments follow, and nothing may follow a Terminate.", "SCTP-6.1-2", "EMPA-7-9")
	ruleSessionFunction = newRule("session-function", Warning,
		"The function code of a session control message should be registered.", "IANA-3.5-1", "EMPA-7-10").in("iwarp_sctp.function_code")
	ruleSessionData = newRule("session-private-data", Error,
		"The Private Data of a session control message must be at most 512 octets long.", "SCTP-5.2.3-2", "EMPA-7-4")
	ruleSessionTerminateData = newRule("session-terminate-data", Error,
		"A session Terminate must have no Private Data.", "SCTP-5.2.3-3", "EMPA-7-5")
	ruleSessionEnhanced = newRule("session-enhanced", Error,
		"The Private Data of an enhanced Initiate or Accept must begin with the Enhanced word of 4 octets.", "EMPA-7-3")
	ruleSessionHasty = newRule("session-hasty", Warning,
		"A control message, and a DDP segment of the active side, must not be sent before the control message before it is sure to have come.", "SCTP-6.6-1", "SCTP-6.6-2").
		lighter("The capture may lack the SACK that showed it.")
	ruleStreamReuse = newRule("stream-reuse", Warning,
		"A stream must not be used for another session while something of the previous one is outstanding.", "SCTP-6.6-3").
		lighter("The capture may lack the SACK that showed it.")
	ruleSessionEnd = newRule("session-end", Error,
		"At least one side must end an accepted session with a session Terminate.", "SCTP-6.2-1")
	ruleDDPSSN = newRule("ddp-ssn", Error,
		"The DDP-SSN of a side must be 0 in the first chunk of a session, and increase by one with each chunk.",
		"SCTP-6-1", "SCTP-5.2.1-1", "SCTP-6.1-1").in("iwarp_sctp.ddp_ssn")
	ruleChunkOrdered = newRule("chunk-ordered", Error,
		"The U flag of a DATA chunk of DDP must be set.", "SCTP-10-1")
	ruleChunkFragments = newRule("chunk-fragments", Error,
		"A chunk that fits in a packet must not be sent in SCTP fragments.", "SCTP-9-2")
	ruleChunkForeign = newRule("chunk-foreign", Error,
		"An association for DDP must carry chunks with the PPIDs 16 and 17 only.", "SCTP-5.2-1")
	ruleAdaptation = newRule("adaptation", Error,
		"DDP must be used only on an association whose INIT and INIT ACK have the Adaptation Layer Indication 1.",
		"SCTP-5.1-1", "SCTP-11.1-2")
	ruleStreamNumbers = newRule("stream-numbers", Error,
		"An association must have as many inbound as outbound streams.", "SCTP-8-1")
)

// A DDPChunk is what the rules about DDP over SCTP need of a DATA chunk, or of the fragments of one message.
type DDPChunk struct {
	DDPSSN   uint16 // DDP Source Sequence Number: the place of the chunk in what its sender sent in the session
	Ordered  bool   // the U flag is clear
	Needless bool   // it was fragmented, although a packet as large as the largest of its sender would have held it
	Hasty    bool   // nothing shows, so far, that the control message of its sender before it was received; of an Initiate, the session before it
}

// A Session checks a DDP Stream Session: its control messages as Startup checks those of MPA, and the DDP-SSNs. The
// zero value is ready for use.
type Session struct {
	Profile *Profile // nil for "rfc"

	depths   Startup // the Enhanced words, with the same meaning as over MPA
	initiate sctp.FunctionCode
	answer   sctp.FunctionCode
	sides    [2]sessionSide
}

// A sessionSide is what one side of a session has sent; the active side's comes first.
type sessionSide struct {
	next    uint16
	began   bool // something was sent
	unsure  bool // chunks before the next one may not have been seen
	over    bool // a Terminate was sent
	segment bool // a DDP segment was sent
}

// Gap records that chunks of a side are missing.
func (s *Session) Gap(fromActive bool) {
	side := &s.sides[sideOf(fromActive)]
	side.unsure, side.began = true, true
	s.depths.Gap(fromActive)
}

// Control checks the next session control message and appends its violations to v. privateData is the length of its
// Private Data in octets, captured or not.
func (s *Session) Control(fromActive bool, c *sctp.Control, privateData int, k *DDPChunk, v []Violation) []Violation {
	v = s.control(c, privateData, v)
	first := !s.sides[0].began && !s.sides[1].began
	v = s.chunk(fromActive, k, first && c.FunctionCode.IsInitiate(), v)
	side := &s.sides[sideOf(fromActive)]
	if want := s.expected(fromActive, c.FunctionCode); want != "" {
		v = ruleSessionOrder.broken(v, indefinite(c.FunctionCode.String()), want)
	}
	side.began, side.unsure = true, false
	s.take(c, privateData)
	side.over = side.over || c.FunctionCode == sctp.SessionTerminate
	return s.compare(c, v)
}

// control checks a message alone.
func (s *Session) control(c *sctp.Control, privateData int, v []Violation) []Violation {
	code := c.FunctionCode
	switch {
	case !code.Known():
		v = ruleSessionFunction.broken(v, fmt.Sprintf("function code %#06x", uint16(code)), "one of 0x0001 to 0x0007")
	case code == sctp.SessionTerminate && privateData > 0:
		v = ruleSessionTerminateData.broken(v, octets(privateData), "none")
	case privateData > sctp.MaxPrivateData:
		v = ruleSessionData.broken(v, octets(privateData), "at most 512 octets")
	case code.Enhanced() && !code.IsReject() && privateData < mpa.EnhancedLen:
		v = ruleSessionEnhanced.broken(v, octets(privateData), "at least 4 octets")
	}
	if f, ok := c.Frame(privateData); ok && f.S && f.PDLength >= mpa.EnhancedLen {
		v = checkEnhanced(&f, v)
	}
	return v
}

// expected returns what a side may send where it sends a control message; empty if that is allowed, or unknown.
func (s *Session) expected(fromActive bool, code sctp.FunctionCode) string {
	side := &s.sides[sideOf(fromActive)]
	switch begun := side.began; {
	case !code.Known() || code == sctp.Experimental || side.unsure:
		return ""
	case side.over:
		return "nothing after a Terminate"
	case fromActive && code.IsInitiate():
		if begun {
			return "one Initiate"
		}
		return ""
	case fromActive && !begun:
		return "an Initiate"
	case code == sctp.SessionTerminate:
		return ""
	case fromActive || begun:
		return "DDP segments or a Terminate"
	case s.initiate == 0:
		return ""
	case code.IsInitiate(), code.Enhanced() && !s.initiate.Enhanced(), code.IsAccept() && code.Enhanced() != s.initiate.Enhanced():
		return s.answers()
	}
	return ""
}

// answers names the possible answers to the Initiate.
func (s *Session) answers() string {
	if s.initiate.Enhanced() {
		return "EnhancedAccept, EnhancedReject, SessionReject or SessionTerminate"
	}
	return "SessionAccept, SessionReject or SessionTerminate"
}

// take stores the state that a message begins the session with.
func (s *Session) take(c *sctp.Control, privateData int) {
	f, ok := c.Frame(privateData)
	switch {
	case !ok:
		return
	case !f.Reply:
		s.initiate = c.FunctionCode
		s.depths = Startup{Profile: s.Profile, request: f, requested: true}
		s.depths.enhanced = f.Enhanced(&s.depths.asked)
	default:
		s.answer = c.FunctionCode
		s.depths.reply, s.depths.replied = f, true
		s.depths.enhanced = f.Enhanced(&s.depths.offered) && s.depths.enhanced
	}
	s.depths.request.PrivateData, s.depths.reply.PrivateData = nil, nil
}

// compare compares the Enhanced words of an answer and the Initiate.
func (s *Session) compare(c *sctp.Control, v []Violation) []Violation {
	if s.depths.enhanced && s.depths.requested && (c.FunctionCode.IsAccept() || c.FunctionCode.IsReject()) {
		return s.depths.compareWords(v)
	}
	return v
}

// Segment checks a DDP segment and the chunk that carries it, and appends the violations to v.
func (s *Session) Segment(fromActive bool, g *rdmap.Segment, ulpduLen int, k *DDPChunk, v []Violation) []Violation {
	v = s.chunk(fromActive, k, false, v)
	side := &s.sides[sideOf(fromActive)]
	name := indefinite(g.Control.Opcode.String())
	switch {
	case side.over:
		v = ruleSessionOrder.broken(v, name, "nothing after a Terminate")
	case !side.began && fromActive:
		v = ruleSessionOrder.broken(v, name, "an Initiate")
	case !side.began && s.initiate != 0:
		v = ruleSessionOrder.broken(v, name, s.answers())
	case !fromActive && s.answer.IsReject():
		v = ruleSessionOrder.broken(v, name, "nothing after a Reject")
	case fromActive && !side.segment && !side.unsure && s.depths.requested && s.depths.replied && !s.depths.reply.R:
		v = s.depths.firstOfInitiator(g, ulpduLen, v)
	}
	side.began, side.segment, side.unsure = true, true, false
	return v
}

// chunk checks what all chunks have in common.
func (s *Session) chunk(fromActive bool, k *DDPChunk, begins bool, v []Violation) []Violation {
	side := &s.sides[sideOf(fromActive)]
	if k.DDPSSN != side.next && !side.unsure {
		v = ruleDDPSSN.broken(v, fmt.Sprintf("DDP-SSN %d", k.DDPSSN), fmt.Sprintf("DDP-SSN %d", side.next))
	}
	side.next = k.DDPSSN + 1
	if k.Ordered {
		v = ruleChunkOrdered.broken(v, "U 0", "U 1")
	}
	if k.Needless {
		v = ruleChunkFragments.broken(v, "fragments", "a single chunk")
	}
	switch {
	case !k.Hasty:
	case begins:
		v = ruleStreamReuse.broken(v, "chunks without acknowledgement before it", "a SACK")
	default:
		v = ruleSessionHasty.broken(v, "no acknowledgement of the control message before it", "a SACK or an answer")
	}
	return v
}

// Foreign records a chunk with another PPID on the streams of the session, and appends the violation to v.
func (s *Session) Foreign(ppid uint32, v []Violation) []Violation {
	return ruleChunkForeign.broken(v, fmt.Sprintf("PPID %d", ppid), "PPID 16 or 17")
}

// End checks how the session ended, when nothing more of it can arrive, and appends the violations to v. The chunks of
// both sides must have been seen.
func (s *Session) End(v []Violation) []Violation {
	if s.answer.IsAccept() && !s.sides[initiator].over && !s.sides[responder].over {
		return ruleSessionEnd.broken(v, "no Terminate", "one by either side")
	}
	return v
}

// An AssociationEnd is what one side of an association declared in its INIT or INIT ACK.
type AssociationEnd struct {
	Indicated         bool   // it has an Adaptation Layer Indication
	Indication        uint32 // its value
	Outbound, Inbound uint16 // numbers of streams
}

// CheckAssociation checks what one side of an association that carries DDP declared, and appends the violations to v.
// peer is what the other side declared before; nil if nothing.
func CheckAssociation(end, peer *AssociationEnd, v []Violation) []Violation {
	switch {
	case !end.Indicated:
		v = ruleAdaptation.broken(v, "no Adaptation Layer Indication", "1")
	case end.Indication != sctp.AdaptationDDP:
		v = ruleAdaptation.broken(v, fmt.Sprintf("Adaptation Layer Indication %d", end.Indication), "1")
	}
	if peer == nil {
		return v
	}
	if out, in := min(end.Outbound, peer.Inbound), min(peer.Outbound, end.Inbound); out != in {
		v = ruleStreamNumbers.broken(v, fmt.Sprintf("%d outbound and %d inbound streams", out, in), "equal numbers of both")
	}
	return v
}

func indefinite(name string) string {
	switch name[0] {
	case 'A', 'E', 'I', 'O':
		return "an " + name
	}
	return "a " + name
}
