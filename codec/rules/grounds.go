package rules

// Why a Terminate answers a Situation, and why a breach has its weight: the words of an RFC, or our decision where the RFCs
// leave it open.

import "strings"

// A Ground is the reason for the RFCs' Answer, or for a Rule.
type Ground struct {
	Source  string // of Words: "RFC 5041, section 7.1"; empty if there are none
	Words   string // quoted from the document, except for line breaks: the demand, or the meaning of the code
	Decided string // our decision and its reason, in sentences; empty if the document leaves nothing open
	Partly  bool   // the Words demand the Answer all the same; Decided is about a detail
}

// Demanded reports whether a document demands the Answer. Otherwise we decided it.
func (g *Ground) Demanded() bool { return g.Decided == "" || g.Partly }

// The sources of Words.
const (
	ddpChecks   = "RFC 5041, section 7.1"
	ddpNumbers  = "RFC 5041, section 7.2"
	rdmapChecks = "RFC 5040, section 7.2"
	errorCodes  = "RFC 6580, section 3.1"
	mpaErrors   = "RFC 5044, section 8"
)

// Reasons that several Situations share.
const (
	unspecific = "The RFCs have no code for it. "
	unasked    = "They do not demand the check either (RFC 5040, section 5.2.2). "
	oneHeader  = "We take the buffers of a request queue to be as long as one header: no RFC says so."
	twice      = "RFC 5040, figure 9, has \"STag cannot be Invalidated\" twice, as a Remote Protection Error and as a Remote " +
		"Operation Error, and does not say when to use which. We use the Remote Protection Error where the STag is valid and the " +
		"rights are missing, else the Remote Operation Error."
	noMoreReads = "The RFCs do not say which code answers a request beyond IRD. We take IRD as the number of buffers of " +
		"its queue: there is none for that request."
	cannotFill = "An MSN above the next one may be in the legal range. We refuse it all the same: MPA delivers in order and a source " +
		"transmits messages in order (RFC 5041, section 5.3), so the skipped one can never arrive."
)

// Ground returns the reason for the RFCs' Answer in a Situation.
func (s Situation) Ground() *Ground { return &grounds[s] }

// Ground is why a breach of r is answered, and weighs, as it does: that of its Situation, and what is decided about its
// severity. ok is false if there is nothing to say: no Terminate answers it, and its severity is that of its requirement.
func (r *Rule) Ground() (g Ground, ok bool) {
	g = *r.Situation.Ground()
	if r.Lighter != "" {
		g.Partly = g.Demanded()
		g.Decided = strings.TrimSpace(g.Decided + " A breach is less severe than " + r.ID() + " says. " + r.Lighter)
	}
	return g, g != Ground{}
}

