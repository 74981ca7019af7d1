package framing

// The ways in which the octets of a backlog may be read: where an FPDU begins, and whether and where Markers stand. One of
// them is believed when its evidence leaves no doubt about all others.

import "github.com/iwarpkit/iwarp/codec/mpa"

// A hypothesis is a way to read a backlog that nothing in it refutes, and the evidence for it.
type hypothesis struct {
	syncPoint
	finding
	markers Setting // that the chain was followed with
	chain   chain
	run     int // where the octets begin, without a hole, that it begins in
}

// usualLen is more octets than most FPDUs have.
const usualLen = 4 << 10

// maxOpen limits the hypotheses of a search.
const maxOpen = 64

// propose makes the chain a hypothesis, unless another one reads the same.
func (s *search) propose(r *run, l *syncPoint, markers Setting) finding {
	h := hypothesis{syncPoint: *l, finding: undecided, markers: markers, chain: s.chain, run: r.from}
	enough, marked := s.isEnough(&s.chain), s.provenMarkers(&s.chain, markers)
	switch {
	case enough && (marked != Unset || s.last && markers == Off && !s.hidesMarkers()):
		h.terms.settle(&s.chain, marked)
		h.finding = confirmed
	case !enough && (s.last || s.deframer.Lost()):
		return refuted
	}
	for i := range s.open {
		if s.open[i].covers(&h) {
			return h.finding
		}
	}
	if len(s.open) < maxOpen {
		s.open = append(s.open, h)
	}
	return h.finding
}

// hidesMarkers reports whether the stream is long enough for a Marker, or lacks octets where one may be, and the chain is too
// short to show one.
func (s *search) hidesMarkers() bool {
	c := &s.chain
	return (c.patchy || s.backlog.end() >= c.origin+c.start+mpa.MarkerSpacing) && c.seen < c.start+mpa.MarkerSpacing
}

// covers reports whether h reads as other does. A chain that is too short to show Markers reads as any that meets it.
func (h *hypothesis) covers(other *hypothesis) bool {
	a, b := &h.chain, &other.chain
	if h.finding < other.finding || a.origin+a.end != b.origin+b.end {
		return false
	}
	if other.markers == Off && other.terms.Markers.Setting == Unset && b.end < b.start+mpa.MarkerSpacing {
		return true
	}
	return h.hasMarkersOf(other)
}

// hasMarkersOf reports whether two hypotheses have Markers at the same places, or none.
func (h *hypothesis) hasMarkersOf(other *hypothesis) bool {
	return h.markers == other.markers && (h.markers == Off || (h.chain.origin-other.chain.origin)%mpa.MarkerSpacing == 0)
}

// isPast reports whether enough places before octet at were tried: up to one that is confirmed, where there is but one way
// to read or all CRCs are good, else up to those after an FPDU of the usual length, among which all other ways begin.
func (s *search) isPast(at int) bool {
	for i := range s.open {
		h := &s.open[i]
		if h.finding == confirmed && (s.isSingle() || h.chain.isGood() && at > h.at+mpa.MarkerLen || at > h.at+h.chain.first+usualLen) {
			return true
		}
	}
	return false
}

// decide returns the hypothesis that is certain; nil if there is none.
func (s *search) decide() (best *hypothesis) {
	for i := range s.open {
		if h := &s.open[i]; h.finding == confirmed && (best == nil || h.chain.exceeds(&best.chain)) {
			best = h
		}
	}
	if best == nil || s.isSingle() {
		return best
	}
	for i := range s.open {
		switch h := &s.open[i]; {
		case s.last && h.finding != confirmed && !h.chain.exceeds(&best.chain): // nothing will confirm it
		case h != best && s.contradicts(h, best) && !best.chain.outweighs(&h.chain):
			return nil
		}
	}
	return best
}

// contradicts reports whether h and best, for which there is more evidence, cannot both be right, and h may be the one that is. Chains
// that stand apart, with a hole between them, say the same if both are certain of the same Markers; one that is not certain says
// nothing. Where an FPDU has to begin, no FPDU begins within the one that best reads there.
func (s *search) contradicts(h, best *hypothesis) bool {
	if s.expected && best.offset == s.origin && h.offset != s.origin {
		return false
	}
	return h.run == best.run || h.chain.meets(&best.chain) || h.finding == confirmed && !h.hasMarkersOf(best)
}

// exceeds reports whether there is more evidence for c than for another chain.
func (c *chain) exceeds(other *chain) bool {
	return c.good > other.good || c.good == other.good && c.bits > other.bits
}

// meets reports whether two chains read octets that are the same.
func (c *chain) meets(other *chain) bool {
	return c.origin+c.start < other.origin+other.seen && other.origin+other.start < c.origin+c.seen
}

// isGood reports whether CRCs show that no Marker is taken for octets of an FPDU.
func (c *chain) isGood() bool { return c.good > 1 && c.bad == 0 }

// outweighs reports whether the evidence for c leaves no doubt that another chain is not what was sent. That both chains
// have many FPDUs shows nothing: where all are equally long, wrong ones follow each other as right ones do.
func (c *chain) outweighs(other *chain) bool {
	return c.bits >= 2*other.bits || c.isGood() && other.bad > 0 && c.good > other.good || c.good > other.good+1 || c.borders > other.borders+3 && c.good >= other.good
}
