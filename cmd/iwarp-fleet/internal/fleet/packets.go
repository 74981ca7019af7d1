package fleet

// Packets on their way from an agent to a judge.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"net"
	"net/netip"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A packet has its number in its file, and the time at which its turn comes among those of all files: its own, or that of a packet before
// it in the file, if that is later.
type packet struct {
	pcaps.Record
	turn   int64
	filled bool // payload was replaced
}

const (
	maxRaw    = 512 << 10                      // octets of packets that are compressed at a time, unless it is one packet
	maxFolded = 2 * (maxRaw + pcaps.MaxPacket) // more octets than a part can have
)

// A packer writes packets into parts.
type packer struct {
	raw    []byte
	octets int    // of the packets: of raw, and those that are left out
	before packet // the latest in raw
	gaps   []gap
	parts  int // before raw
}

// A gap is octets of packets that do not travel, from a place in raw on. So many of them are there: all, or none.
type gap struct{ at, len, there int }

// add appends a packet. Of gaps in it, octets are left out, unless the packet stays whole.
func (p *packer) add(rec *pcaps.Record, turn int64, gaps []gap, whole bool) placed {
	b := binary.AppendUvarint(p.raw, rec.Frame-p.before.Frame)
	b = binary.AppendVarint(b, rec.Time-p.before.Time)
	b = binary.AppendVarint(b, turn-rec.Time)
	b = binary.AppendUvarint(b, uint64(rec.LinkType))
	b = binary.AppendUvarint(b, uint64(rec.OrigLen))
	b = binary.AppendUvarint(b, uint64(len(rec.Data)))
	at, from, out := len(b), 0, 0
	for _, g := range gaps {
		to := g.at
		if whole {
			to, g.there = g.at+g.len, g.len
		}
		b = append(b, rec.Data[from:to]...)
		from = g.at + g.len
		out += g.len - g.there
		p.gaps = append(p.gaps, gap{len(b) - g.there, g.len, g.there})
	}
	b = append(b, rec.Data[from:]...)
	p.octets += len(b) - len(p.raw) + out
	p.raw, p.before = b, packet{Record: pcaps.Record{Frame: rec.Frame, Time: rec.Time}}
	return placed{in: p, part: p.parts, at: at, len: len(rec.Data), link: rec.LinkType, origLen: rec.OrigLen}
}

// has reports whether there is room for so many octets of the next packet.
func (p *packer) has(octets int) bool { return p.octets == 0 || p.octets+octets <= maxRaw }

// reset begins anew.
func (p *packer) reset() {
	p.raw, p.octets, p.gaps, p.before, p.parts = p.raw[:0], 0, p.gaps[:0], packet{}, p.parts+1
}

// A coder makes parts. It can be used again and again.
type coder struct{ folded, coded []byte }

// part returns what was added, compressed, and begins anew. It is valid until the next call. The gaps come first: how many there are, and of
// each its distance from the end of the one before, and its length.
func (c *coder) part(p *packer) []byte {
	slices.SortFunc(p.gaps, func(a, b gap) int { return cmp.Compare(a.at, b.at) })
	b, end := binary.AppendUvarint(c.folded[:0], uint64(len(p.gaps))), 0
	for _, g := range p.gaps {
		b = binary.AppendUvarint(b, uint64(g.at-end))
		b = binary.AppendUvarint(b, uint64(g.len))
		end = g.at + g.there
	}
	end = 0
	for _, g := range p.gaps {
		if g.there > 0 {
			b = append(b, p.raw[end:g.at]...)
			end = g.at + g.there
		}
	}
	c.folded = append(b, p.raw[end:]...)
	c.coded = s2.Encode(c.coded[:cap(c.coded)], c.folded)
	p.reset()
	return c.coded
}

// unfold returns the octets of a part that was decompressed, with its gaps filled.
func unfold(part []byte) (raw []byte, gaps []gap, err error) {
	unsigned := func() int {
		v, n := binary.Uvarint(part)
		if n <= 0 || v > maxRaw+pcaps.MaxPacket {
			part = nil
			return -1
		}
		part = part[n:]
		return int(v)
	}
	sum, n := 0, unsigned()
	for range n {
		g := gap{at: unsigned(), len: unsigned()}
		if sum += g.at + g.len; g.at < 0 || g.len < 0 || g.len > len(filler) || sum > maxFolded {
			return nil, nil, errPart
		}
		gaps = append(gaps, g)
	}
	if n < 0 {
		return nil, nil, errPart
	}
	raw = make([]byte, 0, sum+len(part))
	for i := range gaps {
		g := &gaps[i]
		if g.at > len(part) {
			return nil, nil, errPart
		}
		raw, part = append(raw, part[:g.at]...), part[g.at:]
		g.at = len(raw)
		raw = append(raw, filler[:g.len]...)
	}
	return append(raw, part...), gaps, nil
}

