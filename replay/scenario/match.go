package scenario

// What a side that knows a step expects of what comes for it.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
)

// Sent notes that the side which s stands for has sent a ULPDU.
func (s *Sender) Sent(ulpdu []byte) { s.sent(ulpdu) }

// ExpectSegment is the headers of seg at this place, if ulpdu is what was sent for it. Variables that are not known are
// learned from ulpdu. Nothing is taken for sent.
func (s *Sender) ExpectSegment(seg *Segment, ulpdu []byte, values Values) []byte {
	if seg.Raw {
		return nil
	}
	header := s.header(seg.Opcode, seg.isTagged(), seg.ownHeader())
	expect(header, seg.layout(), seg.Fields, ulpdu, values)
	return header
}

// ExpectMessage is the headers of the first segment of m at this place, if ulpdu is what was sent for it: variables that
// are not known are learned from ulpdu, and fields that are not compared are as they stand there. Those are L, if there
// can be several segments, and of a request what concerns its sender alone and is no variable. If m is a pattern it is those too that Fields
// leaves out. request, which may be nil, is what m answers. Nothing is taken for sent.
func (s *Sender) ExpectMessage(m *Message, request *Request, ulpdu []byte, values Values, pattern bool) []byte {
	header := s.header(m.Opcode, m.Opcode.Tagged(), true)
	if m.Opcode.Tagged() {
		copy(header[2:], make([]byte, ddp.TaggedLen-2))
	}
	layout := m.layout()
	for i := range layout {
		if l := &layout[i]; pattern || private(l.name) {
			adopt(header, ulpdu, l.field, l.off)
		}
	}
	if m.To != 0 && request != nil {
		request.fill(header, m.Opcode)
	}
	compared := slices.DeleteFunc(slices.Clone(m.Fields), func(f Field) bool { return private(f.Name) && f.Value.Var == "" })
	expect(header, layout, compared, ulpdu, values)
	if m.Opcode.HasPayload() {
		adopt(header, ulpdu, &ddp.UntaggedFields.Fields[1], 0)
	}
	return header
}

// private tells whether a field of a request concerns nobody but its sender.
func private(name string) bool {
	return name == "SinkSTag" || name == "SinkTO" || name == "RequestIdentifier"
}

// adopt makes a field of header what it is in ulpdu, if it is there.
func adopt(header, ulpdu []byte, f *field.Field, off int) {
	if off < len(ulpdu) {
		if v, ok := f.Get(ulpdu[off:]); ok {
			f.Set(header[off:], v) // it was read from a field that is as wide
		}
	}
}

// expect writes fields into a header. Variables that are not known are learned from ulpdu.
func expect(header []byte, l []slot, fields Fields, ulpdu []byte, values Values) {
	for _, f := range fields {
		i := find(l, f.Name)
		if i < 0 {
			continue
		}
		slot := &l[i]
		if slot.off < len(ulpdu) {
			if got, ok := slot.field.Get(ulpdu[slot.off:]); ok {
				f.Value.Match(got, slot.field.Width, values)
			}
		}
		n, _ := f.Value.Resolve(values)
		slot.field.Set(header[slot.off:], n&(^uint64(0)>>(64-slot.field.Width)))
	}
}
