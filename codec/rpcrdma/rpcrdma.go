// Package rpcrdma encodes and decodes the transport headers of RPC-over-RDMA without allocating: version 1 (RFC 8166),
// version 2 (draft-ietf-nfsv4-rpcrdma-version-two-01 of January 2020), and version 2 in the newest text of that draft, of
// March 2022.
//
// A [Message] decodes what one RDMA Send carries, in the form that [DetectDialect] finds: a header, and the RPC message or
// a part of it. Iterators walk its chunks, [ReadList], [WriteList] and [WriteChunk], and its transport properties, a
// [PropSet]; Append builds them. [AppendLayout] names the field tables that apply to a message.
//
// Decode returns what the wire carries. AppendBinary writes what the struct says, right or wrong; package rpcrules
// judges it. The payload begins where Decode ends. All fields are big-endian. dialect.go says what applies where the
// documents contradict themselves.
package rpcrdma

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Numbers that the documents fix.
const (
	Port  = 20049 // the TCP port of NFS over RDMA (RFC 8166, section 5)
	Vers1 = 1     // rdma_vers of RFC 8166
	Vers2 = 2     // rdma_vers of both drafts of version 2
)

// Lengths in octets.
const (
	Version1Len    = 16 // of the part that every header of version 1 has
	Version2Len    = 20 // of that of version 2; a shorter message is dropped unseen (draft 01, section 7)
	Draft2022Len   = 16 // of that of the draft of 2022
	SegmentLen     = 16
	ReadSegmentLen = 20

	// Receivers drop a shorter message of version 1 (RFC 8166, section 4.5; D-40, see dialect.go).
	MinVersion1      = 28
	MinVersion1Error = 20 // of an RDMA_ERROR

	// The inline thresholds that hold until the peers announce larger ones. A client's first message is limited to
	// InlineThreshold1 in every version, since the server may know only version 1.
	InlineThreshold1 = 1024 // RFC 8166, section 3.3.3
	InlineThreshold2 = 4096 // draft 01, section 4.2.2
)

// proto is the name of the protocol in display filters.
const proto = "rpcordma"

// The sources that the field tables and errors name.
const (
	sourceV1        = "RFC 8166, section 4.1.2"
	sourceV2        = "draft-ietf-nfsv4-rpcrdma-version-two-01, section 8"
	sourceDraft2022 = "draft-ietf-nfsv4-rpcrdma-version-two of March 2022"
)

// order is the byte order of every field.
var order = binary.BigEndian

// wordLen is the length of an XDR word in octets.
const wordLen = 4

// word reads the word at an offset, which must be there.
func word(b []byte, off int) uint32 { return order.Uint32(b[off:]) }

// The header of an RPC message, as far as it must agree with the transport header (RFC 5531, section 9).
const rpcHeader = "RPC message"

var (
	errRPCShort   = &field.Error{Header: rpcHeader, Field: "msg_type", Reason: field.ErrShort}
	errRPCXID     = &field.Error{Header: rpcHeader, Field: "xid", Reason: field.ErrValue, Rule: "must be rdma_xid (RFC 8166, section 4.2.1)"}
	errRPCMsgType = &field.Error{Header: rpcHeader, Field: "msg_type", Reason: field.ErrValue, Rule: "must be CALL (0) or REPLY (1) (RFC 5531, section 9)"}
	errRPCReply   = &field.Error{Header: rpcHeader, Field: "msg_type", Reason: field.ErrValue, Rule: "contradicts the transport header (draft 01, section 6.2.2.1)"}
)

// The values of msg_type in an RPC message (RFC 5531, section 9).
const (
	msgTypeCall  = 0
	msgTypeReply = 1
)

// CheckRPC reports whether the Payload stream rpc, of which 8 octets are enough, has the xid and is a Reply or a Call, as
// its transport header says. The error wraps field.ErrShort or field.ErrValue. It is for the first message
// of a sequence, or for the joined payload of all.
func CheckRPC(rpc []byte, xid uint32, reply bool) error {
	isReply, err := checkRPC(rpc, xid)
	if err == nil && isReply != reply {
		return errRPCReply
	}
	return err
}

func checkRPC(rpc []byte, xid uint32) (reply bool, err error) {
	switch {
	case len(rpc) < 2*wordLen:
		return false, errRPCShort
	case word(rpc, 0) != xid:
		return false, errRPCXID
	case word(rpc, wordLen) > msgTypeReply:
		return false, errRPCMsgType
	}
	return word(rpc, wordLen) == msgTypeReply, nil
}
