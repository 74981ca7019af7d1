package ddp

// The untagged header, RFC 5041, section 4.3:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	                                +-+-+-------+---+---------------+
//	                                |0|L| Rsvd  |DV | RsvdULP[0:7]  |
//	+-------------------------------+-+-+-------+---+---------------+
//	|                        RsvdULP[8:39]                          |
//	+---------------------------------------------------------------+
//	|                              QN                               |
//	+---------------------------------------------------------------+
//	|                              MSN                              |
//	+---------------------------------------------------------------+
//	|                              MO                               |
//	+---------------------------------------------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// UntaggedLen is the length of an untagged header in octets.
const UntaggedLen = 18

// UntaggedFields describes the untagged header.
var UntaggedFields = field.NewTable("DDP untagged header", "iwarp_ddp", "RFC 5041, section 4.3", withControl(
	field.Field{Name: "iwarp_ddp.rsvdulp", Label: "RsvdULP", Off: 8, Width: 40, Base: field.Hex},
	field.Field{Name: "iwarp_ddp.qn", Label: "QN", Off: 48, Width: 32, Base: field.Dec, Usual: field.Always},
	field.Field{Name: "iwarp_ddp.msn", Label: "MSN", Off: 80, Width: 32, Base: field.Dec, Refers: field.ToSequence},
	field.Field{Name: "iwarp_ddp.mo", Label: "MO", Off: 112, Width: 32, Base: field.Dec, Usual: field.Zero},
)...).Asked("iwarp_ddp.untagged")

// Untagged is the header of a segment of the untagged buffer model (RFC 5041, section 4.3). The type stands for
// a clear T bit.
type Untagged struct {
	L       bool   // last segment of its message
	Rsvd    uint8  // 4 bits, zero on transmit, not checked on receive
	DV      uint8  // 2 bits, DDP protocol version
	RsvdULP uint64 // 40 bits of the upper layer protocol, the same in all segments of a message
	QN      uint32 // queue number: names the queue of untagged buffers
	MSN     uint32 // message sequence number: 1 for the first message of a queue, then one more each, modulo 2^32
	MO      uint32 // message offset: octets from the beginning of the message
}

var (
	errUntaggedT    = UntaggedFields.Err("iwarp_ddp.tagged_flag", field.ErrValue, "1 begins a tagged header (RFC 5041, section 4.1)")
	errUntaggedRsvd = UntaggedFields.Err("iwarp_ddp.rsvd", field.ErrValue, "must be zero on transmit (RFC 5041, section 4.3)")
	errUntaggedDV   = UntaggedFields.Err("iwarp_ddp.dv", field.ErrValue, "must be 1, or 0 on an RDMAC stream (RFC 5041, section 4.3)")

	errUntaggedRsvdRange = UntaggedFields.Err("iwarp_ddp.rsvd", field.ErrRange, "")
	errUntaggedDVRange   = UntaggedFields.Err("iwarp_ddp.dv", field.ErrRange, "")
	errRsvdULPRange      = UntaggedFields.Err("iwarp_ddp.rsvdulp", field.ErrRange, "")
)

// Decode reads the first 18 octets of b and returns their number. If b is shorter, it returns len(b) and an error
// that wraps field.ErrShort and names the first incomplete field; the fields before it are valid. If the T
// bit says that the header is a tagged one it returns 0 and an error that wraps field.ErrValue.
func (h *Untagged) Decode(b []byte) (n int, err error) {
	if IsTagged(b) {
		return 0, errUntaggedT
	}
	if len(b) < UntaggedLen {
		var whole [UntaggedLen]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), UntaggedFields.Short(len(b))
	}
	h.decode((*[UntaggedLen]byte)(b))
	return UntaggedLen, nil
}

func (h *Untagged) decode(b *[UntaggedLen]byte) {
	h.L = b[0]&controlL != 0
	h.Rsvd = b[0] & controlRsvd >> 2
	h.DV = b[0] & controlDV
	h.RsvdULP = uint64(b[1])<<32 | uint64(order.Uint32(b[2:]))
	h.QN = order.Uint32(b[6:])
	h.MSN = order.Uint32(b[10:])
	h.MO = order.Uint32(b[14:])
}

// AppendBinary appends the header to b. It fails, with an error that wraps field.ErrRange, only if Rsvd, DV or
// RsvdULP exceeds its field.
func (h *Untagged) AppendBinary(b []byte) ([]byte, error) {
	octet, ok := control(0, h.L, h.Rsvd, h.DV)
	if !ok {
		return b, rangeError(h.Rsvd, errUntaggedRsvdRange, errUntaggedDVRange)
	}
	if h.RsvdULP >= 1<<40 {
		return b, errRsvdULPRange
	}
	b = append(b, octet, byte(h.RsvdULP>>32))
	b = order.AppendUint32(b, uint32(h.RsvdULP))
	b = order.AppendUint32(b, h.QN)
	b = order.AppendUint32(b, h.MSN)
	return order.AppendUint32(b, h.MO), nil
}

// Len returns the number of octets that AppendBinary writes: 18.
func (h *Untagged) Len() int { return UntaggedLen }

// Check reports what a sender must not send, whatever the stream: reserved bits set, or a version that is neither
// RFC 5041's nor RDMAC's. The error wraps field.ErrValue and names the field.
func (h *Untagged) Check() error {
	switch {
	case h.Rsvd != 0:
		return errUntaggedRsvd
	case h.DV > Version:
		return errUntaggedDV
	}
	return nil
}
