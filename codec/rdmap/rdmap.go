// Package rdmap encodes and decodes the Remote Direct Memory Access Protocol (RFC 5040) and its extensions
// (RFC 7306) without allocating.
//
// An RDMAP message is one or more DDP segments. The octets that DDP reserves for RDMAP (RsvdULP) have a [Control] octet
// with the [Opcode], and the Invalidate STag. Most messages consist of these and ULP payload. The others have a header
// after the DDP header:
//
//   - [ReadRequest], 28 octets: the buffers that an RDMA Read copies from and to.
//   - [AtomicRequest], 52 octets, [AtomicResponse], 12 octets, and [Immediate], 8 octets.
//   - [Terminate], 4 octets, and the headers of the message that it is about, as its HdrCt bits say. Its error is a [Code].
//
// [Segment] is one whole segment as RDMAP sees it: Control.Opcode says which message it belongs to, and T which of Tagged and
// Untagged is its DDP header. [Header] is its headers without the body, and [AppendLayout] names the field tables that apply to one.
//
// Decode returns what the wire carries, reserved bits included. AppendBinary writes what the struct says, right or
// wrong. Check returns an error for what no sender may send. All multi-octet fields are big-endian.
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
	TerminateLen      = 4  // of the part that every Terminate header has: Terminate Control and Reserved

	MaxParts = 11 // the largest number of parts that AppendLayout appends
)

// proto is the name of the protocol in display filters.
const proto = "iwarp_rdma"

// order is the byte order of every field.
var order = binary.BigEndian
