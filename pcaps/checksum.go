package pcaps

// The Internet checksum (RFC 1071). It adds words in little-endian order: that is fast on most machines, and the sum is the same except for the
// order of its octets (section 2).

import (
	"encoding/binary"
	"math/bits"
)

// A Sum is the sum of words that precede others in an Internet checksum.
type Sum uint64

// Add adds the 32-bit words of addresses or of a header.
func (s Sum) Add(words []byte) Sum {
	b := words
	for ; len(b) > 8; b = b[8:] { // something is left, as in add
		two := binary.LittleEndian.Uint64(b)
		s += Sum(two>>32) + Sum(uint32(two))
	}
	if len(b) == 8 {
		two := binary.LittleEndian.Uint64(b)
		s += Sum(two>>32) + Sum(uint32(two))
	} else if len(b) >= 4 {
		s += Sum(binary.LittleEndian.Uint32(b))
	}
	return s
}

// AddHeader adds the words of a TCP header, except for its options.
func (s Sum) AddHeader(b *[20]byte) Sum {
	first, second, last := binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint32(b[16:])
	return s + Sum(first>>32) + Sum(uint32(first)) + Sum(second>>32) + Sum(uint32(second)) + Sum(last)
}

// PseudoHeader makes the sum of the addresses that of a TCP pseudo-header (RFC 9293, section 3.1), in which the TCP length is length. A segment
// whose checksum field is zero then has the Checksum that is the value of the field, one with a correct checksum 0.
func (s Sum) PseudoHeader(length int) Sum {
	return s + Sum(bits.ReverseBytes32(protocolTCP)) + Sum(bits.ReverseBytes32(uint32(length)))
}

// Checksum returns the Internet checksum (RFC 1071) of b, added to what precedes it.
func (s Sum) Checksum(b []byte) uint16 {
	if len(b) > 0 {
		s = s.add(b)
	}
	return ^bits.ReverseBytes16(fold(uint64(s)))
}

// add adds 64-bit words, of which the last one may be short.
func (s Sum) add(b []byte) Sum {
	sum := uint64(s)
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
	return Sum(sum>>32 + sum&(1<<32-1) + carry + carries)
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

// fold adds the 16-bit words of a sum of at most 37 bits, as that of addresses of IPv6 and the longest TCP header.
func fold(sum uint64) uint16 {
	sum = sum>>16 + sum&0xffff // at most 22 bits
	sum = sum>>16 + sum&0xffff // at most 17
	return uint16(sum>>16 + sum)
}
