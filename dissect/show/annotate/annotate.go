// Package annotate copies captures as pcapng, with messages and findings as packet comments that Wireshark shows.
//
// That takes two passes over the files. In the first, [Comments] is the record.Sink that collects; in the second,
// [Comments.Write] reads the files again and writes them. Each message, and each finding, is a comment of the packet
// with its last octet; the Verdict is one of the packet with which the connection began to end. For example:
//
//	iwarp 0 c2s: Write 65536 octets STag=0x0000a2c1 TO=0x0000000000001000, frames 12-19
//	iwarp 0 c2s: error DDP-5.3-4 (send-msn): The Send in frame 20 from the client: MSN 7, expected MSN 5. ...
//	iwarp 0: Closed by the client with FIN in frame 56 after 35 messages; nothing outstanding.
//
// The number is that of the connection. pcaps.Copy keeps all that was in the files. A Comments keeps a bounded number
// of comments, and counts the rest.
package annotate

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// Options limit what is kept. The zero value stands for the defaults.
type Options struct {
	MaxOctets int // of memory for comments; default 128 MiB. The last quarter is for those that are not about messages
}

const defaultMaxOctets = 128 << 20

// maxComment is how many octets a comment has.
const maxComment = 1000

// Comments collects comments. It is a record.Sink.
type Comments struct {
	opts Options

	all       []comment
	texts     []byte // of all comments
	left      uint64 // comments that were left out
	describer text.Describer
	line      []byte // being made
}

// A comment is one of a frame.
type comment struct {
	frame    uint64
	kind     kind
	from, to int // in Comments.texts
}

// A kind is what a comment is about. Those of a frame are in this order.
type kind uint8

const (
	message kind = iota
	finding      // and all else
	kinds
)

// commentSize is roughly how many octets of memory a comment takes beside its text.
const commentSize = 32

// New returns empty Comments.
func New(o Options) *Comments {
	if o.MaxOctets <= 0 {
		o.MaxOctets = defaultMaxOctets
	}
	return &Comments{opts: o}
}

// LeftOut returns how many comments were dropped because there were too many.
func (c *Comments) LeftOut() uint64 { return c.left }

// add keeps the line as a comment of a frame.
func (c *Comments) add(frame uint64, k kind) {
	most := c.opts.MaxOctets
	if k == message {
		most -= most / 4
	}
	c.line = shortened(c.line)
	if len(c.texts)+len(c.line)+commentSize*(len(c.all)+1) > most {
		c.left++
		return
	}
	from := len(c.texts)
	c.texts = append(c.texts, c.line...)
	c.all = append(c.all, comment{frame, k, from, len(c.texts)})
}

// shortened cuts a comment that is too long, between two characters.
func shortened(b []byte) []byte {
	const dots = "..."
	if len(b) <= maxComment {
		return b
	}
	n := maxComment - len(dots)
	for !utf8.RuneStart(b[n]) {
		n--
	}
	return append(b[:n], dots...)
}

// sort puts comments into the order of frames, and those of a frame into that of kinds.
func (c *Comments) sort() {
	slices.SortStableFunc(c.all, func(a, b comment) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.kind, b.kind))
	})
}

// begin begins a line with the connection and the direction.
func (c *Comments) begin(o *record.Origin) {
	c.beginConn(o.Conn)
	c.line = append(append(c.line, ' '), o.Dir.String()...)
	c.line = append(c.line, ": "...)
}

func (c *Comments) beginConn(conn *flow.Conn) {
	c.line = strconv.AppendInt(append(c.line[:0], "iwarp "...), int64(conn.ID), 10)
}

// Record implements record.Sink.
func (c *Comments) Record(r *record.Record) {
	for _, f := range r.Findings {
		c.finding(f)
	}
	switch r.Kind {
	case record.KindStartup:
		c.startupFrame(r.Startup)
	case record.KindSegment:
		c.segment(r.Segment)
	case record.KindMessage:
		c.message(r.Message, r.Upper)
	case record.KindNote:
		c.note(r.Note)
	case record.KindEnd:
		if r.Verdict != nil {
			c.verdict(r.Verdict)
		}
	}
}

func (c *Comments) message(m *record.Message, u *record.Upper) {
	c.begin(&m.Origin)
	c.line = append(c.line, m.Opcode.String()...)
	if m.Opcode.HasPayload() || !m.Opcode.Known() {
		c.line = strconv.AppendUint(append(c.line, ' '), m.Len, 10)
		c.line = append(c.line, " octets"...)
	}
	c.line = c.describer.AppendMessage(c.line, m)
	c.frames(&m.Origin)
	if !m.Complete {
		c.line = append(c.line, ", incomplete"...)
	}
	if m.BadCRCs > 0 {
		c.line = append(c.line, ", bad CRC"...)
	}
	if m.Missing > 0 {
		c.line = strconv.AppendUint(append(c.line, ", "...), m.Missing, 10)
		c.line = append(c.line, " octets not captured"...)
	}
	if u != nil {
		c.line = text.AppendUpper(append(c.line, "; "...), u)
	}
	c.add(m.LastFrame, message)
}

// frames appends the frames of what has several.
func (c *Comments) frames(o *record.Origin) {
	if o.Frame != o.LastFrame {
		c.line = o.Conn.Frames.AppendNamed(append(c.line, ", "...), &o.Span)
	}
}

func (c *Comments) startupFrame(f *record.Startup) {
	c.begin(&f.Origin)
	c.line = c.describer.AppendStartupFrame(append(c.line, f.Name()...), f)
	c.frames(&f.Origin)
	c.add(f.LastFrame, message)
}

// segment adds a comment only if the segment cannot be decoded.
func (c *Comments) segment(s *record.Segment) {
	if s.Err != nil {
		c.begin(&s.Origin)
		c.line = append(append(c.line, "an FPDU ends within its headers: "...), s.Err.Error()...)
		c.add(s.LastFrame, finding)
	}
}

func (c *Comments) note(n *record.Note) {
	c.begin(&n.Origin)
	c.line = text.AppendNoteText(c.line, n)
	c.add(n.LastFrame, finding)
}

func (c *Comments) finding(f *record.Finding) {
	c.begin(&f.Origin)
	c.line = append(append(c.line, f.Severity.String()...), ' ')
	c.line = append(append(c.line, f.ID...), " ("...)
	c.line = append(append(c.line, f.Name...), "): "...)
	c.line = printable.Append(c.line, f.Text)
	c.add(f.LastFrame, finding)
}

func (c *Comments) verdict(v *record.Verdict) {
	c.beginConn(v.Conn)
	c.line = printable.Append(append(c.line, ": "...), v.Text)
	c.add(cmp.Or(v.At.Frame, v.Conn.LastFrame), finding)
}
