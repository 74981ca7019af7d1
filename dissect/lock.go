package dissect

// Locking on: finding the first FPDU among octets of which nobody says where one begins.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// A lock is where FPDUs begin, and how they are to be read.
type lock struct {
	at     int    // the first octet in the backlog
	offset uint64 // the same in the TCP stream
	origin uint64 // octet 0 of the FPDU stream in the TCP stream
	phased bool   // Markers, if there are any, stand at multiples of 512 octets from origin
	terms  terms
}

// A finding is what became of trying a place.
type finding uint8

const (
	refuted  finding = iota // no FPDU begins there
	open                    // perhaps: what follows will show
	lockedOn                // one does
)

// maxEffort limits the octets that are looked into in one go, for the case that everything looks like a header.
const maxEffort = 16 * maxHeld

// lockOn finds the first FPDU in a backlog. If there is none, keep is the octet from which on there may still be one.
func (e *Engine) lockOn(b *backlog, q *quest) (l lock, keep int, ok bool) {
	e.trial.effort = 0
	if l, keep, ok = e.scan(b, q); !ok || q.phased || l.terms.markers.Setting != On {
		return l, keep, ok
	}
	// Now that it is known where Markers stand, FPDUs without any may be recognised before that one.
	again := *q
	again.terms, again.origin, again.aligned, again.phased = l.terms, l.origin, true, true
	if first, _, ok := e.scan(b, &again); ok {
		return first, 0, true
	}
	return l, 0, true
}

// scan tries one place after the other.
func (e *Engine) scan(b *backlog, q *quest) (l lock, keep int, ok bool) {
	keep = len(b.octets)
	for i := b.i; i < len(b.parcels); {
		if b.parcels[i].hole > 0 {
			i++
			continue
		}
		r := b.run(i)
		at, step := r.from, 1
		if q.aligned {
			at, step = at+int((q.origin-r.offset)&3), 4
		}
		for ; at+wordLen <= r.to; at += step {
			if !begins(b.octets[at:]) {
				continue
			}
			switch l, f := e.try(b, q, &r, at); f {
			case lockedOn:
				return l, 0, true
			case open:
				keep = min(keep, max(r.from, at-mpa.MarkerLen))
			}
			if e.trial.effort > maxEffort {
				return lock{}, min(keep, at), false
			}
		}
		if r.behind == len(b.parcels) {
			keep = min(keep, max(r.from, r.to-wordLen-mpa.MarkerLen+1))
		}
		i = r.behind
	}
	return lock{}, keep, false
}

// try tries the place where a ULPDU_Length may stand at octet at, with Markers and without. The former count only if there
// are some, the latter, at the end of what there is, may be none because of too few octets.
func (e *Engine) try(b *backlog, q *quest, r *run, at int) (lock, finding) {
	l := lock{at: at, origin: r.offsetOf(at), phased: q.phased, terms: q.terms}
	if q.aligned {
		l.origin = q.origin
	}
	header := isHeader(b.octets[at:r.to])
	with, without := refuted, refuted
	if q.terms.markers.Setting != Off {
		marked := l
		if q.phased {
			with = e.examineMarked(b, q, r, &marked)
		} else {
			with = e.tryPhases(b, q, r, &marked, header)
		}
		if with == lockedOn {
			return marked, lockedOn
		}
	}
	if q.terms.markers.Setting != On && header {
		without = e.examine(b, q, r, &l, Off)
	}
	return l, max(with, without)
}

// tryPhases tries all places of Markers that an FPDU shows: one within that points back to its begin. header tells whether
// the FPDU begins with a header that no Marker splits.
func (e *Engine) tryPhases(b *backlog, q *quest, r *run, l *lock, header bool) finding {
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
		if best = max(best, e.examineMarked(b, q, r, l)); best == lockedOn {
			break
		}
	}
	return best
}

// examineMarked is examine with Markers. An FPDU whose ULPDU_Length stands behind a Marker begins with that.
func (e *Engine) examineMarked(b *backlog, q *quest, r *run, l *lock) finding {
	switch (r.offsetOf(l.at) - l.origin) % mpa.MarkerSpacing {
	case 0:
		return refuted
	case mpa.MarkerLen:
		if l.at -= mpa.MarkerLen; l.at < r.from || word(b.octets[l.at:]) != 0 {
			return refuted
		}
	}
	return e.examine(b, q, r, l, On)
}

// examine follows the FPDUs from l on, with or without Markers, and judges what it sees. If that is enough, l is complete.
func (e *Engine) examine(b *backlog, q *quest, r *run, l *lock, markers Setting) finding {
	l.offset = r.offsetOf(l.at)
	c, d := &e.trial.chain, &e.trial.deframer
	*c = chain{origin: l.origin, start: l.offset - l.origin, parcel: b.i}
	d.ResetAt(mpa.Options{Markers: markers == On, CRC: q.terms.crc.Setting != Off}, c.start)
	d.Push(b.octets[l.at:r.to])
	defer func() { e.trial.effort += d.Pos() - c.start }()
	for next := r.behind; ; {
		if !e.extend(b, q, markers) {
			return refuted
		}
		if next == len(b.parcels) || d.Lost() || q.suffices(c, markers) {
			break
		}
		if hole := b.parcels[next].hole; hole > 0 {
			d.Skip(hole)
			next++
			continue
		}
		s := b.run(next)
		next = s.behind
		d.Push(b.octets[s.from:s.to])
	}
	if f := &e.trial.fpdu; d.Partial(f) && !c.add(q, b, f, false) {
		return refuted
	}
	marked := q.marked(c, markers)
	switch over := q.last || d.Lost(); {
	case q.enough(c) && (marked != Unset || over && markers == Off):
		l.terms.settle(c, marked)
		return lockedOn
	case over:
		return refuted
	}
	return open
}

// extend adds FPDUs that are whole to the chain, as many as are needed. It is false if one of them cannot be an FPDU.
func (e *Engine) extend(b *backlog, q *quest, markers Setting) bool {
	f := &e.trial.fpdu
	for e.trial.deframer.Next(f) {
		if !e.trial.chain.add(q, b, f, true) {
			return false
		}
		if q.suffices(&e.trial.chain, markers) {
			break
		}
	}
	return true
}
