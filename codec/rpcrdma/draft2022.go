package rpcrdma

// The header of version 2 in the newest text of draft-ietf-nfsv4-rpcrdma-version-two, of March 2022:
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
//	|                          rdma_htype                           |
//	+---------------------------------------------------------------+
//
// and then, by rdma_htype:
//
//	 4  RDMA2_ERROR            rdma_err and what goes with it
//	 5  RDMA2_GRANT            nothing
//	 6  RDMA2_CONNPROP_MIDDLE  transport properties
//	 7  RDMA2_CONNPROP_FINAL   transport properties
//	 8  RDMA2_CALL_EXTERNAL    rdma_inv_handle, Call chunk, Read list, Write list, Reply chunk
//	 9  RDMA2_CALL_MIDDLE      rdma_remaining; then payload
//	10  RDMA2_CALL_INLINE      rdma_inv_handle, Read list, Write list, Reply chunk; then payload
//	11  RDMA2_REPLY_EXTERNAL   Write list, Reply chunk
//	12  RDMA2_REPLY_MIDDLE     rdma_remaining; then payload
//	13  RDMA2_REPLY_INLINE     Write list; then payload

import "github.com/iwarpkit/iwarp/codec/field"

// HType2022 is the type of a message of the draft of 2022.
type HType2022 uint32

// The header types of the draft of 2022, "Transport Header Types".
const (
	HType2022Error          HType2022 = 4  // a message was not accepted
	HType2022Grant          HType2022 = 5  // credits
	HType2022ConnPropMiddle HType2022 = 6  // transport properties; more follow
	HType2022ConnPropFinal  HType2022 = 7  // the last transport properties
	HType2022CallExternal   HType2022 = 8  // the RPC Call is in the Call chunk
	HType2022CallMiddle     HType2022 = 9  // a part of an RPC Call follows the header, but not the last
	HType2022CallInline     HType2022 = 10 // an RPC Call or the last part of it follows the header
	HType2022ReplyExternal  HType2022 = 11 // the RPC Reply is in the Reply chunk
	HType2022ReplyMiddle    HType2022 = 12 // a part of an RPC Reply follows the header, but not the last
	HType2022ReplyInline    HType2022 = 13 // an RPC Reply or the last part of it follows the header
)

var htypes2022 = field.Enum{Kind: "HType", Values: []field.Value{
	{4, "RDMA2_ERROR"}, {5, "RDMA2_GRANT"}, {6, "RDMA2_CONNPROP_MIDDLE"}, {7, "RDMA2_CONNPROP_FINAL"},
	{8, "RDMA2_CALL_EXTERNAL"}, {9, "RDMA2_CALL_MIDDLE"}, {10, "RDMA2_CALL_INLINE"},
	{11, "RDMA2_REPLY_EXTERNAL"}, {12, "RDMA2_REPLY_MIDDLE"}, {13, "RDMA2_REPLY_INLINE"},
}}

// String returns the name as the draft has it, "RDMA2_GRANT", or the number of an unknown type, "HType3".
func (t HType2022) String() string { return htypes2022.Name(uint64(t)) }

// Known reports whether the draft defines the type.
func (t HType2022) Known() bool { return t >= HType2022Error && t <= HType2022ReplyInline }

// HasPayload reports whether payload follows the header.
func (t HType2022) HasPayload() bool {
	return t.isMiddle() || t == HType2022CallInline || t == HType2022ReplyInline
}

// IsReply reports whether the message belongs to an RPC Reply.
func (t HType2022) IsReply() bool { return t >= HType2022ReplyExternal && t <= HType2022ReplyInline }

// IsCall reports whether the message belongs to an RPC Call.
func (t HType2022) IsCall() bool { return t >= HType2022CallExternal && t <= HType2022CallInline }

func (t HType2022) isMiddle() bool { return t == HType2022CallMiddle || t == HType2022ReplyMiddle }

// parts returns what follows the prefix, in the order of the wire.
func (t HType2022) parts() (p parts2022) {
	switch t {
	case HType2022Error:
		p.err = true
	case HType2022ConnPropMiddle, HType2022ConnPropFinal:
		p.props = true
	case HType2022CallExternal:
		p = parts2022{invHandle: true, call: true, reads: true, writes: true, reply: true}
	case HType2022CallInline:
		p = parts2022{invHandle: true, reads: true, writes: true, reply: true}
	case HType2022ReplyExternal:
		p = parts2022{writes: true, reply: true}
	case HType2022ReplyInline:
		p.writes = true
	case HType2022CallMiddle, HType2022ReplyMiddle:
		p.remaining = true
	}
	return p
}

// parts2022 are the parts of a header.
type parts2022 struct {
	err, props, remaining, invHandle, call, reads, writes, reply bool
}

