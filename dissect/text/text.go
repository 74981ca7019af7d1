// Package text prints what happens on iWARP connections, one line a message.
//
//	2.076245   0 c2s  MPARequest             0  12         10.0.0.1:43140 > 10.0.0.2:7174 Rev=2 ...
//	2.092827   0 c2s  Send                  16  16         MSN=1
//	2.104713   0 s2c  Write                 64  21         STag=0x00004f01 TO=0x000055d0c0de1000
//
// The columns are: time, connection, direction, message, octets of ULP payload (of ULP Private Data for an MPA frame),
// first and last frame, the header fields that matter for the message, and in brackets what is wrong with it. Fields
// are those of the protocols' field tables, under their names in the RFCs without the spaces.
//
// A [Printer] is a dissect.Sink. It allocates nothing per line.
package text

import (
	"bufio"
	"io"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
)

// Options choose how lines look. The zero value is plain text with times in UTC.
type Options struct {
	Clock   *Clock  // prints times; nil for UTC
	Palette Palette // colours
	Header  bool    // begin with a line that names the columns
}

// A Printer writes a line for each MPA frame and each message.
type Printer struct {
	dissect.Discard
	out  *bufio.Writer
	opts Options

	line  []byte       // of the event being printed
	parts []rdmap.Part // of its headers
}

// New returns a Printer that writes to w.
func New(w io.Writer, o Options) *Printer {
	if o.Clock == nil {
		o.Clock = &Clock{UTC: true}
	}
	p := &Printer{out: bufio.NewWriterSize(w, 64<<10), opts: o, parts: make([]rdmap.Part, 0, rdmap.MaxParts)}
	if o.Header {
		p.header()
	}
	return p
}

// Flush writes what is buffered. It returns the first error that writing has met.
func (p *Printer) Flush() error { return p.out.Flush() }

// Err returns the first error that writing has met; nothing is written after it.
func (p *Printer) Err() error {
	_, err := p.out.Write(nil)
	return err
}

// The widths of the columns, in characters. What is wider moves the rest of its line.
const (
	connWidth   = 3
	typeWidth   = 16
	lenWidth    = 8
	framesWidth = 9
)

func (p *Printer) header() {
	b := appendLeft(p.line[:0], "TIME", 0, p.opts.Clock.width())
	b = append(b, " CON DIR  "...)
	b = appendLeft(b, "TYPE", 0, typeWidth)
	b = append(b, "      LEN  "...)
	b = appendLeft(b, "FRAMES", 0, framesWidth)
	b = append(b, "  FIELDS"...)
	p.line = b
	p.end()
}

// begin begins a line with the columns that every event has.
func (p *Printer) begin(o *dissect.Origin, name string, style Style, length uint64) {
	b := append(p.line[:0], p.opts.Palette.Time.On...)
	b = p.opts.Clock.Append(b, o.Time)
	b = append(b, p.opts.Palette.Time.Off...)
	b = append(b, ' ')
	b = appendRight(b, uint64(o.Conn.ID), connWidth)
	b = append(b, ' ')
	b = append(b, o.Dir.String()...)
	b = append(b, ' ', ' ')
	b = append(b, style.On...)
	b = append(b, name...)
	b = append(b, style.Off...)
	b = appendSpaces(b, typeWidth-len(name))
	b = append(b, ' ')
	b = appendRight(b, length, lenWidth)
	b = append(b, ' ', ' ')
	from := len(b)
	b = AppendFrames(b, &o.Span)
	p.line = appendSpaces(b, framesWidth-(len(b)-from))
	p.line = append(p.line, ' ')
}

// end writes the line, without spaces at its end.
func (p *Printer) end() {
	b := p.line
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	p.line = append(b, '\n')
	p.out.Write(p.line) // its error stays in p.out
}

// Message implements dissect.Sink.
func (p *Printer) Message(m *dissect.Message) {
	p.begin(&m.Origin, m.Opcode.String(), p.opts.Palette.message(m.Opcode), m.Len)
	p.headers(m)
	if !m.Complete {
		p.mark("incomplete", 0)
	}
	if m.BadCRCs > 0 {
		p.mark("bad CRC", 0)
	}
	if m.Missing > 0 {
		p.mark(" octets not captured", m.Missing)
	}
	p.end()
}

// mark appends what is wrong with a message, after a number unless that is 0.
func (p *Printer) mark(words string, n uint64) {
	b := append(p.line, ' ')
	b = append(b, p.opts.Palette.Mark.On...)
	b = append(b, '[')
	if n > 0 {
		b = strconv.AppendUint(b, n, 10)
	}
	b = append(b, words...)
	b = append(b, ']')
	p.line = append(b, p.opts.Palette.Mark.Off...)
}

// StartupFrame implements dissect.Sink.
func (p *Printer) StartupFrame(f *dissect.StartupFrame) {
	name := "MPARequest"
	if f.MPA.Reply {
		name = "MPAReply"
	}
	p.begin(&f.Origin, name, p.opts.Palette.MPA, uint64(f.MPA.ULPPrivateDataLen()))
	b := append(p.line, ' ')
	b = f.Conn.Peer(f.Dir).AppendTo(b)
	b = append(b, " > "...)
	p.line = f.Conn.Peer(1 - f.Dir).AppendTo(b)
	p.startup(f)
	if f.MPA.PDLength > mpa.MaxPrivateData {
		p.mark("PD_Length is above 512", 0)
	} else if missing := int(f.MPA.PDLength) - len(f.MPA.PrivateData); missing > 0 {
		p.mark(" octets not captured", uint64(missing))
	}
	p.end()
}

// AppendFrames appends the numbers of the first and the last frame, "12-19", or of the only one, "12".
func AppendFrames(dst []byte, s *dissect.Span) []byte {
	dst = strconv.AppendUint(dst, s.Frame, 10)
	if s.LastFrame != s.Frame {
		dst = append(dst, '-')
		dst = strconv.AppendUint(dst, s.LastFrame, 10)
	}
	return dst
}

func appendSpaces(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, ' ')
	}
	return dst
}

// appendLeft appends indent spaces, s, and spaces up to width.
func appendLeft(dst []byte, s string, indent, width int) []byte {
	dst = append(appendSpaces(dst, indent), s...)
	return appendSpaces(dst, width-indent-len(s))
}

// appendRight appends n after as many spaces as make it width characters wide.
func appendRight(dst []byte, n uint64, width int) []byte {
	var digits [20]byte
	s := strconv.AppendUint(digits[:0], n, 10)
	return append(appendSpaces(dst, width-len(s)), s...)
}
