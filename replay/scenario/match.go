package scenario

// The octets that a step expects.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Sent records that the side of s has sent a ULPDU.
func (s *Sender) Sent(ulpdu []byte) { s.proceed(ulpdu, 0) }

// SentInstead is Sent for the last ULPDU of an unexpected message, in place of one with an MSN in the queue qn. The
// next message of the queue may continue after either, or have the MSN that was due.
func (s *Sender) SentInstead(ulpdu []byte, qn, due uint32) {
	s.Sent(ulpdu)
	p := s.place(qn)
	p.strayed, p.due = true, due
	s.keep(qn, p)
}

// Amend sets a field of a ULPDU, if present, to its value in a correct segment at this place.
func (s *Sender) Amend(ulpdu []byte, name string) {
	o := rdmap.Opcode(ulpdu[rdmap.ControlOff] & 15)
	header := s.header(o, o.Tagged(), true, nil)
	for _, l := range layouts()[o][bit(o.Tagged())] {
		if l.field.Name != name || l.off >= len(ulpdu) {
			continue
		}
		v := l.field.Number(header[min(l.off, len(header)):]) // 0 in what is payload of a Message
		l.field.Set(ulpdu[l.off:], v)                         // fails if the field is absent
		return
	}
}

// Due returns the MSN of the next message of a queue.
func (s *Sender) Due(qn uint32) uint32 { return s.place(qn).right() }

// right returns the MSN that is due, whatever the MSN of the latest message.
func (p untaggedPlace) right() uint32 {
	if p.strayed {
		return p.due + 1
	}
	return p.msn
}

// aligned returns the place at which a ULPDU of a queue is due. After an unexpected or unfinished message, its MSN
// chooses between the possible ones.
func (p untaggedPlace) aligned(qn uint32, ulpdu []byte) untaggedPlace {
	var h rdmap.Header
	if _, err := h.Decode(ulpdu); err != nil || h.T || h.Untagged.QN != qn || h.Untagged.MSN == p.msn {
		return p
	}
	switch msn := h.Untagged.MSN; {
	case p.strayed && (msn == p.due || msn == p.due+1), p.open && h.Untagged.MO == 0 && msn == p.msn+1:
		return untaggedPlace{msn: msn}
	case p.strayed:
		return untaggedPlace{msn: p.right()}
	}
	return p
}

// ExpectSegment returns the headers that seg demands in place of the received ulpdu. It learns unknown variables from
// ulpdu. It does not record seg as sent.
func (s *Sender) ExpectSegment(seg *Segment, ulpdu []byte, values Values) []byte {
	if seg.Raw {
		return nil
	}
	header := s.header(seg.Opcode, seg.isTagged(), seg.ownHeader(), ulpdu)
	expect(header, seg.layout(), seg.Fields, ulpdu, values)
	return header
}

// ExpectMessage returns the headers that m demands in place of the received ulpdu, its first segment. It learns unknown
// variables from ulpdu. Fields that are not compared are as in ulpdu: L, if there can be several segments; fields of a
// request that matter to its sender only and are not variables; and in a pattern, omitted Fields. request is the one
// that m answers, or nil. It does not record m as sent.
func (s *Sender) ExpectMessage(m *Message, request *Request, ulpdu []byte, values Values, pattern bool) []byte {
	header := s.header(m.Opcode, m.Opcode.Tagged(), true, ulpdu)
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

// private reports whether a field of a request matters to its sender only.
func private(name string) bool {
	return name == "SinkSTag" || name == "SinkTO" || name == "RequestIdentifier"
}

func adopt(header, ulpdu []byte, f *field.Field, off int) {
	if off < len(ulpdu) {
		if v, ok := f.Get(ulpdu[off:]); ok {
			f.Set(header[off:], v) // cannot fail: the value comes from a field of the same width
		}
	}
}

// expect writes fields into a header, and learns unknown variables from ulpdu.
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