var errPart = errors.New("fleet: damaged part")

// An unpacker reads the packets of a part.
type unpacker struct {
	rest   *bytes.Reader
	raw    []byte // of which rest is the end
	gaps   []gap  // in raw, which are to come
	filled bool   // an agent has replaced payload
	before packet
}

func newUnpacker(part []byte) (*unpacker, error) {
	if n, err := s2.DecodedLen(part); err != nil || n > maxFolded {
		return nil, errPart
	}
	folded, err := s2.Decode(nil, part)
	if err != nil {
		return nil, err
	}
	raw, gaps, err := unfold(folded)
	return &unpacker{rest: bytes.NewReader(raw), raw: raw, gaps: gaps, filled: len(gaps) > 0}, err
}

// next reads the next packet. It returns false after the last one.
func (u *unpacker) next(p *packet) (ok bool, err error) {
	if u.rest.Len() == 0 {
		return false, nil
	}
	unsigned := func() (n uint64) {
		if err == nil {
			n, err = binary.ReadUvarint(u.rest)
		}
		return n
	}
	signed := func() (n int64) {
		if err == nil {
			n, err = binary.ReadVarint(u.rest)
		}
		return n
	}
	p.Frame, p.Time = u.before.Frame+unsigned(), u.before.Time+signed()
	p.turn, p.LinkType, p.OrigLen = p.Time+signed(), pcaps.LinkType(unsigned()), int(unsigned())
	n, at := unsigned(), len(u.raw)-u.rest.Len()
	if err != nil || n > uint64(u.rest.Len()) {
		return false, errPart
	}
	end := at + int(n)
	p.Data, p.filled = u.raw[at:end], false
	for len(u.gaps) > 0 && u.gaps[0].at < end {
		u.gaps, p.filled = u.gaps[1:], true
	}
	u.rest.Reset(u.raw[end:])
	u.before = *p
	return true, nil
}

// A sorter finds the path of a packet. It can be used again and again.
type sorter struct {
	segment tcpip.Segment // of the latest packet, if it has one
	sctp    tcpip.SCTP
	icmp    tcpip.ICMP
	latest  path // of which share was asked
	known   int  // what it has returned, and 1
	octets  [2 * (net.IPv6len + 2)]byte
}

// A path is the two ends of a connection, the lesser one first. Associations can change their addresses: theirs has only ports.
type path [2]netip.AddrPort

func pathOf(a, b netip.AddrPort) path {
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return path{a, b}
}

func portsOf(a, b netip.AddrPort) path {
	return pathOf(netip.AddrPortFrom(netip.Addr{}, a.Port()), netip.AddrPortFrom(netip.Addr{}, b.Port()))
}

// path is that of the connection that a packet belongs to, or is about; ok is false if there is none. tcp reports whether it is a TCP segment.
func (s *sorter) path(rec *pcaps.Record) (of path, tcp, ok bool) {
	err := s.segment.Decode(rec.LinkType, rec.Data, rec.OrigLen)
	switch {
	case err == nil:
		return pathOf(s.segment.Src, s.segment.Dst), true, true
	case err == tcpip.ErrSCTP && s.sctp.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil:
		return portsOf(s.sctp.Src, s.sctp.Dst), false, true
	case err == tcpip.ErrNotTCP && s.icmp.Decode(rec.LinkType, rec.Data, rec.OrigLen):
		return pathOf(s.icmp.Src, s.icmp.Dst), false, true
	}
	return path{}, false, false
}

// share is that of all connections between these ends: of both directions.
func (s *sorter) share(of path) int {
	if s.known == 0 || of != s.latest {
		b := s.octets[:0]
		for _, end := range of {
			ip := end.Addr().As16()
			b = binary.BigEndian.AppendUint16(append(b, ip[:]...), end.Port())
		}
		s.latest, s.known = of, int(crc32.Checksum(b, castagnoli)%Shares)+1
	}
	return s.known - 1
}
