package outcome

import (
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Layer says what kind of header a Diff compares.
type Layer uint8

// The layers.
const (
	Stream Layer = iota // octets of the TCP stream, without any header
	Frame               // an MPA Request or Reply
	FPDU                // ULPDU_Length, and the headers of the ULPDU
	ULPDU               // DDP and RDMAP headers
)

// MaxExcerpt is the most octets that an Excerpt has.
const MaxExcerpt = 64

// MaxHeader is the most octets of a header that are shown: enough for a Terminate and all that it encloses.
const MaxHeader = 128

// A Diff shows where what came differs from what was expected.
type Diff struct {
	Layer            Layer
	Expected, Actual []byte // the headers, without payload; nil if there is none
	Want, Got        Excerpt
}

// An Excerpt is the octets of a payload around the first one that differs.
type Excerpt struct {
	From   int    // offset of Octets in the payload
	Octets []byte // at most MaxExcerpt
	Any    []bool // for each octet: it may be anything; nil if none may
	Length int    // of the whole payload in octets; -1 if there is no bound
}

// NewExcerpt returns the octets of a payload around offset at, from an offset that is divisible by 16. mask, which may be
// nil, is Any for the whole payload; length is Length.
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

// String returns the octets in hexadecimal, in groups of four; "??" stands for what may be anything.
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

// A Field is a header field as expected and as it came.
type Field struct {
	Header   string `json:"header"` // "DDP tagged header"
	Name     string `json:"name"`   // "STag"
	Filter   string `json:"filter"` // the name in display filters: "iwarp_ddp.stag"
	Expected string `json:"expected"`
	Actual   string `json:"actual"` // like Expected: empty if the field is not there
	Differs  bool   `json:"differs"`
}

// Fields returns the header fields of both sides in the order of the wire. Fields that only came follow those that were
// expected.
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

// find returns the index of the field with the header and the name of w, or -1.
func find(fields []Field, w *Field) int {
	for i := range fields {
		if fields[i].Header == w.Header && fields[i].Name == w.Name {
			return i
		}
	}
	return -1
}

// fields returns the fields of one header, with their values in Actual.
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
	f.Decode(header) // as far as it goes
	all := walk(nil, &field.Part{
		Table: f.Fields(), Octets: header, Omit: f.Fields().Lookup("iwarp_mpa.privatedata"), // it is the payload
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

func walk(all []Field, p *field.Part) []Field {
	for f := range p.Fields() {
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
