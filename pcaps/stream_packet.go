package pcaps

// The packets of a StreamWriter: IPv4 (RFC 791) or IPv6 (RFC 8200), and TCP (RFC 9293).

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
)

// tcpFlags are the flags in octet 13 of a TCP header.
type tcpFlags uint8

const (
	flagFIN tcpFlags = 1 << iota
	flagSYN
	flagRST
	flagPSH
	flagACK
)

const (
	ipv4HeaderLen = 20
	ipv6HeaderLen = 40
	tcpHeaderLen  = 20
	synOptionsLen = 8

	protocolTCP = 6
	hopLimit    = 64

	// maxSegment is how many octets fit in a packet of either family besides the headers. The limit is 65,535 octets; IPv4
	// counts its own header among them, IPv6 does not.
	maxSegment = 1<<16 - 1 - ipv6HeaderLen - tcpHeaderLen

	windowField = 1<<16 - 1
	windowScale = 7
	// ackEvery is how many octets at most stay unacknowledged: half of the window, so that no reader takes it to be full.
	ackEvery = windowField << windowScale / 2
)

// packet writes a packet of one side, with the given payload.
func (c *StreamConn) packet(from Side, flags tcpFlags, payload []byte, at int64) {
	w := c.writer
	w.latest = max(w.latest, at)
	r := &w.record
	r.Time, r.LinkType, r.Data = w.latest, LinkTypeRaw, c.appendPacket(r.Data[:0], from, flags, payload)
	r.OrigLen = len(r.Data)
	r.Frame++
	c.next[from] += uint32(len(payload))
	if flags&(flagSYN|flagFIN) != 0 {
		c.next[from]++
	}
	if flags&flagACK != 0 {
		c.acked[1-from] = c.next[1-from]
	}
	if err := w.out.WriteRecord(r); w.err == nil {
		w.err = err
	}
	if w.each != nil {
		w.each(r)
	}
	r.Comments = nil
}

func (c *StreamConn) appendPacket(b []byte, from Side, flags tcpFlags, payload []byte) []byte {
	src, dst := c.addr[from], c.addr[1-from]
	segment := tcpHeaderLen + len(payload)
	if flags&flagSYN != 0 {
		segment += synOptionsLen
	}
	b = appendIPHeader(b, src.Addr(), dst.Addr(), segment)

	begin := len(b)
	b = binary.BigEndian.AppendUint16(b, src.Port())
	b = binary.BigEndian.AppendUint16(b, dst.Port())
	b = binary.BigEndian.AppendUint32(b, c.next[from])
	ack := uint32(0)
	if flags&flagACK != 0 {
		ack = c.next[1-from]
	}
	b = binary.BigEndian.AppendUint32(b, ack)
	b = append(b, byte(segment-len(payload))/4<<4, byte(flags))
	b = binary.BigEndian.AppendUint16(b, windowField)
	b = append(b, 0, 0, 0, 0) // checksum, urgent pointer
	if flags&flagSYN != 0 {
		b = append(b, 2, 4) // maximum segment size
		b = binary.BigEndian.AppendUint16(b, uint16(c.writer.mss))
		b = append(b, 1, 3, 3, windowScale) // no operation, window scale
	}
	b = append(b, payload...)
	binary.BigEndian.PutUint16(b[begin+16:], TCPChecksum(src.Addr(), dst.Addr(), len(b)-begin, b[begin:]))
	return b
}

// appendIPHeader appends the IP header for a number of octets of TCP.
func appendIPHeader(b []byte, src, dst netip.Addr, segment int) []byte {
	begin := len(b)
	if src.Is4() {
		b = append(b, 4<<4|ipv4HeaderLen/4, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(ipv4HeaderLen+segment))
		b = append(b, 0, 0, 1<<6, 0, hopLimit, protocolTCP, 0, 0) // don't fragment
	} else {
		b = append(b, 6<<4, 0, 0, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(segment))
		b = append(b, protocolTCP, hopLimit)
	}
	b = append(b, src.AsSlice()...)
	b = append(b, dst.AsSlice()...)
	if src.Is4() {
		binary.BigEndian.PutUint16(b[begin+10:], checksum(0, b[begin:]))
	}
	return b
}

// TCPChecksum returns the checksum of segment and its pseudo-header (RFC 9293, section 3.1), in which the TCP length is length.
// For a segment whose checksum field is zero that is the value of the field, for one with a correct checksum 0. Without addresses, there is
// no pseudo-header.
func TCPChecksum(src, dst netip.Addr, length int, segment []byte) uint16 {
	if !src.IsValid() {
		return checksum(0, segment)
	}
	return checksum(uint64(protocolTCP)+uint64(length)+sumOf(src)+sumOf(dst), segment)
}

// sumOf adds the 32-bit words of an address.
func sumOf(a netip.Addr) (sum uint64) {
	octets := a.As16()
	if a.Is4() { // it is the last four, after ffff
		return uint64(binary.BigEndian.Uint32(octets[12:]))
	}
	for i := 0; i < len(octets); i += 4 {
		sum += uint64(binary.BigEndian.Uint32(octets[i:]))
	}
	return sum
}

// checksum returns the Internet checksum (RFC 1071) of b, added to the sum of what precedes it. It adds words in little-endian
// order, which gives the sum with its octets swapped (section 2, B).
func checksum(sum uint64, b []byte) uint16 {
	order := binary.LittleEndian
	sum, carry := uint64(bits.ReverseBytes16(fold(sum))), uint64(0)
	for ; len(b) > 64; b = b[64:] { // something is left, which spares the compiler a check
		sum, carry = bits.Add64(sum, order.Uint64(b), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[8:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[16:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[24:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[32:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[40:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[48:]), carry)
		sum, carry = bits.Add64(sum, order.Uint64(b[56:]), carry)
	}
	for ; len(b) >= 8; b = b[8:] {
		sum, carry = bits.Add64(sum, order.Uint64(b), carry)
	}
	sum = sum>>32 + sum&(1<<32-1) + carry
	if len(b) >= 4 {
		sum += uint64(order.Uint32(b))
		b = b[4:]
	}
	if len(b) >= 2 {
		sum += uint64(order.Uint16(b))
		b = b[2:]
	}
	if len(b) == 1 {
		sum += uint64(b[0])
	}
	return ^bits.ReverseBytes16(fold(sum))
}

// fold adds the 16-bit words of a sum.
func fold(sum uint64) uint16 {
	sum = sum>>32 + sum&(1<<32-1) // at most 33 bits
	sum = sum>>16 + sum&0xffff    // at most 18
	sum = sum>>16 + sum&0xffff    // at most 17
	return uint16(sum>>16 + sum)
}
