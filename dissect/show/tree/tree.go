// Package tree prints every field of every layer of iWARP traffic, with the octets that hold it.
//
//	Frame 21  2.104713 s  connection 0 s2c  10.0.0.2:7174 > 10.0.0.1:43140
//	  MPA FPDU, 84 octets
//	       0:2             ULPDU_Length: 78
//	  DDP tagged header
//	       2:1  bit 0      T: 1
//	       2:1  bit 1      L: 1
//	  ...
//
// Before each field is its place: offset and length in octets, from the start of the FPDU or MPA frame. A field that
// does not consist of whole octets also has its bits, counted from the first of these octets; bit 0 is the most
// significant. Markers do not count. Payload is dumped in hexadecimal. A line says when a message is complete, or known
// to stay incomplete; before it is the message of an upper layer that it ends, with offsets from the beginning of that
// message. Findings are in the tree of the segment, or below the line of the message, with which they are found. A line
// that is too long goes on below its text.
//
// A [Printer] is a record.Sink.
package tree

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// Options choose how the tree looks. The zero value is plain text with times in UTC and 64 octets of payload.
type Options struct {
	Width   int         // characters in a line; default 80
	Clock   *show.Clock // prints times; nil for UTC
	Palette Palette     // colours
	Payload int         // octets of payload to dump of each segment; 0 for 64, negative for none
}

// A Palette holds the styles of the tree's parts. The zero value is plain text.
type Palette struct {
	Frame   text.Style // the line that begins an FPDU or MPA frame
	Header  text.Style // the names of headers
	Message text.Style // the line about a message
	Mark    text.Style // what is wrong
}

// A Printer writes a tree for each MPA frame and each FPDU.
type Printer struct {
	show.Output
	opts Options
	line []byte
	view record.View
}

// New returns a Printer that writes to w.
func New(w io.Writer, o Options) *Printer {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Clock == nil {
		o.Clock = &show.Clock{Form: show.UTC}
	}
	if o.Payload == 0 {
		o.Payload = 64
	}
	return &Printer{Output: show.NewOutput(w), opts: o}
}

// Record implements record.Sink.
func (p *Printer) Record(r *record.Record) {
	switch r.Kind {
	case record.KindStartup:
		p.event(r, r.Startup)
	case record.KindSegment:
		p.event(r, r.Segment)
	case record.KindMessage:
		if r.Upper != nil {
			p.upper(r.Upper)
		}
		p.message(r.Message, r.Findings)
	default:
		if r.Upper != nil {
			p.upper(r.Upper)
		}
		for _, f := range r.Findings {
			p.alone(f)
		}
	}
}

// Body writes the fields of something that was sent, and the data after them, without saying when and by whom.
func (p *Printer) Body(b record.Body) {
	layers := p.view.Lay(b)
	for i := range layers {
		l := &layers[i]
		p.layer(l)
		if len(l.Data.Octets) > 0 {
			p.heading("Data", ", "+quantity.Count(l.Data.Len, "octet"))
			p.dump(&l.Data)
		}
	}
}

// event prints the tree of an MPA frame or a segment.
func (p *Printer) event(r *record.Record, b record.Body) {
	p.frame(r)
	l := &p.view.Lay(b)[0]
	remarks := p.view.Remarks(b)
	data := len(l.Data.Octets) > 0
	for i := range l.Parts {
		if data && l.Parts[i].Off >= l.Data.Off {
			p.data(&l.Data)
			data = false
		}
		p.parts(l, l.Parts[i:i+1])
		remarks = p.remarks(remarks, i)
	}
	if data {
		p.data(&l.Data)
	}
	p.remarks(remarks, len(l.Parts))
	p.findings(r.Findings)
	p.end()
}

// data prints what no part describes.
func (p *Printer) data(d *record.Data) {
	suffix := ""
	if !d.Stated {
		suffix = ", " + quantity.Count(d.Len, "octet")
	}
	p.heading(d.Name, suffix)
	p.dump(d)
}

// remarks prints the remarks about the part at i, and returns those about later ones.
func (p *Printer) remarks(all []record.Remark, i int) []record.Remark {
	for ; len(all) > 0 && all[0].Part <= i; all = all[1:] {
		switch r := &all[0]; {
		case len(r.Text) == 0:
		case r.Wrong:
			p.mark(string(r.Text))
		default:
			p.remark(string(r.Text))
		}
	}
	return all
}

