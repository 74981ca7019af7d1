package framing

// How likely it is that octets are FPDUs, with or without Markers, where only they themselves can show it.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// The score of a place is counted in bits: octets that are not FPDUs score n bits at about one of 2^n places.
const (
	bitsTagged   = 14 // versions, reserved bits, T and opcode agree
	bitsUntagged = 30 // so do the QN and, if it must be zero, the Invalidate STag; zeros are frequent, so these count half
	bitsCRC      = 32
	bitsMarker   = 24 // a Marker points back to the start of the FPDU
	bitsBorder   = 10 // the FPDU begins or ends where a TCP segment does
	bitsNext     = 32 // STag and TO, or MSN and MO, continue an FPDU before it
	bitsNear     = 16 // it has an STag that was used before, or an MSN not far from the latest
	bitsPlace    = 20 // it stands where FPDUs have to begin
	bitsBadCRC   = 16 // deducted where CRCs are known to be on; not more, for a sender may get all of them wrong
)

// wordLen is the length in octets of ULPDU_Length and the two control fields, which show first whether an FPDU can begin
// here. No Marker ever stands between them.
const wordLen = 4

// beginsFPDU reports whether b can be the start of an FPDU: reserved bits are zero, and both versions are the same known
// one.
func beginsFPDU(b []byte) bool {
	version := b[2] &^ 0xc0 // and the reserved bits
	return version <= ddp.Version && b[3]&0xf0 == version<<6
}

// isHeader reports whether b can be the start of an FPDU with no Marker in its header, as far as b goes.
func isHeader(b []byte) bool {
	var h rdmap.Header
	_, err := h.Decode(b[2:])
	return err != nil || plausible(&h, uint16(word(b)>>16), h.DV())
}

// plausible reports whether an FPDU can carry a segment with header h of the given version.
func plausible(h *rdmap.Header, ulpduLength uint16, version uint8) bool {
	return h.DV() == version && h.Control.RV == version && ulpduLength <= mpa.MaxULPDU && h.Check() == nil &&
		fits(h, int(ulpduLength))
}

// fits reports whether a ULPDU is as long as its opcode demands.
func fits(h *rdmap.Header, ulpdu int) bool {
	body, o := ulpdu-h.Len(), h.Control.Opcode
	switch {
	case o.HasPayload():
		return body >= 0
	case o.HasTail():
		return body >= o.RDMAPHeaderLen()
	}
	return body == o.RDMAPHeaderLen()
}

// A chain is FPDUs that follow each other from some place on, and their score.
type chain struct {
	bits      int
	fpdus     int  // headers seen
	good, bad int  // CRCs
	aligned   bool // the first begins where a TCP segment does
	patchy    bool // octets of FPDUs were not captured
	markers   int  // that point back to the start of their FPDU, or are zero before it
	sound     int  // of markers: those in FPDUs with good CRCs
	borders   int  // FPDUs that end where a TCP segment does
	first     int  // the length of the first
	version   uint8
	origin    uint64 // place in the TCP stream of octet 0 of the FPDU stream
	start     uint64 // place of the first FPDU in the FPDU stream
	end       uint64 // of what is after the last whole one
	seen      uint64 // place up to which octets or headers show that FPDUs follow each other like this
	parcel    int    // of the backlog: the one that was found last by its place
	header    rdmap.Header
	latest    [Queues]standing
}

// The segments of one direction form messages that follow each other in queues: untagged ones by QN, tagged ones by
// opcode. These are the queues after those that RDMAP uses for untagged messages.
const (
	queueWrite     = 4 + iota
	queueResponse  // Read Responses
	queueTagged    // other opcodes
	queueUntagged  // other QNs
	Queues         // how many there are
	untaggedQueues = queueWrite
)

