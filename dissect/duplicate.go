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
	seq, ack uint32
	stamp    uint32 // TSval, if id is 0
	id       uint16
	flags    tcpip.Flags
	captured int32 // octets of payload
	len      int32 // octets of payload, captured or not
	time     int64
}

// sightings are the latest packets of a direction with octets, SYNs, FINs and keep-alives: by their sequence numbers, for the copies of many
// packets can be behind the last of them, as those that a router sends on.
type sightings [1 << sightingBits]sighting

const sightingBits = 5

// at is the place of a packet. Neighbours have different ones, whatever their length.
func (l *sightings) at(s *tcpip.Segment) *sighting {
	const golden = 0x9e3779b1 // 2^32 divided by the golden ratio
	return &l[s.Seq*golden>>(32-sightingBits)]
}

// repeats reports whether a packet was captured before, as whole as now, and remembers it if not. Without Identification and timestamp
// nobody can tell of octets.
func (l *sightings) repeats(s *tcpip.Segment, at int64) bool {
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
	p := l.at(s)
	if p.seq == s.Seq && p.ack == s.Ack && int(p.len) == s.Len() && p.id == s.ID && p.stamp == stamp && int(p.captured) >= len(s.Payload) {
		if ago := at - p.time; ago <= within && -ago <= within && p.flags == s.Flags {
			return true
		}
	}
	*p = sighting{s.Seq, s.Ack, stamp, s.ID, s.Flags, int32(len(s.Payload)), int32(s.Len()), at}
	return false
}