func (p *Printer) message(m *record.Message, found []*record.Finding) {
	b := append(p.line[:0], messageLabel...)
	b = append(b, m.Opcode.String()...)
	b = quantity.AppendCount(append(b, ", "...), m.Len, "octet")
	b = quantity.AppendCount(append(b, " in "...), m.Segments, "segment")
	b = append(b, ", frames "...)
	if m.Segments == 1 {
		b = append(b[:len(b)-len("s ")], ' ')
	}
	b = m.Conn.Frames.Append(b, &m.Span)
	b = append(b, ", connection "...)
	b = strconv.AppendInt(b, int64(m.Conn.ID), 10)
	b = append(b, ' ')
	b = append(b, m.Dir.String()...)
	style := p.opts.Palette.Message
	if m.Complete {
		b = append(b, ", complete"...)
	} else {
		b = append(b, ", INCOMPLETE: segments of it were not seen"...)
		style = p.opts.Palette.Mark
	}
	if m.BadCRCs > 0 {
		b = fmt.Appendf(b, ", bad CRCs: %d", m.BadCRCs)
		style = p.opts.Palette.Mark
	}
	p.line = b
	p.print(style, "", len(messageLabel), string(b), "")
	p.findings(found)
	p.end()
}

// frame begins the tree of an event.
func (p *Printer) frame(r *record.Record) {
	o := &r.Origin
	b := append(p.line[:0], frameLabel...)
	b = o.Conn.Frames.Append(b, &o.Span)
	b = append(b, "  "...)
	b = p.opts.Clock.AppendShort(b, o.Time)
	b = append(b, "  connection "...)
	b = strconv.AppendInt(b, int64(o.Conn.ID), 10)
	b = append(b, ' ')
	b = append(b, o.Dir.String()...)
	b = append(b, "  "...)
	b = o.Conn.Peer(o.Dir).AppendTo(b)
	b = append(b, " > "...)
	b = o.Conn.Peer(1 - o.Dir).AppendTo(b)
	p.line = show.AppendElsewhere(b, "  ", r)
	p.print(p.opts.Palette.Frame, "", len(frameLabel), string(p.line), "")
}

// end ends the tree of an event.
func (p *Printer) end() { p.WriteString("\n") }

// What lines begin with.
const (
	frameLabel   = "Frame "
	messageLabel = "Message: "
	upperLabel   = "Upper layer: "
	findingLabel = "Finding: "
)

// The columns in which lines begin.
const (
	headingIndent = 2
	fieldIndent   = 24 // the names of fields, and remarks
)

// heading prints the name of a part, or of data.
func (p *Printer) heading(name, suffix string) {
	p.print(p.opts.Palette.Header, blanks[:headingIndent], headingIndent+4, name, suffix)
}

func (p *Printer) remark(s string) { p.print(text.Style{}, blanks[:fieldIndent], fieldIndent+2, s, "") }

// mark prints a remark about something that is wrong.
func (p *Printer) mark(s string) {
	p.print(p.opts.Palette.Mark, blanks[:fieldIndent], fieldIndent+2, "! "+s, "")
}

// blanks are more than any indent has.
const blanks = "                                "

// print prints what comes first in a line, words in a style, and what comes after them. It folds these if they are too long, and continues
// them after an indent.
func (p *Printer) print(s text.Style, first string, indent int, words, after string) {
	if utf8.RuneCountInString(first)+utf8.RuneCountInString(words)+utf8.RuneCountInString(after) <= p.opts.Width {
		for _, part := range [...]string{first, s.On, words, s.Off, after, "\n"} {
			p.WriteString(part)
		}
		return
	}
	styled := len(words)
	b := text.AppendWrapped(nil, p.opts.Width-indent, "", utf8.RuneCountInString(first)-indent, "", words+after)
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		n := min(styled, len(line))
		if n == 0 {
			s = text.Style{}
		}
		for _, part := range [...]string{first, s.On, line[:n], s.Off, line[n:], "\n"} {
			p.WriteString(part)
		}
		first, styled = blanks[:indent], max(styled-n-1, 0)
	}
}
