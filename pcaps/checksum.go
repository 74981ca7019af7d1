package pcaps

// The Internet checksum (RFC 1071). It adds words in little-endian order: that is fast on most machines, and the sum is the same but for the
// order of its octets (section 2).

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
)

// TCPChecksum returns the checksum of segment and its pseudo-header (RFC 9293, section 3.1), in which the TCP length is length.
// For a segment whose checksum field is zero that is the value of the field, for one with a correct checksum 0.
func TCPChecksum(src, dst netip.Addr, length int, segment []byte) uint16 {
	return Checksum(PseudoHeader(SumOf(src.AsSlice())+SumOf(dst.AsSlice()), length), segment)
}

// PseudoHeader returns the sum of a TCP pseudo-header, for Checksum. addresses is the SumOf the addresses, length the TCP length.
func PseudoHeader(addresses uint64, length int) uint64 {
	return addresses + uint64(bits.ReverseBytes32(protocolTCP)) + uint64(bits.ReverseBytes32(uint32(length)))
}

// SumOf adds the 32-bit words of addresses, for PseudoHeader.
func SumOf(addresses []byte) (sum uint64) {
	for b := addresses; len(b) >= 4; b = b[4:] {
		sum += uint64(binary.LittleEndian.Uint32(b))
	}
	return sum
}

// Checksum returns the Internet checksum (RFC 1071) of b, added to the sum of what precedes it.
func Checksum(sum uint64, b []byte) uint16 {
	order, carries, other, carry := binary.LittleEndian, uint64(0), uint64(0), uint64(0)
	for ; len(b) > 64; b = b[64:] { // something is left, which spares the compiler a check; two sums, which the processor adds at the same time
		sum, carry = bits.Add64(sum, order.Uint64(b), 0)
		sum, carry = bits.Add64(sum, order.Uint64(b[8:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[16:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[24:]), carry)
		carries, _ = bits.Add64(carries, 0, carry)
		other, carry = bits.Add64(other, order.Uint64(b[32:]), 0)
		other, carry = bits.Add64(other, order.Uint64(b[40:]), carry)
		other, carry = bits.Add64(other, order.Uint64(b[48:]), carry)
		other, carry = bits.Add64(other, order.Uint64(b[56:]), carry)
		carries, _ = bits.Add64(carries, 0, carry)
	}
	sum, carry = bits.Add64(sum, other, 0)
	if len(b) > 32 {
		sum, carry = bits.Add64(sum, order.Uint64(b), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[8:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[16:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[24:]), carry)
		b = b[32:]
	}
	for ; len(b) > 8; b = b[8:] {
		sum, carry = bits.Add64(sum, order.Uint64(b), carry)
	}
	sum, carry = bits.Add64(sum, last(b), carry)
	return ^bits.ReverseBytes16(fold(sum>>32 + sum&(1<<32-1) + carry + carries))
}

// last returns up to eight octets, with zeros after them.
func last(b []byte) (word uint64) {
	order := binary.LittleEndian
	switch n := len(b); {
	case n == 8:
		return order.Uint64(b)
	case n >= 4:
		return uint64(order.Uint32(b)) | uint64(order.Uint32(b[n-4:]))>>(64-8*uint(n))<<32
	}
	for i, o := range b {
		word |= uint64(o) << (8 * i)
	}
	return word
}

// fold adds the 16-bit words of a sum of at most 34 bits.
func fold(sum uint64) uint16 {
	sum = sum>>16 + sum&0xffff // at most 19 bits
	sum = sum>>16 + sum&0xffff // at most 17
	return uint16(sum>>16 + sum)
}
