// Package conversation makes the packets of TCP connections and SCTP associations, for tests that need traffic that
// was never captured.
package conversation

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Side is one end of a Conversation.
type Side int

// The two ends.
const (
	Client Side = iota
	Server
)

// A Conversation is a TCP connection, or an SCTP association, whose packets are recorded as Ethernet frames, one millisecond
// apart. Change Records to lose, repeat or reorder packets.
type Conversation struct {
	Addr    [2]netip.AddrPort
	MSS     int       // octets of payload per packet
	Window  [2]uint16 // of either side's packets
	Records []pcaps.Record

	next        [2]uint32 // sequence numbers
	lost        *uint32   // up to where the client gets what the server sends; nil if it gets all
	time        int64
	association *Association // nil over TCP
}

// New begins a Conversation between two IPv4 or two IPv6 addresses.
func New(client, server string) *Conversation {
	return &Conversation{
		Addr:   [2]netip.AddrPort{netip.MustParseAddrPort(client), netip.MustParseAddrPort(server)},
		MSS:    1448,
		Window: [2]uint16{0xffff, 0xffff},
		next:   [2]uint32{1000, 0xfffffff0}, // the server's wraps soon
		time:   1_800_000_000e9,
	}
}

// Begin sets the sequence number of the next packet of either side.
func (c *Conversation) Begin(client, server uint32) *Conversation {
	c.next = [2]uint32{client, server}
	return c
}

