package csv

// Cells: how values are written.

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/show/table"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// commas are the ends of empty cells.
const commas = ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,"

// empty ends n cells.
func (e *Encoder) empty(n int) {
	for ; n > len(commas); n -= len(commas) {
		e.line = append(e.line, commas...)
	}
	e.line = append(e.line, commas[:n]...)
}

func (e *Encoder) cell(c *table.Cell) {
	b := e.line
	switch e.columns[c.Column].Type {
	case table.Number:
		b = appendNumber(b, c.Field, c.Number)
	case table.Identifier:
		b = strconv.AppendUint(append(b, "0x"...), c.Number, 16)
	case table.Flag:
		b = strconv.AppendBool(b, c.Number != 0)
	case table.Text:
		b = appendText(b, c.Text)
	case table.Octets:
		b = hex.AppendEncode(b, c.Text)
	case table.Time:
		b = time.Unix(0, int64(c.Number)).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
	case table.Since:
		b = appendSeconds(b, int64(c.Number))
	case table.Duration:
		b = strconv.AppendFloat(b, float64(c.Number)/1e9, 'f', -1, 64)
	}
	e.line = append(b, ',')
}

// appendNumber appends the value of a field: hexadecimal if it is shown so and has more than 16 bits, for tools that
// read numbers lose the last bits of such.
func appendNumber(dst []byte, f *field.Field, v uint64) []byte {
	if f != nil && f.Base == field.Hex && f.Width > 16 {
		return f.AppendNumber(dst, v)
	}
	return strconv.AppendUint(dst, v, 10)
}

// appendText appends text that may come from a capture.
func appendText(dst, s []byte) []byte {
	from := len(dst)
	if len(s) > 0 && isFormula(s[0]) {
		dst = append(dst, '\'')
	}
	return quoted(printable.Append(dst, s), from)
}

// isFormula reports whether spreadsheets take what begins with an octet for a formula. Tabs and carriage returns, after
// which they do so too, are escaped.
func isFormula(first byte) bool {
	switch first {
	case '=', '+', '-', '@':
		return true
	}
	return false
}

// quoted puts what begins at from into quotes if it needs them.
func quoted(b []byte, from int) []byte {
	quotes, special := 0, false
	for _, c := range b[from:] {
		if c == '"' {
			quotes++
		}
		special = special || c == ',' || c == '"'
	}
	if !special {
		return b
	}
	last := len(b) - 1
	for range quotes + 2 {
		b = append(b, '"')
	}
	to := len(b) - 2 // the last one is in its place
	for i := last; i >= from; i-- {
		b[to] = b[i]
		to--
		if b[i] == '"' {
			b[to] = '"'
			to--
		}
	}
	b[to] = '"'
	return b
}

// appendSeconds appends a duration in nanoseconds as seconds with 9 decimals.
func appendSeconds(dst []byte, ns int64) []byte {
	if ns < 0 {
		dst = append(dst, '-')
	}
	abs := uint64(max(ns, -ns))
	dst = append(strconv.AppendUint(dst, abs/1e9, 10), '.')
	for unit := uint64(1e8); unit > 0; unit /= 10 {
		dst = append(dst, '0'+byte(abs/unit%10))
	}
	return dst
}
