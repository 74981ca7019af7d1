package rpcrdma

// The header of version 1, RFC 8166, section 4.1.2:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                           rdma_xid                            |
//	+---------------------------------------------------------------+
//	|                           rdma_vers                           |
//	+---------------------------------------------------------------+
//	|                          rdma_credit                          |
//	+---------------------------------------------------------------+
//	|                           rdma_proc                           |
//	+---------------------------------------------------------------+
//
// and then, by rdma_proc:
//
//	0  RDMA_MSG    Read list, Write list, Reply chunk; then payload
//	1  RDMA_NOMSG  Read list, Write list, Reply chunk
//	2  RDMA_MSGP   rdma_align, rdma_thresh, Read list, Write list, Reply chunk; then payload
//	3  RDMA_DONE   nothing
//	4  RDMA_ERROR  rdma_err; for ERR_VERS rdma_vers_low and rdma_vers_high

import "github.com/iwarpkit/iwarp/codec/field"

// Proc is the type of a message of version 1.
type Proc uint32

// The procedures of RFC 8166, section 4.2.4.
const (
	ProcMsg   Proc = 0 // the RPC message follows the header, except for what the chunks hold
	ProcNoMsg Proc = 1 // the RPC message is in a Position Zero Read chunk or the Reply chunk
	ProcMsgP  Proc = 2 // as ProcMsg, with padding; not to be used (section 4.6.1)
	ProcDone  Proc = 3 // not to be used (section 4.6.2)
	ProcError Proc = 4 // the header of a Call was not accepted
)

var procs = field.Enum{Kind: "Proc", Values: []field.Value{{0, "RDMA_MSG"}, {1, "RDMA_NOMSG"}, {2, "RDMA_MSGP"}, {3, "RDMA_DONE"}, {4, "RDMA_ERROR"}}}

// String returns the name as RFC 8166 has it, "RDMA_NOMSG", or the number of an unknown procedure, "Proc5".
func (p Proc) String() string { return procs.Name(uint64(p)) }

// Known reports whether RFC 8166 defines the procedure.
func (p Proc) Known() bool { return p <= ProcError }

// HasLists reports whether chunk lists are in the header.
func (p Proc) HasLists() bool { return p <= ProcMsgP }

// HasPayload reports whether payload follows the header.
func (p Proc) HasPayload() bool { return p == ProcMsg || p == ProcMsgP }

// Version1 is a header of version 1 (RFC 8166, section 4.1.2). Proc says which of the next fields are present; the
// others are zero.
type Version1 struct {
	XID    uint32 // of the RPC message; in an RDMA_ERROR that of the Call
	Vers   uint32 // 1; in an RDMA_ERROR that of the Call
	Credit uint32 // Calls that the Requester asks to have open at once, or that the Responder grants
	Proc   Proc

	Align  uint32 // MSGP
	Thresh uint32 // MSGP

	Reads  ReadList   // MSG, NOMSG, MSGP; aliases the input of Decode, as the others do
	Writes WriteList  // MSG, NOMSG, MSGP
	Reply  WriteChunk // MSG, NOMSG, MSGP: the Reply chunk

	Err      ErrCode // ERROR
	VersLow  uint32  // ERROR with ERR_VERS: the lowest version that is supported
	VersHigh uint32  // ERROR with ERR_VERS: the highest
}

// Decode reads the header that b begins with and returns its length; if Proc.HasPayload, payload follows. The layout
// is that of version 1 whatever Vers says; of an unknown Proc only the first 16 octets are read.
//
// If b ends too early, it returns len(b) and an error that wraps field.ErrShort and names the first incomplete
// field. If a word that says whether something follows is neither 0 nor 1, it returns the word's offset and an error
// that wraps field.ErrValue. The fields before the error are valid, and lists hold what came before it.
func (h *Version1) Decode(b []byte) (n int, err error) {
	*h = Version1{}
	if len(b) < Version1Len {
		var whole [Version1Len]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), Version1Fields.Short(len(b))
	}
	h.decode((*[Version1Len]byte)(b))
	switch h.Proc {
	case ProcMsg, ProcNoMsg:
		return decodeLists(b, Version1Len, &h.Reads, &h.Writes, &h.Reply)
	case ProcMsgP:
		return h.decodePadded(b)
	case ProcError:
		return h.decodeError(b)
	}
	return Version1Len, nil
}

