package dissect

// What is looked for among octets that wait, and how much has to speak for it.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// How much has to speak for FPDUs.
const (
	strangerBits = 64 // where the connection is not known to be iWARP
	knownBits    = 32 // where it is
	strangerRun  = 4  // FPDUs in a row, on a connection that is not known to be iWARP and without any good CRC
)

// A quest says what is looked for in a backlog.
type quest struct {
	terms    terms
	stranger bool       // the connection is not known to be iWARP: FPDUs must follow each other to the end of what there is
	origin   uint64     // a place in the TCP stream
	aligned  bool       // FPDUs begin at multiples of four octets from origin
	phased   bool       // Markers, if there are any, stand at multiples of 512 octets from origin
	expected bool       // the first FPDU is to begin at origin
	proven   bool       // CRCs of this direction were good before: a bad one speaks against an FPDU
	messages *assembler // of this direction; nil if there were none
	last     bool       // nothing will follow
}

// quest says what is looked for in the backlog of h.
func (e *Engine) quest(h *half, last bool) quest {
	q := quest{terms: e.terms(h), stranger: h.stranger(), last: last}
	switch s := h.stream; {
	case h.phase == full:
		q.terms.crc, q.terms.markers, q.terms.rdmac = s.terms.crc, s.terms.markers, s.terms.rdmac
		q.origin, q.aligned, q.phased = s.origin, true, s.phased
		q.proven, q.messages = s.good, &s.messages
	case h.phase == waiting:
		q.origin, q.aligned, q.phased, q.expected = h.start.behindFrame, true, true, true
	}
	return q
}

// look looks for FPDUs in the backlog of h. If there are some, decoding can go on with its front. last says that nothing
// will follow.
func (e *Engine) look(h *half, last bool) bool {
	b := &h.backlog
	if b.empty() {
		return false
	}
	q := e.quest(h, last)
	l, keep, ok := e.lockOn(b, &q)
	if q.expected && q.terms.stated() && (!ok || l.offset != q.origin) {
		l, ok = lock{at: b.at, offset: b.parcels[b.i].offset, origin: q.origin, phased: true, terms: q.terms}, true
	}
	switch {
	case ok && h.phase == full:
		e.resume(h, &l)
	case ok:
		e.operate(h, &l)
	case h.phase != waiting:
		e.pass(h, keep)
		b.tryAt = 0
		if keep < len(b.octets)-wordLen-mpa.MarkerLen {
			b.tryAt = 2 * b.size()
		}
	default:
		b.tryAt = 2 * b.size()
	}
	return ok
}

// suffices tells whether nothing more need be looked at.
func (q *quest) suffices(c *chain, markers Setting) bool {
	return !q.stranger && q.enough(c) && q.marked(c, markers) != Unset
}

// enough tells whether so much speaks for a chain that it is believed.
func (q *quest) enough(c *chain) bool {
	switch _, known := q.terms.version(); {
	case c.good > 1 || c.good > 0 && (c.aligned || !q.stranger):
		return c.bits >= q.demand()
	case !known && c.version == ddp.VersionRDMAC: // CRCs are always on then (RFC 5044, appendix C), and zeros frequent
		return false
	}
	return c.bits >= q.demand() && (!q.stranger || c.fpdus >= strangerRun)
}

func (q *quest) demand() int {
	if q.stranger {
		return strangerBits
	}
	return knownBits
}

// marked tells whether Markers stand in the stream of a chain that was followed with or without them. It is Unset if that
// is not proven: if there are none only because the chain does not reach any place where one would have to stand, or if a
// single number, which may be anything, passes for one.
func (q *quest) marked(c *chain, markers Setting) Setting {
	known := q.terms.markers.Setting
	proven := q.phased && (known == On || c.start%mpa.MarkerSpacing == 0)
	switch markers {
	case On:
		proven = proven || c.markers > 1 || c.markers > 0 && (q.phased || c.good > 0)
	case Off:
		proven = proven || known == Off || c.end >= c.start+mpa.MarkerSpacing
	}
	if proven {
		return markers
	}
	return Unset
}
