package text

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Style is what is written around a piece of text to give it a colour: for a terminal, escape sequences. The zero
// value is plain.
type Style struct{ On, Off string }

// A Palette holds the styles of a line's parts. The zero value is plain text.
type Palette struct {
	Time      Style                  // the time
	MPA       Style                  // the type of MPA frames
	Tagged    Style                  // the types Write and ReadResponse
	Request   Style                  // the types ReadRequest, AtomicRequest and AtomicResponse
	Send      Style                  // the types of Sends and Immediate Data
	Terminate Style                  // the type Terminate, and opcodes that are not assigned
	Label     Style                  // the names of fields
	Mark      Style                  // what is wrong
	Upper     Style                  // the names of upper-layer messages
	Findings  [rules.Error + 1]Style // findings, by severity
}

// transaction is the style of a transaction's name.
func (p *Palette) transaction(k record.TransactionKind) *Style {
	if k == record.UpperTransaction {
		return &p.Upper
	}
	return &p.Request
}

// outcome is the style of what became of a transaction.
func (p *Palette) outcome(o record.Outcome) *Style {
	if o == record.Refused || o == record.Unanswered {
		return &p.Mark
	}
	return &plain
}

var plain Style

// Message is the style of the type of a message.
func (p *Palette) Message(m *record.Message) Style {
	switch o := m.Opcode; {
	case o.Tagged():
		return p.Tagged
	case o.ConsumesReceive():
		return p.Send
	case o.IsRequest(), o.IsResponse():
		return p.Request
	}
	return p.Terminate
}
