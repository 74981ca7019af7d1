package dissect

// Packets that were captured twice, as on two interfaces of a host. What was sent again has another IP Identification.
// IPv6 has none, and some stacks always write 0: then its TCP timestamp is another, unless it was sent again at once.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
)

// How much time in nanoseconds lies at most between a packet and its duplicate: between two with the same Identification, and with the same
// TCP timestamp, most clocks of which tick every millisecond. What has no octets is not sent again so soon: no clock has to tell.
const (
	duplicateWithin = int64(100 * time.Millisecond)
	stampedWithin   = int64(time.Millisecond)
)

// A sighting is what tells a packet from others.
type sighting struct {
	time     int64
	from     uint32 // number of its direction
	seq, ack uint32
	stamp    uint32 // TSval, if id is 0
	captured uint32 // octets of payload
	len      uint32 // octets of payload, captured or not
	before   uint32 // which packet was the latest in its chain before it, from 1
	id       uint16
	flags    tcpip.Flags
}

// is reports whether p is of the packet s, and as whole.
func (p *sighting) is(s *tcpip.Segment, from, stamp uint32) bool {
	return p.seq == s.Seq && p.from == from && p.ack == s.Ack && p.id == s.ID && p.stamp == stamp && p.flags == s.Flags &&
		int(p.len) == s.Len() && int(p.captured) >= len(s.Payload)
}

// sightings are the latest packets of all directions with octets, SYNs, FINs, resets and keep-alives, for the copies of many packets can be
// behind the last of them, as those that a router sends on. They are written one after the other, which spares the cache.
type sightings struct {
	ring       [MaxSightings]sighting
	n          uint32         // packets up to now
	chains     [1 << 8]uint32 // by sequence numbers: which was the latest, from 1
	directions uint32
}

const (
	// MaxSightings is how many packets of all connections an Engine remembers at most, to know those that are captured again.
	MaxSightings = 512

	maxChain = 32 // packets with the same place in chains that are looked at
)

// number returns that of a new direction.
func (l *sightings) number() uint32 {
	l.directions++
	return l.directions
}

// repeats reports whether a packet of a direction was captured before, as whole as now, and remembers it if not. It cannot have been if all
// of its octets are new. Without Identification and timestamp nobody can tell of octets.
func (l *sightings) repeats(from uint32, s *tcpip.Segment, at int64, isNew bool) bool {
	within, stamp := duplicateWithin, uint32(0)
	switch {
	case s.ID != 0:
	case at == 0:
		return false
	case s.Len() > 0:
		var ok bool
		if stamp, ok = s.TSval(); !ok {
			return false
		}
		within = stampedWithin
	}
	const golden = 0x9e3779b1 // 2^32 divided by the golden ratio: neighbours are in different chains, whatever their length
	chain := &l.chains[(s.Seq+from)*golden>>24]
	if !isNew {
		for i, p := 0, l.packet(*chain); p != nil && i < maxChain; i, p = i+1, l.packet(p.before) {
			if ago := at - p.time; p.is(s, from, stamp) && ago <= within && -ago <= within {
				return true
			}
		}
	}
	p := &l.ring[l.n%MaxSightings]
	p.time, p.from, p.seq, p.ack, p.stamp = at, from, s.Seq, s.Ack, stamp // not as a whole: a copy would wait for the fields
	p.captured, p.len, p.id, p.flags, p.before = uint32(len(s.Payload)), uint32(s.Len()), s.ID, s.Flags, *chain
	l.n++
	*chain = l.n
	return false
}

// packet returns the n-th packet, from 1; nil if it is not remembered any more.
func (l *sightings) packet(n uint32) *sighting {
	if n == 0 || l.n-n >= MaxSightings {
		return nil
	}
	return &l.ring[(n-1)%MaxSightings]
}
