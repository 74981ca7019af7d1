package scenario

// From octets to actions.

import "github.com/iwarpkit/iwarp/codec/rdmap"

// Describe returns the Segment for a ULPDU at this place, and treats it as sent. Its Fields are those that differ from
// a correct segment.
func (s *Sender) Describe(ulpdu []byte) *Segment {
	defer s.Sent(ulpdu)
	var h rdmap.Header
	n, err := h.Decode(ulpdu)
	if err != nil {
		return &Segment{Raw: true, Payload: Payload(nil).Append(Part{Octets: ulpdu})}
	}
	seg := &Segment{Opcode: h.Control.Opcode}
	own := h.T == h.Control.Opcode.Tagged() && len(ulpdu)-n >= h.Control.Opcode.RDMAPHeaderLen()
	want := s.header(seg.Opcode, h.T, own, nil)
	if h.T != seg.Opcode.Tagged() {
		seg.Fields = append(seg.Fields, Field{"T", constant(uint64(bit(h.T)))})
	}
	for _, f := range layouts()[seg.Opcode][bit(h.T)] {
		if f.name == "T" || f.own && !(own && f.isOf(seg.Opcode, ulpdu[n:])) {
			continue
		}
		got := f.field.Number(ulpdu[f.off:])
		if got != f.field.Number(want[f.off:]) || f.own && f.telling() {
			seg.Fields = append(seg.Fields, Field{f.name, constant(got)})
		}
	}
	if len(seg.Fields) == 0 || !seg.ownHeader() {
		own = false
	}
	seg.Payload = seg.Payload.Append(Part{Octets: ulpdu[headerLen(seg.Opcode, h.T, own):]})
	return seg
}

// SwappedCode returns the code of a Terminate whose first octets are in the swapped bit order, whatever the values of
// its variables. ok is false for all else.
func (m *Message) SwappedCode() (c rdmap.Code, ok bool) {
	if m.Opcode != rdmap.OpTerminate {
		return c, false
	}
	values := make(Values)
	uses(m, func(name string) bool { values[name] = 0; return true })
	o, err := new(Sender).Message(m, nil, values)
	if err != nil || rdmap.ReadingOf(o.octets, len(o.octets)) != rdmap.ReadingSwapped {
		return c, false
	}
	var t rdmap.Terminate
	t.DecodeSwapped(o.octets)
	return t.Code, true
}

// Message returns the Message that begins with s, without its octets. ok is false if the header of s breaks a rule, or
// L is clear in a message that can have only one segment.
func (s *Segment) Message() (m *Message, last, ok bool) {
	if s.Raw || !s.Opcode.Known() || s.Opcode.RDMAPHeaderLen() > 0 && !s.ownHeader() {
		return nil, false, false
	}
	m, last = &Message{Opcode: s.Opcode}, true
	if s.Opcode.HasInvalidateSTag() {
		stag, _ := s.Fields.Lookup("InvalidateSTag")
		m.Fields = Fields{{"InvalidateSTag", stag}}
	}
	l := s.layout()
	for _, f := range s.Fields {
		switch i := find(l, f.Name); {
		case f.Name == "L":
			last = false
		case i < 0 || !l[i].free:
			return nil, false, false
		case f.Name != "InvalidateSTag":
			m.Fields = append(m.Fields, f)
		}
	}
	if s.Opcode.Tagged() {
		stag, _ := s.Fields.Lookup("STag")
		to, _ := s.Fields.Lookup("TO")
		m.Fields = Fields{{"STag", stag}, {"TO", to}}
	}
	single := !s.Opcode.HasPayload()
	if single && (!last || s.Payload.Len() > 0 && s.Opcode != rdmap.OpTerminate) {
		return nil, false, false
	}
	return m, last, true
}
