package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A module with a function in which four mistakes can be made, and tests that notice two of them.
var module = map[string]string{
	"go.mod": "module example.org/limit\n\ngo 1.24\n",
	"limit.go": `package limit

// Limit is n, or most if that is less, and counts calls.
func Limit(n, most int) int {
	calls++
	if n > most && most != 0 {
		return most
	}
	return n
}

var calls int
`,
	"limit_test.go": `package limit

import "testing"

func TestLimit(t *testing.T) {
	for _, c := range [][3]int{{1, 5, 1}, {9, 5, 5}, {9, 0, 9}} {
		if got := Limit(c[0], c[1]); got != c[2] {
			t.Errorf("%v: %d", c, got)
		}
	}
}
`,
}

func write(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, content := range module {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestInstrument looks where mistakes are possible, and that the package is the same as long as none is switched on.
func TestInstrument(t *testing.T) {
	folder := write(t)
	mutants, err := instrument(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, m := range mutants {
		if m.number != i+1 {
			t.Errorf("mutant %d has the number %d", i+1, m.number)
		}
		got = append(got, m.place+": "+m.kind+": "+m.text)
	}
	want := []string{
		"limit.go:5: statement missing: calls++",
		"limit.go:6: condition negated: n > most && most != 0",
		"limit.go:6: limit off by one: n > most",
		"limit.go:6: condition negated: most != 0",
	}
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("got %q", got)
	}
	if out, err := test(folder); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// test runs the tests of the module in a folder.
func test(folder string, env ...string) (out []byte, err error) {
	c := exec.Command("go", "test", ".")
	c.Dir, c.Env = folder, append(os.Environ(), env...)
	return c.CombinedOutput()
}

// TestRun checks what the tool says of the module: the tests notice neither that calls are not counted, nor the limit
// itself on the wrong side, where both results are the same.
func TestRun(t *testing.T) {
	t.Chdir(write(t))
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	stdout := os.Stdout
	os.Stdout = out
	err = run(".", 0, 1, "^$", 10*time.Minute)
	os.Stdout = stdout
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"limit.go:5: not noticed: statement missing: calls++\n", "limit.go:6: not noticed: limit off by one: n > most\n",
		"condition negated: 2 of 2 noticed\n", "limit off by one: 0 of 1 noticed\n", "statement missing: 0 of 1 noticed\n",
		"all: 2 of 4 noticed\n",
	} {
		if !strings.Contains(string(said), want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
}
