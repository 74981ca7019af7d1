package ends

// Reading a capture: what is kept of its TCP packets.

import (
	"errors"
	"hash/crc32"
	"io"
	"math"
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A view is what one capture shows of TCP connections.
type view struct {
	index       int
	start, end  int64 // times of the first and the latest packet
	connections []*conn
	latest      map[tuple]*conn // by both directions
	packets     int
	full        bool
}

// A tuple is the two ends of a connection, its sender first.
type tuple struct{ src, dst netip.AddrPort }

// A conn is a TCP connection as one capture shows it.
type conn struct {
	ends    [2]netip.AddrPort // 0 sent the SYN, or the first packet
	streams [2]stream         // what each of them sent
}

// A stream is what one end sent.
type stream struct {
	packets []packet
	base    uint32 // sequence number of place 0
	known   bool   // base is known
	syn     bool   // the SYN was seen
	next    int64  // place after the highest octet
}

// A packet is what is kept of a TCP segment.
type packet struct {
	time  int64
	pos   int64 // place of its first octet; that of a SYN is -1
	acked int64 // place of the octet of the other direction that its sender awaits; unacked if it does not say
	len   int32 // octets of payload
	hash  uint32
	frame uint32
	flags tcpip.Flags
	cut   bool // the payload was not captured whole
}

const unacked = math.MinInt64

// end is the place after the packet: SYN and FIN count as one octet.
func (p *packet) end() int64 { return p.pos + p.size() }

// size is how many octets of sequence space the packet takes.
func (p *packet) size() int64 {
	n := int64(p.len)
	if p.flags.Has(tcpip.SYN) {
		n++
	}
	if p.flags.Has(tcpip.FIN) {
		n++
	}
	return n
}

// maxLen is more octets of payload than offload makes.
const maxLen = 1 << 20

// maxAway is how far a packet may lie from those before it. What lies farther away belongs to no such connection.
const maxAway = 1 << 30

// readView reads a capture up to its end, to MaxPackets, or to where it is damaged.
func readView(open Opener, index int) (*view, error) {
	src, err := open(index)
	if err != nil {
		return nil, err
	}
	defer closeSource(src)
	v := &view{index: index, latest: make(map[tuple]*conn)}
	var rec pcaps.Record
	var s tcpip.Segment
	for !v.full {
		switch err := src.Next(&rec); {
		case errors.Is(err, io.EOF):
			return v, nil
		case err != nil && errors.As(err, new(*pcaps.Error)):
			return v, nil
		case err != nil:
			return nil, err
		}
		if rec.Time == 0 || rec.Frame > math.MaxUint32 {
			continue
		}
		if v.start == 0 || rec.Time < v.start {
			v.start = rec.Time
		}
		if s.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil {
			v.add(&s, &rec)
		}
		if !v.full {
			v.end = max(v.end, rec.Time)
		}
	}
	return v, nil
}

func closeSource(s Source) {
	if c, ok := s.(io.Closer); ok {
		c.Close()
	}
}

// add takes a segment, unless the view is full.
func (v *view) add(s *tcpip.Segment, rec *pcaps.Record) {
	if s.Len() > maxLen {
		return
	}
	if v.packets == MaxPackets {
		v.full = true
		return
	}
	c, d := v.find(s)
	if c == nil {
		return
	}
	st, other := &c.streams[d], &c.streams[1-d]
	p := packet{
		time: rec.Time, acked: unacked, len: int32(s.Len()), frame: uint32(rec.Frame), flags: s.Flags, cut: s.Missing > 0,
		hash: crc32.ChecksumIEEE(s.Payload),
	}
	var ok bool
	if p.pos, ok = st.place(s.Seq, s.Flags.Has(tcpip.SYN)); !ok {
		return
	}
	if s.Flags.Has(tcpip.ACK) && !s.Flags.Has(tcpip.RST) {
		if !other.known {
			other.base, other.known = s.Ack, true
		}
		if acked, ok := other.place(s.Ack, false); ok {
			p.acked = acked
		}
	}
	if !s.Flags.Has(tcpip.RST) {
		st.next = max(st.next, p.end())
	}
	st.packets = append(st.packets, p)
	v.packets++
}

// find finds the connection and the direction of a segment, or begins with a connection, unless the view is full.
func (v *view) find(s *tcpip.Segment) (*conn, int) {
	c := v.latest[tuple{s.Src, s.Dst}]
	opens := s.Flags&(tcpip.SYN|tcpip.ACK|tcpip.RST) == tcpip.SYN
	if c == nil && s.Flags.Has(tcpip.RST) {
		return nil, 0
	}
	if c != nil {
		d := 0
		if s.Src != c.ends[0] {
			d = 1
		}
		if st := &c.streams[d]; !opens || st.syn && st.base == s.Seq+1 {
			return c, d
		}
	}
	if len(v.connections) == MaxConnections {
		v.full = true
		return nil, 0
	}
	c = &conn{ends: [2]netip.AddrPort{s.Src, s.Dst}}
	first := 0
	if !opens && (s.Flags.Has(tcpip.SYN) || s.Src.Port() < s.Dst.Port()) { // an answer, or what a server is likely to send
		c.ends[0], c.ends[1], first = s.Dst, s.Src, 1
	}
	v.connections = append(v.connections, c)
	v.latest[tuple{s.Src, s.Dst}], v.latest[tuple{s.Dst, s.Src}] = c, c
	return c, first
}

// place is the place of a sequence number; ok is false if it lies far from all that came before.
func (s *stream) place(seq uint32, syn bool) (pos int64, ok bool) {
	if syn {
		seq++
	}
	if !s.known {
		s.base, s.known = seq, true
	}
	pos = s.next + int64(int32(seq-(s.base+uint32(s.next))))
	if pos < s.next-maxAway || pos > s.next+maxAway {
		return 0, false
	}
	if syn {
		s.syn = true
		pos--
	}
	return pos, true
}
