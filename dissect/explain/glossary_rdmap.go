package explain

// rdmapTerms are the terms of RDMAP. Its messages have entries of their own.
var rdmapTerms = []term{
	{name: "iWARP", aka: []string{"RDDP", "iwarp protocol"}, title: "RDMA over TCP: RDMAP, DDP and MPA",
		text: "A suite of protocols by which RNICs move data between the memories of two hosts, over any network that carries IP: RDMAP says what " +
			"is done, DDP where data goes, MPA frames it for TCP. The IETF calls the suite RDDP.",
		see:     []string{"MPA", "DDP", "RDMAP", "RNIC"},
		sources: []string{"RFC 5040, sections 1.2 and 2.1"}},
	{name: "RDMAP", aka: []string{"RDMA Protocol", "RDMA", "iwarp_rdma", "Remote Direct Memory Access Protocol"},
		title: "Remote Direct Memory Access Protocol",
		text: "The top layer of iWARP: RDMA Write, RDMA Read, Send and Terminate, and since RFC 7306 Atomics " +
			"and Immediate Data. Its version and opcode stand in the second octet of each DDP segment.",
		see:     []string{"Opcode", "Write", "ReadRequest", "Send", "Terminate"},
		sources: []string{"RFC 5040", "RFC 7306"}},
	{name: "RDMA Read", aka: []string{"Read"}, title: "a ReadRequest and its ReadResponse",
		text: "The side that wants data asks by a ReadRequest, and the other side's RNIC answers by a " +
			"ReadResponse, without its upper layer. How many may be under way at a time is negotiated: IRD and ORD.",
		lookFor: "the pair: SinkSTag and SinkTO of the Request are STag and TO of the Response.",
		see:     []string{"ReadRequest", "ReadResponse", "IRD"},
		sources: []string{"RFC 5040, section 5.2"}},
	{name: "Advertisement", aka: []string{"advertise", "advertised"}, title: "telling the other side an STag",
		text: "Before a side can read or write the other's memory, it must be told STag, address and length. The protocols do not say how: upper " +
			"layers put them into Sends, RPC-over-RDMA for example into chunk lists.",
		lookFor: "the Send that carries the octets of the STag.",
		see:     []string{"STag", "chunk"},
		sources: []string{"RFC 5040, section 2.1"}},
	{name: "Invalidate", aka: []string{"STag invalidation", "remote invalidation", "Invalidation"},
		title: "ending the use of an STag",
		text: "The owner can invalidate an STag itself, or the other side does it by a Send with Invalidate. " +
			"Afterwards every remote use must fail, until the owner enables and advertises it again.",
		lookFor: "a use of the STag after the Send with Invalidate: the answer is 0/1/00 or 1/1/00.",
		see:     []string{"SendInvalidate", "inval_stag", "0/1/09", "0/2/09"},
		sources: []string{"RFC 5040, sections 1.2 and 5.3"}},
	{name: "Solicited Event", aka: []string{"SE", "Solicited"}, title: "a request to wake the receiver of a Send",
		text: "An application may ask for Events for solicited messages only. The opcode says that a message is " +
			"one: SendSE, SendSEInvalidate, ImmediateSE.",
		see:     []string{"SendSE", "ImmediateSE"},
		sources: []string{"RFC 5040, section 2.4"}},
	{name: "HdrCt", aka: []string{"Header Control", "MDR", "M D R", "Terminated DDP Header", "Terminated RDMA Header"},
		title: "the bits M, D and R of a Terminate",
		text: "They say what the Terminate encloses: M a valid DDP Segment Length, D the DDP header in error (14 " +
			"or 18 octets), R the header of the Read Request in error (28 octets). " +
			"Errors of a message have M and D, of a Read Request M, D and R; local errors and those of MPA none.",
		lookFor: "the enclosed header in the other direction of the capture: that is the message in error.",
		see:     []string{"Terminate", "term_hdrct_m", "hdrct_d", "hdrct_r", "term_ddp_seg_len"},
		sources: []string{"RFC 5040, section 4.8"}},
	{name: "Local Catastrophic Error", aka: []string{"catastrophic error", "LCE"},
		title: "an error of the side that reports it",
		text: "A Terminate of EType 0: its sender failed for a reason of its own. Three more codes are for such errors: " +
			"0/2/07 for one stream, 0/2/08 for the RNIC, 2/0/05 during the set-up of a connection.",
		see:     []string{"0/0/00", "1/0/00", "0/2/07", "0/2/08", "2/0/05"},
		sources: []string{"RFC 5040, section 4.8", "RFC 5041, section 7.2"}},
	{name: "Completion", aka: []string{"RDMA Completion", "completed"},
		title: "telling the upper layer that an operation is done",
		text: "At the sender, a Send or Write completes when the layers below have taken it over, not when the " +
			"other side has it; a Read completes when its data is there. The wire shows nothing of it.",
		see:     []string{"Delivery", "CQ"},
		sources: []string{"RFC 5040, sections 2.4 and 5.5"}},
	{name: "Fence", aka: []string{"read fence", "fenced"}, title: "holding an operation until those before are done",
		text: "A Send or Write may overtake the data of an RDMA Read that was posted before it. With a fence, " +
			"the RNIC waits for the Read Response first. The wire shows only the order.",
		see:     []string{"RDMA Read", "Completion"},
		sources: []string{"RFC 5040, sections 2.1 and 5.5"}},
	{name: "LLP", aka: []string{"Lower Layer Protocol"}, title: "Lower Layer Protocol",
		text:    "The layer below the one that is spoken of: for DDP that is MPA over TCP, or SCTP. In Terminates it is Layer 2.",
		see:     []string{"MPA", "Layer 2"},
		sources: []string{"RFC 5040, section 2.2"}},
	{name: "ULP", aka: []string{"Upper Layer Protocol", "Consumer"}, title: "Upper Layer Protocol",
		text:    "The layer above the one that is spoken of: what uses iWARP, such as RPC-over-RDMA, SMB Direct, iSER, NVMe or an application.",
		see:     []string{"RPC-over-RDMA", "SMB Direct"},
		sources: []string{"RFC 5040, section 2.1"}},
	{name: "RFC 7306", aka: []string{"RDMAP extensions", "Atomics", "extensions"}, title: "Atomics and Immediate Data",
		text: "The extensions of RDMAP: opcodes 8 to 11, queue 3. Nothing negotiates them; a peer without them " +
			"answers with the Terminate 0/2/06, and the connection is gone.",
		peers:   noImmediate,
		see:     []string{"Immediate", "AtomicRequest", "0/2/06"},
		sources: []string{"RFC 7306"}},
}

