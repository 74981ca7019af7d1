package framing

// Markers that are missing although they were agreed on, and those in a stream that should have none.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// firstHeader is how many octets the header of the first FPDU needs at most, with ULPDU_Length and the Marker before it.
const firstHeader = mpa.MarkerLen + 2 + ddp.UntaggedLen

// awaitsHeader reports whether the first FPDU waits for the rest of its header, which shows how it is to be read. It is not
// worth waiting for more if that header is as agreed, or if it is a whole FPDU the other way, by its CRC.
func (d *Direction) awaitsHeader() bool {
	b, agreed := &d.backlog, d.stream.terms.Markers.Setting == On
	r := b.run(b.i)
	octets := b.octets[r.from:r.to]
	switch {
	case d.last, r.behind < len(b.parcels), len(octets) >= firstHeader, d.fitsMarkers(octets, agreed):
		return false
	case d.fitsMarkers(octets, !agreed) && b.shared.trial.fpdu.Verdict == mpa.Good:
		return false
	}
	b.store()
	return true
}

// tryMarkers checks whether Markers are as agreed in a direction that begins with the piece. A Marker at octet 0 is zero, as
// no ULPDU_Length with a header after it is, so the first FPDU shows that. If it does not fit, and does the other way, the
// direction is read that way, and out says so.
func (d *Direction) tryMarkers(out *Output) bool {
	s, p := d.stream, d.stream.piece
	s.untried = false
	agreed, octets := s.terms.Markers.Setting == On, p.Data
	if b := &d.backlog; s.waited {
		octets = b.octets[b.at-len(octets) : b.run(b.i-1).to]
	}
	if s.deframer.Pos() != s.start || d.fitsMarkers(octets, agreed) {
		return false
	}
	if !d.fitsMarkers(octets, !agreed) || d.backlog.shared.trial.fpdu.Verdict == mpa.Bad {
		return false
	}
	kind := record.MarkersUnasked
	if agreed {
		kind = record.MarkersMissing
	}
	out.note(kind, 0, flow.At(p.Frame, p.Time))
	s.terms.Markers = Term{SettingOf(!agreed), flow.Inferred}
	s.deframer.ResetAt(mpa.Options{Markers: !agreed, CRC: s.terms.CRC.Setting == On}, s.start)
	return true
}

// fitsMarkers reports whether b begins with an FPDU, to be read with Markers or without, as far as its header shows. The
// FPDU is then in the trial.
func (d *Direction) fitsMarkers(b []byte, markers bool) bool {
	s, q, f := d.stream, &d.backlog.shared.trial.deframer, &d.backlog.shared.trial.fpdu
	q.ResetAt(mpa.Options{Markers: markers, CRC: s.terms.CRC.Setting == On}, s.start)
	q.Push(b)
	if !q.Next(f) && !q.Partial(f) {
		return false
	}
	var header rdmap.Header
	_, err := header.Decode(f.ULPDU)
	return err == nil && f.BadMarkers == 0 && plausible(&header, f.ULPDULength, s.version)
}
