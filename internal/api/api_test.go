package api_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/api"
)

const root = "../.."

var update = flag.Bool("update", false, "write what is exported into docs/api")

// folders hold the packages that others may import.
var folders = []string{"codec", "pcaps", "dissect", "rnicsim", "replay"}

// The exported API is what docs/api says. Who changes it writes the files anew by -update, and so shows what changes.
func TestAPIIsRecorded(t *testing.T) {
	for _, folder := range folders {
		got := exported(t, folder)
		file := filepath.Join(root, "docs/api", folder+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != got {
			t.Errorf("docs/api/%s.txt says otherwise; if what has changed is meant: go test ./internal/api -update\n%s",
				folder, strings.Join(difference(string(want), got), "\n"))
		}
	}
}

// exported is what all packages of a top-level folder export, but for internal ones.
func exported(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	for _, path := range packages(t, folder) {
		lines, err := api.Package(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) > 0 {
			name, _ := filepath.Rel(root, path) // it begins with root
			fmt.Fprintf(&b, "package %s\n\n%s\n\n", filepath.ToSlash(name), strings.Join(lines, "\n"))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// packages are a top-level folder and all below it that may hold packages, but for internal ones.
func packages(t *testing.T, folder string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains([]string{"internal", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		paths = append(paths, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// Everything that is exported has a doc comment.
func TestAllIsDocumented(t *testing.T) {
	for _, folder := range folders {
		for _, path := range packages(t, folder) {
			names, err := api.Undocumented(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				t.Errorf("%s has no doc comment", name)
			}
		}
	}
}

// What lacks a comment is found, whatever it is.
func TestUndocumented(t *testing.T) {
	const source = `package x

// A is.
type A int

type B int

func (A) Method() {}

func (b B) hidden() {}

// F is.
func F() {}

func G() {}

// A group.
const (
	C = 1
	D = 2
)

const E = 3

var (
	H = 4 // beside
	I = 5
)
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	names, err := api.Undocumented(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range names {
		got = append(got, name[strings.LastIndexByte(name, ' ')+1:])
	}
	slices.Sort(got)
	if want := []string{"B", "E", "G", "I", "Method", "x"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// difference is the lines of one text that the other does not have, in either direction. There are none if only the order
// of lines is another one.
func difference(before, after string) (lines []string) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, line := range a {
		if !slices.Contains(b, line) {
			lines = append(lines, "gone: "+line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			lines = append(lines, "new: "+line)
		}
	}
	return lines
}
