// Package text prints what happens on iWARP connections, one line for each message.
//
//	2.076245   0 c2s  MPARequest             0  12         10.0.0.1:43140 > 10.0.0.2:7174 Rev=2 ...
//	2.092827   0 c2s  Send                  16  16         MSN=1
//	2.104713   0 s2c  Write                 64  21         STag=0x00004f01 TO=0x000055d0c0de1000
//
// The columns are: time, connection, direction, message, octets of ULP payload (of ULP Private Data for an MPA frame),
// first and last frame, the header fields that matter for the message, the message of an upper layer that it ends, and
// in brackets what is wrong with it. Fields come from the protocols' field tables, with their names in the RFCs,
// without spaces.
//
// A [Printer] is a record.Sink. It allocates nothing per line.
package text

import (
	"io"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// Options choose how lines look. The zero value is plain text with times in UTC.
type Options struct {
	View    show.View   // what lines are about; default Messages
	Clock   *show.Clock // prints times; nil for UTC
	Palette Palette     // colours
	Header  bool        // begin with a line that names the columns
}

// A Printer writes a line for each MPA frame and each message, or for each transaction.
type Printer struct {
	show.Output
	opts Options

	line []byte // of the event being printed
	view record.View
}

// New returns a Printer that writes to w.
func New(w io.Writer, o Options) *Printer {
	if o.Clock == nil {
		o.Clock = &show.Clock{Form: show.UTC}
	}
	p := &Printer{Output: show.NewOutput(w), opts: o}
	if o.Header {
		p.header()
	}
	return p
}

// Record implements record.Sink.
func (p *Printer) Record(r *record.Record) {
	switch {
	case p.opts.View != show.Messages:
		for _, t := range r.Over {
			p.over(t)
		}
	case r.Kind == record.KindStartup:
		p.startupFrame(r.Startup, r)
	case r.Kind == record.KindMessage:
		p.message(r.Message, r)
	}
}

func (p *Printer) message(m *record.Message, r *record.Record) {
	p.begin(&m.Origin, m.Opcode.String(), p.opts.Palette.Message(m), m.Len)
	p.headers(m)
	if r.Upper != nil {
		p.upper(r.Upper)
	}
	p.line = show.AppendElsewhere(p.line, "  ", r)
	if !m.Complete {
		p.mark("incomplete")
	}
	if m.BadCRCs > 0 {
		p.mark("bad CRC")
	}
	if m.Missing > 0 {
		p.markCount(m.Missing, "octet", " not captured")
	}
	p.findings(r.Marks)
	p.end()
}

func (p *Printer) startupFrame(f *record.Startup, r *record.Record) {
	p.begin(&f.Origin, f.Name(), p.opts.Palette.MPA, uint64(f.MPA.ULPPrivateDataLen()))
	b := append(p.line, ' ')
	b = f.Conn.Peer(f.Dir).AppendTo(b)
	b = append(b, " > "...)
	p.line = f.Conn.Peer(1 - f.Dir).AppendTo(b)
	p.startup(f)
	p.line = show.AppendElsewhere(p.line, "  ", r)
	for _, remark := range p.view.Remarks(f) {
		if len(remark.Brief) > 0 {
			p.mark(string(remark.Brief))
		}
	}
	p.findings(r.Marks)
	p.end()
}

// over prints a transaction that is over, if it belongs to the view.
func (p *Printer) over(t *record.Transaction) {
	switch {
	case !p.opts.View.Shows(t):
	case p.opts.View == show.RPCs:
		p.detail(t)
	default:
		p.transaction(t)
	}
}

// detail prints an RPC: its result, what carried Call and Reply, and credits.
//
//	... NFSv3 READ: SUCCESS; Call 152 inline; Reply 128 inline, 4096 by Writes 14-17; credits 32/32
func (p *Printer) detail(t *record.Transaction) {
	p.beginTransaction(t)
	p.line = t.Upper.(ulp.Detailed).AppendDetail(p.line, t.Conn.Frames)
	p.end()
}

// transaction prints a transaction with the fields of its request, except for what stands in columns, or with its result.
func (p *Printer) transaction(t *record.Transaction) {
	p.beginTransaction(t)
	p.view.Lay(t)
	for i := range p.view.Parts {
		part := &p.view.Parts[i]
		for f := range part.Fields() {
			if v, _ := part.Value(f); !inColumn(t, f, v) {
				p.field(f, part.Octets, false)
			}
		}
	}
	if result := t.Result(); result != "" {
		p.line = printable.Append(append(p.line, ": "...), result)
	}
	p.end()
}

// inColumn reports whether a column has what a field says: the number or the name of the transaction.
func inColumn(t *record.Transaction, f *field.Field, v uint64) bool {
	return f.Names != nil && f.Names(v) == t.Name || f.Refers == field.ToRun && f.Base == field.Dec && v == t.ID
}
