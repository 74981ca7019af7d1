package api

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strings"
)

// A source is a package with its files.
type source struct {
	*doc.Package
	fset  *token.FileSet
	files []*ast.File
}

// load reads the package in a folder. It returns nil if there is none, or only a command.
func load(folder string) (*source, error) {
	s := &source{fset: token.NewFileSet()}
	var err error
	if s.files, err = parse(s.fset, folder); err != nil || len(s.files) == 0 || s.files[0].Name.Name == "main" {
		return nil, err
	}
	if s.Package, err = doc.NewFromFiles(s.fset, s.files, folder); err != nil {
		return nil, err
	}
	return s, nil
}

// parse reads the files of a folder except tests.
func parse(fset *token.FileSet, folder string) (files []*ast.File, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path.Join(folder, e.Name()), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// walk visits all that a package exports: first what belongs to no type, then each type with what belongs to it.
func (s *source) walk(values func([]*doc.Value), functions func([]*doc.Func), one func(*doc.Type)) {
	values(s.Consts)
	values(s.Vars)
	functions(s.Funcs)
	for _, t := range s.Types {
		one(t)
		values(t.Consts)
		values(t.Vars)
		functions(t.Funcs)
		functions(t.Methods)
	}
}
