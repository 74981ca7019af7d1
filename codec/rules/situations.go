package rules

// terminates is the Answer with one of some codes.
func terminates(codes ...uint16) Answer { return Answer{Act: Terminates, Codes: codes} }

var asRFC = Answer{Act: AsRFC}

// Situations holds the documents' demands in each Situation.
var Situations = [NumSituations]Demand{
	FPDUCRC: {
		Name: "fpdu-crc", Text: "the CRC of an FPDU is wrong",
		Fields: []string{"iwarp_mpa.crc"}, HdrCt: Bare, RFC: terminates(0x2002), Verbs: terminates(0x0202),
	},
	FPDUMarker: {
		Name: "fpdu-marker", Text: "a Marker and ULPDU_Length disagree about where an FPDU begins",
		HdrCt: Bare, RFC: terminates(0x2003), Verbs: terminates(0x0203),
	},
	MPAFrame: {
		Name: "mpa-frame", Text: "an MPA Request or Reply is malformed",
		HdrCt: NoTerminate, RFC: Answer{Act: Closes, Note: "closes the connection without a Terminate"}, Also: Codes{0x2004},
	},
	MPAIRD: {
		Name: "mpa-ird", Text: "the Reply asks for more Read Requests than the Initiator can accept",
		Fields: []string{"iwarp_mpa.enhanced.ord"}, HdrCt: Bare, RFC: terminates(0x2006),
	},
	MPARTR: {
		Name: "mpa-rtr", Text: "the Reply offers no kind of Ready to Receive that the Initiator can send",
		Fields: kindFields, HdrCt: Bare, RFC: terminates(0x2007),
	},
	MPALocal: {
		Name: "mpa-local", Text: "enhanced connection set-up fails for a local reason",
		HdrCt: Bare, RFC: terminates(0x2005),
	},
	DDPShort: {
		Name: "ddp-short", Text: "a ULPDU is shorter than its DDP header",
		Fields: []string{"iwarp_mpa.ulpdulength"}, HdrCt: Bare, RFC: terminates(0x1000), Also: Codes{0x0000}, Verbs: asRFC,
	},
	DDPVersionTagged: {
		Name: "ddp-version-tagged", Text: "the DDP version of a tagged segment is wrong",
		Fields: []string{"iwarp_ddp.dv"}, HdrCt: MD, RFC: terminates(0x1104), Verbs: terminates(0x1206),
	},
	DDPVersionUntagged: {
		Name: "ddp-version-untagged", Text: "the DDP version of an untagged segment is wrong",
		Fields: []string{"iwarp_ddp.dv"}, HdrCt: MD, RFC: terminates(0x1206), Verbs: asRFC,
	},
	RDMAPVersion: {
		Name: "rdmap-version", Text: "the RDMAP version is wrong",
		Fields: []string{"iwarp_rdma.version"}, HdrCt: MD, RFC: terminates(0x0205), Verbs: asRFC,
	},
	OpcodeUnknown: {
		Name: "opcode", Text: "the opcode is not assigned or not supported",
		Fields: []string{"iwarp_rdma.opcode"}, HdrCt: MD, RFC: terminates(0x0206), Also: Codes{0x02FF}, Verbs: asRFC,
	},
	OpcodeT: {
		Name: "opcode-t", Text: "the T bit contradicts the opcode",
		Fields: []string{"iwarp_ddp.tagged_flag", "iwarp_rdma.opcode"}, HdrCt: MD, RFC: terminates(0x0206), Also: Codes{0x1000, 0x1201},
	},
	QNUndefined: {
		Name: "qn-undefined", Text: "the QN is one that RDMAP does not use",
		Fields: []string{"iwarp_ddp.qn"}, HdrCt: MD, RFC: terminates(0x1201), Verbs: asRFC,
	},
	QNOpcode: {
		Name: "qn-opcode", Text: "the QN does not fit the opcode",
		Fields: []string{"iwarp_ddp.qn", "iwarp_rdma.opcode"},
		HdrCt:  MD, RFC: terminates(0x0206), Also: Codes{0x1201}, Verbs: terminates(0x1201),
	},
	SendNoBuffer: {
		Name: "send-no-buffer", Text: "no receive buffer is posted for a Send or Immediate Data",
		Fields: []string{"iwarp_ddp.msn"}, HdrCt: MD, RFC: terminates(0x1202), Verbs: asRFC,
	},
	SendMSN: {
		Name: "send-msn", Text: "the MSN of a Send is not the expected one",
		Fields: []string{"iwarp_ddp.msn"}, HdrCt: MD, RFC: terminates(0x1203), Also: Codes{0x1202}, Verbs: terminates(0x1202),
	},
	SendMO: {
		Name: "mo", Text: "the MO is not the expected one, or outside the buffer",
		Fields: []string{"iwarp_ddp.mo"}, HdrCt: MD, RFC: terminates(0x1204), Also: Codes{0x1205},
		Verbs: Answer{Act: Terminates, Codes: Codes{0x0000}, Note: "beyond the buffer; others are not checked"},
	},
	SendTooLong: {
		Name: "send-too-long", Text: "a Send is longer than the receive buffer",
		Fields: []string{"iwarp_ddp.mo"}, HdrCt: MD, RFC: terminates(0x1205), Also: Codes{0x1204},
		Verbs: Answer{Act: Terminates, Codes: Codes{0x0000}, Note: "without headers"},
	},
	LMissing: {
		Name: "l-missing", Text: "a message that is one segment lacks the L bit",
		Fields: []string{"iwarp_ddp.last_flag"}, HdrCt: MD, RFC: terminates(0x0207), Also: Codes{0x1000, 0x02FF}, Verbs: asRFC,
	},
	ReceiveSGE: {
		Name: "receive-sge", Text: "the receiver's own receive buffer is invalid",
		HdrCt: Bare, RFC: terminates(0x0000), Also: Codes{0x0207, 0x1000}, Verbs: asRFC,
	},
	ReadMSN: {
		Name: "read-msn", Text: "the MSN of a Read or Atomic Request is not the expected one",
		Fields: []string{"iwarp_ddp.msn"}, HdrCt: MD, RFC: terminates(0x1203), Also: Codes{0x1202}, Verbs: asRFC,
	},
	AtomicResponseMSN: {
		Name: "atomic-response-msn", Text: "the MSN of an Atomic Response is not the expected one",
		Fields: []string{"iwarp_ddp.msn"}, HdrCt: MD, RFC: terminates(0x1203), Also: Codes{0x1202},
	},
	ReadIRD: {
		Name: "read-ird", Text: "more Read or Atomic Requests are outstanding than IRD allows",
		Fields: []string{"iwarp_ddp.msn"}, HdrCt: MD, RFC: terminates(0x1202), Also: Codes{0x1203, 0x0207}, Verbs: terminates(0x1203),
	},
	ReadDisabled: {
		Name: "read-disabled", Text: "a Read Request arrives although IRD is 0 or Reads are disabled",
		Fields: []string{"iwarp_ddp.msn"},
		HdrCt:  MD, RFC: terminates(0x1202), Also: Codes{0x1201, 0x1203, 0x0206}, Verbs: terminates(0x1201, 0x1203),
	},
	ReadLong: {
		Name: "read-long", Text: "a Read Request is longer than its 28 octets",
		Fields: []string{"iwarp_mpa.ulpdulength"},
		HdrCt:  MD, RFC: terminates(0x1205), Also: Codes{0x02FF, 0x0207}, Verbs: terminates(0x02FF, 0x1000),
	},
	ReadShort: {
		Name: "read-short", Text: "a Read Request is shorter than its 28 octets",
		Fields: []string{"iwarp_mpa.ulpdulength"},
		HdrCt:  MD, RFC: terminates(0x02FF), Also: Codes{0x0207, 0x1000}, Verbs: terminates(0x02FF, 0x1000),
	},
	ReadMO: {
		Name: "read-mo", Text: "the MO of a Read or Atomic Request is not 0",
		Fields: []string{"iwarp_ddp.mo"}, HdrCt: MD, RFC: terminates(0x1204),
	},
	ReadSTag: {
		Name: "read-stag", Text: "the source STag of a Read Request is unknown or invalid",
		Fields: []string{"iwarp_rdma.srcstag"}, HdrCt: MDR, RFC: terminates(0x0100), Verbs: asRFC,
	},
	ReadBounds: {
		Name: "read-bounds", Text: "a Read Request reaches outside the bounds of its source",
		Fields: []string{"iwarp_rdma.srcto", "iwarp_rdma.rdmardsz"}, HdrCt: MDR, RFC: terminates(0x0101), Verbs: asRFC,
	},
	ReadAccess: {
		Name: "read-access", Text: "the source of a Read Request does not allow remote reads",
		Fields: []string{"iwarp_rdma.srcstag"}, HdrCt: MDR, RFC: terminates(0x0102), Verbs: asRFC,
	},
	ReadAssociation: {
		Name: "read-association", Text: "the source of a Read Request belongs to another stream or Protection Domain",
		Fields: []string{"iwarp_rdma.srcstag"}, HdrCt: MDR, RFC: terminates(0x0103), Also: Codes{0x0100}, Verbs: asRFC,
		Draft00: Codes{0x0100}, AlsoDraft00: Codes{0x0103},
	},
	ReadWrap: {
		Name: "read-wrap", Text: "the source TO of a Read Request and its size exceed 64 bits",
		Fields: []string{"iwarp_rdma.srcto", "iwarp_rdma.rdmardsz"},
		HdrCt:  MDR, RFC: terminates(0x0104), Also: Codes{0x0101}, Verbs: asRFC,
	},
	WriteSTag: {
		Name: "write-stag", Text: "the STag of a Write is unknown or invalid",
		Fields: []string{"iwarp_ddp.stag"}, Response: "the STag of a Read Response is unknown or invalid",
		HdrCt: MD, RFC: terminates(0x1100), Verbs: asRFC,
	},
	WriteBounds: {
		Name: "write-bounds", Text: "a Write reaches outside the bounds of its buffer",
		Fields: []string{"iwarp_ddp.tagged_offset"}, Response: "a Read Response reaches outside the bounds of its buffer",
		HdrCt: MD, RFC: terminates(0x1101), Verbs: asRFC,
	},
	WriteAssociation: {
		Name: "write-association", Text: "the buffer of a Write belongs to another stream or Protection Domain",
		Fields: []string{"iwarp_ddp.stag"}, Response: "the buffer of a Read Response belongs to another stream or Protection Domain",
		HdrCt: MD, RFC: terminates(0x1102), Also: Codes{0x1100}, Verbs: asRFC,
		Draft00: Codes{0x1100}, AlsoDraft00: Codes{0x1102},
	},
	WriteAccess: {
		Name: "write-access", Text: "the buffer of a Write does not allow remote writes",
		Fields: []string{"iwarp_ddp.stag"}, Response: "the buffer of a Read Response does not allow remote writes",
		HdrCt: MD, RFC: terminates(0x1100), Also: Codes{0x1102, 0x0102}, Verbs: terminates(0x1102),
	},
	WriteWrap: {
		Name: "write-wrap", Text: "the TO of a Write and its length exceed 64 bits",
		Fields: []string{"iwarp_ddp.tagged_offset"}, Response: "the TO of a Read Response and its length exceed 64 bits",
		HdrCt: MD, RFC: terminates(0x1103), Also: Codes{0x1101}, Verbs: asRFC,
	},
	WriteContinuation: {
		Name: "write-continuation", Text: "a Write continues with another STag",
		Fields: []string{"iwarp_ddp.stag"},
		HdrCt:  MD, RFC: terminates(0x1100), Also: Codes{0x1101}, Verbs: Answer{Act: Ignores, Note: "is not checked"},
	},
	ResponseUnexpected: {
		Name: "response-unexpected", Text: "a Read Response arrives without a Read Request",
		Fields: []string{"iwarp_rdma.opcode"}, HdrCt: MD, RFC: terminates(0x0206), Also: Codes{0x1000, 0x1100, 0x02FF}, Verbs: asRFC,
	},
	ResponseSTag: {
		Name: "response-stag", Text: "a Read Response does not have the requested STag",
		Fields: []string{"iwarp_ddp.stag"},
		HdrCt:  MD, RFC: Answer{Act: Terminates, Codes: Codes{0x1100}, Note: "checking is optional"}, Also: Codes{0x0206, 0x02FF},
	},
	ResponseBounds: {
		Name: "response-bounds", Text: "a Read Response does not have the requested TO or size",
		Fields: []string{"iwarp_ddp.tagged_offset"},
		HdrCt:  MD, RFC: Answer{Act: Terminates, Codes: Codes{0x1101}, Note: "checking is optional"}, Also: Codes{0x0206, 0x02FF},
	},
	InvalidateSTag: {
		Name: "invalidate-stag", Text: "the STag of a Send with Invalidate is unknown or invalid",
		Fields: []string{"iwarp_rdma.inval_stag"},
		HdrCt:  MD, RFC: terminates(0x0209), Also: Codes{0x0109, 0x0100}, Verbs: terminates(0x0100),
	},
	InvalidateAssociation: {
		Name: "invalidate-association", Text: "the STag of a Send with Invalidate belongs to another stream or Protection Domain",
		Fields: []string{"iwarp_rdma.inval_stag"},
		HdrCt:  MD, RFC: terminates(0x0109), Also: Codes{0x0209, 0x0103}, Verbs: terminates(0x0103),
		Draft00: Codes{0x0109}, AlsoDraft00: Codes{0x0100, 0x0103},
	},
	InvalidateAccess: {
		Name: "invalidate-access", Text: "the STag of a Send with Invalidate does not allow remote invalidation",
		Fields: []string{"iwarp_rdma.inval_stag"},
		HdrCt:  MD, RFC: terminates(0x0109), Also: Codes{0x0209, 0x0102}, Verbs: terminates(0x0102),
	},
	InvalidateShared: {
		Name: "invalidate-shared", Text: "the STag of a Send with Invalidate is that of a Shared Memory Region, or valid on several streams",
		Fields: []string{"iwarp_rdma.inval_stag"}, HdrCt: MD, RFC: terminates(0x0209), Also: Codes{0x0109}, Verbs: terminates(0x0100),
	},
	InvalidateWindows: {
		Name: "invalidate-windows", Text: "the STag of a Send with Invalidate has Memory Windows bound to it",
		Fields: []string{"iwarp_rdma.inval_stag"}, HdrCt: MD, RFC: terminates(0x0209), Also: Codes{0x0109}, Verbs: terminates(0x0109),
	},
	TerminateBad: {
		Name: "terminate-bad", Text: "a Terminate is malformed, or a second one arrives",
		HdrCt: NoTerminate, RFC: Answer{Act: Closes, Note: "reports it and closes; a Terminate is never answered"},
		Verbs: Answer{Act: Closes, Note: "closes; it never answers"},
	},
	AtomicShort: {
		Name: "atomic-short", Text: "an Atomic Request is shorter than its 52 octets",
		Fields: []string{"iwarp_mpa.ulpdulength"}, HdrCt: MD, RFC: terminates(0x02FF), Also: Codes{0x0207, 0x1000},
	},
	AtomicLong: {
		Name: "atomic-long", Text: "an Atomic Request is longer than its 52 octets",
		Fields: []string{"iwarp_mpa.ulpdulength"}, HdrCt: MD, RFC: terminates(0x1205), Also: Codes{0x02FF, 0x0207},
	},
	AtomicAlignment: {
		Name: "atomic-alignment", Text: "the target of an Atomic Request is not aligned to 64 bits",
		Fields: []string{"iwarp_rdma.atomic.remote_tagged_offset"}, HdrCt: MD, RFC: terminates(0x0207),
	},
	AtomicAOpCode: {
		Name: "atomic-aopcode", Text: "the AOpCode of an Atomic Request is not supported",
		Fields: []string{"iwarp_rdma.atomic.opcode"}, HdrCt: MD, RFC: terminates(0x0206), Also: Codes{0x02FF, 0x0207},
	},
	AtomicTarget: {
		Name: "atomic-target", Text: "the target of an Atomic Request is invalid, out of bounds, without rights or not associated, or wraps",
		Fields: []string{"iwarp_rdma.atomic.remote_stag", "iwarp_rdma.atomic.remote_tagged_offset"},
		HdrCt:  MD, RFC: terminates(0x0100, 0x0101, 0x0102, 0x0103, 0x0104), Also: Codes{0x01FF},
	},
	AtomicResponse: {
		Name: "atomic-response", Text: "an Atomic Response is unexpected, or has another request's identifier",
		Fields: []string{"iwarp_rdma.atomic.original_request_identifier"},
		HdrCt:  MD, RFC: terminates(0x0206), Also: Codes{0x1202, 0x02FF},
	},
	ImmediateLength: {
		Name: "immediate-length", Text: "Immediate Data is not 8 octets long",
		Fields: []string{"iwarp_mpa.ulpdulength"}, HdrCt: MD, RFC: terminates(0x02FF), Also: Codes{0x0206, 0x0207, 0x1205},
	},
	LocalError: {
		Name: "local", Text: "a message cannot be sent because of a local error, or the upper layer asks for a Terminate",
		HdrCt: Bare, RFC: Answer{Act: Terminates, Codes: Codes{0x0000}, Note: "any error code"}, Verbs: asRFC,
		Draft00: Codes{0x0000},
	},
	QueueError: {
		Name: "queue", Text: "a Completion Queue or shared Receive Queue fails, or the peer closes with work outstanding",
		HdrCt: Bare, RFC: terminates(0x0207), Also: Codes{0x0000}, Verbs: terminates(0x0207, 0x0000),
	},
	RNICError: {
		Name: "rnic", Text: "the whole RNIC fails",
		HdrCt: Bare, RFC: terminates(0x0208), Also: Codes{0x0207, 0x0000}, Verbs: asRFC,
	},
	ReadSourceLost: {
		Name: "read-source-lost", Text: "the source of an RDMA Read fails while it is being read",
		HdrCt: MDR, RFC: terminates(0x0100, 0x0101, 0x0102, 0x0103, 0x0207), Also: Codes{0x0000}, Verbs: terminates(0x0100, 0x0101, 0x0102),
	},
}
