// Package rdmap encodes and decodes the Remote Direct Memory Access Protocol (RFC 5040) and its extensions
// (RFC 7306) without allocating.
//
// An RDMAP message is one or more DDP segments. What RDMAP says of itself stands first in the octets that DDP
// reserves for it (RsvdULP): a [Control] octet with the [Opcode], and the Invalidate STag. Most messages consist of
// these and ULP payload. The others carry a header after the DDP header:
//
//   - [ReadRequest], 28 octets: the buffers that an RDMA Read copies from and to.
//   - [AtomicRequest], 52 octets, and [AtomicResponse], 12 octets.
//   - [Immediate], 8 octets.
//   - [Terminate], 4 octets and as many headers of the culprit as its HdrCt bits say. Its error is a [Code].
//
// [Segment] is one whole segment as RDMAP sees it, [Header] its headers without the body, and [AppendLayout] names
// the field tables that apply to one.
//
// Decode shows what the wire carries, reserved bits included, AppendBinary writes what the struct says, right or
// wrong, and Check says what no sender may write. All multi-octet fields are big-endian.
package rdmap

import "encoding/binary"

// Versions, and places and lengths in octets.
const (
	Version      = 1 // RV of RFC 5040
	VersionRDMAC = 0 // RV of streams negotiated with an RDMAC peer (RFC 5040, section 4.1)

	ControlOff        = 1 // where the control octet of a ULPDU stands, [ControlFields]
	InvalidateSTagOff = 2 // where the Invalidate STag of an untagged segment does, [InvalidateSTagFields] or [ReservedFields]

	ControlLen        = 1
	ReadRequestLen    = 28
	AtomicRequestLen  = 52
	AtomicResponseLen = 12 // RFC 7306, section 4, gives 32; its figure 6 shows 12
	ImmediateLen      = 8
	TerminateLen      = 4 // of the part that every Terminate header has: Terminate Control and Reserved

	MaxParts = 11 // the largest number of parts that AppendLayout appends
)

// proto is the name of the protocol in display filters.
const proto = "iwarp_rdma"

// order is the byte order of every field.
var order = binary.BigEndian
