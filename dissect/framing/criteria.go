package framing

// How high a score FPDUs need to be believed, and what shows whether Markers stand between their octets.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

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