// Capture is a capture file (pcap) with packets of one link type.
func Capture(packets []pcaps.Record) []byte {
	var b bytes.Buffer
	w := pcaps.NewPcapWriter(&b, packets[0].LinkType)
	for i := range packets {
		if err := w.WriteRecord(&packets[i]); err != nil {
			panic(err) // a packet of another type, for memory takes all
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Connect records the three-way handshake.
func (c *Conversation) Connect() *Conversation {
	if c.association != nil {
		return c.associate()
	}
	return c.packet(Client, tcpip.SYN, nil).packet(Server, tcpip.SYN|tcpip.ACK, nil).packet(Client, tcpip.ACK, nil)
}

// Send records octets, in as many packets as MSS requires.
func (c *Conversation) Send(from Side, octets []byte) *Conversation {
	if c.association != nil {
		return c.sendChunks(from, octets)
	}
	for len(octets) > 0 {
		n := min(len(octets), c.MSS)
		c.packet(from, tcpip.ACK|tcpip.PSH, octets[:n])
		octets = octets[n:]
	}
	return c
}

// Ack records a packet without payload, which acknowledges all that the other side has sent.
func (c *Conversation) Ack(from Side) *Conversation {
	if c.association != nil {
		return c.sack(from)
	}
	return c.packet(from, tcpip.ACK, nil)
}

// Refuse records a SYN of the client that the server answers with a reset.
func (c *Conversation) Refuse() *Conversation { return c.Call().Reset(Server) }

// Call records a SYN of the client that nothing answers.
func (c *Conversation) Call() *Conversation { return c.packet(Client, tcpip.SYN, nil) }

// Anew records a SYN of a side whose host was started anew: it has a sequence number of its own, and the other side has the connection
// that there is.
func (c *Conversation) Anew(from Side) *Conversation {
	at := c.next[from]
	c.next[from] += 1 << 28
	c.packet(from, tcpip.SYN, nil)
	c.next[from] = at
	return c
}

// KeepAlive records a packet without payload that begins an octet before what comes next.
func (c *Conversation) KeepAlive(from Side) *Conversation {
	c.next[from]--
	c.packet(from, tcpip.ACK, nil)
	c.next[from]++
	return c
}

// Unreachable records an ICMP error of type 3 about the latest packet, which the host that it was for sends. mtu is 0 if
// that says nothing.
func (c *Conversation) Unreachable(from Side, code byte, mtu uint16) *Conversation {
	const icmp, ethernet, enclosed = 1, 14, 28 // the IP header and 8 octets after it
	about := c.Records[len(c.Records)-1].Data[ethernet:]
	b := c.ipHeaders(from, icmp, 8+enclosed)
	b = binary.BigEndian.AppendUint16(append(b, 3, code, 0, 0, 0, 0), mtu)
	return c.record(append(b, about[:enclosed]...))
}

// Finish records a FIN of one side.
func (c *Conversation) Finish(from Side) *Conversation {
	if c.association != nil {
		return c.chunk(from, chunkShutdown, c.acknowledge(from))
	}
	return c.packet(from, tcpip.FIN|tcpip.ACK, nil)
}

// Close records a FIN of each side, the given one first.
func (c *Conversation) Close(first Side) *Conversation { return c.Finish(first).Finish(1 - first) }

// Wait lets time pass before the next packet.
func (c *Conversation) Wait(d time.Duration) *Conversation {
	c.time += int64(d)
	return c
}

// Reset records a reset.
func (c *Conversation) Reset(from Side) *Conversation {
	if c.association != nil {
		return c.chunk(from, chunkAbort, nil)
	}
	return c.packet(from, tcpip.RST|tcpip.ACK, nil)
}

// Disown records a reset without ACK, as of a TCP that knows no such connection.
func (c *Conversation) Disown(from Side) *Conversation { return c.packet(from, tcpip.RST, nil) }

// Lose takes the latest packet, one of the server, out of the record. The client never gets it, and acknowledges only what is before it.
func (c *Conversation) Lose() *Conversation {
	const seq = 14 + 20 + 4
	c.lost = new(binary.BigEndian.Uint32(c.Records[len(c.Records)-1].Data[seq:]))
	return c.Drop(1)
}

// Drop takes the latest n packets out of the record, as if the capture had lost them.
func (c *Conversation) Drop(n int) *Conversation {
	c.Records = c.Records[:len(c.Records)-n]
	return c
}

// Repeat records the latest n packets once more, as if TCP had sent them again.
func (c *Conversation) Repeat(n int) *Conversation {
	for _, r := range c.Records[len(c.Records)-n:] {
		c.record(r.Data)
	}
	return c
}

// Late has the first of the latest n packets come behind the others.
func (c *Conversation) Late(n int) *Conversation {
	latest := c.Records[len(c.Records)-n:]
	for i := range latest[1:] {
		a, b := &latest[i], &latest[i+1]
		a.Data, b.Data, a.OrigLen, b.OrigLen = b.Data, a.Data, b.OrigLen, a.OrigLen
	}
	return c
}

// Snap cuts all packets to n octets.
func (c *Conversation) Snap(n int) *Conversation {
	for i := range c.Records {
		r := &c.Records[i]
		r.Data = r.Data[:min(n, len(r.Data))]
	}
	return c
}

func (c *Conversation) packet(from Side, flags tcpip.Flags, payload []byte) *Conversation {
	b := append(c.headers(from, flags, len(payload)), payload...)
	c.next[from] += uint32(len(payload))
	if flags&(tcpip.SYN|tcpip.FIN) != 0 {
		c.next[from]++
	}
	return c.record(b)
}

// record adds a packet a millisecond after the latest.
func (c *Conversation) record(b []byte) *Conversation {
	c.time += 1e6
	c.Records = append(c.Records, pcaps.Record{
		Frame: uint64(len(c.Records) + 1), Time: c.time, LinkType: pcaps.LinkTypeEthernet, Data: b, OrigLen: len(b),
	})
	return c
}

// ipHeaders makes the Ethernet and IP headers of a packet with so many octets after them; the checksum is zero.
func (c *Conversation) ipHeaders(from Side, protocol byte, length int) []byte {
	src, dst := c.Addr[from], c.Addr[1-from]
	b := make([]byte, 12, 54+length)
	if src.Addr().Is4() {
		b = append(b, 0x08, 0x00, 0x45, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(20+length))
		b = append(b, 0, 0, 0x40, 0, 64, protocol, 0, 0)
	} else {
		b = append(b, 0x86, 0xdd, 0x60, 0, 0, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(length))
		b = append(b, protocol, 64)
	}
	b = append(b, src.Addr().AsSlice()...)
	return append(b, dst.Addr().AsSlice()...)
}

// headers makes the Ethernet, IP and TCP headers of a packet; the checksums are zero.
func (c *Conversation) headers(from Side, flags tcpip.Flags, payload int) []byte {
	const tcpLen = 20
	src, dst := c.Addr[from], c.Addr[1-from]
	b := c.ipHeaders(from, 6, tcpLen+payload)
	b = binary.BigEndian.AppendUint16(b, src.Port())
	b = binary.BigEndian.AppendUint16(b, dst.Port())
	b = binary.BigEndian.AppendUint32(b, c.next[from])
	ack := uint32(0)
	if flags.Has(tcpip.ACK) {
		ack = c.next[1-from]
	}
	if c.lost != nil && from == Client {
		ack = *c.lost
	}
	b = binary.BigEndian.AppendUint32(b, ack)
	b = append(b, tcpLen/4<<4, byte(flags))
	b = binary.BigEndian.AppendUint16(b, c.Window[from])
	return append(b, 0, 0, 0, 0)
}

// A Way is one direction of a TCP connection: its sender and its receiver.
type Way [2]netip.AddrPort

// Lengths returns the length in octets of each stream in records, captured or not: from the SYN, what a
// SYN acknowledges, or the first octet seen, to the last octet seen or the FIN. It is for streams below 1 GiB.
func Lengths(records []pcaps.Record) map[Way]uint64 {
	begin, length := map[Way]uint32{}, map[Way]uint64{}
	var s tcpip.Segment
	for i := range records {
		r := &records[i]
		if s.Decode(r.LinkType, r.Data, r.OrigLen) != nil || s.Flags.Has(tcpip.RST) || s.Len() == 0 && s.Flags&(tcpip.SYN|tcpip.FIN) == 0 {
			continue
		}
		way := Way{s.Src, s.Dst}
		if s.Flags.Has(tcpip.SYN) {
			s.Seq++
			if back := (Way{s.Dst, s.Src}); s.Flags.Has(tcpip.ACK) {
				if _, ok := begin[back]; !ok {
					begin[back] = s.Ack
				}
			}
		}
		if _, ok := begin[way]; !ok {
			begin[way] = s.Seq
		}
		if end := int32(s.Seq-begin[way]) + int32(s.Len()); end > 0 {
			length[way] = max(length[way], uint64(end))
		}
	}
	return length
}
