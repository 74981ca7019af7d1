package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A report keeps the differences that it is told, and does not fail.
type report struct {
	testing.TB
	differences []string
}

func (r *report) Helper() {}

func (r *report) Errorf(format string, args ...any) {
	r.differences = append(r.differences, args[1].(string))
}

func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	defer func(was bool) { *update = was }(*update)
	*update = false
	for text, want := range map[string]string{
		"one\ntwo\n":   "",
		"one\nthree\n": "- two\n+ three",
		"two\none\n":   "its lines stand in another order, or more or less often",
	} {
		r := &report{TB: t}
		File(r, file, text)
		if got := strings.Join(r.differences, ""); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// -update stores a section, and leaves the rest of the file alone.
func TestSection(t *testing.T) {
	const first, last = "before\n<!-- generated: x -->\n", "<!-- end: x -->\nafter\n"
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(first+"old\n"+last), 0o644); err != nil {
		t.Fatal(err)
	}
	defer func(was bool) { *update = was }(*update)
	*update = false
	r := &report{TB: t}
	Section(r, file, "x", "new\n")
	if strings.Join(r.differences, "") != "- old\n+ new" {
		t.Errorf("%q", r.differences)
	}
	*update = true
	Section(t, file, "x", "new\n")
	if got := Read(t, file); got != first+"new\n"+last {
		t.Errorf("%q", got)
	}
}
