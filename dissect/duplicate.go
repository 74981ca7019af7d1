package dissect

// Packets that were captured twice, as on two interfaces of a host. What was sent again has another IP Identification.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
)

// How many packets lie at most between a packet and its duplicate, in the same direction, and how much time in
// nanoseconds.
const (
	maxSightings    = 4
	duplicateWithin = int64(100 * time.Millisecond)
)

// A sighting is what tells a packet with payload from others.
type sighting struct {
	seq, ack uint32
	id       uint16
	captured int // octets of payload
	len      int // octets of payload, captured or not
	time     int64
}

// sightings are the latest packets with payload of a direction.
type sightings struct {
	latest [maxSightings]sighting // a ring
	next   int
}

// repeats tells whether a packet was captured before, as whole as now, and notes it if not. Without Identification,
// as in IPv6, nobody can tell.
func (l *sightings) repeats(s *tcpip.Segment, at int64) bool {
	if s.ID == 0 || s.Len() == 0 {
		return false
	}
	for i := range l.latest {
		p := &l.latest[i]
		if p.id != s.ID || p.seq != s.Seq || p.ack != s.Ack || p.len != s.Len() || p.captured < len(s.Payload) {
			continue
		}
		if ago := at - p.time; ago <= duplicateWithin && -ago <= duplicateWithin {
			return true
		}
	}
	l.latest[l.next] = sighting{s.Seq, s.Ack, s.ID, len(s.Payload), s.Len(), at}
	l.next = (l.next + 1) % maxSightings
	return false
}
