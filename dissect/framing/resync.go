package framing

// Losing FPDUs and finding them: after octets that the capture does not have, where a ULPDU_Length cannot be right, and
// where an MPA frame is missing.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// lose gives up an FPDU that was captured in whole or in part. What is after its first octets in the latest piece is to
// be looked through for another one.
func (d *Direction) lose(out *Output, f *mpa.Deframed, span flow.Span) {
	d.revise()
	s, p := d.stream, d.stream.piece
	passed, rest := f.End-f.Start-uint64(f.Missing), 0
	if p.Data != nil {
		at := max(f.Start+wordLen, s.from)
		rest = int(s.from + uint64(len(p.Data)) - at)
		passed -= f.End - at
	}
	d.lost(out, passed, f.End-f.Start, span, rest)
	if f.Missing == 0 && !s.unanchored && s.terms.CRC == (Term{Off, flow.Negotiated}) && s.terms.Markers.Setting == Off {
		s.misframed, out.Note.Whole = true, true
	}
}

// loseBegun gives up the FPDU in progress.
func (d *Direction) loseBegun(out *Output) {
	f := &d.backlog.shared.trial.fpdu
	d.stream.deframer.Partial(f)
	d.lose(out, f, d.stream.latest)
}

// lost notes that it is not known where the next FPDU begins. passed is how many octets were given up; the last rest
// octets of the piece wait.
func (d *Direction) lost(out *Output, passed, octets uint64, span flow.Span, rest int) {
	s, p := d.stream, d.stream.piece
	d.state, s.entered, s.doubt, s.suspect = lost, false, false, false
	s.passed += passed
	switch {
	case s.waited:
		d.backlog.giveBack(rest)
	case rest > 0:
		at := len(p.Data) - rest
		p.Offset, p.Data = p.Offset+uint64(at), p.Data[at:]
		d.backlog.add(p, at > 0, d.isAhead())
	}
	d.backlog.tryAt, d.due = 0, true
	out.note(record.FramingLost, octets, span)
}

// search looks for FPDUs in what waits, if that is worth the effort. It returns true if out says what it found, and keeps
// what waits within its limits if not.
func (d *Direction) search(out *Output) bool {
	d.due = false
	b := &d.backlog
	switch {
	case d.forced:
		d.forced = false
		return d.look(out, d.last)
	case d.state == passive:
		return d.searchPassively(out)
	case d.state == waiting:
		fits := b.store()
		if fits && (len(b.parcels) < patience || b.size() < b.tryAt) {
			return false
		}
		if d.look(out, !fits) {
			return true
		}
		out.Kind = Overflow
		return !fits
	}
	if b.size() >= b.tryAt && d.look(out, d.last) {
		return true
	}
	d.trim()
	return false
}

// searchPassively looks for FPDUs in a direction that has shown no MPA frame.
func (d *Direction) searchPassively(out *Output) bool {
	b, unknown := &d.backlog, d.Unknown
	enough := unknown && d.listened > maxListened
	if (b.size() >= b.tryAt || enough) && d.look(out, enough) {
		return true
	}
	switch {
	case !unknown:
		d.trim()
	case enough || !b.store():
		d.state = gaveUp
		b.free()
	}
	return false
}

// look looks for FPDUs in what waits. If there are some, out says so, and reading can go on with the front of the backlog.
func (d *Direction) look(out *Output, last bool) bool {
	b := &d.backlog
	if b.empty() {
		return false
	}
	s := d.newSearch(last)
	l, keep, ok := s.run()
	if s.expected && s.terms.stated() && b.parcels[b.i].hole == 0 && (!ok || l.offset != s.origin) {
		l, ok = syncPoint{at: b.at, offset: b.parcels[b.i].offset, origin: s.origin, phased: true, terms: s.terms}, true
	}
	switch {
	case ok && d.state == lost:
		d.resume(out, &l)
	case ok:
		d.synchronise(out, &l)
	case d.state != waiting:
		d.pass(keep)
		b.tryAt = 0
		if keep < len(b.octets)-wordLen-mpa.MarkerLen {
			b.tryAt = 2 * b.size()
		}
	default:
		b.tryAt = 2 * b.size()
	}
	return ok
}

// newSearch says what is looked for.
func (d *Direction) newSearch(last bool) search {
	q := search{backlog: &d.backlog, trial: &d.backlog.shared.trial, terms: d.Terms, unknown: d.Unknown, last: last}
	switch s := d.stream; d.state {
	case lost:
		q.terms, q.unknown = s.terms, false
		q.origin, q.aligned, q.phased = s.origin, !s.misframed, s.phased
		q.proven, q.stream = s.good, s
	case waiting:
		q.origin, q.aligned, q.phased, q.expected = d.begin, true, true, true
	}
	return q
}

// resume goes on reading with the FPDU that was found.
func (d *Direction) resume(out *Output, l *syncPoint) {
	s := d.stream
	d.pass(l.at)
	d.undecoded += s.passed
	s.latest = d.backlog.span()
	out.note(record.FramingFound, s.passed, s.latest)
	s.passed, s.unanchored, s.credible = 0, true, 0
	s.lock(l)
	d.state = reading
}

// synchronise begins to read although an MPA frame is missing.
func (d *Direction) synchronise(out *Output, l *syncPoint) {
	b := &d.backlog
	octets, missing := b.pass(l.at)
	expected := d.state == waiting && l.offset == d.begin
	if d.state == waiting {
		d.missing += missing
	} else {
		octets = uint64(d.listened - (len(b.octets) - b.at))
	}
	d.undecoded += octets
	d.readFrom(l)
	if !expected {
		d.stream.latest, d.stream.unanchored = b.span(), true
	}
	out.note(record.LockedOn, octets, b.span())
	out.Kind, out.Unanchored = Synchronised, !expected
}

// pass takes what is before octet at of the backlog: no FPDU begins there.
func (d *Direction) pass(at int) {
	octets, missing := d.backlog.pass(at)
	if d.state == lost {
		d.stream.passed += octets
		d.missing += missing
	}
}

// trim keeps what waits within its limit: the older half of it is passed over.
func (d *Direction) trim() {
	b := &d.backlog
	if b.store() {
		return
	}
	at := b.at + (len(b.octets)-b.at)/2
	if b.size() <= MaxHeld || at == b.at { // the limit for all is exceeded, or there are nothing but holes
		at = len(b.octets)
	}
	d.pass(at)
	b.tryAt = 0
	b.store()
}
