package api_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/api"
	"github.com/iwarpkit/iwarp/internal/golden"
)

const root = "../.."

// folders hold the packages that others may import.
var folders = []string{"codec", "pcaps", "dissect", "rnicsim", "replay"}

// docs/api records the exported API, so that a change of it shows.
func TestAPIIsRecorded(t *testing.T) {
	for _, folder := range folders {
		golden.File(t, filepath.Join(root, "docs/api", folder+".txt"), exported(t, folder))
	}
}

// exported is what all packages of a top-level folder export, except for internal ones.
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

// packages are a top-level folder and all below it that may hold packages, except for internal ones.
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
