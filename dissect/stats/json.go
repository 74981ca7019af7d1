package stats

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/iwarpkit/iwarp/dissect/internal/printable"
)

// WriteJSON writes the Report as an indented JSON object, with escapes for what a terminal should not see.
func (r *Report) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(printable.AppendJSON(nil, b.Bytes()))
	return err
}
