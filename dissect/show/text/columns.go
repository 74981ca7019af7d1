package text

// Columns, what stands in them, and in which colour.

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// The widths of the columns, in characters. What is wider moves the rest of its line.
const (
	connWidth    = 3
	typeWidth    = 16
	lenWidth     = 8
	framesWidth  = 9
	idWidth      = 10
	latencyWidth = 8
	outcomeWidth = 10
)

// header writes the line that names the columns.
func (p *Printer) header() {
	b := appendLeft(p.line[:0], "TIME", p.opts.Clock.Width())
	b = append(b, " CON DIR  "...)
	if p.opts.View == show.Messages {
		b = appendLeft(b, "TYPE", typeWidth)
		b = append(b, "      LEN  "...)
		b = appendLeft(b, "FRAMES", framesWidth)
		b = append(b, "  FIELDS"...)
	} else {
		b = append(b, "        ID  "...)
		b = appendLeft(b, "REQUEST", framesWidth)
		b = append(b, "  "...)
		b = appendLeft(b, "RESPONSE", framesWidth)
		b = append(b, "  LATENCY   OCTETS  "...)
		b = appendLeft(b, "OUTCOME", outcomeWidth)
		b = append(b, "  TRANSACTION"...)
	}
	p.line = b
	p.end()
}

// beginLine begins a line with the columns that all lines have.
func (p *Printer) beginLine(c *flow.Conn, d flow.Direction, time int64) {
	b := append(p.line[:0], p.opts.Palette.Time.On...)
	b = p.opts.Clock.Append(b, time)
	b = append(b, p.opts.Palette.Time.Off...)
	b = append(b, ' ')
	b = appendRight(b, uint64(c.ID), connWidth)
	b = append(b, ' ')
	b = append(b, d.String()...)
	p.line = append(b, ' ', ' ')
}

// begin begins the line of a message or MPA frame with all its columns.
func (p *Printer) begin(o *record.Origin, name string, style Style, length uint64) {
	p.beginLine(o.Conn, o.Dir, o.Time)
	b := appendStyled(p.line, &style, name, typeWidth)
	b = append(b, ' ')
	b = appendRight(b, length, lenWidth)
	b = append(b, ' ', ' ')
	b = appendSpan(b, o.Conn, &o.Span)
	p.line = append(b, ' ')
}

// beginTransaction begins the line of a transaction with all its columns, and its name.
func (p *Printer) beginTransaction(t *record.Transaction) {
	p.beginLine(t.Conn, t.Dir, t.Request.Time)
	b := p.line
	from := len(b)
	if t.Kind == record.UpperTransaction {
		b = appendHex(append(b, "0x"...), t.ID, 32)
	} else {
		b = strconv.AppendUint(b, t.ID, 10)
	}
	b = alignRight(b, from, idWidth)
	b = append(b, ' ', ' ')
	b = appendSpan(b, t.Conn, &t.Request)
	b = append(b, ' ', ' ')
	b = appendSpan(b, t.Conn, &t.Response)
	b = append(b, ' ')
	from = len(b)
	if t.Timed() {
		b = AppendDuration(b, t.Latency())
	} else {
		b = append(b, '-')
	}
	b = alignRight(b, from, latencyWidth)
	b = append(b, ' ')
	b = appendRight(b, t.Octets, lenWidth)
	b = append(b, ' ', ' ')
	b = appendStyled(b, p.opts.Palette.outcome(t.Outcome), t.Outcome.String(), outcomeWidth)
	b = append(b, ' ', ' ')
	style := p.opts.Palette.transaction(t.Kind)
	b = printable.Append(append(b, style.On...), t.Name)
	p.line = append(b, style.Off...)
}

// end writes the line, without spaces at its end.
func (p *Printer) end() {
	b := p.line
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	p.line = append(b, '\n')
	p.Write(p.line) // Err returns its error
}

// appendSpan appends a column of frames; a dash if there are none.
func appendSpan(dst []byte, c *flow.Conn, s *flow.Span) []byte {
	from := len(dst)
	if s.Frame == 0 {
		dst = append(dst, '-')
	} else {
		dst = c.Frames.Append(dst, s)
	}
	return appendSpaces(dst, framesWidth-(len(dst)-from))
}

// appendStyled appends s, and spaces up to width.
func appendStyled(dst []byte, style *Style, s string, width int) []byte {
	dst = append(dst, style.On...)
	dst = append(dst, s...)
	dst = append(dst, style.Off...)
	return appendSpaces(dst, width-len(s))
}

// alignRight moves what begins at from to the right, so that it is width characters wide.
func alignRight(b []byte, from, width int) []byte {
	n := width - (len(b) - from)
	if n <= 0 {
		return b
	}
	b = appendSpaces(b, n)
	copy(b[from+n:], b[from:])
	for i := range n {
		b[from+i] = ' '
	}
	return b
}

// appendHex appends v in as many hexadecimal digits as bits or, if it has more, v need.
func appendHex(dst []byte, v uint64, bits int) []byte {
	for bits < 64 && v>>bits != 0 {
		bits += 4
	}
	for shift := bits - 4; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[v>>shift&15])
	}
	return dst
}

func appendSpaces(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, ' ')
	}
	return dst
}

// appendLeft appends s, and spaces up to width.
func appendLeft(dst []byte, s string, width int) []byte {
	return appendSpaces(append(dst, s...), width-len(s))
}

// appendRight appends n after as many spaces as make it width characters wide.
func appendRight(dst []byte, n uint64, width int) []byte {
	var digits [20]byte
	s := strconv.AppendUint(digits[:0], n, 10)
	return append(appendSpaces(dst, width-len(s)), s...)
}

// AppendDuration appends how long something took, in nanoseconds, to three digits or more: "980 ns", "12.3 us", "104 ms",
// "71.2 s", "60.0 min", "3285 d".
func AppendDuration(dst []byte, ns int64) []byte { return quantity.AppendDuration(dst, ns) }

// AppendWrapped appends s in lines of at most width characters, as far as its words allow. first stands before the
// first line, where it takes up used columns, and indent before the others. Line feeds in s, with spaces around them, only
// part words; other spaces stay if no line ends there.
func AppendWrapped(dst []byte, width int, first string, used int, indent, s string) []byte {
	dst = append(dst, first...)
	column, begun := used, false
	for line := range strings.SplitSeq(s, "\n") {
		spaces := 1
		for word := range strings.SplitSeq(strings.TrimSpace(line), " ") {
			n := utf8.RuneCountInString(word)
			switch {
			case n == 0:
				spaces++
				continue
			case !begun:
			case column+spaces+n > width:
				dst = append(append(dst, '\n'), indent...)
				column = utf8.RuneCountInString(indent)
			default:
				dst = appendSpaces(dst, spaces)
				column += spaces
			}
			dst = append(dst, word...)
			column += n
			spaces, begun = 1, true
		}
	}
	return append(dst, '\n')
}

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
