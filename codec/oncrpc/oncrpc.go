// Package oncrpc encodes and decodes the headers of ONC RPC version 2 (RFC 5531) without allocating.
//
//	var call oncrpc.Call
//	n, err := call.Decode(message)
//	fmt.Println(call.XID, call.Procedure(), message[n:]) // 7 NFSv3 READ [...]
//
// [IsCall] and [IsReply] tell what a message is; [Call] and [Reply] decode its header. Arguments or results follow and
// end with the message. A credential or verifier is an [OpaqueAuth], whose body may be [AuthSysParms] or a [GSSCred].
// A [Procedure] names what a Call calls: "NFSv3 READ". To read a Reply, pass the [Exchange] of its Call. [AppendLayout]
// names the field tables that apply to a message. Package nfs reads what follows the headers.
//
// Decode returns what the wire carries, stated lengths included. AppendBinary writes what the struct says, right or
// wrong. Check judges headers of RPC. All fields are big-endian, of 4 octets or padded to a multiple of them (XDR, RFC
// 4506).
package oncrpc

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
)

// The version of the protocol, and lengths and limits in octets unless they say otherwise.
const (
	Version = 2 // rpcvers (RFC 5531)

	CallLen        = 24               // of a Call before its credential
	MinCallLen     = CallLen + 2*8    // of the shortest Call header: credential and verifier are empty
	ReplyLen       = 12               // of what every Reply begins with
	MinAcceptedLen = ReplyLen + 8 + 4 // of the shortest accepted Reply: its verifier is empty, and it has no results

	MaxAuth        = 400 // the body of a credential or verifier (RFC 5531, section 8.2)
	MaxMachineName = 255 // in an AUTH_SYS credential (RFC 5531, appendix A)
	MaxGIDs        = 16  // group IDs in an AUTH_SYS credential (RFC 5531, appendix A)
	MaxParts       = 9   // parts that AppendLayout appends
)

// proto is the name of the protocol in display filters.
const proto = "rpc"

// MsgType says whether a message is a Call or a Reply (RFC 5531, section 9).
type MsgType uint32

// The message types.
const (
	TypeCall  MsgType = 0
	TypeReply MsgType = 1
)

var msgTypes = &field.Enum{Kind: "MsgType", Values: []field.Value{{0, "CALL"}, {1, "REPLY"}}}

// String returns "CALL", "REPLY", or the number of an unknown type, "MsgType2".
func (t MsgType) String() string { return msgTypes.Name(uint64(t)) }

// typeOff is where the message type stands, in octets, in both headers; xid stands before it.
const typeOff = 4

// IsCall reports whether a message is a Call. It is false if fewer than 8 octets are there.
func IsCall(message []byte) bool { return isType(message, TypeCall) }

// IsReply reports whether a message is a Reply. It is false if fewer than 8 octets are there.
func IsReply(message []byte) bool { return isType(message, TypeReply) }

func isType(message []byte, t MsgType) bool {
	return len(message) >= typeOff+4 && order.Uint32(message[typeOff:]) == uint32(t)
}

func withHead(fields ...field.Field) []field.Field {
	return append(headFields[:len(headFields):len(headFields)], fields...)
}

// order is the byte order of every field.
var order = binary.BigEndian