// QueueOf returns the queue that a segment belongs to: a number below Queues.
func QueueOf(h *rdmap.Header) int {
	switch {
	case h.T && h.Control.Opcode == rdmap.OpWrite:
		return queueWrite
	case h.T && h.Control.Opcode == rdmap.OpReadResponse:
		return queueResponse
	case h.T:
		return queueTagged
	case h.Untagged.QN < untaggedQueues:
		return int(h.Untagged.QN)
	}
	return queueUntagged
}

// A standing is the latest segment of a queue.
type standing struct {
	seen, last bool
	id         uint32 // STag or MSN
	next       uint64 // TO or MO of what would continue it
}

// standingOf is the standing of a segment with the given number of octets after its header.
func standingOf(h *rdmap.Header, octets uint64) standing {
	if h.T {
		return standing{seen: true, last: h.L(), id: h.Tagged.STag, next: h.Tagged.TO + octets}
	}
	return standing{seen: true, last: h.L(), id: h.Untagged.MSN, next: uint64(h.Untagged.MO) + octets}
}

// add takes the next FPDU; whole says that all of it was captured. It returns false if that cannot be an FPDU.
func (c *chain) add(s *search, f *mpa.Deframed, whole bool) bool {
	h := &c.header
	c.patchy = c.patchy || f.Missing > 0
	if f.BadMarkers > 0 {
		return false
	}
	if _, err := h.Decode(f.ULPDU); err != nil {
		least := ddp.TaggedLen // as long as nothing shows whether it is tagged
		if len(f.ULPDU) > 0 {
			least = ddp.HeaderLen(f.ULPDU)
		}
		return (!whole || f.Missing > 0) && int(f.ULPDULength) >= least && f.ULPDULength <= mpa.MaxULPDU
	}
	if c.fpdus == 0 {
		c.version = h.DV()
	}
	if version, known := s.terms.Version(); known && c.version != version || !plausible(h, f.ULPDULength, c.version) {
		return false
	}
	bits, ok := c.proceed(s, h, uint64(f.ULPDULength)-uint64(h.Len()))
	if !ok {
		return false
	}
	c.seen = f.Start
	c.bits += bits + bitsMarker*innerMarkers(f)
	c.markers += f.Markers
	if c.fpdus == 0 {
		c.first = mpa.FPDULen(int(f.ULPDULength))
		c.place(s, f.Start)
	}
	c.fpdus++
	if !whole {
		return true
	}
	if c.end = f.End; f.Missing == 0 && (f.Verdict != mpa.Bad || c.good == 0) {
		c.seen = f.End
	}
	if s.backlog.isBorder(c.origin+f.End, &c.parcel) {
		c.bits += bitsBorder
		c.borders++
	}
	switch f.Verdict {
	case mpa.Good:
		c.good++
		c.sound += f.Markers
		c.bits += bitsCRC
		return c.bad == 0 || s.expected && c.start == 0
	case mpa.Bad:
		c.bad++
		if s.terms.CRC.Setting == On {
			c.bits -= bitsBadCRC
		}
		return c.good > 0 || !s.proven && !s.mayLackMarker(c)
	}
	return true
}

// mayLackMarker reports whether the CRC of the first FPDU may be wrong because the Marker before it is among octets that are missing.
func (s *search) mayLackMarker(c *chain) bool {
	return s.expected && c.start > 0 && s.terms.CRC.Setting == On && s.terms.Markers.Setting != Off
}

// place adds what the place of the first FPDU scores.
func (c *chain) place(s *search, start uint64) {
	if s.expected && start == 0 {
		c.bits += bitsPlace
	}
	if c.aligned = s.backlog.isBorder(c.origin+start, &c.parcel); c.aligned {
		c.bits += bitsBorder
	}
}

// innerMarkers is how many Markers of an FPDU point back to its start.
func innerMarkers(f *mpa.Deframed) int {
	if f.Markers > 0 && f.Start%mpa.MarkerSpacing == 0 {
		return f.Markers - 1 // the leading one is zero, as many octets are
	}
	return f.Markers
}

