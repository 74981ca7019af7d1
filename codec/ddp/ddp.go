// Package ddp encodes and decodes the segment headers of Direct Data Placement (RFC 5041) without allocating.
//
//	if ddp.IsTagged(segment) {
//		var h ddp.Tagged
//		n, err := h.Decode(segment)
//		fmt.Printf("STag %#x, TO %d, last %v, payload %q, %v\n", h.STag, h.TO, h.L, segment[n:], err)
//	}
//	h := ddp.Untagged{L: true, DV: ddp.Version, QN: 0, MSN: 7}
//	segment, err := h.AppendBinary(nil)
//
// A DDP segment is one ULPDU of MPA: a header and payload. The T bit, the first of the header, says which of two
// headers it is:
//
//   - [Tagged], 14 octets: the payload goes into the tagged buffer that STag and TO name.
//   - [Untagged], 18 octets: the payload goes into the buffer that the receiver has posted to queue QN for
//     message MSN, at offset MO.
//
// DDP has no length field: the payload reaches to the end of the ULPDU. The octets that DDP reserves for its upper
// layer (RsvdULP) are kept raw; package rdmap gives them their meaning.
//
// Decode returns what the wire carries, reserved bits included. AppendBinary writes what the struct says, right or
// wrong. Check returns an error for what no sender may send. All multi-octet fields are big-endian.
package ddp

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Version is the DDP protocol version (DV) of RFC 5041; streams negotiated with an RDMAC peer use VersionRDMAC
// (RFC 5044, appendix C).
const (
	Version      = 1
	VersionRDMAC = 0
)

// The bits of the DDP control field, the first octet of a segment (RFC 5041, section 4.1).
const (
	controlT    = 0x80
	controlL    = 0x40
	controlRsvd = 0x3c
	controlDV   = 0x03
)

// IsTagged tells which header a segment begins with: true for [Tagged], false for [Untagged] and for no octets.
func IsTagged(segment []byte) bool { return len(segment) > 0 && segment[0]&controlT != 0 }

// HeaderLen is the length in octets of the header that segment begins with: TaggedLen or UntaggedLen.
func HeaderLen(segment []byte) int {
	if IsTagged(segment) {
		return TaggedLen
	}
	return UntaggedLen
}

// control packs the first octet. It is false if a value exceeds its field.
func control(t byte, l bool, rsvd, dv uint8) (octet byte, ok bool) {
	octet = t | rsvd<<2 | dv
	if l {
		octet |= controlL
	}
	return octet, rsvd < 1<<4 && dv < 1<<2
}

// The fields of the control octet, which both headers begin with.
var controlFields = []field.Field{
	{Name: "iwarp_ddp.tagged_flag", Label: "T", Off: 0, Width: 1, Base: field.Flag, Usual: field.Always},
	{Name: "iwarp_ddp.last_flag", Label: "L", Off: 1, Width: 1, Base: field.Flag, Refers: field.ToSegment, Usual: field.Always},
	{Name: "iwarp_ddp.rsvd", Label: "Rsvd", Off: 2, Width: 4, Base: field.Hex, Usual: field.Zero},
	{Name: "iwarp_ddp.dv", Label: "DV", Off: 6, Width: 2, Base: field.Dec, Usual: field.Always},
}

// Tables lists every field table of this package, for code that needs all names in advance.
var Tables = []*field.Table{TaggedFields, UntaggedFields}

func withControl(fields ...field.Field) []field.Field {
	return append(controlFields[:len(controlFields):len(controlFields)], fields...)
}

// order is the byte order of every field.
var order = binary.BigEndian
