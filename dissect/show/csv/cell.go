package csv

// Cells: how values are written.

import (
	"strconv"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// row begins a row.
func (e *Encoder) row(c *record.Conn, s *record.Span) {
	e.line = append(e.line[:0], e.file...)
	e.in = c.Frames
	if e.files {
		file, _ := e.in.Place(s.Frame)
		e.text(file)
	}
}

// end writes the row. All its cells end with a comma; that of the last one is not written.
func (e *Encoder) end() {
	e.line[len(e.line)-1] = '\n'
	e.Write(e.line) // Err returns its error
	e.line = e.line[:0]
}

// cell writes what needs no quotes.
func (e *Encoder) cell(s string) { e.line = append(append(e.line, s...), ',') }

// commas are the ends of empty cells.
const commas = ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,"

// empty ends n cells.
func (e *Encoder) empty(n int) {
	for ; n > len(commas); n -= len(commas) {
		e.line = append(e.line, commas...)
	}
	e.line = append(e.line, commas[:n]...)
}

func (e *Encoder) number(v uint64) { e.line = append(strconv.AppendUint(e.line, v, 10), ',') }

func (e *Encoder) flag(v bool) { e.line = append(strconv.AppendBool(e.line, v), ',') }

func (e *Encoder) hex(v uint64) {
	e.line = append(strconv.AppendUint(append(e.line, "0x"...), v, 16), ',')
}

// appendNumber appends the value of a field: hexadecimal if it is shown so and has more than 16 bits, for tools that
// read numbers lose the last bits of such.
func appendNumber(dst []byte, f *field.Field, v uint64) []byte {
	switch {
	case f.Base == field.Flag:
		return strconv.AppendBool(dst, v != 0)
	case f.Base == field.Hex && f.Width > 16:
		return f.AppendNumber(dst, v)
	}
	return strconv.AppendUint(dst, v, 10)
}

// text writes text that may come from a capture.
func (e *Encoder) text(s string) {
	from := len(e.line)
	if s != "" && isFormula(s[0]) {
		e.line = append(e.line, '\'')
	}
	e.line = append(quoted(printable.Append(e.line, s), from), ',')
}

// isFormula reports whether spreadsheets take what begins with an octet for a formula. Tabs and carriage returns, behind
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

// span writes the frames of something, and when it began.
func (e *Encoder) span(s *record.Span) {
	for _, frame := range [...]uint64{s.Frame, s.LastFrame} {
		_, number := e.in.Place(frame)
		e.number(number)
	}
	if s.Time == 0 {
		e.empty(2)
		return
	}
	e.line = time.Unix(0, s.Time).UTC().AppendFormat(e.line, "2006-01-02T15:04:05.000000000Z,")
	e.seconds(s.Time - e.start(s.Time))
}

// start is where seconds begin.
func (e *Encoder) start(first int64) int64 {
	if e.clock == nil {
		e.clock = &show.Clock{Start: first}
	}
	return e.clock.Start
}

// seconds writes a duration in nanoseconds as seconds with 9 decimals.
func (e *Encoder) seconds(ns int64) {
	b := e.line
	if ns < 0 {
		b = append(b, '-')
	}
	abs := uint64(max(ns, -ns))
	b = strconv.AppendUint(b, abs/1e9, 10)
	b = append(b, '.')
	for unit := uint64(1e8); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(abs/unit%10))
	}
	e.line = append(b, ',')
}

// conn writes a connection, a direction, and the addresses of who sends and who receives.
func (e *Encoder) conn(c *record.Conn, d record.Direction) {
	e.number(uint64(c.ID))
	e.cell(d.String())
	e.line = append(c.Peer(d).AppendTo(e.line), ',')
	e.line = append(c.Peer(1-d).AppendTo(e.line), ',')
}
