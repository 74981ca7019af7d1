// Package api lists what packages export, one line each, so that a change of the API shows in a diff of docs/api.
package api

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path"
	"strings"
)

// Package lists the exported declarations of the package in a folder, without comments and bodies: constants and variables
// in the order of the source, everything else by name. It returns an empty list if there is no package, or only a command.
func Package(folder string) (lines []string, err error) {
	s, err := load(folder)
	if s == nil {
		return nil, err
	}
	l := &list{fset: s.fset}
	s.walk(l.values, l.functions, func(t *doc.Type) { l.add(t.Decl) })
	return l.lines, nil
}

// A list has the lines of a package.
type list struct {
	fset  *token.FileSet
	lines []string
}

func (l *list) functions(all []*doc.Func) {
	for _, f := range all {
		l.add(&ast.FuncDecl{Recv: f.Decl.Recv, Name: f.Decl.Name, Type: f.Decl.Type})
	}
}

// values adds constants and variables: names and types, and the values of constants, which are promised too.
func (l *list) values(all []*doc.Value) {
	for _, v := range all {
		for _, s := range v.Decl.Specs {
			s := s.(*ast.ValueSpec)
			for i, name := range s.Names {
				if !name.IsExported() {
					continue
				}
				one := &ast.ValueSpec{Names: []*ast.Ident{{Name: name.Name}}, Type: s.Type}
				if v.Decl.Tok == token.CONST && i < len(s.Values) {
					one.Values = s.Values[i : i+1]
				}
				l.add(&ast.GenDecl{Tok: v.Decl.Tok, Specs: []ast.Spec{one}})
			}
		}
	}
}

// add adds a declaration, in one line.
func (l *list) add(decl ast.Decl) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			n.Doc = nil
		case *ast.TypeSpec:
			n.Doc, n.Comment = nil, nil
		case *ast.Field:
			n.Doc, n.Comment = nil, nil
		}
		return true
	})
	var b bytes.Buffer
	printer.Fprint(&b, l.fset, decl) // cannot fail: a parsed declaration, into memory
	l.lines = append(l.lines, oneLine(b.String()))
}

// oneLine joins the lines of a declaration. What go/doc omits stays a comment within it.
func oneLine(s string) string {
	var all []string
	for line := range strings.Lines(s) {
		line = strings.Join(strings.Fields(line), " ")
		if rest, ok := strings.CutPrefix(line, "//"); ok {
			line = fmt.Sprintf("/*%s */", rest)
		}
		if line != "" {
			all = append(all, line)
		}
	}
	joined := strings.Join(all, "; ")
	return strings.NewReplacer("{; ", "{ ", "(; ", "( ", "; }", " }", ",; ", ", ", "; )", " )").Replace(joined)
}

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
