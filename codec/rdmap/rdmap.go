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
// wrong, and Check judges it. All multi-octet fields are big-endian.
package rdmap

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Version is the RDMAP version (RV) of RFC 5040; streams negotiated with an RDMAC peer use VersionRDMAC
// (RFC 5040, section 4.1).
const (
	Version      = 1
	VersionRDMAC = 0
)

// proto is the name of the protocol in display filters.
const proto = "iwarp_rdma"

// Tables is every field table of this package, for programs that need all names in advance. Tables that belong to
// one error of a Terminate (see [Code.Fields]) are left out: [TerminateFields] has the same fields.
var Tables = func() []*field.Table {
	all := []*field.Table{ControlFields, InvalidateSTagFields, ReservedFields}
	for o := range Opcodes() {
		for _, f := range o.Descriptor().Forms {
			if !slices.Contains(all, f.Table) {
				all = append(all, f.Table)
			}
		}
	}
	return append(all, MeantFields, SegmentLengthFields, TrailingFields)
}()

// order is the byte order of every field.
var order = binary.BigEndian
