package pcaps

// The packets of a StreamWriter: IPv4 (RFC 791) or IPv6 (RFC 8200), and TCP (RFC 9293).

import (
	"encoding/binary"
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
	binary.BigEndian.PutUint16(b[begin+16:], Sum(0).Add(src.Addr().AsSlice()).Add(dst.Addr().AsSlice()).PseudoHeader(len(b)-begin).Checksum(b[begin:]))
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
		binary.BigEndian.PutUint16(b[begin+10:], Sum(0).Checksum(b[begin:]))
	}
	return b
}
