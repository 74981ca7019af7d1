package judge

// What Terminate codes mean for whoever finds one in a log or a capture.

import (
	"cmp"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Meaning is what a Terminate code says, in sentences, and where to look for its cause. Both are empty if that is not known.
type Meaning struct {
	Text    string
	look    string     // begins in the middle of a sentence: "Look for ..."
	compare comparison // in place of look
}

// A comparison is that of fields of the message at fault with what was advertised.
type comparison struct {
	fields string // "TO and payload length"
	of     string // "Read Request"; empty if messages of several types can be at fault
	with   string
}

// LookFor says what to look for in a capture or on a host. It begins in the middle of a sentence: "Look for ...".
func (m Meaning) LookFor() string {
	if c := &m.compare; c.fields != "" {
		return c.fields + " of the " + cmp.Or(c.of, "segment") + " that is enclosed, and compare them with " + c.with
	}
	return m.look
}

// MeaningOfType finds the Meaning of the error type of a code.
func MeaningOfType(c rdmap.Code) Meaning {
	return etypeMeanings[fmt.Sprintf("%X/%X", uint8(c.Layer), c.EType)]
}

// MeaningOf finds the Meaning of a code.
func MeaningOf(c rdmap.Code) Meaning {
	switch (rdmap.Code{Layer: c.Layer, EType: c.EType}) {
	case rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPLocalCatastrophic},
		rdmap.Code{Layer: rdmap.LayerDDP, EType: rdmap.DDPReservedForLLP}:
		c.ErrorCode = 0 // all error codes of these mean the same
	}
	return codeMeanings[c.String()]
}

// meaningFor finds the Meaning of a code about a message with an opcode. Some RNICs report Writes as Remote Protection Errors,
// which are about Read Requests: then it is that of the Tagged Buffer Error of DDP.
func meaningFor(c rdmap.Code, op rdmap.Opcode) Meaning {
	tagged := [...]uint8{0x00, 0x01, 0x00, 0x02, 0x03} // by the error code of RDMAP; that of rights is with that of STags
	isProtection := c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPRemoteProtection
	if isProtection && op.Tagged() && int(c.ErrorCode) < len(tagged) {
		c = rdmap.Code{Layer: rdmap.LayerDDP, EType: rdmap.DDPTaggedBuffer, ErrorCode: tagged[c.ErrorCode]}
	}
	return MeaningOf(c)
}

// etypeMeanings says of each error type what kind of error it is, and who sends it.
var etypeMeanings = map[string]Meaning{
	"0/0": {Text: "The sender of the Terminate has a problem of its own. Nothing that it received is to blame."},
	"0/1": {Text: "Sent by the side that received a message which it may not serve: the message is well-formed, " +
		"but names memory that " +
		"its sender may not use. The message at fault is the Read Request, Atomic Request or Send with Invalidate of the " +
		"other side, whose header is enclosed."},
	"0/2": {Text: "Sent by the side that received a message which RDMAP cannot accept, or could not carry out. " +
		"The message at fault is one of the other side; its DDP header is enclosed where possible."},
	"1/0": {Text: "DDP of the side that sent the Terminate failed for a reason of its own, or received something " +
		"for which the RFCs have no other code."},
	"1/1": {Text: "Sent by the side that received a tagged segment, of an RDMA Write or an RDMA Read Response, " +
		"which does not fit the buffer that it names. " +
		"The DDP header of the segment is enclosed: STag and TO stand in it."},
	"1/2": {Text: "Sent by the side that received an untagged segment, of a Send, a Request or a Terminate, which " +
		"does not fit its queue. " +
		"The DDP header of the segment is enclosed: QN, MSN and MO stand in it."},
	"1/3": {Text: "Error codes of this type belong to the protocol below DDP. MPA does not use them: it has a " +
		"layer of its own."},
	"2/0": {Text: "Sent by the side whose MPA layer met an error in the stream or in the set-up of the connection. " +
		"No headers are enclosed."},
}

// noBuffer is the code of a message for which its queue has no buffer. Where to look depends on the queue.
const (
	noBuffer     = "1/2/02"
	lookAtSends  = "the receive buffers that the program posts, the credits of the upper layer, and the Sends since the last one that was answered."
	lookAtReads  = "the Read Requests without response, and IRD and ORD in the MPA frames."
	lookAtLength = "the length of the Send and the size of the receive buffers: the inline threshold of RPC-over-RDMA, the " +
		"negotiated sizes of SMB Direct, ICDReq of iSER. The sender uses a larger size than the receiver has."
)

