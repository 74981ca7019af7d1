package structure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// A function can be read at once.
func TestFunctionsAreShort(t *testing.T) {
	const most = 60 // lines
	for name := range importsOf(t) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(root, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; lines > most {
					t.Errorf("%s: %s has %d lines, want at most %d", name, f.Name, lines, most)
				}
			}
		}
	}
}
