package dissect

// Markers that are missing though they were agreed on, and such as stand in a stream though they were not.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// tryMarkers looks whether Markers are as agreed in a direction that begins with p. A Marker at octet 0 is zero, as no
// ULPDU_Length is with a header behind it, so the first FPDU shows that. If it does not fit, and does the other way, the
// direction is read so.
func (e *Engine) tryMarkers(h *half, p *reassembly.Piece) {
	s := h.stream
	s.untried = false
	agreed := s.terms.markers.Setting == On
	if s.deframer.Pos() != s.start || e.fitsMarkers(s, p.Data, agreed) {
		return
	}
	if !e.fitsMarkers(s, p.Data, !agreed) || e.trial.fpdu.Verdict == mpa.Bad {
		return
	}
	kind := record.MarkersUnasked
	if agreed {
		kind = record.MarkersMissing
	}
	e.note(h, kind, 0, record.At(p.Frame, p.Time))
	s.terms.markers = term{setting(!agreed), record.Inferred}
	s.deframer.ResetAt(mpa.Options{Markers: !agreed, CRC: s.terms.crc.Setting == On}, s.start)
}

// fitsMarkers tells whether b begins with an FPDU, to be read with Markers or without, as far as its header shows. The
// FPDU is then in e.trial.
func (e *Engine) fitsMarkers(s *stream, b []byte, markers bool) bool {
	d, f := &e.trial.deframer, &e.trial.fpdu
	d.ResetAt(mpa.Options{Markers: markers, CRC: s.terms.crc.Setting == On}, s.start)
	d.Push(b)
	if !d.Next(f) && !d.Partial(f) {
		return false
	}
	var header rdmap.Header
	_, err := header.Decode(f.ULPDU)
	return err == nil && f.BadMarkers == 0 && plausible(&header, f.ULPDULength, s.version)
}
