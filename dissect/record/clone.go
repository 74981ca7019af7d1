package record

// Copies that stay valid.

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// Clone returns a copy of the Record that stays valid, except for its Conn, which changes until its KindEnd.
func (r *Record) Clone() *Record {
	c := *r
	if r.Startup != nil {
		c.Startup = r.Startup.Clone()
	}
	if r.Streaming != nil {
		s := *r.Streaming
		s.Octets = bytes.Clone(s.Octets)
		c.Streaming = &s
	}
	if r.Segment != nil {
		c.Segment = r.Segment.Clone()
	}
	if r.Message != nil {
		c.Message = r.Message.Clone()
	}
	c.Note, c.Verdict = copied(r.Note), copied(r.Verdict)
	if c.Upper = copied(r.Upper); c.Upper != nil {
		c.Upper.Body = laidOut(c.Upper.Body)
	}
	if r.Exchange != nil {
		c.Exchange = r.Exchange.Clone()
	}
	c.Body, c.Over, c.Findings, c.Marks = laidOut(r.Body), slices.Clone(r.Over), slices.Clone(r.Findings), slices.Clone(r.Marks)
	for i, t := range c.Over {
		c.Over[i] = t.Clone()
	}
	for i, f := range c.Findings {
		c.Findings[i] = copied(f)
	}
	return &c
}

// A laid Body is what another one has laid out.
type laid struct{ view View }

// laidOut returns a copy of a Body that stays valid; nil if b is.
func laidOut(b Body) Body {
	if b == nil {
		return nil
	}
	l := new(laid)
	l.view.Lay(b)
	for i := range l.view.layers {
		l.view.layers[i].octets = bytes.Clone(l.view.layers[i].octets)
	}
	for i := range l.view.Parts {
		l.view.Parts[i].Octets = bytes.Clone(l.view.Parts[i].Octets)
	}
	return l
}

// Lay implements Body.
func (l *laid) Lay(v *View) {
	for i := range l.view.layers {
		from := &l.view.layers[i]
		v.Begin(from.Name, from.octets, from.Len)
		v.Parts = append(v.Parts, from.Parts...)
	}
}

// copied is a copy of what p points to; nil if p is.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// Clone returns a copy of the Transaction that stays valid. It loses an Upper that is not an Exchange.
func (t *Transaction) Clone() *Transaction {
	c := *t
	c.Upper = nil
	if u, ok := t.Upper.(Exchange); ok {
		c.Upper = u.Copy()
	}
	return &c
}

// Clone returns a copy that stays valid.
func (f *Startup) Clone() *Startup {
	c := *f
	c.Octets = append([]byte(nil), f.Octets...)
	if f.Conn.Transport() == flow.OverSCTP {
		c.Control.Decode(c.Octets)
		c.MPA.PrivateData = c.Control.PrivateData
	} else {
		c.MPA.Decode(c.Octets)
	}
	if c.Private = copied(f.Private); c.Private != nil {
		c.Private.Part.Octets = bytes.Clone(c.Private.Part.Octets)
	}
	return &c
}

// Clone returns a copy that stays valid.
func (s *Segment) Clone() *Segment {
	c := *s
	c.FPDU.ULPDU = append([]byte(nil), s.FPDU.ULPDU...)
	c.FPDU.PAD = append([]byte(nil), s.FPDU.PAD...)
	c.RDMAP.Decode(c.FPDU.ULPDU)
	if s.Message != nil {
		c.Message = s.Message.Clone()
	}
	return &c
}

// Clone returns a copy that stays valid.
func (m *Message) Clone() *Message {
	c := *m
	c.Header = append([]byte(nil), m.Header...)
	c.First.Decode(c.Header)
	c.Payload, c.Marks = bytes.Clone(m.Payload), slices.Clone(m.Marks)
	if m.Answers != nil {
		c.Answers = m.Answers.Clone()
	}
	return &c
}
