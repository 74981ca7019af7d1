package rpcrdma

// The header of version 2, draft-ietf-nfsv4-rpcrdma-version-two-01, sections 6.2 and 8.3:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                           rdma_xid                            |
//	+---------------------------------------------------------------+
//	|                           rdma_vers                           |
//	+-------------------------------+-------------------------------+
//	|   most credits outstanding    |     credits newly granted     |
//	+-------------------------------+-------------------------------+
//	|                          rdma_htype                           |
//	+---------------------------------------------------------+-+-+-+
//	|                   rdma_flags, reserved                  |T|M|R|
//	+---------------------------------------------------------+-+-+-+
//
// with T for TPMORE, M for MORE and R for RESPONSE; and then, by rdma_htype:
//
//	0  RDMA2_MSG       rdma_inv_handle, Read list, Write list, Reply chunk; then payload
//	1  RDMA2_NOMSG     rdma_inv_handle, Read list, Write list, Reply chunk
//	4  RDMA2_ERROR     rdma_err and what goes with it
//	5  RDMA2_CONNPROP  transport properties

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
)

// HType is the type of a message of version 2.
type HType uint32

// The header types of draft 01, section 6.1.
const (
	HTypeMsg      HType = 0 // the RPC message or a part of it follows the header, except for what the chunks hold
	HTypeNoMsg    HType = 1 // the RPC message is in a Position Zero Read chunk or the Reply chunk; without chunks a credit grant
	HTypeError    HType = 4 // a message was not accepted
	HTypeConnProp HType = 5 // transport properties
)

var htypes = field.Enum{Kind: "HType", Values: []field.Value{{0, "RDMA2_MSG"}, {1, "RDMA2_NOMSG"}, {4, "RDMA2_ERROR"}, {5, "RDMA2_CONNPROP"}}}

// String returns the name as the draft has it, "RDMA2_NOMSG", or the number of an unknown type, "HType2".
func (t HType) String() string { return htypes.Name(uint64(t)) }

// Known reports whether draft 01 defines the type.
func (t HType) Known() bool { return t.HasLists() || t == HTypeError || t == HTypeConnProp }

// HasLists reports whether chunk lists are in the header.
func (t HType) HasLists() bool { return t == HTypeMsg || t == HTypeNoMsg }

// HasPayload reports whether payload follows the header.
func (t HType) HasPayload() bool { return t == HTypeMsg }

// Flags is rdma_flags.
type Flags uint32

// The flags of draft 01, section 6.2.2. The others are reserved, zero on transmit and ignored on receive.
const (
	FlagResponse Flags = 1 << 0 // the message belongs to an RPC Reply
	FlagMore     Flags = 1 << 1 // the payload continues in the next message
	FlagTPMore   Flags = 1 << 2 // more properties follow in another RDMA2_CONNPROP (D-03, see dialect.go)

	flagsReserved = ^(FlagResponse | FlagMore | FlagTPMore)
)

var flagNames = []field.Value{{1, "RDMA2_F_RESPONSE"}, {2, "RDMA2_F_MORE"}, {4, "RDMA2_F_TPMORE"}}

// String names the flags that are set, "RDMA2_F_RESPONSE|RDMA2_F_MORE", reserved ones as a number, "0x00000008"; "0"
// if none is.
func (f Flags) String() string {
	if f == 0 {
		return "0"
	}
	var set []string
	for _, n := range flagNames {
		if f&Flags(n.Number) != 0 {
			set = append(set, n.Name)
		}
	}
	if rest := f & flagsReserved; rest != 0 {
		set = append(set, fmt.Sprintf("0x%08x", uint32(rest)))
	}
	return strings.Join(set, "|")
}

