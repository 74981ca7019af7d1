package fuzz

// What is printed of connections: packages dissect/show/ladder and dissect/show/csv.

import (
	"bytes"
	"encoding/csv"
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

// FuzzOutputs prints what FuzzAnalysisOfSegments makes. A ladder has an arrow for every message, or one that says for
// how many it stands, and all its rows are of one width; a table has a row for each, and as many cells in all. Nothing
// is printed that a terminal should not see.
func FuzzOutputs(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	f.Add(byte(0x40), slices.Repeat(slices.Concat(send, read, read, response, response), 7))
	f.Add(byte(0), slices.Concat(slices.Repeat(send, 50), []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1}, slices.Repeat(send, 5)))
	f.Add(byte(0xe0), slices.Repeat(slices.Concat(read, slices.Repeat(send, 13), response, []byte{12, 0, 0, 0, 0}), 4))
	f.Fuzz(func(t *testing.T, options byte, script []byte) {
		skipLong(t, script)
		var all counter
		var b bytes.Buffer // of the table
		e := rows.New(&b, rows.Options{})
		sinks := []record.Sink{&all, e}
		widths := [...]ladder.Options{{Width: 300}, {Width: 300, All: true}, {Width: 60}}
		var drawn [len(widths)]bytes.Buffer
		var ladders [len(widths)]*ladder.Ladder
		for i, o := range widths {
			ladders[i] = ladder.New(&drawn[i], o)
			sinks = append(sinks, ladders[i])
		}
		dissectAll(dissect.NewEngine(judge.New(record.SinkFunc(func(r *record.Record) {
			for _, sink := range sinks {
				sink.Record(r)
			}
		}), judge.Options{}), dissect.Options{}), played(options, script))
		for i, l := range ladders {
			if err := l.Flush(); err != nil {
				t.Fatal(err)
			}
			printable(t, drawn[i].String())
			if n := arrows(t, drawn[i].String(), widths[i].Width); widths[i].Width == 300 && n != all.messages {
				t.Errorf("%d messages in the ladder, want %d:\n%s", n, all.messages, &drawn[i])
			}
		}
		if err := e.Flush(); err != nil {
			t.Fatal(err)
		}
		printable(t, b.String())
		table, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(table) != 1+all.messages+all.frames {
			t.Errorf("%d rows, error %v; want %d", len(table), err, 1+all.messages+all.frames)
		}
	})
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

func printable(t *testing.T, s string) {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
		t.Errorf("printed was %q", s)
	}
}
