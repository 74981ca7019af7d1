package framing

// Markers that are missing although they were agreed on, and those in a stream that should have none.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// tryMarkers checks whether Markers are as agreed in a direction that begins with the piece. A Marker at octet 0 is zero, as
// no ULPDU_Length with a header after it is, so the first FPDU shows that. If it does not fit, and does the other way, the
// direction is read that way, and out says so.
func (d *Direction) tryMarkers(out *Output) bool {
	s, p := d.stream, d.stream.piece
	s.untried = false
	agreed := s.terms.Markers.Setting == On
	if s.deframer.Pos() != s.start || d.fitsMarkers(p.Data, agreed) {
		return false
	}
	if !d.fitsMarkers(p.Data, !agreed) || d.backlog.shared.trial.fpdu.Verdict == mpa.Bad {
		return false
	}
	kind := record.MarkersUnasked
	if agreed {
		kind = record.MarkersMissing
	}
	out.note(kind, 0, record.At(p.Frame, p.Time))
	s.terms.Markers = Term{SettingOf(!agreed), record.Inferred}
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
