package api

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
)

// Undocumented lists what the package in a folder exports without a doc comment, each with its file and line. Of
// constants and variables a comment of their group, or one beside them, will do. It returns an empty list if there is no
// package, or only a command.
func Undocumented(folder string) (names []string, err error) {
	fset := token.NewFileSet()
	files, err := parse(fset, folder)
	if err != nil || len(files) == 0 || files[0].Name.Name == "main" {
		return nil, err
	}
	p, err := doc.NewFromFiles(fset, files, folder)
	if err != nil {
		return nil, err
	}
	check := func(comment, name string, at ast.Node) {
		if comment == "" {
			names = append(names, fmt.Sprintf("%v: %s", fset.Position(at.Pos()), name))
		}
	}
	functions := func(all []*doc.Func) {
		for _, f := range all {
			check(f.Doc, f.Name, f.Decl)
		}
	}
	values := func(all []*doc.Value) {
		for _, v := range all {
			for _, s := range v.Decl.Specs {
				s := s.(*ast.ValueSpec)
				for _, name := range s.Names {
					if name.IsExported() {
						check(v.Doc+s.Doc.Text()+s.Comment.Text(), name.Name, s)
					}
				}
			}
		}
	}
	check(p.Doc, "package "+p.Name, files[0])
	values(p.Consts)
	values(p.Vars)
	functions(p.Funcs)
	for _, t := range p.Types {
		check(t.Doc, t.Name, t.Decl)
		values(t.Consts)
		values(t.Vars)
		functions(t.Funcs)
		functions(t.Methods)
	}
	return names, nil
}
