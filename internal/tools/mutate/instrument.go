package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is a mistake that can be switched on.
type mutant struct {
	number int
	kind   string
	place  string // "queue.go:17"
	text   string // the source that it changes
}

// The kinds of mistakes.
const (
	negated  = "condition negated"
	offByOne = "limit off by one"
	dropped  = "statement missing"
)

var kinds = []string{negated, offByOne, dropped}

// variable is the environment variable that switches a mutant on.
const variable = "MUTANT"

// switches is a file added to the package.
const switches = `package %s

import (
	"os"
	"strconv"
)

var mutantOn, _ = strconv.Atoi(os.Getenv("` + variable + `"))

// mutantNot returns a condition, or its opposite.
func mutantNot(n int, c bool) bool { return c != (n == mutantOn) }

// mutantOff returns a comparison, or its result if the limit itself were on the other side.
func mutantOff(n int, c, equal bool) bool { return c != (n == mutantOn && equal) }
`

// instrument puts switches into the files of a package, and returns their mutants.
func instrument(dir string) (all []mutant, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	pkg := ""
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f := file{name: filepath.Base(name), fset: token.NewFileSet(), first: len(all) + 1}
		if f.source, err = os.ReadFile(name); err != nil {
			return nil, err
		}
		if f.tree, err = parser.ParseFile(f.fset, name, f.source, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		pkg = f.tree.Name.Name
		f.find()
		if err := os.WriteFile(name, f.edited(), 0o666); err != nil {
			return nil, err
		}
		all = append(all, f.mutants...)
	}
	return all, os.WriteFile(filepath.Join(dir, "mutants.go"), fmt.Appendf(nil, switches, pkg), 0o666)
}

// A file is an instrumented file.
type file struct {
	name    string
	fset    *token.FileSet
	source  []byte
	tree    *ast.File
	first   int // number of its first mutant
	mutants []mutant
	edits   []edit
}

// An edit inserts text into the source.
type edit struct {
	at    int
	text  string
	depth int // at one place, the outer edit opens first and closes last
}

// find finds the places of mutants.
func (f *file) find() {
	for _, d := range f.tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			depth := 0
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if n == nil {
					depth--
					return true
				}
				depth++
				f.visit(n, depth)
				return true
			})
		}
	}
}

// visit adds the mutants of a node.
func (f *file) visit(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n, depth)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(n, negated, "mutantNot(%d, ", ")", depth)
		}
	case *ast.IfStmt:
		f.plain(n.Cond, depth)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					f.plain(e, depth+2)
				}
			}
		}
	case *ast.BlockStmt:
		f.statements(n.List, depth)
	case *ast.CaseClause:
		f.statements(n.Body, depth)
	}
}

// plain adds a mutant for a condition without parts; parts get their own.
func (f *file) plain(e ast.Expr, depth int) {
	switch e.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.ParenExpr:
	default:
		f.add(e, negated, "mutantNot(%d, ", ")", depth+1)
	}
}

// binary adds the mutants of a comparison, or of conditions that are joined.
func (f *file) binary(n *ast.BinaryExpr, depth int) {
	switch n.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if pure(n.X) && pure(n.Y) {
			equal := fmt.Sprintf(", %s == %s)", f.text(n.X), f.text(n.Y))
			f.add(n, offByOne, "mutantOff(%d, ", equal, depth)
			return
		}
		fallthrough
	case token.EQL, token.NEQ, token.LAND, token.LOR:
		f.add(n, negated, "mutantNot(%d, ", ")", depth)
	}
}

// pure reports whether an expression may be evaluated twice.
func pure(e ast.Expr) (ok bool) {
	ok = true
	ast.Inspect(e, func(n ast.Node) bool {
		if c, is := n.(*ast.CallExpr); is {
			name := ""
			switch fun := c.Fun.(type) {
			case *ast.Ident:
				name = fun.Name
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			}
			ok = ok && slices.Contains([]string{"len", "min", "max", "int", "int32", "uint64", "uint32", "total"}, name)
		}
		return true
	})
	return ok
}

// statements adds a mutant for each statement that could be missing.
func (f *file) statements(list []ast.Stmt, depth int) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if c, ok := s.X.(*ast.CallExpr); ok && f.text(c.Fun) == "panic" {
				continue
			}
		case *ast.IncDecStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		default:
			continue
		}
		f.add(s, dropped, "if mutantOn != %d { ", " }", depth)
	}
}

// add adds a mutant: text before and after a node.
func (f *file) add(n ast.Node, kind, before, behind string, depth int) {
	number := f.first + len(f.mutants)
	at := f.fset.Position(n.Pos())
	text, _, _ := strings.Cut(f.text(n), "\n")
	f.mutants = append(f.mutants, mutant{number, kind, fmt.Sprintf("%s:%d", f.name, at.Line), text})
	f.edits = append(f.edits,
		edit{at.Offset, fmt.Sprintf(before, number), depth},
		edit{f.fset.Position(n.End()).Offset, behind, -depth})
}

func (f *file) text(n ast.Node) string {
	return string(f.source[f.fset.Position(n.Pos()).Offset:f.fset.Position(n.End()).Offset])
}

// edited returns the source with the edits. At one place, closing edits come before opening ones.
func (f *file) edited() []byte {
	slices.SortStableFunc(f.edits, func(a, b edit) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.depth - b.depth
	})
	var b []byte
	at := 0
	for _, e := range f.edits {
		b = append(append(b, f.source[at:e.at]...), e.text...)
		at = e.at
	}
	return append(b, f.source[at:]...)
}
