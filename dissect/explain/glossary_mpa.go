package explain

// mpaTerms are the terms of MPA and of the set-up of connections.
var mpaTerms = []term{
	{name: "MPA", aka: []string{"Marker PDU Aligned Framing", "iwarp_mpa"}, title: "Marker PDU Aligned Framing for TCP",
		text: "The layer of iWARP that turns TCP's stream of octets into records, FPDUs, and protects them with a CRC. A connection begins with an " +
			"MPA Request and an MPA Reply; from then on each direction is a stream of FPDUs.",
		see:     []string{"FPDU", "MPA Request", "Marker", "CRC32c"},
		sources: []string{"RFC 5044"}},
	{name: "FPDU", aka: []string{"Framed Protocol Data Unit", "FULPDU", "Framed PDU"},
		title: "Framed Protocol Data Unit",
		text: "The record of MPA: ULPDU_Length (2 octets), one ULPDU, 0 to 3 octets of padding, and a CRC of 4 octets; where they are agreed on, " +
			"Markers stand in it. One FPDU carries one DDP segment. RFC 6581 calls it FULPDU.",
		lookFor: "its first two octets: they are the length of the ULPDU. The next FPDU begins after it, at a multiple of four octets.",
		see:     []string{"ULPDU", "ULPDU_Length", "PAD", "CRC32c", "Marker"},
		sources: []string{"RFC 5044, section 4.1"}},
	{name: "ULPDU", aka: []string{"Upper Layer Protocol Data Unit"}, title: "Upper Layer Protocol Data Unit",
		text:    "What MPA carries in one FPDU for the layer above: a DDP segment, header and payload. It has 1 to 64768 octets.",
		see:     []string{"FPDU", "MULPDU", "DDP Segment"},
		sources: []string{"RFC 5044, sections 2 and 3"}},
	{name: "MULPDU", aka: []string{"Maximum ULPDU"}, title: "Maximum ULPDU",
		text: "The longest ULPDU whose FPDU fits one TCP segment. Without Markers it is EMSS - (6 + EMSS mod " +
			"4); with Markers, 4 octets less for each 512 octets of EMSS, the last ones rounded up. It must be from 128 to 64768 octets.",
		lookFor: "ULPDU_Length of full segments: 1442 where EMSS is 1448 and there are no Markers.",
		see:     []string{"EMSS", "FPDU Alignment"},
		sources: []string{"RFC 5044, sections 3 and 4.5"}},
	{name: "EMSS", aka: []string{"Effective Maximum Segment Size", "MSS"}, title: "Effective Maximum Segment Size",
		text: "What a TCP segment may carry: the smaller of the peer's MSS and what the path lets through, less " +
			"TCP options. DDP cuts its messages by it.",
		lookFor: "the MSS option of SYN and SYN-ACK; timestamps take 12 octets off it.",
		see:     []string{"MULPDU"},
		sources: []string{"RFC 5044, sections 2 and 4.5"}},
	{name: "FPDU Alignment", aka: []string{"Header Alignment", "aligned FPDU"},
		title: "a TCP segment begins with an FPDU and holds whole ones",
		text: "Senders should align FPDUs with TCP segments, so that a receiver can place a segment that came out of order. Receivers must cope " +
			"with any segmentation: retransmission, TSO and middleboxes break alignment, which is not an error.",
		see:     []string{"MULPDU", "Marker"},
		sources: []string{"RFC 5044, sections 2 and 5.1"}},
	{name: "Marker", aka: []string{"Markers", "MPA Marker"}, title: "a pointer in the stream, every 512 octets",
		text: "Four octets, two reserved and FPDUPTR, that stand in a stream of FPDUs at every 512th octet from its beginning. They let a receiver " +
			"find an FPDU where the chain of lengths is broken. They are agreed on for each direction: the M bit of the side that receives asks " +
			"for them. The CRC covers them.",
		lookFor: "M in the MPA Request and Reply. If a stream cannot be decoded, one side sends Markers that the " +
			"other does not expect, or the reverse.",
		peers: []Peer{{"tshark", []string{"version 4.0 shows wrong payload if an FPDU holds two Markers or more, and nothing " +
			"of the direction without Markers if the other has them"}}},
		see:     []string{"FPDUPTR", "marker_flag", "2/0/03"},
		sources: []string{"RFC 5044, sections 4.2 and 4.3"}},
	{name: "FPDUPTR", aka: []string{"FPDU Pointer"}, title: "FPDU Pointer, the number in a Marker",
		text: "The number of octets from the ULPDU_Length of the FPDU in which the Marker stands to the Marker. " +
			"0 means that an FPDU begins right after the Marker. The two lowest bits must be zero.",
		see:     []string{"Marker", "2/0/03"},
		sources: []string{"RFC 5044, sections 4.2 and 4.3"}},
	{name: "CRC32c", aka: []string{"CRC", "CRC32", "Castagnoli", "MPA CRC"}, title: "the checksum of an FPDU",
		text: "CRC32c (polynomial 0x1EDC6F41, as in iSCSI) of everything from ULPDU_Length to the padding and of the Markers in it, least " +
			"significant octet first. The field is there always; it is used if either side set C. It finds what the checksum of TCP misses: octets " +
			"that middleboxes or adapters changed.",
		lookFor: "the C bits in MPA Request and Reply. Bad CRCs with good TCP checksums point to an adapter, " +
			"memory or middlebox; bad CRCs throughout point to FPDU boundaries or octet order.",
		see:     []string{"2/0/02", "crc_flag"},
		sources: []string{"RFC 5044, section 4.4"}},
	{name: "MPA Request", aka: []string{"MPARequest", "MPA Request Frame", "MPA ID Req Frame", "MPA Req"},
		title: "the first frame of a connection",
		text: "20 octets, \"MPA ID Req Frame\", flags, revision and length, and Private Data. It comes from the " +
			"Initiator, usually the TCP client, and says whether Markers and CRC are wanted.",
		lookFor: "the MPA Reply. If the connection is closed instead, the other side does not know the revision, or nothing listens for iWARP there.",
		peers:   []Peer{{"tshark", []string{"loses the connection if the frame is split over two TCP segments"}}},
		see:     []string{"MPA Reply", "Private Data", "Rev 2", "Enhanced"},
		sources: []string{"RFC 5044, section 7.1"}},
	{name: "MPA Reply", aka: []string{"MPAReply", "MPA Reply Frame", "MPA ID Rep Frame", "MPA Response",
		"MPA Response Frame", "MPA Rep"}, title: "the answer to an MPA Request",
		text: "The Responder's frame, of the same form, with \"MPA ID Rep Frame\". With R set, the upper layer " +
			"rejected the connection, and Private Data may say why. RFC 6580 calls it MPA Response Frame.",
		lookFor: "R; then the Initiator's first FPDU: the Responder must not send one before that has arrived.",
		see:     []string{"MPA Request", "rej_flag", "RTR"},
		sources: []string{"RFC 5044, section 7.1"}},
	{name: "Initiator", aka: []string{"active side", "Active Side"}, title: "the side that sends the MPA Request",
		text:    "Usually, but not always, the side that opened the TCP connection. Its first FPDU must come before the Responder may send any.",
		see:     []string{"Responder", "MPA Request"},
		sources: []string{"RFC 5044, sections 2 and 7.1.2"}},
	{name: "Responder", aka: []string{"passive side", "Passive Side"}, title: "the side that answers the MPA Request",
		text: "It sends the MPA Reply, and must not send an FPDU or Marker before it has received a valid FPDU of the Initiator. RPC and the " +
			"Atomics of RFC 7306 call another side responder: the one that answers a Call or Request.",
		lookFor: "its first FPDU: the TCP segment that carries it must acknowledge the Initiator's first FPDU.",
		see:     []string{"Initiator", "RTR", "MPA Reply"},
		sources: []string{"RFC 5044, sections 2 and 7.1.2"}},
	{name: "Startup Phase", aka: []string{"MPA startup", "startup", "streaming mode", "delayed startup",
		"immediate startup"}, title: "what goes before the first FPDU",
		text: "MPA Request and Reply, which are plain octets of TCP without Markers and CRC. An upper layer may " +
			"use the TCP connection for messages of its own before (delayed start-up), as iSER does for its login.",
		see:     []string{"MPA Request", "Full Operation"},
		sources: []string{"RFC 5044, section 7.1"}},
	{name: "Full Operation", aka: []string{"Full Operation Phase", "RDMA mode"},
		title:   "the phase in which FPDUs are exchanged",
		text:    "It begins in each direction right after the MPA Request or Reply of that side. Markers are counted from that octet.",
		see:     []string{"Startup Phase", "Marker"},
		sources: []string{"RFC 5044, sections 2 and 4"}},
	{name: "Private Data", aka: []string{"PD", "private-data", "CM private data"},
		title: "data of the upper layer in the MPA frames",
		text: "Up to 512 octets in Request and Reply. With S set, the first four are MPA's own: IRD, ORD and the " +
			"kinds of RTR. No CRC protects it. RPC-over-RDMA, SMB Direct, NVMe and iSER put their parameters there.",
		lookFor: "0xf6ab0e18: RPC-over-RDMA (RFC 8797).",
		see:     []string{"pdlength", "Enhanced", "0xf6ab0e18"},
		sources: []string{"RFC 5044, sections 7.1.1 and 7.1.4", "RFC 6581, section 9"}},
	{name: "Enhanced", aka: []string{"enhanced connection establishment", "enhanced MPA", "MPA enhanced",
		"enhanced RDMA connection establishment", "RFC 6581"},
		title: "the set-up of connections after RFC 6581",
		text: "MPA revision 2 with the S bit: a word at the beginning of the Private Data tells IRD and ORD, whether the connection is " +
			"peer-to-peer (A), and what its first message may be (B, C, D). A Responder that knows revision 1 only closes the connection.",
		lookFor: "Rev 2 and S in Request and Reply, then the word: in a Request with IRD 32, ORD 16, peer-to-peer, " +
			"Write and Read as RTR it is 80 20 c0 10.",
		peers:   []Peer{{"tshark", []string{"before version 4.6 does not decode the word"}}},
		see:     []string{"IRD", "ORD", "RTR", "Rev 2"},
		sources: []string{"RFC 6581, sections 5, 6 and 9"}},
	{name: "IRD", aka: []string{"Inbound RDMA Read Queue Depth", "Inbound Read Queue Depth"},
		title: "Inbound RDMA Read Queue Depth",
		text: "How many Read Requests (and Atomic Requests) a side takes in at a time. The other side's ORD must " +
			"not exceed it. MPA negotiates both since RFC 6581; before, upper layers did, or nobody.",
		lookFor: "the Read Requests without a response at one time. One too many ends the connection: the answer is 1/2/02 by the RFCs; " +
			"read-ird says what peers send.",
		see:     []string{"ORD", "0x3fff", "2/0/06", "read-ird"},
		sources: []string{"RFC 6581, section 9.1"}},
	{name: "ORD", aka: []string{"Outbound RDMA Read Queue Depth", "Outbound Read Queue Depth", "outstanding", "outstanding Reads", "queue depth"},
		title: "Outbound RDMA Read Queue Depth",
		text: "How many Read Requests (and Atomic Requests) a side may have outstanding. It is at most what the " +
			"side said in its MPA frame, and at most the other side's IRD. With 0 it must not read at all.",
		lookFor: "MPA Request and Reply: the values in the Reply are final, and the Initiator adapts to them.",
		see:     []string{"IRD", "0x3fff", "2/0/06"},
		sources: []string{"RFC 6581, section 9.1"}},
	{name: "0x3fff", aka: []string{"16383", "not negotiated"}, title: "an IRD or ORD that is not negotiated",
		text: "All ones in the 14 bits of IRD or ORD: the sender wants no negotiation, the upper layer sees to " +
			"it. The other side must answer with the same value.",
		see:     []string{"IRD", "ORD"},
		sources: []string{"RFC 6581, section 9.1"}},
	{name: "RTR", aka: []string{"Ready to Receive", "Ready to Receive indication", "RTR indication"},
		title: "Ready to Receive, the first message of a peer-to-peer connection",
		text: "Since the Responder must not send first, the Initiator of a peer-to-peer connection sends an empty " +
			"message at once: a Send (B), an RDMA Write (C) or an RDMA Read (D) of length zero, of a kind that both sides offer. " +
			"Upper layers do not see it. A Send takes MSN 1 of queue 0, a Read MSN 1 of queue 1.",
		lookFor: "the first FPDU of the Initiator. If it is the Terminate 2/0/07, the sides could not agree on a kind.",
		see:     []string{"Enhanced", "peer-to-peer", "2/0/07"},
		sources: []string{"RFC 6581, section 9.2"}},
	{name: "peer-to-peer", aka: []string{"P2P", "client-server", "peer to peer model", "client-server model"},
		title: "who may send the first message",
		text: "In the client-server model, the Initiator's upper layer must send the first message. In the " +
			"peer-to-peer model (A set), MPA sends one for it, the RTR, and then either side may begin.",
		lookFor: "A in both MPA frames: they must agree.",
		see:     []string{"RTR", "Initiator"},
		sources: []string{"RFC 6581, section 9.2"}},
	{name: "RDMAC", aka: []string{"RDMA Consortium", "RDMAC stream", "version 0"},
		title: "RDMA Consortium, whose protocols went before the RFCs",
		text: "Its RNICs send MPA revision 0, always use Markers and CRC, and have version 0 of DDP and RDMAP " +
			"(octets 40 03 for a Send instead of 41 43). RFC 5044 tells how RNICs of both kinds may work together: " +
			"a permissive one switches to version 0. Its Verbs specification is still what RNICs implement.",
		lookFor: "Rev 0 in an MPA frame; DV and RV in all segments are 0 then.",
		see:     []string{"Rev 0", "DV", "verbs"},
		sources: []string{"RFC 5044, appendix C", "RFC 5040, section 4.1"}},
}