// proceed returns the score of a segment, with the given number of octets after its header, given those before it. It returns
// false if the segment contradicts them.
func (c *chain) proceed(s *search, h *rdmap.Header, octets uint64) (bits int, ok bool) {
	bits = bitsUntagged
	if h.T {
		bits = bitsTagged
	}
	i := QueueOf(h)
	before := c.latest[i]
	c.latest[i] = standingOf(h, octets)
	switch {
	case !before.seen:
		return bits + s.near(i, h), true
	case before.isFollowedBy(h):
		return bits + bitsNext, true
	case h.T && before.last:
		if h.Tagged.STag == before.id {
			bits += bitsNear
		}
		return bits, true
	}
	return 0, !s.unknown
}

// isFollowedBy reports whether a segment is the one that comes next.
func (p *standing) isFollowedBy(h *rdmap.Header) bool {
	switch {
	case h.T:
		return !p.last && h.Tagged.STag == p.id && h.Tagged.TO == p.next
	case p.last:
		return h.Untagged.MSN == p.id+1 && h.Untagged.MO == 0
	}
	return h.Untagged.MSN == p.id && uint64(h.Untagged.MO) == p.next
}

// near returns the score of a segment in view of those that were read before framing was lost.
func (s *search) near(i int, h *rdmap.Header) (bits int) {
	if s.stream != nil && s.stream.isNear(i, h) {
		return bitsNear
	}
	return 0
}

// word is the 4 octets at the start of b as a number.
func word(b []byte) uint32 { return binary.BigEndian.Uint32(b) }

const (
	unknownBits = 64  // where the connection is not known to be iWARP
	knownBits   = 32  // where it is
	spoiltBits  = 256 // where CRCs are on and none is good: a sender may get all of them wrong
	unknownRun  = 4   // FPDUs in a row, on a connection that is not known to be iWARP and without any good CRC
)

// isEnough reports whether a chain is believed.
func (s *search) isEnough(c *chain) bool {
	switch _, known := s.terms.Version(); {
	case c.good > 1 || c.good > 0 && (c.aligned || !s.unknown):
		return c.bits >= s.demand(c)
	case !known && c.version == ddp.VersionRDMAC: // CRCs are always on then (RFC 5044, appendix C), and zeros frequent
		return false
	}
	return c.bits >= s.demand(c) && (!s.unknown || c.fpdus >= unknownRun)
}

// demand is how many bits a chain needs. What waits may soon be more than the start of an FPDU whose payload looks like FPDUs.
func (s *search) demand(c *chain) int {
	switch {
	case c.good == 0 && c.bad > 1 && s.terms.CRC.Setting == On && !s.expected:
		return spoiltBits
	case s.unknown || c.good == 0 && !s.last:
		return unknownBits
	}
	return knownBits
}

// isDone reports whether nothing more need be looked at.
func (s *search) isDone(c *chain, markers Setting) bool {
	return !s.unknown && s.isSingle() && s.isEnough(c) && s.provenMarkers(c, markers) != Unset
}

// isSingle reports whether it is known where Markers stand, if anywhere, so that there is but one way to read on from a place.
func (s *search) isSingle() bool {
	return s.terms.Markers.Setting == Off || s.terms.Markers.Setting == On && s.phased
}

// provenMarkers returns whether Markers stand in the stream of a chain that was followed with or without them. It is
// Unset if that is not proven: because the chain reaches no place where a Marker would have to stand, or because a single
// number, which may be anything, passes for one.
func (s *search) provenMarkers(c *chain, markers Setting) Setting {
	known := s.terms.Markers.Setting
	proven := s.phased && (known == On || c.start%mpa.MarkerSpacing == 0)
	switch markers {
	case On:
		proven = proven || c.sound > 0 || c.good == 0 && c.markers > 1 || c.markers > 0 && s.phased
	case Off:
		proven = proven || known == Off || c.seen >= c.start+mpa.MarkerSpacing && (c.good > 0 || c.fpdus > 1)
	}
	if proven {
		return markers
	}
	return Unset
}
