package explain

// ddpTerms are the terms of DDP.
var ddpTerms = []term{
	{name: "DDP over SCTP", aka: []string{"SCTP", "iwarp_sctp"}, title: "the adaptation layer between DDP and SCTP",
		text: "In place of TCP and MPA, an SCTP association may carry DDP. Each pair of streams with the same identifier carries a DDP Stream " +
			"Session, which is a connection of its own. A DATA chunk with PPID 16 holds a DDP segment, one with PPID 17 a session control message. " +
			"SCTP keeps records apart and protects them, so there are no FPDUs, Markers and CRCs of MPA.",
		lookFor: "the Adaptation Layer Indication 1 in INIT and INIT ACK, and the Initiate with which each session begins.",
		see:     []string{"DDP Stream Session", "MPA"},
		sources: []string{"RFC 5043"}},
	{name: "DDP Stream Session", aka: []string{"SessionInitiate", "SessionAccept", "SessionReject", "SessionTerminate",
		"EnhancedInitiate", "EnhancedAccept", "EnhancedReject", "Session control"},
		title: "what is between an Initiate and its Terminates, over SCTP",
		text: "The active side sends a SessionInitiate, the passive side a SessionAccept or SessionReject, each with Private Data, as MPA Request " +
			"and Reply do over TCP. The enhanced ones carry IRD and ORD too. A SessionTerminate, which is not the Terminate of RDMAP, ends the " +
			"session, or refuses it. The association lives on, and the streams can be used again.",
		see:     []string{"DDP over SCTP", "MPA Request", "MPA Reply", "Enhanced"},
		sources: []string{"RFC 5043, section 6", "RFC 6581, section 7"}},
	{name: "DDP", aka: []string{"Direct Data Placement", "Direct Data Placement Protocol", "iwarp_ddp"},
		title: "Direct Data Placement",
		text: "The layer of iWARP that says where in the receiver's memory payload goes, so that it need not be copied. Each segment names a " +
			"tagged buffer (STag, TO) or a place in a queue of untagged buffers (QN, MSN, MO).",
		see:     []string{"tagged buffer", "untagged buffer", "DDP Segment"},
		sources: []string{"RFC 5041"}},
	{name: "DDP Segment", aka: []string{"segment", "segmentation"},
		title: "the part of a DDP message that one FPDU carries",
		text: "A header of 14 octets (tagged) or 18 (untagged), and payload to the end of the ULPDU: DDP has no length field. All segments of a " +
			"message name the same STag or the same QN and MSN; the last one has L set.",
		see:     []string{"L bit", "TO", "MO", "DDP Message"},
		sources: []string{"RFC 5041, sections 4 and 5.2"}},
	{name: "DDP Message", aka: []string{"RDMA Message", "RDMAP message"},
		title: "what the upper layer hands over at a time",
		text: "One RDMAP message is one DDP message, of one or more segments, shorter than 2^32 octets. " +
			"Messages of a direction are sent in the order in which they were posted, and delivered in that order.",
		see:     []string{"DDP Segment", "Delivery", "MSN"},
		sources: []string{"RFC 5041, sections 5.2 and 5.3"}},
	{name: "tagged buffer", aka: []string{"tagged", "Tagged Buffer Model", "tagged message"},
		title: "memory that an STag names",
		text: "The sender says where payload goes: STag names the buffer, TO the place in it. RDMA Write and " +
			"RDMA Read Response are tagged. The receiver's upper layer is not told when one arrives.",
		see:     []string{"STag", "TO", "Advertisement", "untagged buffer"},
		sources: []string{"RFC 5041, section 5.1.1"}},
	{name: "untagged buffer", aka: []string{"untagged", "Untagged Buffer Model", "untagged message"},
		title: "the next buffer that the receiver posted to a queue",
		text: "The receiver says where payload goes: message MSN of queue QN takes the buffer that was posted for it. All messages are untagged " +
			"but RDMA Write and RDMA Read Response. If no buffer is there, the stream ends with the Terminate 1/2/02.",
		see:     []string{"QN", "MSN", "MO", "1/2/02", "tagged buffer"},
		sources: []string{"RFC 5041, section 5.1.2"}},
	{name: "STag", aka: []string{"Steering Tag", "rkey", "R_Key", "remote key", "memory key", "lkey"},
		title: "Steering Tag, the name of a tagged buffer",
		text: "32 bits by which a side names a piece of its memory to the other: InfiniBand's R_Key. The low 8 bits are a key that the owner may " +
			"change each time, the rest an index. It is valid on the connections of one Protection Domain, until it is invalidated.",
		lookFor: "where it was advertised: search the Sends before for its four octets. Some kernel upper layers write it in little-endian order.",
		see:     []string{"Advertisement", "Invalidate", "Protection Domain", "0/1/00", "1/1/00"},
		sources: []string{"RFC 5041, sections 2.3 and 8.2", "RFC 5040, section 2.3"}},
	{name: "TO", aka: []string{"Tagged Offset"}, title: "Tagged Offset, a place in a tagged buffer",
		text: "64 bits. Whether it counts from the beginning of the buffer or is a virtual address is the choice of " +
			"whoever registered the memory. In the segments of a message it grows by the octets of payload.",
		lookFor: "base and length that were advertised with the STag: payload must lie between them.",
		see:     []string{"STag", "base and bounds", "1/1/01", "1/1/03"},
		sources: []string{"RFC 5041, sections 4.2 and 5.1.1"}},
	{name: "QN", aka: []string{"Queue Number"}, title: "Queue Number, the queue of an untagged message",
		text: "RDMAP uses four: 0 for Sends and Immediate Data, 1 for Read and Atomic Requests, 2 for the " +
			"Terminate, 3 for Atomic Responses. Ask for a queue, as in: qn 1.",
		see:     []string{"QN 0", "QN 1", "QN 2", "QN 3", "1/2/01"},
		sources: []string{"RFC 5041, section 4.3", "RFC 5040, section 3.1", "RFC 7306, section 10.2"}},
	{name: "MSN", aka: []string{"Message Sequence Number"}, title: "Message Sequence Number",
		text: "Counts the messages of one queue in one direction: 1, 2, 3, and so on, past 4294967295 to 0. All " +
			"segments of a message have the same. Tagged messages have none.",
		lookFor: "gaps and repetitions per queue and direction: TCP loses nothing, so a gap is an error of the sender, or a hole in the capture.",
		see:     []string{"QN", "MO", "1/2/03"},
		sources: []string{"RFC 5041, section 4.3", "RFC 5040, section 5"}},
	{name: "MO", aka: []string{"Message Offset"}, title: "Message Offset, a place in an untagged message",
		text: "Octets of payload of the message before this segment: 0 in the first one. MO and payload length " +
			"of the segment with L set give the length of the message.",
		see:     []string{"MSN", "L bit", "1/2/04"},
		sources: []string{"RFC 5041, sections 4.3 and 5.2"}},
	{name: "Placement", aka: []string{"Data Placement", "placed", "place"}, title: "writing payload to memory",
		text: "Placement may happen in any order, as segments arrive, and more than once. Data that is placed " +
			"must not be used before it is delivered.",
		see:     []string{"Delivery"},
		sources: []string{"RFC 5041, sections 2.1 and 5.4"}},
	{name: "Delivery", aka: []string{"Data Delivery", "delivered", "deliver"},
		title: "telling the upper layer that a message is there",
		text: "A message is delivered once, when all its segments are placed and all messages before it are delivered. Errors of RDMAP are found " +
			"at Delivery, so the first message in error is the one that a Terminate names.",
		see:     []string{"Placement", "Completion"},
		sources: []string{"RFC 5041, sections 2.1 and 5.4", "RFC 5040, section 7.1"}},
	{name: "DDP Stream", aka: []string{"stream", "RDMAP Stream", "LLP Stream"},
		title: "a sequence of messages in order",
		text: "Over MPA there is one DDP stream to a TCP connection, so that an error of the stream ends the " +
			"connection. Between streams there is no order.",
		see:     []string{"DDP Message", "Terminate"},
		sources: []string{"RFC 5041, section 2.3", "RFC 5040, section 7"}},
	{name: "Data Sink", aka: []string{"Sink"}, title: "the side that receives payload",
		text:    "Of an RDMA Read it is the requester, of a Write or Send the other side. Names such as SinkSTag and SinkTO refer to it.",
		see:     []string{"Data Source", "SinkSTag"},
		sources: []string{"RFC 5040, section 2.1"}},
	{name: "Data Source", aka: []string{"Source"}, title: "the side that sends payload",
		text:    "Of an RDMA Read it is the side that answers, of a Write or Send the one that begins. Names such as SrcSTag and SrcTO refer to it.",
		see:     []string{"Data Sink", "SrcSTag"},
		sources: []string{"RFC 5040, section 2.1"}},
	{name: "zero-length", aka: []string{"zero length", "zero-length message", "empty message"},
		title: "messages without payload",
		text: "They are one segment. STag and TO of a Write, Read or Read Response of length zero are not " +
			"checked, so they may be anything. A Send of length zero takes a receive buffer.",
		see:     []string{"RTR", "RDMARDSZ"},
		sources: []string{"RFC 5041, sections 5.2 and 7.1", "RFC 5040, section 5"}},
	{name: "base and bounds", aka: []string{"bounds", "bounds check", "base or bounds"},
		title: "the part of memory that an STag names",
		text: "Every octet that a message reads or writes must lie in it. A receiver checks that before it " +
			"places payload, and also that TO and length do not exceed 64 bits.",
		see:     []string{"TO", "0/1/01", "1/1/01"},
		sources: []string{"RFC 5041, section 7.1", "RFC 5040, section 7.2"}},
}