// Version2 is a header of version 2 (draft 01, section 6). HType says which of the fields after Flags are present; the
// others are zero.
type Version2 struct {
	XID         uint32 // of the RPC message; in an RDMA2_ERROR that of the message that was not accepted; 0 in a credit grant
	Vers        uint32 // 2; in an RDMA2_ERROR that of the message that was not accepted
	CreditMax   uint16 // the most credits that can be outstanding at the sender
	CreditGrant uint16 // messages that the receiver may send beyond those that it was granted before
	HType       HType
	Flags       Flags

	InvHandle uint32     // MSG, NOMSG: the handle that the Reply may invalidate (Send with Invalidate); 0 for none
	Reads     ReadList   // MSG, NOMSG; aliases the input of Decode, as the others do
	Writes    WriteList  // MSG, NOMSG
	Reply     WriteChunk // MSG, NOMSG: the Reply chunk

	Error Error2  // ERROR
	Props PropSet // CONNPROP
}

// Decode reads the header that b begins with and returns its length; if HType.HasPayload, payload follows. The layout
// is that of draft 01 whatever Vers says; of an unknown HType only the first 20 octets are read.
//
// If b ends too early it returns len(b) and an error that wraps field.ErrShort and names the first incomplete
// field. If a word that says whether something follows is neither 0 nor 1 it returns the word's offset and an error
// that wraps field.ErrValue. The fields before the error are valid, and lists hold what came before it.
func (h *Version2) Decode(b []byte) (n int, err error) {
	*h = Version2{}
	if len(b) < Version2Len {
		var whole [Version2Len]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), Version2Fields.Short(len(b))
	}
	h.decode((*[Version2Len]byte)(b))
	switch h.HType {
	case HTypeMsg, HTypeNoMsg:
		if err := InvHandleFields.Short(len(b) - Version2Len); err != nil {
			return len(b), err
		}
		h.InvHandle = word(b, Version2Len)
		return decodeLists(b, Version2Len+wordLen, &h.Reads, &h.Writes, &h.Reply)
	case HTypeError:
		return h.Error.decode(b, Version2Len)
	case HTypeConnProp:
		return h.Props.decode(b, Version2Len)
	}
	return Version2Len, nil
}

func (h *Version2) decode(b *[Version2Len]byte) {
	h.XID = order.Uint32(b[0:])
	h.Vers = order.Uint32(b[4:])
	h.CreditMax = order.Uint16(b[8:])
	h.CreditGrant = order.Uint16(b[10:])
	h.HType = HType(order.Uint32(b[12:]))
	h.Flags = Flags(order.Uint32(b[16:]))
}

// AppendBinary appends the header to b: the five words, and of the others those that HType says. It never fails.
func (h *Version2) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, h.XID)
	b = order.AppendUint32(b, h.Vers)
	b = order.AppendUint16(b, h.CreditMax)
	b = order.AppendUint16(b, h.CreditGrant)
	b = order.AppendUint32(b, uint32(h.HType))
	b = order.AppendUint32(b, uint32(h.Flags))
	switch h.HType {
	case HTypeMsg, HTypeNoMsg:
		b = order.AppendUint32(b, h.InvHandle)
		b = appendLists(b, h.Reads, h.Writes, h.Reply)
	case HTypeError:
		return h.Error.AppendBinary(b)
	case HTypeConnProp:
		return h.Props.AppendBinary(b)
	}
	return b, nil
}

// Len returns the number of octets that AppendBinary writes.
func (h *Version2) Len() int {
	switch h.HType {
	case HTypeMsg, HTypeNoMsg:
		return Version2Len + wordLen + listsLen(h.Reads, h.Writes, h.Reply)
	case HTypeError:
		return Version2Len + h.Error.Len()
	case HTypeConnProp:
		return Version2Len + h.Props.Len()
	}
	return Version2Len
}

// IsCreditGrant reports whether the message only grants credits: an RDMA2_NOMSG without chunks and with XID 0 (draft 01,
// section 6.3.2; D-04, see dialect.go).
func (h *Version2) IsCreditGrant() bool { return h.HType == HTypeNoMsg && !h.hasChunks() && h.XID == 0 }

func (h *Version2) hasChunks() bool {
	return len(h.Reads) != 0 || len(h.Writes) != 0 || h.Reply.Present()
}
