package dissect

// What speaks for FPDUs at a place where nobody says that there are some.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Evidence is counted in bits: octets that are no FPDUs show n bits of it in about one of 2^n places.
const (
	bitsTagged   = 14 // versions, reserved bits, T and opcode agree
	bitsUntagged = 30 // so do the QN and, if it must be zero, the Invalidate STag; zeros being frequent, these count half
	bitsCRC      = 32
	bitsMarker   = 24 // a Marker points back to the begin of the FPDU
	bitsBorder   = 10 // the FPDU begins or ends where a TCP segment does
	bitsNext     = 32 // STag and TO, or MSN and MO, go on where an FPDU before it ended
	bitsNear     = 16 // it has an STag that was used before, or an MSN not far from the latest
	bitsPlace    = 20 // it is where FPDUs have to begin
	bitsBadCRC   = 16 // against it, where CRCs are known to be on: a sender may get all of them wrong
)

// wordLen is the octets of an FPDU that show first whether it can be one: ULPDU_Length and the two control fields.
// No Marker ever stands between them.
const wordLen = 4

// begins tells whether b can be the begin of an FPDU: reserved bits are zero, and both versions are the same known one.
func begins(b []byte) bool {
	version := b[2] &^ 0xc0 // and the reserved bits
	return version <= ddp.Version && b[3]&0xf0 == version<<6
}

// isHeader tells whether b can be the begin of an FPDU with no Marker in its header, as far as b goes.
func isHeader(b []byte) bool {
	var h rdmap.Header
	_, err := h.Decode(b[2:])
	return err != nil || plausible(&h, uint16(word(b)>>16), h.DV())
}

// plausible tells whether an FPDU can carry a segment with header h of the given version.
func plausible(h *rdmap.Header, ulpduLength uint16, version uint8) bool {
	return h.DV() == version && h.Control.RV == version && ulpduLength <= mpa.MaxULPDU && h.Check() == nil &&
		fits(h, int(ulpduLength))
}

// fits tells whether a ULPDU is as long as its opcode demands.
func fits(h *rdmap.Header, ulpdu int) bool {
	body := ulpdu - h.Len()
	switch h.Control.Opcode {
	case rdmap.OpReadRequest:
		return body == rdmap.ReadRequestFields.Len()
	case rdmap.OpAtomicRequest:
		return body == rdmap.FetchAddFields.Len()
	case rdmap.OpAtomicResponse:
		return body == rdmap.AtomicResponseFields.Len()
	case rdmap.OpImmediate, rdmap.OpImmediateSE:
		return body == rdmap.ImmediateFields.Len()
	case rdmap.OpTerminate:
		return body >= rdmap.TerminateFields.Len()
	}
	return body >= 0
}

// A chain is FPDUs that follow each other from some place on, and what speaks for them.
type chain struct {
	bits      int
	fpdus     int  // headers seen
	good, bad int  // CRCs
	aligned   bool // the first begins where a TCP segment does
	markers   int  // that point back to the begin of their FPDU
	version   uint8
	origin    uint64 // place in the TCP stream of octet 0 of the FPDU stream
	start     uint64 // place of the first FPDU in the FPDU stream
	end       uint64 // of what is behind the last whole one
	parcel    int    // the one that was found last by its place
	header    rdmap.Header
	latest    [places]standing
}

// A standing is where the latest segment of a queue or a tagged opcode stands.
type standing struct {
	seen, last bool
	stag, msn  uint32
	next       uint64 // MO or TO of what would go on with it
}

// add takes in the next FPDU, of which all was captured or only the begin. It is false if that cannot be an FPDU.
func (c *chain) add(q *quest, b *backlog, f *mpa.Deframed, whole bool) bool {
	h := &c.header
	if _, err := h.Decode(f.ULPDU); err != nil {
		cut := !whole || f.Missing > 0
		return cut && int(f.ULPDULength) >= h.Len() && f.ULPDULength <= mpa.MaxULPDU
	}
	if c.fpdus == 0 {
		c.version = h.DV()
	}
	if version, known := q.terms.version(); known && c.version != version || !plausible(h, f.ULPDULength, c.version) || f.BadMarkers > 0 {
		return false
	}
	bits, ok := c.proceed(q, h, uint64(f.ULPDULength)-uint64(h.Len()))
	if !ok {
		return false
	}
	c.bits += bits + bitsMarker*innerMarkers(f)
	c.markers += innerMarkers(f)
	if c.fpdus == 0 {
		c.place(q, b, f.Start)
	}
	c.fpdus++
	if !whole {
		return true
	}
	c.end = f.End
	if b.border(c.origin+f.End, &c.parcel) {
		c.bits += bitsBorder
	}
	switch f.Verdict {
	case mpa.Good:
		c.good++
		c.bits += bitsCRC
	case mpa.Bad:
		c.bad++
		if q.terms.crc.Setting == On {
			c.bits -= bitsBadCRC
		}
		return !q.proven || c.good > 0
	}
	return true
}

// place adds what the place of the first FPDU says.
func (c *chain) place(q *quest, b *backlog, start uint64) {
	if q.expected && start == 0 {
		c.bits += bitsPlace
	}
	if c.aligned = b.border(c.origin+start, &c.parcel); c.aligned {
		c.bits += bitsBorder
	}
}

// innerMarkers is how many Markers of an FPDU point back to its begin.
func innerMarkers(f *mpa.Deframed) int {
	if f.Markers > 0 && f.Start%mpa.MarkerSpacing == 0 {
		return f.Markers - 1 // the leading one is zero, as many octets are
	}
	return f.Markers
}

// proceed tells how well a segment, with so many octets behind its header, follows those before it. It is false if it
// contradicts them.
func (c *chain) proceed(q *quest, h *rdmap.Header, octets uint64) (bits int, ok bool) {
	bits = bitsUntagged
	now := standing{seen: true, last: h.L()}
	if h.T {
		bits = bitsTagged
		now.stag, now.next = h.Tagged.STag, h.Tagged.TO+octets
	} else {
		now.msn, now.next = h.Untagged.MSN, uint64(h.Untagged.MO)+octets
	}
	i := place(h)
	before := c.latest[i]
	c.latest[i] = now
	switch {
	case !before.seen:
		return bits + q.near(i, h), true
	case before.followedBy(h):
		return bits + bitsNext, true
	case h.T && before.last:
		if h.Tagged.STag == before.stag {
			bits += bitsNear
		}
		return bits, true
	}
	return bits, !q.stranger
}

// followedBy tells whether a segment is the one that comes next.
func (p *standing) followedBy(h *rdmap.Header) bool {
	switch {
	case h.T:
		return !p.last && h.Tagged.STag == p.stag && h.Tagged.TO == p.next
	case p.last:
		return h.Untagged.MSN == p.msn+1 && h.Untagged.MO == 0
	}
	return h.Untagged.MSN == p.msn && uint64(h.Untagged.MO) == p.next
}

// near tells what speaks for a segment in view of the messages that came before.
func (q *quest) near(i int, h *rdmap.Header) (bits int) {
	if q.messages == nil || q.messages.places[i] == nil {
		return 0
	}
	const far = 1 << 16
	before := &q.messages.places[i].msg.First
	if h.T && h.Tagged.STag == before.Tagged.STag || !h.T && h.Untagged.MSN-before.Untagged.MSN < far {
		return bitsNear
	}
	return 0
}

// word is the 4 octets at the begin of b as a number.
func word(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