// codeMeanings says what each error code means, and where its cause is to be found.
var codeMeanings = map[string]Meaning{
	"0/0/00": {Text: "It could not make or finish a message, or its upper layer asked for the end of the stream. The " +
		"error code has no meaning here: any may be sent.",
		look: "the reason in the log of the host that sent it: a QP that was moved to the error state, a process that " +
			"died, an adapter that was reset."},

	"0/1/00": {Text: "The STag is unknown, is not valid any more, or has another key than the one that was advertised.",
		look: "the SrcSTag in the Read Request that is enclosed: where was it advertised, and was it invalidated before " +
			"the Request came (Send with Invalidate, end of an RPC, deregistration)?"},
	"0/1/01": {Text: "What was to be read reaches outside the memory that the STag names.",
		compare: comparison{"SrcTO and RDMARDSZ", "Read Request",
			"the address and length that were advertised. A wrong offset mode (zero-based or virtual addresses) shows here too."}},
	"0/1/02": {Text: "The memory was registered without the right that the message needs: remote read for a Read Request.",
		look: "how the memory with the SrcSTag was registered."},
	"0/1/03": {Text: "The STag is valid, but belongs to another stream or Protection Domain than the connection on which " +
		"it was used.",
		look: "the connection on which the STag was advertised: another QP, or the one before a reconnect."},
	"0/1/04": {Text: "SrcTO and RDMARDSZ together exceed 64 bits, so that the read would wrap around the end of the " +
		"address space.",
		look: "a TO close to 2^64 in the Read Request: often a negative offset, or one in the wrong byte order."},
	"0/1/09": {Text: "The Send with Invalidate names an STag that its sender may not invalidate: that of another stream " +
		"or Protection Domain, or one without the right.",
		look: "the Invalidate STag in the DDP header that is enclosed (octets 2 to 5), and the connection on which it " +
			"was advertised."},
	"0/1/FF": {Text: "An error of protection that none of the other codes describes.",
		look: "the message whose header is enclosed, and the STag in it."},

	"0/2/05": {Text: "The RDMAP version of a message is not that of the stream: 1, or 0 with an RDMAC peer.",
		look: "the first octets of the segment that is enclosed: 41 43 is a Send of version 1. Octets that look random " +
			"mean that FPDU boundaries were lost: check Markers and CRC."},
	"0/2/06": {Text: "The opcode is not assigned, not supported, or not allowed there: one of RFC 7306 (Atomics, " +
		"Immediate Data) to a peer without it, one on the wrong queue, or a Response that nobody asked for.",
		look: "the opcode in the second octet of the segment that is enclosed."},
	"0/2/07": {Text: "Something failed in this stream alone that no other code describes: a queue overflow, an Atomic at " +
		"an address that is not aligned, a resource that is gone.",
		look: "what the log of the host that sent it says; for Atomics, a Remote TO that is not a multiple of 8."},
	"0/2/08": {Text: "The whole RNIC failed; all its streams are lost.",
		look: "Terminates and resets on the other connections of that host, and an adapter reset in its log."},
	"0/2/09": {Text: "The Send with Invalidate names an STag that cannot be invalidated: unknown, not valid, shared, or " +
		"with Memory Windows bound to it.",
		look: "the Invalidate STag in the DDP header that is enclosed (octets 2 to 5): was it invalidated before, " +
			"locally or by another Send?"},
	"0/2/FF": {Text: "An error that none of the other codes describes.",
		look: "a message of the wrong size or with an opcode that the peer does not support, just before."},

	"1/0/00": {Text: "Peers use it where a receive buffer is invalid, a ULPDU is shorter than its header, or a Read " +
		"Response comes that nobody asked for.",
		look: "what the log of the host that sent it says, and the last segment before it that is short or unexpected."},

	"1/1/00": {Text: "The STag is unknown, is not valid any more, or has another key than the one that was advertised. " +
		"It is also the usual answer to a Write into memory that does not allow remote writes, for which DDP has " +
		"no code.",
		look: "the STag in the header that is enclosed: where was it advertised, with which rights, and was it " +
			"invalidated before the Write came?"},
	"1/1/01": {Text: "The segment reaches outside the memory that the STag names.",
		compare: comparison{"TO and payload length", "", "the address and length that were advertised."}},
	"1/1/02": {Text: "The STag is valid, but belongs to another stream or Protection Domain than the connection on which " +
		"it was used.",
		look: "the connection on which the STag was advertised: another QP, or the one before a reconnect."},
	"1/1/03": {Text: "TO and payload length together exceed 64 bits, so that the segment would wrap around the end of " +
		"the address space.",
		look: "a TO close to 2^64: often a negative offset, or one in the wrong byte order."},
	"1/1/04": {Text: "The DDP version of a tagged segment is not that of the stream: 1, or 0 with an RDMAC peer.",
		look: "the first octet of the segment that is enclosed: 0xc1 or 0x81 in version 1. Octets that look random mean " +
			"that FPDU boundaries were lost: check Markers and CRC."},

	"1/2/01": {Text: "The Queue Number is one that does not exist, or not for this opcode. RDMAP uses 0 for Sends, 1 for " +
		"Requests, 2 for Terminates, 3 for Atomic Responses.",
		look: "QN and opcode in the header that is enclosed."},
	noBuffer: {Text: "The queue has no buffer for the message: the receiver posted too few, or the sender ignored the " +
		"flow control of the upper layer. On queue 1 there are more Read Requests than IRD.",
		look: "QN in the header that is enclosed. QN 0: " + lookAtSends + " QN 1: " + lookAtReads},
	"1/2/03": {Text: "The Message Sequence Number is not one that the queue expects: a number was skipped, used twice, " +
		"or is far off.",
		look: "the MSNs on that queue before it: they begin with 1 and count up by one. A gap means that a message was " +
			"lost above TCP."},
	"1/2/04": {Text: "The Message Offset is outside the buffer, or not where the message went on.",
		look: "the MOs of the segments of that message: the first is 0, each next one is the octets before it."},
	"1/2/05": {Text: "The message is longer than the buffer that waits for it.",
		look: lookAtLength},
	"1/2/06": {Text: "The DDP version of an untagged segment is not that of the stream: 1, or 0 with an RDMAC peer.",
		look: "the first octet of the segment that is enclosed: 0x41 or 0x01 in version 1. Octets that look random mean " +
			"that FPDU boundaries were lost: check Markers and CRC."},

	"1/3/00": {Text: "No peer is known to send it.", look: "what the sender runs below DDP: over SCTP this may have a meaning."},

	"2/0/01": {Text: "TCP is gone: closed, reset or timed out. The error is one for the local log, since nothing can be " +
		"sent any more; on the wire it makes no sense.",
		look: "FIN, RST or retransmissions without answer at the end of the connection."},
	"2/0/02": {Text: "The CRC32c of an FPDU is wrong: octets were changed between the two RNICs, or the sides disagree " +
		"about where FPDUs begin.",
		look: "FPDUs whose CRC is bad in the capture (iwarp stats): if they are good there, the octets changed after " +
			"the point of capture. Check offload, middleboxes and memory; check that both sides agree on Markers."},
	"2/0/03": {Text: "A Marker points elsewhere than to the beginning of the FPDU in which it stands, although the CRC is good.",
		look: "the M bits of MPA Request and Reply: does the sender insert Markers where the receiver expects them?"},
	"2/0/04": {Text: "An MPA Request or Reply is malformed: a wrong Key, a revision that is not supported, too much " +
		"Private Data. A Terminate cannot be expected for it: connections are closed.",
		look: "the first octets in each direction: Key, Rev and PD_Length."},
	"2/0/05": {Text: "The set-up of an enhanced connection (RFC 6581) failed for a local reason.",
		look: "what the log of the host that sent it says. The Terminate is the first FPDU of the Initiator."},
	"2/0/06": {Text: "The Reply asks for more Read Requests than the Initiator can take in: the Responder's ORD exceeds " +
		"the Initiator's IRD, and that cannot grow.",
		look: "IRD and ORD in the MPA Request and Reply. The Terminate is the first FPDU of the Initiator; elsewhere the " +
			"octets 20 06 are 0/2/06 in the swapped bit order."},
	"2/0/07": {Text: "The sides agree on a peer-to-peer connection, but not on what may be its first message (RTR).",
		look: "the bits B, C and D in the MPA Request and Reply. The Terminate is the first FPDU of the Initiator; " +
			"elsewhere the octets 20 07 are 0/2/07 in the swapped bit order."},
}
