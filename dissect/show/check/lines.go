package check

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// Lines writes a line of JSON for each finding and each connection as they come, then one for each failed connection whose client
// connected again, and one for the summary. The objects are those of a Document.
type Lines struct {
	Summary

	out     *bufio.Writer
	encoder encoder
	head    []byte // `{"schema":"iwarp.check/2","files":["a.pcap"],"type":`
}

// NewLines returns Lines that write to w.
func NewLines(w io.Writer, h Head) *Lines {
	l := &Lines{out: bufio.NewWriterSize(w, 16<<10)}
	l.head = append(append([]byte(`{"schema":"`+Schema+`","files":`), l.encoder.encode(h.Files)...), `,"type":`...)
	return l
}

// Err returns the first error that writing has met; nothing is written after it.
func (l *Lines) Err() error {
	_, err := l.out.Write(nil)
	return err
}

// Record implements record.Sink.
func (l *Lines) Record(r *record.Record) {
	for _, f := range r.Findings {
		l.finding(f)
		l.line("finding", NewFinding(f))
	}
	if v := r.Verdict; v != nil {
		l.verdict(v)
		c := NewConnection(v)
		l.line("connection", &c)
	}
}

// Flush writes what is buffered. It returns the first error that writing has met.
func (l *Lines) Flush() error { return l.out.Flush() }

// Finish writes the summary. damage is what was wrong with files that could be read in part only. It returns the first
// error that writing has met.
func (l *Lines) Finish(damage []string) error {
	again := l.again()
	for _, conn := range slices.Sorted(maps.Keys(again)) {
		l.line("next", struct {
			Conn int   `json:"conn"`
			Next *Next `json:"next"`
		}{conn, again[conn]})
	}
	l.line("summary", struct {
		*Totals
		Damage []string `json:"damage"`
	}{newSummary(&l.Summary), append([]string{}, damage...)})
	return l.out.Flush()
}

// line writes an object with the head before its own keys.
func (l *Lines) line(kind string, v any) {
	l.out.Write(l.head)
	l.out.WriteString(`"` + kind + `",`)
	l.out.Write(append(l.encoder.encode(v)[1:], '\n')) // its error stays in l.out
}
