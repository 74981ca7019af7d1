package structure

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unused names packages whose exports need no user in this module:
//   - codec names what is on the wire;
//   - rnicsim has the verbs of an RNIC, and rnicsim/driver what a program on TCP needs besides;
//   - dissect/layers is what gopacket asks of a layer;
//   - dissect/reassembly/reassemblytest is for tests.
const unused = "codec/... rnicsim rnicsim/driver dissect/layers dissect/reassembly/reassemblytest"

// TestExportsAreUsed checks that a program uses what packages export, or that an Example shows its use. A method may
// also implement an interface. Constants name values, whether or not a program meets them; internal packages may be for
// tests.
func TestExportsAreUsed(t *testing.T) {
	listed, err := exec.Command("go", "list", "-C", root, "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \" \"}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	compiled, set := map[string]string{}, token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })}
	uses, called := map[string]bool{}, map[string]bool{} // objects, and methods of interfaces
	exports := map[types.Object]string{}                 // with their folders
	for line := range strings.Lines(string(listed)) {    // a package comes after its imports
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		path, files := cells[0], []*ast.File(nil)
		compiled[path] = cells[1]
		if !strings.HasPrefix(path, module) {
			continue
		}
		for _, name := range strings.Fields(cells[3]) {
			file, err := parser.ParseFile(set, filepath.Join(cells[2], name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		pkg, err := config.Check(path, set, files, info)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range info.Uses {
			uses[fullName(o)] = true
			if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) {
				called[f.Name()] = true
			}
		}
		folder := strings.TrimPrefix(path, module)
		if covers(unused, folder) || slices.Contains(strings.Split(folder, "/"), "internal") {
			continue
		}
		for _, o := range info.Defs {
			if _, constant := o.(*types.Const); o != nil && !constant && o.Exported() && fullName(o) != "" && !implements(o, pkg) {
				exports[o] = folder
			}
		}
	}
	shown := namesInExamples(t)
	for o, folder := range exports {
		if !uses[fullName(o)] && !called[o.Name()] && !shown[folder+" "+o.Name()] {
			t.Errorf("%s: neither a program nor an Example uses %s", set.Position(o.Pos()), o.Name())
		}
	}
}

// fullName names a function, a method, or another object of a package; it is empty for fields and all else.
func fullName(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		return f.Origin().FullName()
	}
	if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return o.Pkg().Path() + "." + o.Name()
}

// implements reports whether o may be a method for an interface of its package or of one that this imports.
func implements(o types.Object, pkg *types.Package) bool {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	if slices.Contains([]string{"Error", "Is", "Unwrap"}, f.Name()) {
		return true
	}
	for _, p := range append(pkg.Imports(), pkg) {
		for _, name := range p.Scope().Names() {
			if i, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
				if m, _, _ := types.LookupFieldOrMethod(i, false, pkg, f.Name()); m != nil {
					return true
				}
			}
		}
	}
	return false
}

// namesInExamples returns the identifiers in Examples, each after its folder and a blank.
func namesInExamples(t *testing.T) map[string]bool {
	t.Helper()
	names, folders := map[string]bool{}, map[string]bool{}
	for name := range importsOf(t) {
		folders[filepath.Dir(name)] = true
	}
	for folder := range folders {
		files, _ := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
					ast.Inspect(f, func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok {
							names[filepath.ToSlash(folder)+" "+id.Name] = true
						}
						return true
					})
				}
			}
		}
	}
	return names
}
