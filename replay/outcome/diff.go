package outcome

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// A Layer is the kind of header that a Diff compares.
type Layer uint8

// The layers.
const (
	Stream Layer = iota // octets of the TCP stream, without any header
	Frame               // an MPA Request or Reply
	FPDU                // ULPDU_Length, and the headers of the ULPDU
	ULPDU               // DDP and RDMAP headers
)

// MaxExcerpt limits the octets of an Excerpt.
const MaxExcerpt = 64

// MaxHeader limits the shown octets of a header: enough for a Terminate with its enclosed headers.
const MaxHeader = 128

// MaxSend limits the octets of a Send whose upper layer is shown.
const MaxSend = 16 << 10

// A Diff shows the difference between expected and received octets.
type Diff struct {
	Layer            Layer
	Expected, Actual []byte // the headers, without payload; nil if absent
	Want, Got        Excerpt

	// ExpectedSend and ActualSend are the payload of a Send from its first octet on, at most MaxSend; nil for anything
	// else. Wildcards in ExpectedSend hold the octets of ActualSend.
	ExpectedSend, ActualSend []byte
}

// An Excerpt holds the octets of a payload around the first difference.
type Excerpt struct {
	From   int    // offset of Octets in the payload
	Octets []byte // at most MaxExcerpt
	Any    []bool // wildcards among the octets; nil if none
	Length int    // of the whole payload in octets; -1 if unbounded
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

// String returns the octets in hexadecimal, in groups of four; "??" stands for a wildcard.
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

// A Field is a header field as expected and as received.
type Field struct {
	Header   string `json:"header"` // "DDP tagged header"
	Name     string `json:"name"`   // "STag"
	Filter   string `json:"filter"` // the name in display filters: "iwarp_ddp.stag"
	Offset   int    `json:"offset"` // octets of the headers, or of the Send, before its first octet
	Length   int    `json:"length"` // number of octets that hold it, on the side that has it; the expected one if both have
	Expected string `json:"expected"`
	Actual   string `json:"actual"` // like Expected: empty if the field is absent
	Differs  bool   `json:"differs"`
}

// Fields returns the header fields of both sides in wire order, those of the upper layer in a Send after the
// others. Fields that were only received follow the expected ones.
func (d *Diff) Fields() []Field {
	return append(compared(d.headerFields(d.Expected), d.headerFields(d.Actual)), d.Upper()...)
}

// Upper returns the fields of the upper layer in a Send, as Fields does.
func (d *Diff) Upper() []Field {
	return compared(upperFields(d.ExpectedSend, d.Want.Length), upperFields(d.ActualSend, d.Got.Length))
}

// compared joins the fields of both sides.
func compared(want, got []Field) []Field {
	fields := make([]Field, 0, len(want)+len(got))
	used := make([]bool, len(got))
	next := 0
	for _, w := range want {
		w.Expected, w.Actual = w.Actual, ""
		if i := next + find(got[next:], &w); i >= next {
			w.Actual = got[i].Actual
			used[i] = true
			next = i + 1
		}
		fields = append(fields, w)
	}
	for i, g := range got {
		if !used[i] {
			fields = append(fields, g)
		}
	}
	for i := range fields {
		fields[i].Differs = fields[i].Expected != fields[i].Actual
	}
	return fields
}

// find returns the index of the field with the header and the name of w, or -1.
func find(fields []Field, w *Field) int {
	return slices.IndexFunc(fields, func(f Field) bool { return f.Header == w.Header && f.Name == w.Name })
}

// headerFields returns the fields of the headers of one side, with their values in Actual.
func (d *Diff) headerFields(header []byte) (fields []Field) {
	var v record.View
	switch {
	case len(header) == 0:
	case d.Layer == Frame:
		f := record.Startup{Octets: header}
		f.MPA.Decode(header) // as far as it goes
		parts := v.Lay(&f)[0].Parts
		parts[0].Omit = f.MPA.Fields().Lookup("iwarp_mpa.privatedata") // it is the payload
		return appendFields(nil, parts)
	case d.Layer == FPDU:
		table := mpa.FPDUFields
		fields = appendFields(nil, []field.Part{{Table: table, Octets: header}})
		return append(fields, ulpduFields(header[min(table.Len(), len(header)):], table.Len())...)
	case d.Layer == ULPDU:
		return ulpduFields(header, 0)
	}
	return nil
}

// ulpduFields returns the header fields of a ULPDU that begins at an offset in its layer.
func ulpduFields(header []byte, off int) []Field {
	var v record.View
	parts := v.Lay(&record.Message{Header: header, ULPDU: len(header)})[0].Parts[1:] // without ULPDU_Length
	for i := range parts {
		parts[i].Off += off - mpa.FPDUFields.Len()
	}
	return appendFields(nil, parts)
}

// upperFields returns the fields of the upper layer in a Send of at least the given length in octets, of which b is
// known; none if no upper layer recognises it. Their values are in Actual.
func upperFields(b []byte, length int) (fields []Field) {
	var v record.View
	for _, l := range all.Layers() {
		if l.Read == nil || len(b) == 0 {
			continue
		}
		if body := l.Read(b, uint64(max(length, len(b)))); body != nil {
			for _, layer := range v.Lay(body) {
				fields = appendFields(fields, layer.Parts)
			}
			return fields
		}
	}
	return nil
}

func appendFields(fields []Field, parts []field.Part) []Field {
	for i := range parts {
		p := &parts[i]
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
			fields = append(fields, Field{
				Header: p.Table.Name, Name: f.Label, Filter: f.Name, Actual: text,
				Offset: p.Off + f.Octet(), Length: f.End(len(p.Octets)) - f.Octet(),
			})
		}
	}
	return fields
}
