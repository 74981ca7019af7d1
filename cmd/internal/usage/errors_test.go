package usage

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestPlain(t *testing.T) {
	rule := errors.New("proxy: not a rule")
	missing := &fs.PathError{Op: "open", Path: "a.pcap", Err: syscall.ENOENT}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{rule, "not a rule"},
		{fmt.Errorf("r: line 2: %w: reset", rule), "r: line 2: not a rule: reset"},
		{fmt.Errorf("conform: case 1: %w", fmt.Errorf("driver: %w", rule)), "case 1: not a rule"},
		{missing, "a.pcap: no such file or directory"},
		{fmt.Errorf("kernlog: %w", missing), "a.pcap: no such file or directory"},
		{fmt.Errorf("%w and %w", rule, missing), "not a rule and a.pcap: no such file or directory"},
		{errors.Join(rule, rule), "not a rule\nnot a rule"},
		{fmt.Errorf("file proxy: %w", rule), "file proxy: not a rule"},
		{errors.New("x: proxy: y"), "x: proxy: y"},
	} {
		if got := Plain(tt.err); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestPackages checks that Plain knows every package whose errors begin with its name.
func TestPackages(t *testing.T) {
	found := 0
	for _, folder := range []string{"codec", "dissect", "pcaps", "replay", "rnicsim", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", "..", folder), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
					if said, _ := strconv.Unquote(text.Value); strings.HasPrefix(said, file.Name.Name+": ") {
						if found++; !slices.Contains(packages, file.Name.Name) {
							t.Errorf("%s: %q", name, said)
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 50 {
		t.Errorf("only %d errors", found)
	}
}
