package ulptest

// A second opinion: what tshark reads from the same octets.

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Reading has the numbers in fields, by frame and display filter name; if a name occurs twice in a frame, the first.
type Reading map[uint64]map[string]uint64

// Take stores the numbers that a table finds in octets.
func (r Reading) Take(frame uint64, table *field.Table, octets []byte) {
	for i := range table.Fields {
		if v, ok := table.Fields[i].Get(octets); ok {
			r.note(frame, table.Fields[i].Name, v)
		}
	}
}

// TakeBody stores the numbers in the parts of a message.
func (r Reading) TakeBody(frame uint64, b record.Body) {
	var v record.View
	for _, l := range v.Lay(b) {
		for i := range l.Parts {
			r.Take(frame, l.Parts[i].Table, l.Parts[i].Octets)
		}
	}
}

func (r Reading) note(frame uint64, name string, v uint64) {
	if r[frame] == nil {
		r[frame] = make(map[string]uint64)
	}
	if _, ok := r[frame][name]; !ok {
		r[frame][name] = v
	}
}

// Compare fails the test where tshark reads other numbers. It omits names that only one of them knows. It returns how often
// each name was compared.
func (r Reading) Compare(t testing.TB, tshark Reading) (compared map[string]int) {
	t.Helper()
	compared = make(map[string]int)
	for frame, ours := range r {
		for name, v := range ours {
			if theirs, ok := tshark[frame][name]; ok {
				if compared[name]++; v != theirs {
					t.Errorf("frame %d: %s is %#x, tshark says %#x", frame, name, v, theirs)
				}
			}
		}
	}
	return compared
}

// Tshark reads the numbers in the fields of tables, as far as tshark knows them.
func Tshark(t testing.TB, file string, tables []*field.Table, options ...string) Reading {
	t.Helper()
	known := tsharkNames(t)
	var names []string
	for _, table := range tables {
		for i := range table.Fields {
			if name := table.Fields[i].Name; known[name] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	args := append([]string{"-r", file, "-T", "fields", "-E", "occurrence=f", "-e", "frame.number"}, options...)
	for _, name := range names {
		args = append(args, "-e", name)
	}
	r := make(Reading)
	for line := range strings.Lines(tools.Tshark(t, args...)) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		frame, err := strconv.ParseUint(cells[0], 10, 64)
		if err != nil {
			t.Fatalf("tshark: %q", line)
		}
		for i, cell := range cells[1:] {
			if v, ok := number(cell); ok {
				r.note(frame, names[i], v)
			}
		}
	}
	return r
}

// number parses what tshark prints for a number or a flag.
func number(cell string) (v uint64, ok bool) {
	switch cell {
	case "True":
		return 1, true
	case "False":
		return 0, true
	}
	v, err := strconv.ParseUint(cell, 0, 64)
	return v, err == nil
}

// tsharkNames are the fields that tshark knows.
func tsharkNames(t testing.TB) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	lines := bufio.NewScanner(strings.NewReader(tools.Tshark(t, "-G", "fields")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if cells := strings.Split(lines.Text(), "\t"); len(cells) > 2 && cells[0] == "F" {
			names[cells[2]] = true
		}
	}
	return names
}

// A File is a capture that a test makes for tshark.
type File struct {
	Path string
	w    *pcaps.Writer
	n    uint64
}

// NewFile makes an empty capture.
func NewFile(t testing.TB) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.pcap")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	return &File{Path: path, w: pcaps.NewPcapWriter(out, pcaps.LinkTypeEthernet)}
}

// Add writes what was added to a conversation since the last time, and returns the number of the latest frame.
func (f *File) Add(t testing.TB, c *conversation.Conversation) (frame uint64) {
	t.Helper()
	for i := range c.Records {
		if err := f.w.WriteRecord(&c.Records[i]); err != nil {
			t.Fatal(err)
		}
		f.n++
	}
	c.Records = c.Records[:0]
	if err := f.w.Flush(); err != nil {
		t.Fatal(err)
	}
	return f.n
}