// hostTerms are terms of the interface of RNICs: they do not show on the wire, but stand in logs.
var hostTerms = []term{
	{name: "RNIC", aka: []string{"RDMA NIC", "RDMA Network Interface Controller", "RNIC Interface"},
		title:   "RDMA Network Interface Controller",
		text:    "An adapter that speaks iWARP by itself, or software that stands in for one.",
		see:     append(rnics(), "QP"),
		sources: []string{"RFC 5040, section 2.1"}},
	{name: "QP", aka: []string{"Queue Pair", "Work Queue"}, title: "Queue Pair, the end of a connection at an RNIC",
		text: "A Send Queue and a Receive Queue, to which the upper layer posts work. One QP is one iWARP " +
			"connection. When it moves to the error state, the RNIC sends a Terminate (0/0) or closes.",
		lookFor: "the number of the QP in the log of the host, with the ports of the TCP connection.",
		see:     []string{"CQ", "SRQ", "0/0/00"},
		sources: []string{"RDMAC Verbs 1.0, section 6", "RFC 6581, section 3"}},
	{name: "CQ", aka: []string{"Completion Queue", "CQE"}, title: "Completion Queue",
		text:    "Where an RNIC reports the operations that are done. If it overflows, the connections that use it end, with 0/2/07 or 0/0.",
		see:     []string{"Completion", "QP"},
		sources: []string{"RFC 5040, section 2.4", "RFC 6581, section 3"}},
	{name: "SRQ", aka: []string{"Shared Receive Queue", "S-RQ"}, title: "Shared Receive Queue",
		text:    "Receive buffers that several connections take from. If it is empty, a Send on any of them fails with 1/2/02.",
		see:     []string{"1/2/02", "QP"},
		sources: []string{"RFC 6581, section 3", "RDMAC Verbs 1.0, section 6"}},
	{name: "Protection Domain", aka: []string{"PD", "PD ID", "PD identifier"},
		title: "which connections may use which memory",
		text: "An STag can be used on the connections of its own Protection Domain only. Use on another one is " +
			"an error of association: 1/1/02 for a Write, 0/1/03 for a Read Request.",
		see:     []string{"STag", "1/1/02", "0/1/03"},
		sources: []string{"RFC 5041, sections 2.3 and 8.2"}},
	{name: "Memory Window", aka: []string{"MW", "Type 2B", "bind"}, title: "an STag for a part of a Memory Region",
		text: "It can be bound and invalidated quickly, and is valid on one connection. While one is bound, the " +
			"STag of the region below cannot be invalidated: 0/2/09.",
		see:     []string{"Memory Region", "STag", "0/2/09"},
		sources: []string{"RDMAC Verbs 1.0, section 7"}},
	{name: "Memory Region", aka: []string{"MR", "FRMR", "Fast Register", "registration"},
		title: "memory that is registered with an RNIC",
		text: "Registration pins pages and gives them an STag, a base, a length and access rights. Kernel upper " +
			"layers register anew for each transfer (fast registration), and change the key of the STag each time.",
		see:     []string{"STag", "Memory Window", "access rights"},
		sources: []string{"RDMAC Verbs 1.0, section 7"}},
	{name: "access rights", aka: []string{"access right", "remote write", "remote read", "permissions"},
		title: "what others may do with memory",
		text: "Local write, remote read, remote write, and for Atomics a right of their own. A Read Request " +
			"without the right is answered by 0/1/02. For a Write DDP has no code, and peers choose.",
		peers:   []Peer{{"verbs", []string{"demands 1/1/02 for a Write without right"}}},
		see:     []string{"0/1/02", "1/1/00", "write-access", "read-access"},
		sources: []string{"RFC 5040, sections 3.2 and 7.2"}},
}
