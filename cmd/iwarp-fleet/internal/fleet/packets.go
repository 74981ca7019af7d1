package fleet

// Packets on their way from an agent to a judge.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A packet has its number in its file, and the time at which its turn comes among those of all files: its own, or that of a packet before
// it in the file, if that is later.
type packet struct {
	pcaps.Record
	turn int64
}

// maxRaw is how many octets of packets are compressed at a time.
const maxRaw = 512 << 10

// A packer writes packets into parts.
type packer struct {
	raw    []byte
	before packet // the latest in raw
	gaps   []gap  // of raw, where filler is
	parts  int    // before raw
}

// A gap is filler, which does not travel.
type gap struct{ at, len int }

// add appends a packet, which is as it was captured.
func (p *packer) add(rec *pcaps.Record, turn int64) placed {
	b := binary.AppendUvarint(p.raw, rec.Frame-p.before.Frame)
	b = binary.AppendVarint(b, rec.Time-p.before.Time)
	b = binary.AppendVarint(b, turn-rec.Time)
	b = binary.AppendUvarint(b, uint64(rec.LinkType))
	b = binary.AppendUvarint(b, uint64(rec.OrigLen))
	b = binary.AppendUvarint(b, uint64(len(rec.Data)))
	p.raw = append(b, rec.Data...)
	p.before = packet{Record: pcaps.Record{Frame: rec.Frame, Time: rec.Time}}
	return placed{in: p, part: p.parts, at: len(b), len: len(rec.Data), rec: pcaps.Record{LinkType: rec.LinkType, OrigLen: rec.OrigLen}}
}

// part returns what was added, compressed, and begins anew. The gaps come first: how many there are, and of each its distance from the end
// of the one before, and its length.
func (p *packer) part() []byte {
	slices.SortFunc(p.gaps, func(a, b gap) int { return cmp.Compare(a.at, b.at) })
	head, rest, end := binary.AppendUvarint(nil, uint64(len(p.gaps))), p.raw[:0], 0
	for _, g := range p.gaps {
		head = binary.AppendUvarint(head, uint64(g.at-end))
		head = binary.AppendUvarint(head, uint64(g.len))
		rest = append(rest, p.raw[end:g.at]...)
		end = g.at + g.len
	}
	rest = append(rest, p.raw[end:]...)
	b := compressor.EncodeAll(append(head, rest...), nil)
	p.raw, p.gaps, p.before, p.parts = p.raw[:0], p.gaps[:0], packet{}, p.parts+1
	return b
}

// unfold returns the octets of a part that was decompressed, with its gaps filled.
func unfold(part []byte) ([]byte, error) {
	unsigned := func() int {
		v, n := binary.Uvarint(part)
		if n <= 0 || v > maxRaw+pcaps.MaxPacket {
			part = nil
			return -1
		}
		part = part[n:]
		return int(v)
	}
	gaps, sum := make([]gap, 0), 0
	n := unsigned()
	for range n {
		g := gap{unsigned(), unsigned()}
		if sum += g.at + g.len; g.at < 0 || g.len < 0 || g.len > len(filler) || sum > 2*(maxRaw+pcaps.MaxPacket) {
			return nil, errPart
		}
		gaps = append(gaps, g)
	}
	if n < 0 {
		return nil, errPart
	}
	raw := make([]byte, 0, sum+len(part))
	for _, g := range gaps {
		if g.at > len(part) {
			return nil, errPart
		}
		raw = append(append(raw, part[:g.at]...), filler[:g.len]...)
		part = part[g.at:]
	}
	return append(raw, part...), nil
}

var errPart = errors.New("fleet: damaged part")

// An unpacker reads the packets of a part.
type unpacker struct {
	rest   *bytes.Reader
	raw    []byte
	filled bool // an agent has replaced payload
	before packet
}

func newUnpacker(part []byte) (*unpacker, error) {
	folded, err := decompressor.DecodeAll(part, nil)
	if err != nil {
		return nil, err
	}
	raw, err := unfold(folded)
	return &unpacker{rest: bytes.NewReader(raw), raw: raw, filled: len(raw) > len(folded)}, err
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
	p.Data = u.raw[at : at+int(n)]
	u.rest.Reset(u.raw[at+int(n):])
	u.raw = u.raw[at+int(n):]
	u.before = *p
	return true, nil
}

// A sorter finds the share of a packet. It can be used again and again.
type sorter struct {
	segment tcpip.Segment // of the latest packet, if it has one
	sctp    tcpip.SCTP
	icmp    tcpip.ICMP
}

// share is that of the connection that a packet belongs to, or is about; -1 if there is none. Both directions of a connection have one
// share, and so have all associations between the same ports, for these can change their addresses. tcp reports whether it is a TCP segment.
func (s *sorter) share(rec *pcaps.Record) (share int, tcp bool) {
	err := s.segment.Decode(rec.LinkType, rec.Data, rec.OrigLen)
	switch {
	case err == nil:
		return shareOf(s.segment.Src, s.segment.Dst), true
	case err == tcpip.ErrSCTP && s.sctp.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil:
		return shareOf(netip.AddrPortFrom(netip.Addr{}, s.sctp.Src.Port()), netip.AddrPortFrom(netip.Addr{}, s.sctp.Dst.Port())), false
	case err == tcpip.ErrNotTCP && s.icmp.Decode(rec.LinkType, rec.Data, rec.OrigLen):
		return shareOf(s.icmp.Src, s.icmp.Dst), false
	}
	return -1, false
}

func shareOf(a, b netip.AddrPort) int {
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	h := fnv.New32a()
	for _, end := range [...]netip.AddrPort{a, b} {
		octets, _ := end.MarshalBinary() // it cannot fail
		h.Write(octets)
	}
	return int(h.Sum32() % Shares)
}
