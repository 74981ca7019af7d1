package fuzz

// What is printed of connections: packages dissect/show/ladder and dissect/show/csv.

import (
	"bytes"
	"encoding/csv"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	rows "github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/dissect/show/ladder"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A counter counts what is to be printed.
type counter struct {
	messages, frames int
}

func (c *counter) Record(rec *record.Record) { recordtest.Pieces(rec, c) }

func (c *counter) Message(*record.Message)      { c.messages++ }
func (c *counter) StartupFrame(*record.Startup) { c.frames++ }

// arrow is one of a message, with how many it stands for.
var arrow = regexp.MustCompile(`\|(?:---|<--) ([A-Z]\w+)(?: #\d+ to #\d+)?(?: x (\d+))?[ ,]`)

// FuzzOutputs prints what FuzzAnalysisOfSegments makes, as one of four outputs that the options choose. A ladder has an arrow for
// every message, or one that says for how many it stands, and all its rows are of one width; a table has a row for each, and as many
// cells in all. Nothing is printed that a terminal should not see.
func FuzzOutputs(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	grouped := slices.Concat(send, read, read, response, response, again)
	terminated := slices.Concat(slices.Repeat(send, 8), []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1}, send, again)
	open := slices.Concat(read, slices.Repeat(send, 6), response, []byte{12, 0, 0, 0, 0}, again)
	for output := range byte(len(ladders) + 1) {
		f.Add(0x40|output, grouped)
		f.Add(output, terminated)
		f.Add(0xe0|output, open)
	}
	f.Fuzz(func(t *testing.T, options byte, script []byte) {
		records := played(t, options, script)
		if output := int(options) & 3; output < len(ladders) {
			checkLadder(t, ladders[output], records)
		} else {
			checkTable(t, records)
		}
	})
}

// ladders are three of the outputs; the fourth is a table.
var ladders = [...]ladder.Options{{Width: 300}, {Width: 300, All: true}, {Width: 60}}

// printed gives what an analysis finds in records to a sink, and returns how much of it is to be printed.
func printed(records []pcaps.Record, sink record.Sink) (all counter) {
	dissectAll(dissect.NewEngine(judge.New(record.SinkFunc(func(r *record.Record) {
		all.Record(r)
		sink.Record(r)
	}), judge.Options{}), dissect.Options{}), records)
	return all
}

func checkLadder(t *testing.T, o ladder.Options, records []pcaps.Record) {
	b := emptied()
	l := ladder.New(b, o)
	all := printed(records, l)
	if err := l.Flush(); err != nil {
		t.Fatal(err)
	}
	printable(t, b.Bytes())
	if n := arrows(t, b.String(), o.Width); o.Width == 300 && n != all.messages {
		t.Errorf("%d messages in the ladder, want %d:\n%s", n, all.messages, b)
	}
}

func checkTable(t *testing.T, records []pcaps.Record) {
	b := emptied()
	e := rows.New(b, rows.Options{})
	all := printed(records, e)
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	printable(t, b.Bytes())
	table := csv.NewReader(b)
	table.ReuseRecord = true
	n := 0 // without the first row, which names the columns
	_, err := table.Read()
	if err == nil {
		_, err = table.Read()
	}
	for ; err == nil; n++ {
		_, err = table.Read()
	}
	if err != io.EOF || n != all.messages+all.frames {
		t.Errorf("%d rows, error %v; want %d", n, err, all.messages+all.frames)
	}
}

// arrows counts the messages in a ladder, and checks that its rows are of one width.
func arrows(t *testing.T, s string, width int) (n int) {
	title, rest, _ := strings.Cut(s, "\n")
	if !strings.HasPrefix(title, "TIME") {
		t.Errorf("the title is %q", title)
	}
	for row := range strings.Lines(rest) {
		row = strings.TrimSuffix(row, "\n")
		if row == "" {
			break // the Verdict follows
		}
		if len(row) > width || !strings.HasSuffix(row, "|") && !strings.Contains(row, "server ") {
			t.Errorf("a row of %d octets, not %d: %s", len(row), width, row)
		}
		m := arrow.FindStringSubmatch(row)
		switch {
		case m == nil, strings.HasPrefix(m[1], "MPA"), m[1] == "FIN", m[1] == "RST":
		case m[2] == "":
			n++
		default:
			times, _ := strconv.Atoi(m[2])
			n += times
		}
	}
	return n
}

func printable(t *testing.T, b []byte) {
	isHarmless := func(r rune) bool { return ' ' <= r && r <= '~' || r == '\n' || unicode.IsPrint(r) }
	if !utf8.Valid(b) || bytes.ContainsFunc(b, func(r rune) bool { return !isHarmless(r) }) {
		t.Errorf("printed was %q", b)
	}
}

// output is what is printed, in memory that is used again: one input after the other is tried.
var output bytes.Buffer

// emptied is the output, without what was printed before.
func emptied() *bytes.Buffer {
	output.Reset()
	return &output
}
