package framing

// Finding the first FPDU, and whether there are Markers, where no MPA handshake was captured or framing was lost.

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
	effort   uint64       // octets looked into
	open     []hypothesis // in the order of their places
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
	single := s.isSingle()
	if l, keep, ok = s.scan(); !ok || single || l.terms.Markers.Setting == Unset {
		return l, keep, ok
	}
	// Now that it is known where Markers stand, FPDUs without any may be recognised before that one.
	again := *s
	again.terms, again.origin, again.aligned, again.phased = l.terms, l.origin, true, l.phased
	if first, _, ok := again.scan(); ok {
		return first, 0, true
	}
	return l, 0, true
}

// scan tries one place after the other.
func (s *search) scan() (l syncPoint, keep int, ok bool) {
	b := s.backlog
	keep, s.open = len(b.octets), s.open[:0]
	for i := b.i; i < len(b.parcels) && s.effort <= maxEffort; {
		if b.parcels[i].hole > 0 {
			i++
			continue
		}
		r := b.run(i)
		keep = min(keep, s.scanRun(&r))
		i = r.behind
	}
	if h := s.decide(); h != nil {
		return h.syncPoint, 0, true
	}
	for i := range s.open {
		keep = min(keep, s.open[i].at)
	}
	return syncPoint{}, keep, false
}

// scanRun tries the places of a run. keep is the octet from which on an FPDU may still begin.
func (s *search) scanRun(r *run) (keep int) {
	b := s.backlog
	keep = len(b.octets)
	at, step := r.from, 1
	if s.aligned {
		at, step = at+int((s.origin-r.offset)&3), 4
	}
	for ; at+wordLen <= r.to && !s.isPast(at); at += step {
		if !beginsFPDU(b.octets[at:]) {
			continue
		}
		if s.try(r, at) == undecided {
			keep = min(keep, max(r.from, at-mpa.MarkerLen))
		}
		if s.effort > maxEffort {
			return min(keep, at)
		}
	}
	if r.behind == len(b.parcels) {
		keep = min(keep, max(r.from, r.to-wordLen-mpa.MarkerLen+1))
	}
	return keep
}

// try tries the place where a ULPDU_Length may stand at octet at, with Markers and without.
func (s *search) try(r *run, at int) finding {
	l := syncPoint{at: at, origin: r.offsetOf(at), phased: s.phased, terms: s.terms}
	if s.aligned {
		later := int64(s.origin - l.origin) // where FPDUs were found first
		l.origin = s.origin - uint64(max(0, later+mpa.MarkerSpacing-1)/mpa.MarkerSpacing*mpa.MarkerSpacing)
	}
	header := isHeader(s.backlog.octets[at:r.to])
	with, without := refuted, refuted
	if s.terms.Markers.Setting != Off {
		if s.phased {
			with = s.examineMarked(r, l)
		} else {
			with = s.tryPhases(r, l, header)
		}
	}
	if s.terms.Markers.Setting != On && header {
		without = s.examine(r, l, Off)
	}
	return max(with, without)
}

// tryPhases tries all places of Markers that the first 512 octets show: words that point back to the start of their FPDU.
// header says whether the first FPDU begins with a header that no Marker splits.
func (s *search) tryPhases(r *run, l syncPoint, header bool) finding {
	b, best, origin := s.backlog, refuted, l.origin
	limit := min(l.at+mpa.MarkerSpacing, r.to-mpa.MarkerLen+1)
	mark := func(at int) {
		l.origin, l.phased = r.offsetOf(at)-mpa.MarkerSpacing, true
		best = max(best, s.examineMarked(r, l))
		l.origin, l.phased = origin, false
	}
	if at := l.at - mpa.MarkerLen; at >= r.from && word(b.octets[at:]) == 0 {
		mark(at)
	}
	for at := l.at; at < limit && beginsFPDU(b.octets[at:]); {
		end := at + mpa.FPDULen(int(word(b.octets[at:])>>16))
		last := min(end, limit)
		if !header {
			last = min(last, at+2+ddp.UntaggedLen+1)
		}
		for d := wordLen; at+d < last; d += 4 {
			if word(b.octets[at+d:]) == uint32(d) {
				mark(at + d)
			}
		}
		if at = end; at < limit && header && word(b.octets[at:]) == 0 {
			mark(at)
		}
		if !header {
			return best
		}
		if at >= limit && limit < l.at+mpa.MarkerSpacing && !s.last { // the first Marker is still to come
			return max(best, undecided)
		}
	}
	return best
}

// examineMarked is examine with Markers. An FPDU whose ULPDU_Length stands after a Marker begins with that.
func (s *search) examineMarked(r *run, l syncPoint) finding {
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

// examine follows the FPDUs from l on, with or without Markers, and scores them. Unless something refutes it, that is a
// hypothesis.
func (s *search) examine(r *run, l syncPoint, markers Setting) finding {
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
	return s.propose(r, &l, markers)
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
