// Package rpcrdma encodes and decodes the transport headers of RPC-over-RDMA without allocating.
//
// An RPC-over-RDMA message is what one RDMA Send carries: a transport header, and behind it the RPC message or a part
// of it, unless that is moved by RDMA Read or Write. Three forms of the header are known, see [Dialect]:
//
//   - [Version1], RFC 8166.
//   - [Version2], draft-ietf-nfsv4-rpcrdma-version-two-01 of January 2020.
//   - [Draft2022], the newest text of that draft, of March 2022. It calls itself version 2 too, but has other header
//     types, no flags and another meaning of the credits.
//
// The three begin with the same four words; [DetectDialect] tells them apart. The chunk lists in them, [ReadList],
// [WriteList] and [WriteChunk], stay in the octets of the header: iterators walk them and Append builds them, so that
// any number of segments costs no memory. The same holds for the transport properties, [PropSet]. [PrivateData] is
// what peers of version 1 tell each other before the first message (RFC 8797). [AppendLayout] names the field tables
// that apply to a message.
//
// Decode shows what the wire carries, AppendBinary writes what the struct says, right or wrong, and Check judges it.
// A header is decoded by the layout of its type, whatever rdma_vers says. Payload is not a part of a header: it
// begins where Decode ends, and CheckPayload judges if it may be there. All fields are big-endian, and all but a few
// are words of 32 bits (RFC 4506).
//
// # Decisions
//
// The documents contradict themselves in places. What is done about it here, by the numbers that comments use:
//
//   - D-01: RDMA2_RVRSDIR_CONT is 2 in section 5.2.5 of the draft, 1 in its XDR. It is 2.
//   - D-03: TPMORE is defined, although section 6.2.2 of the draft knows two flags only. Reserved are the others.
//   - D-04: RDMA2_NOMSG without chunks is a credit grant (section 6.3.2) and an XDR error (section 7.2). With XID 0
//     it is a grant, else an error.
//   - D-13: the flags word of [Version2] shifts the body of RDMA2_ERR_VERS, which RFC 8166, section 7, fixes for all
//     versions. Both forms are read, see [Dialect.Of]; to a message whose version is not 2 the answer is a [Version1].
//   - D-18: a property that is longer than its message is an error of rdma_data, RDMA2_ERR_BAD_PROPVAL; only if one of
//     its words is cut is it RDMA2_ERR_BAD_XDR.
//   - D-19: property data that is longer than its type does not conform to it either.
//   - D-20: a property may come twice; the last value wins.
//   - D-33: RDMA2_MSG is declared with the first word of its payload. Fewer than 4 octets of payload are accepted in
//     a part of a message, none is not.
//   - D-34: a Position Zero Read chunk beside an inline payload is an error in all forms; only Draft2022 says so.
//   - D-37: the XDR of the draft does not compile. Its field names and order are taken, with rdma_inv_handle first.
//   - D-40: RFC 8166, section 4.5, drops messages under 28 octets, and defines an RDMA_ERROR of 20. 28 octets are
//     demanded of all but RDMA_ERROR.
//   - D-45: "bit 15 of the Flags field" in RFC 8797 is the R bit.
//   - D-46: a buffer size that is no multiple of 1024 is rounded down in [PrivateData], and kept within its range.
//
// Of Draft2022: its prefix is 16 octets, not the 20 that its section on errors demands; rdma_xid is that of the
// message's own RPC Call or Reply in all header types.
package rpcrdma

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
)

// The values of rdma_vers.
const (
	Vers1 = 1 // RFC 8166
	Vers2 = 2 // both drafts of version 2
)

// Port is the TCP port of NFS over RDMA (RFC 8166, section 5).
const Port = 20049

// The inline thresholds in octets that hold until the peers tell each other more. A client's first message is limited
// to InlineThreshold1 in every version, since the server may know version 1 only.
const (
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

// Tables is every field table of this package, for whatever must know all names in advance.
var Tables = []*field.Table{
	Version1Fields, PaddedFields, Error1Fields,
	Version2Fields, InvHandleFields, Error2Fields, VersRangeFields, MaxChunksFields, MaxSegmentsFields,
	WriteResourceFields, LengthNeededFields,
	Draft2022Fields, RemainingFields,
	CallListFields, ReadListFields, ReadSegmentFields, ReadNextFields,
	WriteListFields, WriteChunkFields, SegmentFields, WriteNextFields, ReplyChunkFields,
	PropSetFields, PropvalFields, SBSIZFields, RBSIZFields, RSSIZFields, RCSIZFields, BRSFields, HostAuthFields,
	PropDataFields, PadFields,
	PrivateDataFields, TrailingFields,
}

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

// CheckRPC says whether the Payload stream rpc, of which 8 octets are enough, is of the transaction xid and a Reply or
// a Call as its transport header says. The error wraps field.ErrShort or field.ErrValue. It is for the first message
// of a sequence, or for what was joined from all of them.
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
