// Package jsonl writes a line with a JSON object for each message and each MPA frame of iWARP connections, in the form
// that docs/json.md describes.
//
//	encoder := jsonl.New(os.Stdout, jsonl.Options{})
//	engine := dissect.NewEngine(encoder, dissect.Options{Analysis: &judge.Options{}})
//	err := engine.Run(ctx, capture)
//	err = encoder.Flush()
//
// The fields of headers come from the protocols' field tables, under Wireshark's names without the protocol. An
// [Encoder] is a record.Sink. It allocates nothing per object.
package jsonl

import (
	"encoding/json"
	"io"
	"net/netip"
	"strconv"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// Schema names the form of the objects about messages.
const Schema = "iwarp.decode/1"

// Options choose what objects hold. The zero value stands for the defaults.
type Options struct {
	View show.View // what objects are about; default text.Messages
	File string    // name of the capture, for a key "file" in every object; empty for none
}

// An Encoder writes an object for each MPA frame and each message, or for each transaction.
type Encoder struct {
	show.Output
	about show.View
	in    flow.Frames // of the object being written
	head  []byte      // what every object begins with

	line []byte // the object being written
	view record.View
}

// New returns an Encoder that writes to w.
func New(w io.Writer, o Options) *Encoder {
	e := &Encoder{Output: show.NewOutput(w), about: o.View}
	e.head = []byte(`{"schema":"` + schemas[o.View] + `"`)
	if o.File != "" {
		name, _ := json.Marshal(o.File) // a string can be marshalled, valid UTF-8 or not
		e.head = printable.AppendJSON(append(e.head, `,"file":`...), name)
	}
	return e
}

// begin begins an object with what every event has.
func (e *Encoder) begin(o *record.Origin, name string) {
	e.line, e.in = append(e.line[:0], e.head...), o.Conn.Frames
	e.span("", &o.Span)
	e.conn(o.Conn, o.Dir)
	e.text("type", name)
}

// conn appends a connection, a direction, and the addresses of who sends and who receives.
func (e *Encoder) conn(c *flow.Conn, d flow.Direction) {
	e.number("conn", uint64(c.ID))
	if a := c.Association; a != nil {
		e.number("stream", uint64(a.Stream))
	}
	e.text("dir", d.String())
	e.address("src", c.Peer(d))
	e.address("dst", c.Peer(1-d))
}

func (e *Encoder) end() {
	e.line = append(e.line, '}', '\n')
	e.Write(e.line) // Err returns its error
}

// Record implements record.Sink.
func (e *Encoder) Record(r *record.Record) {
	switch {
	case e.about != show.Messages:
		for _, t := range r.Over {
			e.over(t)
		}
	case r.Kind == record.KindStartup:
		e.startupFrame(r.Startup)
		e.marks(r)
		e.end()
	case r.Kind == record.KindMessage:
		e.message(r.Message)
		e.marks(r)
		e.end()
	}
}

func (e *Encoder) message(m *record.Message) {
	e.begin(&m.Origin, m.Opcode.String())
	e.number("len", m.Len)
	e.number("segments", uint64(m.Segments))
	e.flag("complete", m.Complete)
	if m.Conn.Transport() == flow.OverTCP {
		e.text("crc", m.CRC.String())
	}
	if m.BadCRCs > 0 {
		e.number("bad_crcs", uint64(m.BadCRCs))
	}
	if m.Missing > 0 {
		e.number("missing", m.Missing)
	}
	e.view.Lay(m)
	e.headers(e.view.Parts, e.view.Remarks(m))
}

func (e *Encoder) startupFrame(f *record.Startup) {
	e.begin(&f.Origin, f.Name())
	e.number("len", uint64(f.MPA.ULPPrivateDataLen()))
	e.number("segments", 0)
	e.flag("complete", len(f.MPA.PrivateData) == int(f.MPA.PDLength))
	e.view.Lay(f)
	parts := e.view.Parts
	if private := f.Private; private != nil {
		last := len(parts) - 1
		e.headers(parts[:last], nil)
		e.text("private_ulp", private.ULP)
		e.flag("private_little_endian", private.LittleEndian)
		parts = parts[last:]
	}
	e.headers(parts, nil)
}

// headers appends the fields of headers: those that a Terminate carries back in an object of their own.
func (e *Encoder) headers(parts []field.Part, remarks []record.Remark) {
	carried := false
	for i := range parts {
		p := &parts[i]
		if p.Carried != carried {
			carried = p.Carried
			if carried {
				e.key("terminated")
				e.line = append(e.line, '{')
			} else {
				e.line = append(e.line, '}')
			}
		}
		for j := range p.Table.Fields {
			if f := &p.Table.Fields[j]; f != p.Omit {
				e.field(p, f)
			}
		}
		for _, r := range remarks {
			if r.Part == i && r.Key != "" {
				e.text(r.Key, r.Value)
			}
		}
	}
	if carried {
		e.line = append(e.line, '}')
	}
}

// key appends a key, after a comma unless it is the first of its object.
func (e *Encoder) key(name string) {
	if e.line[len(e.line)-1] != '{' {
		e.line = append(e.line, ',')
	}
	e.line = append(e.line, '"')
	e.line = append(e.line, name...)
	e.line = append(e.line, '"', ':')
}

func (e *Encoder) number(name string, v uint64) {
	e.key(name)
	e.line = strconv.AppendUint(e.line, v, 10)
}

func (e *Encoder) flag(name string, v bool) {
	e.key(name)
	e.line = strconv.AppendBool(e.line, v)
}

// text appends a string that needs no escapes.
func (e *Encoder) text(name, s string) {
	e.key(name)
	e.line = append(e.line, '"')
	e.line = append(e.line, s...)
	e.line = append(e.line, '"')
}

// time appends a time in nanoseconds since 1970-01-01 UTC as a string.
func (e *Encoder) time(ns int64) {
	e.line = append(e.line, '"')
	e.line = time.Unix(0, ns).UTC().AppendFormat(e.line, "2006-01-02T15:04:05.000000000Z")
	e.line = append(e.line, '"')
}

func (e *Encoder) address(name string, a netip.AddrPort) {
	e.key(name)
	e.line = append(a.AppendTo(append(e.line, '"')), '"')
}

// field appends a field of a part, if it was captured to its end.
func (e *Encoder) field(p *field.Part, f *field.Field) {
	name := f.Name[len(p.Table.Proto)+1:]
	if f.Base == field.Octets {
		e.key(name)
		e.line = append(e.line, '"')
		e.line = f.AppendValue(e.line, p.Octets)
		e.line = append(e.line, '"')
		return
	}
	v, ok := p.Value(f)
	if !ok {
		return
	}
	switch {
	case f.Base == field.Flag:
		e.flag(name, v != 0)
	case f.Base != field.Dec && f.Width > 16:
		e.key(name)
		e.line = append(e.line, '"')
		e.line = f.AppendNumber(e.line, v)
		e.line = append(e.line, '"')
	default:
		e.number(name, v)
	}
	if f.Names != nil {
		e.name(name, f.Names(v))
	}
}

// name appends what a value is called, if it is called anything.
func (e *Encoder) name(field, s string) {
	if s == "" {
		return
	}
	e.key(field)
	e.line = e.line[:len(e.line)-len(`":`)]
	e.line = append(e.line, `_name":"`...)
	e.line = append(e.line, s...)
	e.line = append(e.line, '"')
}
