package mpa

// The word that begins the Private Data of an enhanced Request or Reply, RFC 6581, section 9:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-+-+---------------------------+-+-+---------------------------+
//	|A|B|            IRD            |C|D|            ORD            |
//	+-+-+---------------------------+-+-+---------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// EnhancedLen is the length of the Enhanced word in octets.
const EnhancedLen = 4

// NotNegotiated is the IRD or ORD that asks for no automatic negotiation (RFC 6581, section 9.1).
const NotNegotiated = 0x3fff

// EnhancedFields describes the Enhanced word.
var EnhancedFields = field.NewTable("MPA enhanced connection data", "iwarp_mpa", "RFC 6581, section 9",
	field.Field{Name: "iwarp_mpa.enhanced.a", Label: "A", Off: 0, Width: 1, Base: field.Flag, Usual: field.Zero, Words: field.Says("", "peer-to-peer")},
	field.Field{Name: "iwarp_mpa.enhanced.b", Label: "B", Off: 1, Width: 1, Base: field.Flag, Usual: field.Zero, Words: field.Says("", "RTR=Send")},
	field.Field{Name: "iwarp_mpa.enhanced.ird", Label: "IRD", Off: 2, Width: 14, Base: field.Dec},
	field.Field{Name: "iwarp_mpa.enhanced.c", Label: "C", Off: 16, Width: 1, Base: field.Flag, Usual: field.Zero, Words: field.Says("", "RTR=Write")},
	field.Field{Name: "iwarp_mpa.enhanced.D", Label: "D", Off: 17, Width: 1, Base: field.Flag, Usual: field.Zero, Words: field.Says("", "RTR=ReadRequest")},
	field.Field{Name: "iwarp_mpa.enhanced.ord", Label: "ORD", Off: 18, Width: 14, Base: field.Dec},
)

// Enhanced is the word that negotiates read queue depths and the first FPDU of a peer-to-peer connection
// (RFC 6581, section 9). Both depths are those of the frame's sender.
type Enhanced struct {
	A   bool   // peer-to-peer connection: the Initiator's first FPDU is a Ready to Receive (RTR) indication
	B   bool   // a zero-length Send may be the RTR
	C   bool   // a zero-length RDMA Write may be the RTR
	D   bool   // a zero-length RDMA Read may be the RTR
	IRD uint16 // 14 bits: RDMA Read Requests that the sender accepts at a time, or NotNegotiated
	ORD uint16 // 14 bits: RDMA Read Requests that the sender has outstanding at a time, or NotNegotiated
}

var (
	errIRDRange = EnhancedFields.Err("iwarp_mpa.enhanced.ird", field.ErrRange, "")
	errORDRange = EnhancedFields.Err("iwarp_mpa.enhanced.ord", field.ErrRange, "")
	errNoRTR    = EnhancedFields.Err("iwarp_mpa.enhanced.a", field.ErrValue, "with A one of B, C and D must be set (RFC 6581, section 9.2)")
)

// Decode reads the first 4 octets of b and returns 4. If b is shorter, it returns len(b) and an error that wraps
// field.ErrShort.
func (e *Enhanced) Decode(b []byte) (n int, err error) {
	if len(b) < EnhancedLen {
		var whole [EnhancedLen]byte
		copy(whole[:], b)
		e.decode(order.Uint32(whole[:]))
		return len(b), EnhancedFields.Short(len(b))
	}
	e.decode(order.Uint32(b))
	return EnhancedLen, nil
}

func (e *Enhanced) decode(word uint32) {
	e.A = word&0x80000000 != 0
	e.B = word&0x40000000 != 0
	e.IRD = uint16(word >> 16 & 0x3fff)
	e.C = word&0x8000 != 0
	e.D = word&0x4000 != 0
	e.ORD = uint16(word & 0x3fff)
}

// AppendBinary appends the word to b. It fails only if IRD or ORD exceeds its field, with an error that wraps
// field.ErrRange.
func (e *Enhanced) AppendBinary(b []byte) ([]byte, error) {
	switch {
	case e.IRD >= 1<<14:
		return b, errIRDRange
	case e.ORD >= 1<<14:
		return b, errORDRange
	}
	b = order.AppendUint16(b, bit(e.A, 0x8000)|bit(e.B, 0x4000)|e.IRD)
	return order.AppendUint16(b, bit(e.C, 0x8000)|bit(e.D, 0x4000)|e.ORD), nil
}

// Len returns the number of octets that AppendBinary writes: 4.
func (e *Enhanced) Len() int { return EnhancedLen }

// Check reports what a sender must not send: a peer-to-peer connection without any kind of RTR. The error wraps
// field.ErrValue.
func (e *Enhanced) Check() error {
	if e.A && !e.B && !e.C && !e.D {
		return errNoRTR
	}
	return nil
}
