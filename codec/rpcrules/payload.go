package rpcrules

// The beginning of the payload: the header of an RPC message (RFC 5531), which has to agree with the transport header.

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleXID = newPair("xid", rules.Error,
		"rdma_xid must be the XID of the RPC message.",
		"RPCRDMA1-4.2.1-1 RPCBIDI-5.1-2 RPCBIDI-5.2-2", "RPCRDMA2-7.2-1 RPCRDMA2-4.5.1-1 RPCRDMA2-4.5.2-1", grave, in("rpcordma.xid"))
	ruleMsgType = newPair("msg-type", rules.Error,
		"msg_type of the RPC message must be CALL or REPLY, as the transport header says.",
		"RPCBIDI-5.1-2 RPCBIDI-5.2-2",
		"RPCRDMA2-6.2.2.1-1 RPCRDMA2-6.2.2.1-2 RPCRDMA2-4.5.1-3 RPCRDMA2-4.5.2-3", grave)
	ruleMark = newPair("record-mark", rules.Error,
		"No record mark or other framing may precede the RPC message.", "RPCRDMA1-3.2-2", "RPCRDMA2-4.1-7", grave)
	ruleMessage = newPair("message", rules.Error,
		"The payload must be exactly one RPC message with a valid header.", "RPCRDMA1-3.2-1", "RPCRDMA2-4.1-2 RPCRDMA2-4.1-4", grave)
)

func word(b []byte, off int) uint32 { return binary.BigEndian.Uint32(b[off:]) }

// CheckPayload checks the beginning of an RPC message of the given length in octets, reassembled from its parts or read
// from its chunk. payload holds the available octets; m is the header of the last part. It appends the violations to v.
func CheckPayload(m *rpcrdma.Message, payload []byte, length uint64, v []rules.Violation) (*Fault, []rules.Violation) {
	if len(payload) < 8 {
		if length >= 8 {
			return nil, v
		}
		return faultXDR, append(v, ruleMessage.Breach(m.Dialect, fmt.Sprintf("%d octets", length), "an RPC message"))
	}
	if xid := word(payload, 0); xid != m.XID {
		const last = 1 << 31
		if mark := xid &^ last; word(payload, 4) == m.XID && xid >= last && uint64(mark) == length-4 {
			return faultXDR, append(v, ruleMark.Breach(m.Dialect, "record mark "+hex32(xid), "XID "+hex32(m.XID)))
		}
		return faultXDR, append(v, ruleXID.Breach(m.Dialect, "XID "+hex32(xid), hex32(m.XID)))
	}
	kind := oncrpc.MsgType(word(payload, 4))
	if kind > oncrpc.TypeReply || (kind == oncrpc.TypeReply) != (m.Role == rpcrdma.Responder) {
		expected := oncrpc.TypeCall
		if m.Role == rpcrdma.Responder {
			expected = oncrpc.TypeReply
		}
		return faultXDR, append(v, ruleMsgType.Breach(m.Dialect, kind.String(), expected.String()))
	}
	cut := uint64(len(payload)) < length
	if err := checkMessage(kind, payload); err != nil && !(cut && errors.Is(err, field.ErrShort)) {
		return nil, append(v, ruleMessage.Breach(m.Dialect, err.Error(), "a valid RPC header"))
	}
	reduced := len(m.Reads) > 0 || len(m.Writes) > 0 // then the rest may be roundup, which another rule covers
	if length%4 != 0 && m.Form == rpcrdma.FormInline && !reduced {
		v = append(v, ruleMessage.Breach(m.Dialect, octets(int64(length)), "a multiple of four octets, as XDR is"))
	}
	return nil, v
}

// checkMessage checks the header of an RPC message.
func checkMessage(kind oncrpc.MsgType, message []byte) error {
	if kind == oncrpc.TypeCall {
		var h oncrpc.Call
		if _, err := h.Decode(message); err != nil {
			return err
		}
		return h.Check()
	}
	var h oncrpc.Reply
	if _, err := h.Decode(message); err != nil {
		return err
	}
	return h.Check()
}
