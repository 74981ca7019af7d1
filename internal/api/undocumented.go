package api

import (
	"fmt"
	"go/ast"
	"go/doc"
)

// Undocumented lists what the package in a folder exports without a doc comment, each with its file and line. For
// constants and variables a comment on their group or line is enough. It returns an empty list if there is no package, or
// only a command.
func Undocumented(folder string) (names []string, err error) {
	s, err := load(folder)
	if s == nil {
		return nil, err
	}
	check := func(comment, name string, at ast.Node) {
		if comment == "" {
			names = append(names, fmt.Sprintf("%v: %s", s.fset.Position(at.Pos()), name))
		}
	}
	functions := func(all []*doc.Func) {
		for _, f := range all {
			check(f.Doc, f.Name, f.Decl)
		}
	}
	values := func(all []*doc.Value) {
		for _, v := range all {
			for _, spec := range v.Decl.Specs {
				spec := spec.(*ast.ValueSpec)
				for _, name := range spec.Names {
					if name.IsExported() {
						check(v.Doc+spec.Doc.Text()+spec.Comment.Text(), name.Name, spec)
					}
				}
			}
		}
	}
	check(s.Doc, "package "+s.Name, s.files[0])
	s.walk(values, functions, func(t *doc.Type) { check(t.Doc, t.Name, t.Decl) })
	return names, nil
}
