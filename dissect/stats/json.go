package stats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/iwarpkit/iwarp/internal/printable"
)

// WriteJSON writes the Report as an indented JSON object, with escapes for what a terminal should not see. It
// writes long lists element by element, so that memory holds one element as text.
func (r *Report) WriteJSON(w io.Writer) error {
	j := newIndented(w)
	j.out.WriteByte('{')
	fields := reflect.ValueOf(r).Elem()
	separator := ""
	for _, f := range reflect.VisibleFields(fields.Type()) {
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		v := fields.FieldByIndex(f.Index)
		if options == "omitempty" && v.IsZero() {
			continue
		}
		j.out.WriteString(separator + "\n  \"" + key + "\": ")
		separator = ","
		if err := j.member(v); err != nil {
			return err
		}
	}
	j.out.WriteString("\n}\n")
	return j.out.Flush()
}

// An indented writes values as members of an object that is not indented.
type indented struct {
	out     *bufio.Writer
	text    bytes.Buffer // of one value
	encoder *json.Encoder
	escaped []byte
}

func newIndented(w io.Writer) *indented {
	j := &indented{out: bufio.NewWriterSize(w, 64<<10)}
	j.encoder = json.NewEncoder(&j.text)
	j.encoder.SetEscapeHTML(false)
	return j
}

// member writes the value of a member, a slice element by element.
func (j *indented) member(v reflect.Value) error {
	if v.Kind() != reflect.Slice || v.Len() == 0 {
		return j.value(v, "  ")
	}
	separator := "["
	for i := range v.Len() {
		j.out.WriteString(separator + "\n    ")
		separator = ","
		if err := j.value(v.Index(i), "    "); err != nil {
			return err
		}
	}
	_, err := j.out.WriteString("\n  ]")
	return err
}

// value writes a value on the line that was begun; further lines begin with indent.
func (j *indented) value(v reflect.Value, indent string) error {
	j.text.Reset()
	j.encoder.SetIndent(indent, "  ")
	if err := j.encoder.Encode(v.Interface()); err != nil {
		return err
	}
	j.escaped = printable.AppendJSON(j.escaped[:0], bytes.TrimSuffix(j.text.Bytes(), []byte("\n")))
	_, err := j.out.Write(j.escaped)
	return err
}
