package ddp

// The tagged header, RFC 5041, section 4.2:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	                                +-+-+-------+---+---------------+
//	                                |1|L| Rsvd  |DV |    RsvdULP    |
//	+-------------------------------+-+-+-------+---+---------------+
//	|                             STag                              |
//	+---------------------------------------------------------------+
//	|                              TO                               |
//	+                                                               +
//	|                                                               |
//	+---------------------------------------------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// TaggedLen is the length of a tagged header in octets.
const TaggedLen = 14

// TaggedFields describes the tagged header.
var TaggedFields = field.NewTable("DDP tagged header", "iwarp_ddp", "RFC 5041, section 4.2", withControl(
	field.Field{Name: "iwarp_ddp.rsvdulp", Label: "RsvdULP", Off: 8, Width: 8, Base: field.Hex},
	field.Field{Name: "iwarp_ddp.stag", Label: "STag", Off: 16, Width: 32, Base: field.Hex, Refers: field.ToPeerSTag},
	field.Field{Name: "iwarp_ddp.tagged_offset", Label: "TO", Off: 48, Width: 64, Base: field.Hex, Refers: field.ToPeerTO},
)...).Asked("iwarp_ddp.tagged")

// Tagged is the header of a segment of the tagged buffer model (RFC 5041, section 4.2). The type stands for a set
// T bit.
type Tagged struct {
	L       bool   // last segment of its message
	Rsvd    uint8  // 4 bits, zero on transmit, not checked on receive
	DV      uint8  // 2 bits, DDP protocol version
	RsvdULP uint8  // 8 bits of the upper layer protocol, the same in all segments of a message
	STag    uint32 // steering tag: names the tagged buffer
	TO      uint64 // tagged offset: octets from the base of the tagged buffer
}

var (
	errTaggedT    = TaggedFields.Err("iwarp_ddp.tagged_flag", field.ErrValue, "0 begins an untagged header (RFC 5041, section 4.1)")
	errTaggedRsvd = TaggedFields.Err("iwarp_ddp.rsvd", field.ErrValue, "must be zero on transmit (RFC 5041, section 4.2)")
	errTaggedDV   = TaggedFields.Err("iwarp_ddp.dv", field.ErrValue, "must be 1, or 0 on an RDMAC stream (RFC 5041, section 4.2)")

	errTaggedRsvdRange = TaggedFields.Err("iwarp_ddp.rsvd", field.ErrRange, "")
	errTaggedDVRange   = TaggedFields.Err("iwarp_ddp.dv", field.ErrRange, "")
)

// Decode reads the first 14 octets of b and returns their number. If b is shorter, it returns len(b) and an error
// that wraps field.ErrShort and names the first incomplete field; the fields before it are valid. If the T
// bit says that the header is an untagged one it returns 0 and an error that wraps field.ErrValue.
func (h *Tagged) Decode(b []byte) (n int, err error) {
	if len(b) > 0 && !IsTagged(b) {
		return 0, errTaggedT
	}
	if len(b) < TaggedLen {
		var whole [TaggedLen]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), TaggedFields.Short(len(b))
	}
	h.decode((*[TaggedLen]byte)(b))
	return TaggedLen, nil
}

func (h *Tagged) decode(b *[TaggedLen]byte) {
	h.L = b[0]&controlL != 0
	h.Rsvd = b[0] & controlRsvd >> 2
	h.DV = b[0] & controlDV
	h.RsvdULP = b[1]
	h.STag = order.Uint32(b[2:])
	h.TO = order.Uint64(b[6:])
}

// AppendBinary appends the header to b. It fails, with an error that wraps field.ErrRange, only if Rsvd or DV
// exceeds its field.
func (h *Tagged) AppendBinary(b []byte) ([]byte, error) {
	octet, ok := control(controlT, h.L, h.Rsvd, h.DV)
	if !ok {
		return b, rangeError(h.Rsvd, errTaggedRsvdRange, errTaggedDVRange)
	}
	b = append(b, octet, h.RsvdULP)
	b = order.AppendUint32(b, h.STag)
	return order.AppendUint64(b, h.TO), nil
}

// rangeError picks the error for the control field that does not fit.
func rangeError(rsvd uint8, errRsvd, errDV *field.Error) error {
	if rsvd >= 1<<4 {
		return errRsvd
	}
	return errDV
}

// Len returns the number of octets that AppendBinary writes: 14.
func (h *Tagged) Len() int { return TaggedLen }

// Check reports what a sender must not send, whatever the stream: reserved bits set, or a version that is neither
// RFC 5041's nor RDMAC's. The error wraps field.ErrValue and names the field.
func (h *Tagged) Check() error {
	switch {
	case h.Rsvd != 0:
		return errTaggedRsvd
	case h.DV > Version:
		return errTaggedDV
	}
	return nil
}
