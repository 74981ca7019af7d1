package ends

// Checksums of octets that lie in several packets.

import (
	"hash/crc32"
	"math/bits"
)

// hashOf is the CRC-32 of all octets of a row of packets, from those of each. It is not the CRC32C of MPA, which would not
// tell an FPDU from another one whose CRC is right, too.
func hashOf(row []*packet) (crc uint32) {
	for _, p := range row {
		crc = product(power(uint64(p.len)*8), crc) ^ p.hash
	}
	return crc
}

// squares are x to the power of 1, 2, 4, 8 and so on, modulo the polynomial, with the coefficient of x^0 in the highest bit.
var squares = func() (s [32]uint32) {
	s[0] = 1 << 30
	for i := range s[1:] {
		s[i+1] = product(s[i], s[i])
	}
	return s
}()

// power is x^n modulo the polynomial. The powers of x repeat after 2^32 - 1.
func power(n uint64) uint32 {
	p := uint32(1) << 31
	for i := 0; n != 0; i, n = i+1, n>>1 {
		if n&1 != 0 {
			p = product(squares[i%len(squares)], p)
		}
	}
	return p
}

// product multiplies modulo the polynomial.
func product(a, b uint32) (p uint32) {
	for ; a != 0; a <<= 1 {
		if bits.LeadingZeros32(a) == 0 {
			p ^= b
		}
		b = b>>1 ^ crc32.IEEE&-(b&1)
	}
	return p
}
