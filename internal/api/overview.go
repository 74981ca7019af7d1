package api

import (
	"go/ast"
	"go/doc"
	"strings"
)

// Overview counts the lines that go doc prints of the package in a folder: its clause, its comment, and a line for each
// function, type, and group of constants or variables. It is 0 if there is no package, or only a command.
func Overview(folder string) (lines int, err error) {
	s, err := load(folder)
	if s == nil {
		return 0, err
	}
	printer := s.Printer()
	printer.TextWidth = 80
	text := string(printer.Text(s.Parser().Parse(s.Doc)))
	lines = 3 + strings.Count(text, "\n")
	exported := func(v *doc.Value) bool {
		for _, spec := range v.Decl.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if name.IsExported() {
					return true
				}
			}
		}
		return false
	}
	s.walk(func(all []*doc.Value) {
		for _, v := range all {
			if exported(v) {
				lines++
			}
		}
	}, func(all []*doc.Func) {
		for _, f := range all {
			if f.Recv == "" {
				lines++
			}
		}
	}, func(*doc.Type) { lines++ })
	return lines, nil
}
