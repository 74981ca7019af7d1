package fleet

// Packets on their way from an agent to a judge.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"net/netip"

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
}

// add appends a packet.
func (p *packer) add(rec *pcaps.Record, turn int64) {
	b := binary.AppendUvarint(p.raw, rec.Frame-p.before.Frame)
	b = binary.AppendVarint(b, rec.Time-p.before.Time)
	b = binary.AppendVarint(b, turn-rec.Time)
	b = binary.AppendUvarint(b, uint64(rec.LinkType))
	b = binary.AppendUvarint(b, uint64(rec.OrigLen))
	b = binary.AppendUvarint(b, uint64(len(rec.Data)))
	p.raw = append(b, rec.Data...)
	p.before = packet{Record: pcaps.Record{Frame: rec.Frame, Time: rec.Time}}
}

// part returns what was added, compressed, and begins anew.
func (p *packer) part() []byte {
	b := compressor.EncodeAll(p.raw, nil)
	p.raw, p.before = p.raw[:0], packet{}
	return b
}

var errPart = errors.New("fleet: damaged part")

// An unpacker reads the packets of a part.
type unpacker struct {
	rest   *bytes.Reader
	raw    []byte
	before packet
}

func newUnpacker(part []byte) (*unpacker, error) {
	raw, err := decompressor.DecodeAll(part, nil)
	return &unpacker{rest: bytes.NewReader(raw), raw: raw}, err
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
	segment tcpip.Segment
	sctp    tcpip.SCTP
	icmp    tcpip.ICMP
}

// share is that of the connection that a packet belongs to, or is about; -1 if there is none. Both directions of a connection have one
// share, and so have all associations between the same ports, for these can change their addresses.
func (s *sorter) share(rec *pcaps.Record) int {
	err := s.segment.Decode(rec.LinkType, rec.Data, rec.OrigLen)
	switch {
	case err == nil:
		return shareOf(s.segment.Src, s.segment.Dst)
	case err == tcpip.ErrSCTP && s.sctp.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil:
		return shareOf(netip.AddrPortFrom(netip.Addr{}, s.sctp.Src.Port()), netip.AddrPortFrom(netip.Addr{}, s.sctp.Dst.Port()))
	case err == tcpip.ErrNotTCP && s.icmp.Decode(rec.LinkType, rec.Data, rec.OrigLen):
		return shareOf(s.icmp.Src, s.icmp.Dst)
	}
	return -1
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