var grounds = [NumSituations]Ground{
	FPDUCRC:    {mpaErrors, "Received MPA CRC does not match the calculated value for the FPDU.", "", false},
	FPDUMarker: {mpaErrors, "received MPA Marker (if enabled) and ULPDU Length fields do not agree on the start of an FPDU.", "", false},
	MPAFrame:   {mpaErrors, "In this case, the TCP connection MUST be immediately closed.", "", false},
	MPAIRD: {"RFC 6581, section 9.1", "If the initiator does not have sufficient resources for the required IRD, it MUST send a TERM " +
		"message to the responder indicating insufficient resources", "", false},
	MPARTR: {"RFC 6581, section 9.2", "If the initiator is not able to generate any of the responder-supported RTR indications, then it " +
		"MUST send a TERM message to the responder", "", false},
	MPALocal: {"RFC 6581, section 9.3", "The initiator or responder MUST generate the TERM message that contains Layer 2, Error Type 0, " +
		"Error Code 5 when it encounters any error locally", "", false},

	DDPShort:           {Decided: unspecific + "1/0/00, the Local Catastrophic Error of DDP, encloses no header, and there is no complete one to enclose."},
	DDPVersionTagged:   {ddpNumbers, "0x04 Invalid DDP version", "", false},
	DDPVersionUntagged: {ddpNumbers, "0x06 Invalid DDP version", "", false},
	RDMAPVersion:       {rdmapChecks, "The RDMA Version MUST be valid.", "", false},
	OpcodeUnknown:      {rdmapChecks, "The RDMA OpCode MUST be valid.", "", false},
	OpcodeT: {Decided: unspecific + "RFC 5040, figure 4, says which opcodes are in tagged segments; elsewhere the opcode is " +
		"unexpected."},
	QNUndefined: {ddpChecks, "The QN is valid for this stream.", "", false},
	QNOpcode:    {Decided: unspecific + "The QN is valid for the stream, so DDP finds nothing wrong; RDMAP does not expect the opcode on that queue."},

	SendNoBuffer: {ddpChecks, "The QN and MSN have an associated buffer that allows Placement of the payload.", "", false},
	SendMSN: {ddpChecks, "The Message Sequence Number falls in the range of legal Message Sequence Numbers, for the queue defined by the QN.",
		cannotFill, true},
	SendMO: {ddpChecks, "The MO falls in the range of legal offsets associated with the Untagged Buffer.",
		"An MO within the buffer is refused only if the message has more separate parts than we keep: a sink need not place segments " +
			"out of order (RFC 5041, section 5.3).", true},
	SendTooLong: {ddpChecks, "The sum of the DDP Segment payload length and the MO falls in the range of legal offsets associated with the " +
		"Untagged Buffer.", "", false},
	LMissing: {Decided: unspecific + "They do not forbid to split a message that is only a header. We do not reassemble it: the " +
		"Verbs forbid to split it, and peers do not accept it."},
	ReceiveSGE: {Decided: unspecific + "The fault is the receiver's alone: a Local Catastrophic Error."},

	ReadMSN: {ddpChecks, "The Message Sequence Number falls in the range of legal Message Sequence Numbers, for the queue defined by the QN.",
		cannotFill, true},
	AtomicResponseMSN: {ddpChecks, "The Message Sequence Number falls in the range of legal Message Sequence Numbers, for the queue defined by " +
		"the QN.", cannotFill, true},
	ReadIRD:      {ddpChecks, "The QN and MSN have an associated buffer that allows Placement of the payload.", noMoreReads, false},
	ReadDisabled: {ddpChecks, "The QN and MSN have an associated buffer that allows Placement of the payload.", noMoreReads, false},
	ReadLong: {ddpChecks, "The sum of the DDP Segment payload length and the MO falls in the range of legal offsets associated with the " +
		"Untagged Buffer.", oneHeader, false},
	ReadShort: {Decided: unspecific + "It is an Unspecified Error of the RDMAP message."},
	ReadMO:    {ddpChecks, "The MO falls in the range of legal offsets associated with the Untagged Buffer.", oneHeader, false},
	ReadSTag:  {rdmapChecks, "The Data Source STag MUST be valid.", "", false},
	ReadBounds: {rdmapChecks, "The sum of the Data Source Tagged Offset and the RDMA Read Message Size MUST fall in the range of legal offsets " +
		"associated with the Data Source STag.", "", false},
	ReadAccess:      {errorCodes, "Remote Protection Error / Access rights violation", "", false},
	ReadAssociation: {rdmapChecks, "The Data Source STag MUST be associated to this RDMAP Stream.", "", false},
	ReadWrap: {rdmapChecks, "The sum of the Data Source Tagged Offset and the RDMA Read Message Size MUST NOT cause the Data Source Tagged " +
		"Offset to wrap.", "", false},

	WriteSTag:        {ddpChecks, "The STag has an associated buffer that allows Placement of the payload.", "", false},
	WriteBounds:      {ddpChecks, "The sum of the DDP Segment payload length and the TO falls in the range of legal offsets registered for the STag.", "", false},
	WriteAssociation: {ddpChecks, "The STag is valid for this stream.", "", false},
	WriteAccess: {ddpChecks, "The STag has an associated buffer that allows Placement of the payload.",
		"DDP has no code for missing rights. The check for such a buffer fails: Invalid STag.", false},
	WriteWrap: {ddpChecks, "A 64-bit unsigned sum of the DDP Segment payload length and the TO does not wrap.", "", false},
	WriteContinuation: {Decided: unspecific + "A segment whose STag differs from that of its message is answered like one whose STag is not " +
		"valid there."},

	ResponseUnexpected: {Decided: unspecific + "Without a Read Request the opcode of its Response is unexpected."},
	ResponseSTag: {Decided: unspecific + unasked + "A Response to another STag than requested is answered like a tagged segment whose STag " +
		"is not valid."},
	ResponseBounds: {Decided: unspecific + unasked + "A Response to another place than requested is answered like a tagged segment outside " +
		"its buffer."},
	InvalidateSTag:        {rdmapChecks, "The Invalidate STag MUST be valid.", twice, false},
	InvalidateAssociation: {rdmapChecks, "The STag MUST be associated to this RDMAP Stream.", twice, false},
	InvalidateAccess:      {errorCodes, "Remote Protection Error / Steering Tag cannot be invalidated", twice, false},
	InvalidateShared: {"RFC 5040, section 8.1.1", "An RNIC MUST ensure that a Remote Peer is not able to invalidate an STag enabled for remote " +
		"access, if the STag is shared on multiple streams.", twice, false},
	InvalidateWindows: {errorCodes, "Remote Operation Error / Steering Tag cannot be Invalidated", "Memory Windows are not in the RFCs. " + twice, false},
	TerminateBad:      {Decided: unspecific + "Its sender sends and accepts nothing more, so a Terminate cannot be answered by another."},

	AtomicShort: {Decided: unspecific + "It is an Unspecified Error of the RDMAP message."},
	AtomicLong: {ddpChecks, "The sum of the DDP Segment payload length and the MO falls in the range of legal offsets associated with the " +
		"Untagged Buffer.", oneHeader, false},
	AtomicAlignment: {"RFC 7306, section 8.2", "In the case of an error, the RDMAP layer MUST generate a Terminate Message indicating RDMA Layer " +
		"Remote Operation Error with Error Code Name \"Catastrophic error, localized to RDMAP Stream\"", "", false},
	AtomicAOpCode: {"RFC 7306, section 1.1", "A Remote Operation Error or Unexpected OpCode error will be reported by the remote peer if there is an " +
		"Immediate Data or Atomic Operation that is not supported by the remote peer.", "", false},
	AtomicTarget:    {Decided: unspecific + "RFC 7306 demands the checks but does not name their codes. Those for the source of an RDMA Read fit."},
	AtomicResponse:  {Decided: unspecific + "Without the Atomic Request that it names, an Atomic Response is unexpected."},
	ImmediateLength: {Decided: unspecific + "It is an Unspecified Error of the RDMAP message."},

	LocalError:     {"RFC 5040, section 7.1", "or other reasons not directly associated with an incoming Message, the Terminate Message and Error code are sent instead of the request.", "", false},
	QueueError:     {Decided: unspecific + "RFC 5040, figure 9, has a catastrophic error of one stream, and this is one."},
	RNICError:      {errorCodes, "Remote Operation Error / Catastrophic error, global", "", false},
	ReadSourceLost: {Decided: unspecific + "Whatever can be wrong with the source before the Read begins can also go wrong later."},
}
