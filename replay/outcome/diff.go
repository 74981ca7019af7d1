package outcome

import (
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Layer says what the header in a Diff is one of.
type Layer uint8

// The layers.
const (
	Stream Layer = iota // octets of the TCP stream, without any header
	Frame               // an MPA Request or Reply
	FPDU                // ULPDU_Length, and the headers of the ULPDU behind it
	ULPDU               // DDP and RDMAP headers
)

// MaxExcerpt is how many octets an Excerpt has at most.
const MaxExcerpt = 64

// MaxHeader is how many octets of a header are shown at most. That is enough for a Terminate and all that it encloses.
const MaxHeader = 128

// A Diff is where what came differs from what was expected.
type Diff struct {
	Layer            Layer
	Expected, Actual []byte // the headers, without payload; nil where nothing is there
	Want, Got        Excerpt
}

// An Excerpt is some octets of a payload, about the first that differs.
type Excerpt struct {
	From   int    // offset of the first of them in the payload
	Octets []byte // at most MaxExcerpt
	Any    []bool // of each: it may be anything; nil if none may
	Length int    // of the payload in all; -1 if there is no bound
}

// NewExcerpt is the octets of a payload about an offset, from an offset that is divisible by 16. mask, which may be nil,
// tells of each octet whether it may be anything.
func NewExcerpt(payload []byte, mask []bool, at, length int) Excerpt {
	from := max(0, at-16) &^ 15
	from = min(from, len(payload)&^15)
	to := min(len(payload), from+MaxExcerpt)
	e := Excerpt{From: from, Length: length, Octets: append([]byte{}, payload[from:to]...)}
	if mask != nil {
		e.Any = append([]bool{}, mask[from:to]...)
	}
	return e
}

// String is the octets in hexadecimal, by a blank before each fourth. What may be anything is "??".
func (e *Excerpt) String() string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i, o := range e.Octets {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		if e.Any != nil && e.Any[i] {
			b.WriteString("??")
			continue
		}
		b.WriteByte(digits[o>>4])
		b.WriteByte(digits[o&15])
	}
	return b.String()
}

// A Field is a header field on both sides.
type Field struct {
	Header   string `json:"header"` // "DDP tagged header"
	Name     string `json:"name"`   // "STag"
	Filter   string `json:"filter"` // the name in display filters: "iwarp_ddp.stag"
	Expected string `json:"expected"`
	Actual   string `json:"actual"` // of either: empty if the field is not there
	Differs  bool   `json:"differs"`
}

// Fields are the header fields of both sides, in the order of the wire. A field that only one side has follows those of
// the other.
func (d *Diff) Fields() []Field {
	want, got := d.fields(d.Expected), d.fields(d.Actual)
	all := make([]Field, 0, len(want)+len(got))
	used := make([]bool, len(got))
	next := 0
	for _, w := range want {
		w.Expected, w.Actual = w.Actual, ""
		if i := next + find(got[next:], &w); i >= next {
			w.Actual = got[i].Actual
			used[i] = true
			next = i + 1
		}
		all = append(all, w)
	}
	for i, g := range got {
		if !used[i] {
			all = append(all, g)
		}
	}
	for i := range all {
		all[i].Differs = all[i].Expected != all[i].Actual
	}
	return all
}

// find is the index of the field that has the header and the name of w; -1 if there is none.
func find(fields []Field, w *Field) int {
	for i := range fields {
		if fields[i].Header == w.Header && fields[i].Name == w.Name {
			return i
		}
	}
	return -1
}

// fields are those of one header, their values in Actual.
func (d *Diff) fields(header []byte) []Field {
	switch d.Layer {
	case Frame:
		return frameFields(header)
	case FPDU:
		all := walk(nil, &field.Part{Table: mpa.FPDUFields, Octets: header})
		if len(header) > mpa.FPDUFields.Len() {
			all = append(all, ulpduFields(header[mpa.FPDUFields.Len():])...)
		}
		return all
	case ULPDU:
		return ulpduFields(header)
	}
	return nil
}

func frameFields(header []byte) []Field {
	if len(header) == 0 {
		return nil
	}
	var f mpa.Frame
	f.Decode(header) // what is not there is not shown
	all := walk(nil, &field.Part{
		Table: f.Fields(), Octets: header, Omit: f.Fields().Lookup("iwarp_mpa.privatedata"), // that is the payload
	})
	if f.Enhanced(new(mpa.Enhanced)) {
		all = walk(all, &field.Part{Table: mpa.EnhancedFields, Octets: f.PrivateData})
	}
	return all
}

func ulpduFields(header []byte) (all []Field) {
	var room [rdmap.MaxParts]field.Part
	parts := rdmap.AppendLayout(room[:0], header, len(header))
	for i := range parts {
		all = walk(all, &parts[i])
	}
	return all
}

// walk appends the fields of a part.
func walk(all []Field, p *field.Part) []Field {
	for f := range p.Fields {
		value := p.AppendValue(nil, f)
		if len(value) == 0 {
			continue
		}
		text := string(value)
		if v, ok := p.Value(f); ok && f.Names != nil {
			if name := f.Names(v); name != "" {
				text += " " + name
			}
		}
		all = append(all, Field{Header: p.Table.Name, Name: f.Label, Filter: f.Name, Actual: text})
	}
	return all
}