func (h *Version1) decode(b *[Version1Len]byte) {
	h.XID = order.Uint32(b[0:])
	h.Vers = order.Uint32(b[4:])
	h.Credit = order.Uint32(b[8:])
	h.Proc = Proc(order.Uint32(b[12:]))
}

func (h *Version1) decodePadded(b []byte) (n int, err error) {
	const off = Version1Len
	if len(b) >= off+wordLen {
		h.Align = word(b, off)
	}
	if err := PaddedFields.Short(len(b) - off); err != nil {
		return len(b), err
	}
	h.Thresh = word(b, off+wordLen)
	return decodeLists(b, off+2*wordLen, &h.Reads, &h.Writes, &h.Reply)
}

func (h *Version1) decodeError(b []byte) (n int, err error) {
	const off = Version1Len
	if err := Error1Fields.Short(len(b) - off); err != nil {
		return len(b), err
	}
	h.Err = ErrCode(word(b, off))
	if h.Err != ErrCodeVers {
		return off + wordLen, nil
	}
	if len(b) >= off+2*wordLen {
		h.VersLow = word(b, off+wordLen)
	}
	if err := VersRangeFields.Short(len(b) - off - wordLen); err != nil {
		return len(b), err
	}
	h.VersHigh = word(b, off+2*wordLen)
	return off + 3*wordLen, nil
}

// AppendBinary appends the header to b: the four words, and those of the others that Proc and Err demand. It never fails.
func (h *Version1) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, h.XID)
	b = order.AppendUint32(b, h.Vers)
	b = order.AppendUint32(b, h.Credit)
	b = order.AppendUint32(b, uint32(h.Proc))
	switch {
	case h.Proc == ProcMsgP:
		b = order.AppendUint32(b, h.Align)
		b = order.AppendUint32(b, h.Thresh)
	case h.Proc == ProcError:
		b = order.AppendUint32(b, uint32(h.Err))
		if h.Err == ErrCodeVers {
			b = order.AppendUint32(b, h.VersLow)
			b = order.AppendUint32(b, h.VersHigh)
		}
	}
	if h.Proc.HasLists() {
		b = appendLists(b, h.Reads, h.Writes, h.Reply)
	}
	return b, nil
}

// Len returns the number of octets that AppendBinary writes.
func (h *Version1) Len() int {
	switch {
	case h.Proc == ProcMsgP:
		return Version1Len + PaddedFields.Len() + listsLen(h.Reads, h.Writes, h.Reply)
	case h.Proc.HasLists():
		return Version1Len + listsLen(h.Reads, h.Writes, h.Reply)
	case h.Proc == ProcError && h.Err == ErrCodeVers:
		return MinVersion1
	case h.Proc == ProcError:
		return MinVersion1Error
	}
	return Version1Len
}

// IsReply reports whether the message belongs to a Reply, and not to a Call. Payload is what follows the header; 8 octets
// are enough. In an RDMA_MSG they decide; an RDMA_NOMSG is a Call if it has a Position Zero Read chunk; an RDMA_ERROR comes
// from a Responder, as a Reply does. ok is false if nothing tells.
func (h *Version1) IsReply(payload []byte) (reply, ok bool) {
	switch h.Proc {
	case ProcMsg, ProcMsgP:
		if len(payload) < 2*wordLen || word(payload, wordLen) > msgTypeReply {
			return false, false
		}
		return word(payload, wordLen) == msgTypeReply, true
	case ProcNoMsg:
		if h.Reads.Has(0) {
			return false, true
		}
		return h.Reply.Present(), h.Reply.Present()
	}
	return true, h.Proc == ProcError
}
