// Package ladder draws one iWARP connection as a ladder: an upright for each end, and an arrow for each message.
//
//	TIME       FRAMES    client 10.0.0.1:43140                  server 10.0.0.2:7174
//	  2.092827 16        |--- Send 16 octets MSN=1 -------------------------------->|
//	  2.094989 17        |<-- ReadRequest #1 MSN=1 SinkSTag=0xb562f300 -------------|
//	                     |    SinkTO=0x00005588e0703940 RDMARDSZ=64 ...             |
//	  2.095949 18        |--- ReadResponse #1 64 octets, 960 us after frame 17 ---->|
//	                     |                     ... 2.1 s ...                        |
//
// A request and its response have the same number, the MSN of a Read Request or the Request Identifier of an Atomic;
// both ends may use the same number. Findings stand below their message. Messages that repeat,
// of one kind or of several in turn, are folded into one arrow for each kind, and a silence is shown as a gap.
//
// A [Ladder] is a record.Sink. It keeps only what it draws next, and findings that came too late for an arrow.
package ladder

import (
	"cmp"
	"io"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// Options choose what is drawn and how. The zero value stands for the first connection, in plain text of 80 columns.
type Options struct {
	Conn    int          // number of the connection, or First
	Width   int          // characters in a line; default 80, at least LeastWidth, at most MostWidth
	All     bool         // every message gets an arrow: none are folded
	Unicode bool         // draw with lines and arrowheads instead of plain ASCII
	Clock   *show.Clock  // prints times; nil for seconds since the first packet of the capture
	Palette text.Palette // colours

	// Kernel returns the lines of a kernel's log that concern a connection, from a time up to another; nil if there is no log.
	Kernel func(c *flow.Conn, from, to int64) []kernlog.Line
}

// First stands for the number of the first connection that has a message or something else that a filter can pick. Notes
// and ends do not count: a filter passes them on for all connections.
const First = -1

// The limits of Options.Width, in characters.
const (
	LeastWidth = 60
	MostWidth  = 4096
)

const (
	defaultWidth = 80
	gap          = time.Second // time without messages that is shown
)

// A Ladder draws one connection, and lists all of them.
type Ladder struct {
	sheet

	show.Output
	opts Options
	list list

	conn    *flow.Conn // the drawn one; nil before it begins and after it has ended
	begun   bool
	matched bool         // it had something that a filter can pick
	agreed  bool         // the agreement was drawn
	sources flow.Sources // those that were drawn
	ended   bool

	first     uint64        // the first frame of the first event
	latest    int64         // time of the latest packet that was drawn; 0 if none has one
	logged    int64         // up to this time the kernel's log was drawn; 0 if none was
	late      []record.Mark // findings without an arrow, which are drawn at the end
	fold      fold
	left      left
	verdict   string // once it is known
	describer text.Describer
	label     []byte // of the arrow being drawn
	terms     []byte // of the remark about the agreement
	rows      []byte // being drawn
}

// New returns a Ladder that writes to w.
func New(w io.Writer, o Options) *Ladder {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	o.Width = min(max(o.Width, LeastWidth), MostWidth)
	return &Ladder{Output: show.NewOutput(w), opts: o}
}

// Found reports whether the connection was found.
func (l *Ladder) Found() bool { return l.begun }

// Matched reports whether the connection had anything that a filter can pick.
func (l *Ladder) Matched() bool { return l.matched }

// Connections returns up to 10000 of the connections that have ended, in the order of their numbers, and how many more
// there are. Once the Engine was closed, all have ended.
func (l *Ladder) Connections() (all []Connection, more int) {
	return l.list.all, l.list.n - len(l.list.all)
}

// wanted reports whether an event, one that a filter can pick, belongs to the connection that is drawn, and begins with it.
func (l *Ladder) wanted(o *record.Origin) bool {
	if l.opts.Conn == First {
		l.opts.Conn = o.Conn.ID
	}
	here := l.concerned(o)
	l.matched = l.matched || here
	return here
}

// concerned is wanted for events about the connection itself, which no filter picks.
func (l *Ladder) concerned(o *record.Origin) bool {
	if o.Conn.ID != l.opts.Conn || l.ended {
		return false
	}
	l.begin(o.Conn, o.Span)
	return true
}

// begin writes the heading of the ladder, which begins with an event of the given packets.
func (l *Ladder) begin(c *flow.Conn, s flow.Span) {
	if l.begun {
		return
	}
	l.begun, l.conn, l.first = true, c, s.Frame
	if l.opts.Clock == nil {
		l.opts.Clock = &show.Clock{Start: cmp.Or(c.Begin, s.Time)}
	}
	l.sheet = newSheet(&l.opts, c.Frames, &s)
	l.rows = l.appendTitle(l.rows[:0], c)
	l.write()
}

// write writes the rows that were drawn.
func (l *Ladder) write() {
	l.Write(l.rows) // Err returns its error
	l.rows = l.rows[:0]
}

// advance draws the gap between the latest event and the next one.
func (l *Ladder) advance(s *flow.Span) {
	l.agree()
	l.log(s.LastTime)
	if quiet := s.Time - l.latest; l.latest != 0 && s.Time != 0 && quiet >= int64(gap) {
		l.close()
		l.rows = l.appendGap(l.rows, quiet)
		l.write()
	}
	l.latest = max(l.latest, s.LastTime)
}

// enter draws the name of the file in which frames begin, where it is another one.
func (l *Ladder) enter(s *flow.Span) { l.rows = l.appendFile(l.rows, s) }

// log draws the lines of the kernel's log before a time.
func (l *Ladder) log(to int64) {
	if l.opts.Kernel == nil || to <= l.logged {
		return
	}
	from := cmp.Or(l.logged, to-int64(kernlog.After))
	for _, line := range l.opts.Kernel(l.conn, from, to) {
		l.close()
		words := printable.Append([]byte("kernel: "), line.Text)
		l.rows = l.appendRemark(l.rows, &flow.Span{Time: line.Time}, l.opts.Palette.Mark, words)
		l.write()
	}
	l.logged = to
}

// Record implements record.Sink.
func (l *Ladder) Record(r *record.Record) {
	if r.Kind == record.KindEnd {
		l.end(r)
		return
	}
	malformed := r.Kind == record.KindSegment && r.Segment.Err != nil
	if r.Kind == record.KindStartup || r.Kind == record.KindMessage || malformed ||
		len(r.Findings) > 0 || len(r.Over) > 0 || r.Upper != nil {
		if !l.wanted(&r.Origin) {
			return
		}
	}
	for _, t := range r.Over {
		l.left.over(t)
	}
	switch {
	case r.Kind == record.KindStartup:
		l.startupFrame(r)
		return
	case r.Kind == record.KindMessage:
		l.exchanged(r)
		return
	case r.Kind == record.KindNote && l.concerned(&r.Origin):
		l.label = text.AppendNoteText(l.label[:0], r.Note)
		l.remark(&r.Origin, l.opts.Palette.Mark)
	case malformed:
		l.malformed(r.Segment)
	}
	for i := range r.Marks {
		l.keep(&r.Marks[i])
	}
}

// malformed draws a segment that cannot be decoded.
func (l *Ladder) malformed(s *record.Segment) {
	what := "An FPDU"
	if s.Conn.Transport() == flow.OverSCTP {
		what = "A DDP segment"
	}
	l.label = append(append(append(l.label[:0], what...), " ends within its headers: "...), s.Err.Error()...)
	l.remark(&s.Origin, l.opts.Palette.Mark)
}

// maxLate is how many findings without an arrow are kept.
const maxLate = 256

// keep holds a finding without an arrow until the end.
func (l *Ladder) keep(m *record.Mark) {
	if len(l.late) == maxLate {
		l.loose(&l.late[0].Finding)
		l.late = slices.Delete(l.late, 0, 1)
	}
	l.late = append(l.late, *m)
}

// loose draws a finding that is about no message.
func (l *Ladder) loose(f *record.Finding) {
	if !l.told(f) {
		l.label = appendFinding(l.label[:0], f)
		l.remark(&f.Origin, l.opts.Palette.Findings[f.Severity])
	}
}

// remark draws the label beside the packets that it is about, unless that is the whole connection.
func (l *Ladder) remark(o *record.Origin, style text.Style) {
	l.close()
	at := &o.Span
	if at.Frame < l.first {
		at = nil
	} else {
		l.advance(at)
		l.enter(at)
	}
	l.rows = l.appendRemark(l.rows, at, style, l.label)
	l.write()
}
