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
		if !f.IsExported() {
			continue
		}
		v := fields.FieldByIndex(f.Index)
		if options == "omitempty" && v.IsZero() {
			continue
		}
		j.out.WriteString(separator + "\n  \"" + key + "\": ")
		separator = ","
		err := error(nil)
		switch {
		case key == "connections" && r.all != nil:
			err = j.list(func(yield func(any) error) error {
				return r.all.All(func(_ uint64, b []byte) error { return yield(json.RawMessage(b)) })
			})
		case v.Kind() == reflect.Slice && v.Len() > 0:
			err = j.list(func(yield func(any) error) (err error) {
				for i := 0; i < v.Len() && err == nil; i++ {
					err = yield(v.Index(i).Interface())
				}
				return err
			})
		default:
			err = j.value(v.Interface(), "  ")
		}
		if err != nil {
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

// list writes an array of one element or more, element by element.
func (j *indented) list(each func(yield func(any) error) error) error {
	separator := "["
	if err := each(func(v any) error {
		j.out.WriteString(separator + "\n    ")
		separator = ","
		return j.value(v, "    ")
	}); err != nil {
		return err
	}
	_, err := j.out.WriteString("\n  ]")
	return err
}

// value writes a value on the line that was begun; further lines begin with indent.
func (j *indented) value(v any, indent string) error {
	j.text.Reset()
	if text, ok := v.(json.RawMessage); ok {
		if err := json.Indent(&j.text, text, indent, "  "); err != nil {
			return err
		}
	} else {
		j.encoder.SetIndent(indent, "  ")
		if err := j.encoder.Encode(v); err != nil {
			return err
		}
	}
	j.escaped = printable.AppendJSON(j.escaped[:0], bytes.TrimSuffix(j.text.Bytes(), []byte("\n")))
	_, err := j.out.Write(j.escaped)
	return err
}
