package recordtest

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Untagged returns a segment of an untagged message with a payload, captured in the second of its frame number.
func Untagged(d record.Direction, frame uint64, o rdmap.Opcode, h ddp.Untagged, body []byte) *record.Segment {
	s := &record.Segment{Origin: record.Origin{Conn: new(record.Conn), Dir: d, Span: record.At(frame, int64(frame)*1e9)}}
	h.DV = 1
	s.RDMAP.Header = rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: o}, Untagged: h}
	return withBody(s, body)
}

// Tagged returns the last segment of a tagged message with a payload, captured in the second of its frame number.
func Tagged(d record.Direction, frame uint64, o rdmap.Opcode, stag uint32, body []byte) *record.Segment {
	s := &record.Segment{Origin: record.Origin{Conn: new(record.Conn), Dir: d, Span: record.At(frame, int64(frame)*1e9)}}
	s.RDMAP.Header = rdmap.Header{T: true, Control: rdmap.Control{RV: 1, Opcode: o}, Tagged: ddp.Tagged{L: true, DV: 1, STag: stag}}
	return withBody(s, body)
}

func withBody(s *record.Segment, body []byte) *record.Segment {
	s.RDMAP.Body = body
	s.FPDU.ULPDU, _ = s.RDMAP.Header.AppendBinary(nil)
	s.FPDU.ULPDU = append(s.FPDU.ULPDU, body...)
	s.FPDU.ULPDULength = uint16(len(s.FPDU.ULPDU))
	return s
}
