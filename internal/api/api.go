// Package api lists what packages export, one line each, so that a change of the API shows in a diff of docs/api.
package api

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/printer"
	"go/token"
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
