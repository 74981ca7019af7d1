package explain

// fieldTexts says what the fields of MPA, DDP and RDMAP, and some of RPC-over-RDMA, are for, by display filter name.
var fieldTexts = map[string]string{
	"iwarp_mpa.ulpdulength": "Octets of the ULPDU: neither itself nor PAD, CRC and Markers count. From 1 to 64768. It is the chain from one FPDU " +
		"to the next: one wrong value, and all that follows is lost unless Markers help.",
	"iwarp_mpa.pad": "As many zero octets, 0 to 3, as make the FPDU a multiple of four. Receivers do not look at them.",
	"iwarp_mpa.crc": "CRC32c of the FPDU from ULPDU_Length to PAD, and of the Markers in it, least " +
		"significant octet first. It is always there; if both sides agreed on no CRC, its value has no meaning.",

	"iwarp_sctp.ddp_ssn": "DDP Source Sequence Number: the place of a chunk in what its sender sent in a session, from 0, " +
		"modulo 65536. SCTP delivers chunks as they come; it says how they were sent.",
	"iwarp_sctp.function_code": "What a session control message does: it begins, grants, rejects or ends a DDP " +
		"Stream Session. The enhanced ones begin their Private Data with IRD and ORD.",
	"iwarp_sctp.privatedata": "Data of the upper layer, which the set-up of the session carries along, at most 512 " +
		"octets; of an enhanced message the word with IRD and ORD first.",

	"iwarp_mpa.key.req": "\"MPA ID Req Frame\": every MPA Request begins with it, which shows that a connection is " +
		"iWARP.",
	"iwarp_mpa.key.rep":     "\"MPA ID Rep Frame\": every MPA Reply begins with it.",
	"iwarp_mpa.marker_flag": "The sender of this frame requires Markers in what it receives. The two directions are independent.",
	"iwarp_mpa.crc_flag":    "The sender of this frame wants CRCs. If either side sets it, both use and check them.",
	"iwarp_mpa.rej_flag":    "In a Reply: the upper layer rejected the connection. In a Request it has no meaning.",
	"iwarp_mpa.enhanced_flag": "From revision 2 on: the Private Data begins with the word that holds IRD, ORD and " +
		"the kinds of RTR. Reserved in revision 1.",
	"iwarp_mpa.res":         "Reserved: zero when sent, not looked at when received.",
	"iwarp_mpa.rev":         "Revision of MPA: 0 of the RDMA Consortium, 1 of RFC 5044, 2 of RFC 6581. 129 is a vendor's.",
	"iwarp_mpa.pdlength":    "Octets of Private Data, at most 512, the word with IRD and ORD included.",
	"iwarp_mpa.privatedata": "Data of the upper layer, which the set-up of the connection carries along. No CRC protects it.",
	"iwarp_mpa.enhanced.a": "The connection is peer-to-peer: the Initiator's first message is a Ready to Receive indication (RTR), after which " +
		"either side may send. Otherwise the Initiator must send a message of its own first.",
	"iwarp_mpa.enhanced.b":   "A Send of length zero may be the RTR.",
	"iwarp_mpa.enhanced.c":   "An RDMA Write of length zero may be the RTR.",
	"iwarp_mpa.enhanced.D":   "An RDMA Read of length zero may be the RTR.",
	"iwarp_mpa.enhanced.ird": "How many RDMA Read Requests the sender of this frame takes in at a time. 16383 (0x3fff) leaves it to the upper layer.",
	"iwarp_mpa.enhanced.ord": "How many RDMA Read Requests the sender of this frame will have outstanding at a " +
		"time. 16383 (0x3fff) leaves it to the upper layer.",
	"iwarp_mpa.legacy.ird": "The IRD of the sender, in the Private Data of the upper layer, as iWARP providers put it there for SMB Direct.",
	"iwarp_mpa.legacy.ord": "The ORD of the sender, in the Private Data of the upper layer, as iWARP providers put it there for SMB Direct.",

	"iwarp_ddp.tagged_flag": "1: the segment goes to a tagged buffer, and a header of 14 octets begins. 0: to an " +
		"untagged one, and the header has 18.",
	"iwarp_ddp.last_flag": "The segment is the last of its message.",
	"iwarp_ddp.rsvd":      "Reserved: zero when sent, not looked at when received.",
	"iwarp_ddp.dv":        "DDP version: 1, or 0 with an RDMAC peer. It is the same throughout a stream, and that of RDMAP is the same.",
	"iwarp_ddp.rsvdulp":   "Kept for the layer above. RDMAP has its version and opcode there, and in untagged segments the Invalidate STag.",
	"iwarp_ddp.stag":      "Steering tag: names the tagged buffer that the payload goes into. The side that receives the segment assigned it.",
	"iwarp_ddp.tagged_offset": "Tagged offset: where in the tagged buffer the payload goes. Most upper layers " +
		"count from address 0, so that it looks like a virtual address.",
	"iwarp_ddp.qn":  "Queue number: 0 Sends and Immediate Data, 1 Read and Atomic Requests, 2 Terminate, 3 Atomic Responses.",
	"iwarp_ddp.msn": "Message sequence number: counts the messages of one queue and direction, from 1. It is the same in all segments of a message.",
	"iwarp_ddp.mo":  "Message offset: octets of payload in the segments of the message before this one.",

	"iwarp_rdma.version":    "RDMAP version: 1, or 0 with an RDMAC peer. 2 and 3 are always errors.",
	"iwarp_rdma.rsv":        "Reserved: zero when sent, not looked at when received.",
	"iwarp_rdma.opcode":     "Which message the segment belongs to. Ask for an opcode, as in: opcode 4.",
	"iwarp_rdma.inval_stag": "The STag of the receiver that a Send with Invalidate invalidates.",
	"iwarp_rdma.reserved":   "Where Sends with Invalidate have the Invalidate STag. Zero in all other untagged messages.",
	"iwarp_rdma.sinkstag":   "Names the buffer of the requester that the data is to be written to. The Read Response carries it as its STag.",
	"iwarp_rdma.sinkto":     "Where in the buffer of SinkSTag the data goes. The Read Response begins with it as its TO.",
	"iwarp_rdma.rdmardsz":   "Octets to read. 0 is allowed, and then neither STag is checked.",
	"iwarp_rdma.srcstag":    "Names the buffer of the other side that is to be read. That side assigned it.",
	"iwarp_rdma.srcto":      "Where in the buffer of SrcSTag the reading begins.",

	"iwarp_rdma.atomic.reserved":           "Reserved: zero when sent, not looked at when received.",
	"iwarp_rdma.atomic.opcode":             "What the Atomic does: 0 FetchAdd, 2 CmpSwap.",
	"iwarp_rdma.atomic.request_identifier": "A number of the requester's choice. The response has it again.",
	"iwarp_rdma.atomic.remote_stag":        "Names the buffer that the Atomic works on.",
	"iwarp_rdma.atomic.remote_tagged_offset": "Where in the buffer of the Remote STag. The address that results " +
		"must be a multiple of 8; otherwise the answer is the Terminate 0/2/07.",
	"iwarp_rdma.atomic.add_data": "The number that FetchAdd adds.",
	"iwarp_rdma.atomic.add_mask": "A one marks the most significant bit of a field, across " +
		"which FetchAdd lets no carry go. RFC 7306 describes it as a mask of bits, which fits CmpSwap only.",
	"iwarp_rdma.atomic.swap_data":                   "The bits that CmpSwap puts in.",
	"iwarp_rdma.atomic.swap_mask":                   "Ones are the bits that CmpSwap replaces.",
	"iwarp_rdma.atomic.compare_data":                "The value that CmpSwap compares with. FetchAdd has zero here.",
	"iwarp_rdma.atomic.compare_mask":                "Ones are the bits that CmpSwap compares; with none it always swaps. FetchAdd has all ones here.",
	"iwarp_rdma.atomic.original_request_identifier": "The Request Identifier of the request that this answers.",
	"iwarp_rdma.atomic.original_remote_data_value":  "What the memory held before the Atomic.",
	"iwarp_rdma.immediate_data":                     "Eight octets for the upper layer.",

	"iwarp_rdma.term_layer":         "The layer that met the error: 0 RDMAP, 1 DDP, 2 the layer below, MPA.",
	"iwarp_rdma.term_etype":         "The type of the error; which types there are depends on the Layer. Ask for both, as in: 1/2.",
	"iwarp_rdma.term_errcode":       "The error; which there are depends on Layer and EType. Ask for all three, as in: 1/2/05.",
	"iwarp_rdma.term_hdrct_m":       "HdrCt: the DDP Segment Length is valid.",
	"iwarp_rdma.hdrct_d":            "HdrCt: the DDP header of the segment in error is enclosed, 14 or 18 octets by its own T bit.",
	"iwarp_rdma.hdrct_r":            "HdrCt: the header of the Read Request in error is enclosed, 28 octets.",
	"iwarp_rdma.term_rsvd":          "Reserved: zero when sent. Bits in the mask 0x0700 mean that the Terminate is in the swapped bit order.",
	"iwarp_rdma.term_meant_etype":   "The EType in the swapped bit order.",
	"iwarp_rdma.term_meant_layer":   "The Layer in the swapped bit order.",
	"iwarp_rdma.term_meant_errcode": "The Error Code, which is in the same place in the swapped bit order.",
	"iwarp_rdma.term_meant_hdrct_m": "HdrCt in the swapped bit order: the DDP Segment Length is valid.",
	"iwarp_rdma.term_meant_hdrct_d": "HdrCt in the swapped bit order: a DDP header is enclosed.",
	"iwarp_rdma.term_meant_hdrct_r": "HdrCt in the swapped bit order: a Read Request header is enclosed.",
	"iwarp_rdma.term_ddp_seg_len":   "Octets of the DDP segment in error, headers included.",
	"iwarp_rdma.trailing":           "Octets after the headers that no RFC explains.",

	"rpcordma.xid":            "The transaction id of the RPC message that the header is for.",
	"rpcordma.version":        "Version of RPC-over-RDMA: 1 of RFC 8166, 2 of the drafts. It is the second word of every header.",
	"rpcordma.flow_control":   "Credits: in a Call the Calls that the Requester wants to have open, in a Reply those that the Responder grants.",
	"rpcordma.msg_type":       "What the message is: rdma_proc in version 1, rdma_htype in version 2.",
	"rpcordma.errcode":        "Why a message was not accepted.",
	"rpcordma.rdma_handle":    "The STag of a region of memory of the Requester.",
	"rpcordma.rdma_length":    "Octets of the region; in a Reply those that were written to it.",
	"rpcordma.rdma_offset":    "The TO of the first octet of the region.",
	"rpcordma.position":       "Where in the unreduced RPC message the data of a Read chunk belongs; 0 means that the chunk is the whole message.",
	"rpcordma.inv_handle":     "The STag that the Reply may invalidate by a Send with Invalidate; 0 for none.",
	"rpcordma.reads_count":    "Begins the Read list: 1 if an element follows, 0 if the list is empty.",
	"rpcordma.writes_count":   "Begins the Write list: 1 if a chunk follows, 0 if the list is empty.",
	"rpcordma.reply_count":    "Whether a Reply chunk follows: 1, or 0 if not.",
	"rpcordma.segment_count":  "Segments in the chunk.",
	"rpcordma.rdma_align":     "Of RDMA_MSGP, which is not to be used: alignment of the padding.",
	"rpcordma.rdma_thresh":    "Of RDMA_MSGP, which is not to be used: threshold of the padding.",
	"rpcordma.credit_max":     "The most credits that can be outstanding at the sender.",
	"rpcordma.credit_grant":   "Messages that the receiver may send beyond those that it was granted before; never 0.",
	"rpcordma.remaining":      "Octets of the RPC message in the messages that continue this one.",
	"rpcordma.flags.response": "The message belongs to an RPC Reply.",
	"rpcordma.flags.more":     "The RPC message continues in the next message.",

	"rpcordma.private.identifier":   "0xf6ab0e18: RPC-over-RDMA finds its data in the Private Data of MPA frames by it.",
	"rpcordma.private.r":            "A Responder may invalidate an STag by a Send with Invalidate.",
	"rpcordma.private.send_size":    "The longest Send of the sender, in units of 1024 octets, less one.",
	"rpcordma.private.receive_size": "The longest Send that the sender takes, in units of 1024 octets, less one: its inline threshold.",
}
