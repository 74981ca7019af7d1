package mpa

// The Private Data in which SMB Direct and other upper layers exchanged their read queue depths before RFC 6581 defined
// fields for them:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                              IRD                              |
//	+---------------------------------------------------------------+
//	|                              ORD                              |
//	+---------------------------------------------------------------+

import (
	"math/bits"

	"github.com/iwarpkit/iwarp/codec/field"
)

// LegacyLen is the length of a Legacy in octets.
const LegacyLen = 8

// LegacyFields describes a Legacy in network byte order.
var LegacyFields = field.NewTable("MPA legacy IRD and ORD", "iwarp_mpa", "[MS-SMBD], section 6.1 (IRD/ORD Negotiate Header)",
	field.Field{Name: "iwarp_mpa.legacy.ird", Label: "IRD", Off: 0, Width: 32, Base: field.Dec},
	field.Field{Name: "iwarp_mpa.legacy.ord", Label: "ORD", Off: 32, Width: 32, Base: field.Dec},
)

// Legacy is a pair of read queue depths in the Private Data of the upper layer, as iWARP providers send them for SMB
// Direct ([MS-SMBD], section 6.1).
type Legacy struct {
	IRD, ORD uint32
}

// maxDepth is more than the depth of any read queue. It tells depths from other numbers.
const maxDepth = 0xffff

// Legacy decodes the Private Data of the upper layer into l. ok is false if it is not 8 octets long or its numbers cannot
// be read queue depths, which are greater than zero: other upper layers send 8 octets too. The Linux kernel's client
// writes them in host byte order; l then holds what it meant, and littleEndian is true.
func (f *Frame) Legacy(l *Legacy) (littleEndian, ok bool) {
	b := f.ULPPrivateData()
	if len(b) != LegacyLen {
		return false, false
	}
	l.Decode(b)
	if l.depths() {
		return false, true
	}
	l.IRD, l.ORD = bits.ReverseBytes32(l.IRD), bits.ReverseBytes32(l.ORD)
	return true, l.depths()
}

// depths reports whether both numbers can be read queue depths.
func (l *Legacy) depths() bool {
	return 0 < l.IRD && l.IRD <= maxDepth && 0 < l.ORD && l.ORD <= maxDepth
}

// Decode reads the first 8 octets of b and returns 8. If b is shorter, it returns len(b) and an error that wraps
// field.ErrShort.
func (l *Legacy) Decode(b []byte) (n int, err error) {
	var whole [LegacyLen]byte
	n = copy(whole[:], b)
	l.IRD, l.ORD = order.Uint32(whole[:]), order.Uint32(whole[4:])
	return n, LegacyFields.Short(n)
}

// AppendBinary appends the pair to b. It never fails.
func (l *Legacy) AppendBinary(b []byte) ([]byte, error) {
	return order.AppendUint32(order.AppendUint32(b, l.IRD), l.ORD), nil
}

// Len returns the number of octets that AppendBinary writes: 8.
func (l *Legacy) Len() int { return LegacyLen }
