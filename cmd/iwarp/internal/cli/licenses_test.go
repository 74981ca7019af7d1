package cli

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/golden"
)

// TestLicenses keeps the licences of both programs.
func TestLicenses(t *testing.T) {
	for _, program := range []struct{ folder, file string }{{"../..", "licenses.txt"}, {"../../../iwarp-fleet", "../../../iwarp-fleet/licenses.txt"}} {
		golden.File(t, program.file, licensesOf(t, program.folder))
	}
}

// licensesOf are that of each module that is part of a program on any system, that of Go, and those of files of others in this repository.
func licensesOf(t *testing.T, program string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]string{"Go": strings.TrimSpace(string(root))} // folders
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", program)
		list.Env = append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if module, folder, ok := cutLast(strings.TrimSpace(line)); ok {
				modules[module] = folder
			}
		}
	}
	const repository = "../../../.."
	err = filepath.WalkDir(repository, func(path string, entry fs.DirEntry, err error) error {
		if folder := filepath.Dir(path); err == nil && entry.Name() == "LICENSE" && folder != repository {
			modules[strings.TrimPrefix(filepath.ToSlash(folder), repository+"/")] = folder
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		var texts int
		for _, pattern := range []string{"LICENSE*", "COPYING*", "NOTICE*"} {
			files, _ := filepath.Glob(filepath.Join(modules[module], pattern))
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "== %s: %s\n\n%s\n\n", module, filepath.Base(file), strings.TrimSpace(strings.ReplaceAll(string(text), "\r", "")))
				texts++
			}
		}
		if texts == 0 {
			t.Errorf("%s has no licence", module)
		}
	}
	return b.String()
}

// cutLast cuts a text at its last blank.
func cutLast(s string) (before, after string, ok bool) {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}
