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
	id       uint16
	flags    tcpip.Flags
}

// is reports whether p is of the packet s, and as whole.
func (p *sighting) is(s *tcpip.Segment, from, stamp uint32) bool {
	return p.seq == s.Seq && p.from == from && p.ack == s.Ack && p.id == s.ID && p.stamp == stamp && p.flags == s.Flags &&
		int(p.len) == s.Len() && int(p.captured) >= len(s.Payload)
}

// sightings are the latest packets of all directions with octets, SYNs, FINs, resets and keep-alives: by their sequence numbers, for the copies
// of many packets can be behind the last of them, as those that a router sends on.
type sightings struct {
	sets       [1 << setBits][inSet]sighting
	directions uint32
}

const (
	setBits = 12
	inSet   = 2

	// MaxSightings is how many packets of all connections an Engine remembers at most, to know those that are captured again.
	MaxSightings = inSet << setBits
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
	const golden = 0x9e3779b1 // 2^32 divided by the golden ratio: neighbours are in different sets, whatever their length
	set := &l.sets[(s.Seq+from)*golden>>(32-setBits)]
	if !isNew {
		for i := range set {
			p := &set[i]
			if ago := at - p.time; p.is(s, from, stamp) && ago <= within && -ago <= within {
				return true
			}
		}
	}
	older := 0
	if set[1].time < set[0].time {
		older = 1
	}
	p := &set[older] // written field by field: a copy as a whole would wait for the fields
	p.time, p.from, p.seq, p.ack, p.stamp = at, from, s.Seq, s.Ack, stamp
	p.captured, p.len, p.id, p.flags = uint32(len(s.Payload)), uint32(s.Len()), s.ID, s.Flags
	return false
}