// Draft2022 is a header of version 2 in the draft of 2022. HType says which of the next fields are present; the
// others are zero.
type Draft2022 struct {
	XID    uint32 // of the RPC message; in an RDMA2_ERROR that of the message that was not accepted; 0 in an RDMA2_GRANT
	Vers   uint32 // 2; in an RDMA2_ERROR that of the message that was not accepted
	Credit uint32 // messages that the receiver may have sent in all, modulo 2^32
	HType  HType2022

	Remaining uint32     // CALL_MIDDLE, REPLY_MIDDLE: octets of payload in the messages that follow
	InvHandle uint32     // CALL_EXTERNAL, CALL_INLINE: the handle that the Reply may invalidate; 0 for none
	Call      ReadList   // CALL_EXTERNAL: the Call chunk; aliases the input of Decode, as the others do
	Reads     ReadList   // CALL_EXTERNAL, CALL_INLINE
	Writes    WriteList  // CALL_EXTERNAL, CALL_INLINE, REPLY_EXTERNAL, REPLY_INLINE; in Calls provisional
	Reply     WriteChunk // CALL_EXTERNAL, CALL_INLINE, REPLY_EXTERNAL: the Reply chunk; in Calls provisional

	Error Error2  // ERROR
	Props PropSet // CONNPROP_MIDDLE, CONNPROP_FINAL
}

// Decode reads the header that b begins with and returns its length; if HType.HasPayload, payload follows. The layout
// is that of the draft of 2022 whatever Vers says; of an unknown HType only the first 16 octets are read.
//
// If b ends too early, it returns len(b) and an error that wraps field.ErrShort and names the first incomplete
// field. If a word that says whether something follows is neither 0 nor 1, it returns the word's offset and an error
// that wraps field.ErrValue. The fields before the error are valid, and lists hold what came before it.
func (h *Draft2022) Decode(b []byte) (n int, err error) {
	*h = Draft2022{}
	if len(b) < Draft2022Len {
		var whole [Draft2022Len]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), Draft2022Fields.Short(len(b))
	}
	h.decode((*[Draft2022Len]byte)(b))
	p := h.HType.parts()
	switch {
	case p.err:
		return h.Error.decode(b, Draft2022Len)
	case p.props:
		return h.Props.decode(b, Draft2022Len)
	case p.remaining:
		if err := RemainingFields.Short(len(b) - Draft2022Len); err != nil {
			return len(b), err
		}
		h.Remaining = word(b, Draft2022Len)
		return Draft2022Len + wordLen, nil
	}
	return h.decodeChunks(b, p)
}

func (h *Draft2022) decode(b *[Draft2022Len]byte) {
	h.XID = order.Uint32(b[0:])
	h.Vers = order.Uint32(b[4:])
	h.Credit = order.Uint32(b[8:])
	h.HType = HType2022(order.Uint32(b[12:]))
}

func (h *Draft2022) decodeChunks(b []byte, p parts2022) (n int, err error) {
	n = Draft2022Len
	if p.invHandle {
		if err := InvHandleFields.Short(len(b) - n); err != nil {
			return len(b), err
		}
		h.InvHandle = word(b, n)
		n += wordLen
	}
	if p.call {
		if n, err = h.Call.decode(b, n, &callFirst); err != nil {
			return n, err
		}
	}
	if p.reads {
		if n, err = h.Reads.decode(b, n, &readFirst); err != nil {
			return n, err
		}
	}
	if p.writes {
		if n, err = h.Writes.decode(b, n); err != nil {
			return n, err
		}
	}
	if p.reply {
		return h.Reply.decodeReply(b, n)
	}
	return n, nil
}

// AppendBinary appends the header to b: the four words, and those of the others that HType demands. It never fails.
func (h *Draft2022) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, h.XID)
	b = order.AppendUint32(b, h.Vers)
	b = order.AppendUint32(b, h.Credit)
	b = order.AppendUint32(b, uint32(h.HType))
	p := h.HType.parts()
	if p.err {
		return h.Error.AppendBinary(b)
	}
	if p.props {
		return h.Props.AppendBinary(b)
	}
	if p.remaining {
		b = order.AppendUint32(b, h.Remaining)
	}
	if p.invHandle {
		b = order.AppendUint32(b, h.InvHandle)
	}
	if p.call {
		b = h.Call.append(b)
	}
	if p.reads {
		b = h.Reads.append(b)
	}
	if p.writes {
		b = h.Writes.append(b)
	}
	if p.reply {
		b = h.Reply.appendReply(b)
	}
	return b, nil
}

// Len returns the number of octets that AppendBinary writes.
func (h *Draft2022) Len() int {
	n, p := Draft2022Len, h.HType.parts()
	if p.err {
		n += h.Error.Len()
	}
	if p.props {
		n += h.Props.Len()
	}
	if p.remaining {
		n += wordLen
	}
	if p.invHandle {
		n += wordLen
	}
	if p.call {
		n += len(h.Call) + wordLen
	}
	if p.reads {
		n += len(h.Reads) + wordLen
	}
	if p.writes {
		n += len(h.Writes) + wordLen
	}
	if p.reply {
		n += h.Reply.replyLen()
	}
	return n
}
