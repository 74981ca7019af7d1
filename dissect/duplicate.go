package dissect

// Packets that were captured twice, as on two interfaces of a host. What was sent again has another IP Identification.
// IPv6 has none, and some stacks always write 0: then its TCP timestamp is another, unless it was sent again at once.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
)

// How many packets lie at most between a packet and its duplicate, in the same direction, and how much time in
// nanoseconds: between two with the same Identification, and with the same TCP timestamp, most clocks of which tick every
// millisecond.
const (
	maxSightings    = 4
	duplicateWithin = int64(100 * time.Millisecond)
	stampedWithin   = int64(time.Millisecond)
)

// A sighting is what tells a packet with payload from others.
type sighting struct {
	ack      uint32
	stamp    uint32 // TSval, if id is 0
	id       uint16
	captured int32 // octets of payload
	len      int32 // octets of payload, captured or not
	time     int64
}

// sightings are the latest packets with payload of a direction.
type sightings struct {
	seqs   [maxSightings]uint32 // their sequence numbers
	latest [maxSightings]sighting
	next   uint // of both, which are rings
}

// repeats reports whether a packet with payload was captured before, as whole as now, and remembers it if not. Without
// Identification and timestamp nobody can tell.
func (l *sightings) repeats(s *tcpip.Segment, at int64) bool {
	within, stamp := duplicateWithin, uint32(0)
	if s.ID == 0 {
		var ok bool
		if stamp, ok = s.TSval(); !ok || at == 0 {
			return false
		}
		within = stampedWithin
	}
	for i, seq := range &l.seqs {
		if seq != s.Seq {
			continue
		}
		p := &l.latest[i]
		if p.ack != s.Ack || int(p.len) != s.Len() || p.id != s.ID || p.stamp != stamp || int(p.captured) < len(s.Payload) {
			continue
		}
		if ago := at - p.time; ago <= within && -ago <= within {
			return true
		}
	}
	i := l.next % maxSightings
	l.seqs[i] = s.Seq
	p := &l.latest[i]
	p.ack, p.stamp, p.id, p.captured, p.len, p.time = s.Ack, stamp, s.ID, int32(len(s.Payload)), int32(s.Len()), at
	l.next++
	return false
}
