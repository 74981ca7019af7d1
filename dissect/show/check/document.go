package check

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/spool"
)

// Schema names the form of a Document.
const Schema = "iwarp.check/2"

// A Document writes one JSON document: the findings as they come, then the connections by their numbers, then how many
// there are of each. Until then the connections wait in memory or, if there are very many, in a temporary file.
type Document struct {
	Summary

	out         *bufio.Writer
	encoder     encoder
	findings    bool        // there was one
	connections spool.Spool // as JSON
}

// A Head is what a Document begins with.
type Head struct {
	Files   []string `json:"files"`
	Profile string   `json:"profile"` // by which is judged
	Filter  string   `json:"filter"`  // that picked what is told; left out if empty
}

// NewDocument returns a Document that writes to w.
func NewDocument(w io.Writer, h Head) *Document {
	d := &Document{out: bufio.NewWriterSize(w, 16<<10)}
	d.write(`{"schema": "` + Schema + `", "files": `)
	d.value(h.Files)
	d.write(`, "profile": `)
	d.value(h.Profile)
	if h.Filter != "" {
		d.write(`, "filter": `)
		d.value(h.Filter)
	}
	d.write(`, "findings": [`)
	return d
}

// Err returns the first error that writing has met; nothing is written after it.
func (d *Document) Err() error {
	_, err := d.out.Write(nil)
	return err
}

// Record implements record.Sink.
func (d *Document) Record(r *record.Record) {
	for _, f := range r.Findings {
		d.finding(f)
		d.element(!d.findings, d.encoder.encode(NewFinding(f)))
		d.findings = true
	}
	if v := r.Verdict; v != nil {
		d.verdict(v)
		c := NewConnection(v)
		d.connections.Add(uint64(c.Conn), d.encoder.encode(&c))
	}
}

// Finish writes the rest. damage is what was wrong with files that could be read in part only. It returns the first
// error that writing has met.
func (d *Document) Finish(damage []string) error {
	defer d.connections.Close()
	d.write("\n], \"connections\": [")
	again := d.again()
	first := true
	if err := d.connections.All(func(conn uint64, b []byte) error {
		if next := again[int(conn)]; next != nil {
			var c Connection
			if err := json.Unmarshal(b, &c); err != nil {
				return err
			}
			c.Verdict.Next = next
			b = d.encoder.encode(&c)
		}
		d.element(first, b)
		first = false
		return d.Err()
	}); err != nil {
		return err
	}
	d.write("\n], \"summary\": ")
	d.value(newSummary(&d.Summary))
	if damage == nil {
		damage = []string{}
	}
	d.write(`, "damage": `)
	d.value(damage)
	d.write("}\n")
	return d.out.Flush()
}

// element writes an element of an array on a line of its own.
func (d *Document) element(first bool, b []byte) {
	if !first {
		d.write(",")
	}
	d.write("\n  ")
	d.out.Write(b)
}

// value writes v on the line that was begun.
func (d *Document) value(v any) { d.out.Write(d.encoder.encode(v)) } // its error stays in d.out

func (d *Document) write(s string) { d.out.WriteString(s) }

// An encoder encodes values as JSON, in memory that it uses again. The zero value is ready for use.
type encoder struct {
	json    *json.Encoder // to text
	text    bytes.Buffer
	escaped []byte
}

// encode encodes a value, which has nothing that JSON has not, with escapes for what a terminal should not see. The result is valid until
// the next call.
func (e *encoder) encode(v any) []byte {
	if e.json == nil {
		e.json = json.NewEncoder(&e.text)
		e.json.SetEscapeHTML(false)
	}
	e.text.Reset()
	if err := e.json.Encode(v); err != nil {
		panic(err)
	}
	e.escaped = printable.AppendJSON(e.escaped[:0], bytes.TrimSuffix(e.text.Bytes(), []byte{'\n'}))
	return e.escaped
}

// seconds is a time span in JSON.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// clock is a time in JSON; null if it is not known.
func clock(ns int64) *time.Time {
	if ns == 0 {
		return nil
	}
	return new(time.Unix(0, ns).UTC())
}

// known is null unless there is something to say.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
