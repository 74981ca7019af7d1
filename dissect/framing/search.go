package framing

// Finding the first FPDU where nothing says where one begins.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// A syncPoint is where FPDUs begin, and how they are to be read.
type syncPoint struct {
	at     int    // the first octet in the backlog
	offset uint64 // the same in the TCP stream
	origin uint64 // octet 0 of the FPDU stream in the TCP stream
	phased bool   // Markers, if there are any, stand at multiples of 512 octets from origin
	terms  Terms
}

// A search looks for a syncPoint in a backlog. It says what is known of it beforehand.
type search struct {
	backlog  *backlog
	terms    Terms
	unknown  bool    // the connection is not known to be iWARP: FPDUs must follow each other to the end of the backlog
	origin   uint64  // a place in the TCP stream
	aligned  bool    // FPDUs begin at multiples of four octets from origin
	phased   bool    // Markers, if there are any, stand at multiples of 512 octets from origin
	expected bool    // the first FPDU is to begin at origin
	proven   bool    // CRCs of this direction were good before: a bad one speaks against an FPDU
	stream   *stream // what was read before framing was lost; nil if nothing was
	last     bool    // nothing will follow
	*trial
}

// A trial checks whether an FPDU begins at some place.
type trial struct {
	deframer mpa.Deframer
	fpdu     mpa.Deframed
	chain    chain
	effort   uint64 // octets looked into
}

// A finding is the result of trying a place.
type finding uint8

const (
	refuted   finding = iota // no FPDU begins there
	undecided                // perhaps: what follows will show
	confirmed                // one does
)

// maxEffort limits the octets that are looked into in one go, in case everything looks like a header.
const maxEffort = 16 * MaxHeld

// run finds the first FPDU. If there is none, keep is the octet from which on there may still be one.
func (s *search) run() (l syncPoint, keep int, ok bool) {
	s.effort = 0
	if l, keep, ok = s.scan(); !ok || s.phased || l.terms.Markers.Setting != On {
		return l, keep, ok
	}
	// Now that it is known where Markers stand, FPDUs without any may be recognised before that one.
	again := *s
	again.terms, again.origin, again.aligned, again.phased = l.terms, l.origin, true, true
	if first, _, ok := again.scan(); ok {
		return first, 0, true
	}
	return l, 0, true
}

// scan tries one place after the other.
func (s *search) scan() (l syncPoint, keep int, ok bool) {
	b := s.backlog
	keep = len(b.octets)
	for i := b.i; i < len(b.parcels); {
		if b.parcels[i].hole > 0 {
			i++
			continue
		}
		r := b.run(i)
		at, step := r.from, 1
		if s.aligned {
			at, step = at+int((s.origin-r.offset)&3), 4
		}
		for ; at+wordLen <= r.to; at += step {
			if !beginsFPDU(b.octets[at:]) {
				continue
			}
			switch l, f := s.try(&r, at); f {
			case confirmed:
				return l, 0, true
			case undecided:
				keep = min(keep, max(r.from, at-mpa.MarkerLen))
			}
			if s.effort > maxEffort {
				return syncPoint{}, min(keep, at), false
			}
		}
		if r.behind == len(b.parcels) {
			keep = min(keep, max(r.from, r.to-wordLen-mpa.MarkerLen+1))
		}
		i = r.behind
	}
	return syncPoint{}, keep, false
}

// try tries the place where a ULPDU_Length may stand at octet at: first with Markers, some of which must be there to be
// believed, then without, for at the end of the backlog there may be too few octets to show any.
func (s *search) try(r *run, at int) (syncPoint, finding) {
	l := syncPoint{at: at, origin: r.offsetOf(at), phased: s.phased, terms: s.terms}
	if s.aligned {
		l.origin = s.origin
	}
	header := isHeader(s.backlog.octets[at:r.to])
	with, without := refuted, refuted
	if s.terms.Markers.Setting != Off {
		marked := l
		if s.phased {
			with = s.examineMarked(r, &marked)
		} else {
			with = s.tryPhases(r, &marked, header)
		}
		if with == confirmed {
			return marked, confirmed
		}
	}
	if s.terms.Markers.Setting != On && header {
		without = s.examine(r, &l, Off)
	}
	return l, max(with, without)
}

// tryPhases tries all places of Markers that an FPDU shows: one within that points back to its start. header says whether
// the FPDU begins with a header that no Marker splits.
func (s *search) tryPhases(r *run, l *syncPoint, header bool) finding {
	b := s.backlog
	at, best := l.at, refuted
	last := min(mpa.MarkerSpacing-mpa.MarkerLen, mpa.FPDULen(int(word(b.octets[at:])>>16))-4)
	if !header {
		last = min(last, 2+ddp.UntaggedLen)
	}
	for d := wordLen; d <= last && at+d+mpa.MarkerLen <= r.to; d += 4 {
		if word(b.octets[at+d:]) != uint32(d) {
			continue
		}
		l.at, l.origin, l.phased = at, r.offsetOf(at+d)-mpa.MarkerSpacing, true
		if best = max(best, s.examineMarked(r, l)); best == confirmed {
			break
		}
	}
	return best
}

// examineMarked is examine with Markers. An FPDU whose ULPDU_Length stands after a Marker begins with that.
func (s *search) examineMarked(r *run, l *syncPoint) finding {
	switch (r.offsetOf(l.at) - l.origin) % mpa.MarkerSpacing {
	case 0:
		return refuted
	case mpa.MarkerLen:
		if l.at -= mpa.MarkerLen; l.at < r.from || word(s.backlog.octets[l.at:]) != 0 {
			return refuted
		}
	}
	return s.examine(r, l, On)
}

// examine follows the FPDUs from l on, with or without Markers, and scores them. If that is enough, it completes l.
func (s *search) examine(r *run, l *syncPoint, markers Setting) finding {
	b := s.backlog
	l.offset = r.offsetOf(l.at)
	c, d := &s.chain, &s.deframer
	*c = chain{origin: l.origin, start: l.offset - l.origin, parcel: b.i}
	d.ResetAt(mpa.Options{Markers: markers == On, CRC: s.terms.CRC.Setting != Off}, c.start)
	d.Push(b.octets[l.at:r.to])
	defer func() { s.effort += d.Pos() - c.start }()
	for next := r.behind; ; {
		if !s.extend(markers) {
			return refuted
		}
		if next == len(b.parcels) || d.Lost() || s.isDone(c, markers) {
			break
		}
		if hole := b.parcels[next].hole; hole > 0 {
			d.Skip(hole)
			next++
			continue
		}
		q := b.run(next)
		next = q.behind
		d.Push(b.octets[q.from:q.to])
	}
	if f := &s.fpdu; d.Partial(f) && !c.add(s, f, false) {
		return refuted
	}
	marked := s.provenMarkers(c, markers)
	switch over := s.last || d.Lost(); {
	case s.isEnough(c) && (marked != Unset || over && markers == Off):
		l.terms.settle(c, marked)
		return confirmed
	case over:
		return refuted
	}
	return undecided
}

// extend adds FPDUs that are whole to the chain, as many as are needed. It returns false if one of them cannot be an FPDU.
func (s *search) extend(markers Setting) bool {
	for s.deframer.Next(&s.fpdu) {
		if !s.chain.add(s, &s.fpdu, true) {
			return false
		}
		if s.isDone(&s.chain, markers) {
			break
		}
	}
	return true
}
