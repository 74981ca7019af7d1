// Package structure tests that packages import only what lies below them, and that their functions and overviews are short.
package structure

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/api"
)

const (
	root   = "../.."
	module = "github.com/iwarpkit/iwarp/"
)

// A permission lets packages import others. Names are separated by spaces; one that ends in "/..." includes all packages below it.
type permission struct{ packages, imports string }

// The levels, from the lowest. The first row that names a package holds for it.
var levels = []permission{
	// Bytes of one protocol each, without a connection.
	{"codec/field", ""},
	{"codec/mpa codec/ddp codec/oncrpc codec/rpcrdma codec/rpcprivate", "codec/field"},
	{"codec/sctp", "codec/field codec/mpa"},
	{"codec/rdmap", "codec/field codec/ddp"},
	{"codec/nfs", "codec/field codec/oncrpc"},
	{"codec/rfc", "internal/spelling"},

	// What the protocols demand. Whoever judges asks these packages.
	{"codec/rules", "codec/field codec/mpa codec/ddp codec/rdmap codec/sctp"},
	{"codec/rpcrules", "codec/field codec/rules codec/nfs codec/oncrpc codec/rpcrdma codec/rpcprivate"},
	{"codec/peers", "codec/rules codec/rpcrules"},
	{"codec/peers/words", "codec/rules codec/peers"},

	// Capture files.
	{"pcaps", ""},
	{"pcaps/samples", "pcaps"},

	// From packets to findings.
	{"dissect/association", ""},
	{"dissect/reassembly/...", "dissect/reassembly internal/recency"},
	{"dissect/tcpip", "pcaps"},
	{"dissect/flow", "codec/mpa codec/nfs codec/rdmap codec/rules dissect/association dissect/reassembly"},
	{"dissect/transit", "dissect/flow"},
	{"dissect/record", "codec/... dissect/flow dissect/transit internal/quantity"},
	{"dissect/framing", "codec/... dissect/flow dissect/record dissect/reassembly"},
	{"dissect/session", "codec/... dissect/association dissect/framing dissect/flow dissect/record dissect/reassembly"},
	{"dissect/match", "codec/... dissect/flow dissect/record"},
	{"dissect/ulp", "codec/... dissect/flow dissect/record"},
	{"dissect/judge", "codec/... dissect/match dissect/flow dissect/record dissect/transit dissect/ulp internal/quantity"},
	{"dissect/ulp/pending", "codec/... dissect/flow dissect/record dissect/ulp internal/recency"},
	{"dissect/ulp/all", "dissect/ulp/..."},
	{"dissect/ulp/...", "codec/... dissect/flow dissect/record dissect/ulp dissect/ulp/pending internal/printable internal/quantity internal/recency"},
	{"dissect", "codec/... pcaps dissect/judge dissect/framing dissect/flow dissect/record dissect/session dissect/association dissect/reassembly dissect/tcpip internal/recency"},
	{"dissect/ends", "codec/mpa pcaps dissect/flow dissect/record dissect/transit dissect/tcpip"},
	{"dissect/layers", "codec/..."},

	// What people and programs read. No output of messages knows a protocol: codec/field has their tables, codec/rules how bad a
	// finding is and what was agreed on.
	{"dissect/show", "codec/rfc dissect/flow dissect/record dissect/ulp internal/quantity"},
	{"dissect/show/text", "codec/field codec/rules dissect dissect/judge dissect/flow dissect/record dissect/ulp dissect/show internal/printable internal/quantity"},
	{"dissect/show/table", "codec/field dissect/flow dissect/record dissect/show dissect/ulp dissect/ulp/all"},
	{"dissect/show/csv", "codec/field dissect/record dissect/show dissect/show/table internal/printable"},
	{"dissect/show/jsonl", "codec/field dissect/flow dissect/record dissect/show dissect/ulp internal/printable"},
	{"dissect/show/check", "codec/rfc codec/rules dissect/judge dissect/kernlog dissect/flow dissect/record dissect/transit dissect/show dissect/show/text internal/junit internal/printable internal/quantity internal/spool"},
	{"dissect/show/parquet", "dissect/record dissect/show dissect/show/check dissect/show/table dissect/stats internal/printable"},
	{"dissect/kernlog", "codec/rdmap dissect/flow"},
	{"dissect/show/page", "codec/field codec/rules dissect dissect/diff dissect/flow dissect/record dissect/ulp dissect/show dissect/show/check dissect/show/text dissect/stats internal/printable internal/quantity"},
	{"dissect/show/...",
		"codec/field codec/rules pcaps dissect/judge dissect/kernlog dissect/flow dissect/record dissect/show dissect/show/text internal/printable internal/quantity"},
	{"dissect/diff", "codec/field codec/rules dissect/flow dissect/record dissect/show/text internal/printable internal/quantity"},
	{"dissect/stats", "codec/mpa codec/rules dissect dissect/flow dissect/record internal/printable internal/spool"},
	{"dissect/explain", "codec/... dissect/judge dissect/flow dissect/record dissect/ulp/all internal/spelling"},
	{"dissect/filter", "codec/field codec/mpa codec/rfc codec/rules codec/rpcrules dissect/flow dissect/record dissect/judge dissect/ulp/... internal/spelling"},

	// The reference RNIC. It knows neither captures nor what dissects them.
	{"rnicsim/quirk", "codec/field codec/mpa codec/rdmap codec/rules internal/spelling"},
	{"rnicsim", "codec/mpa codec/ddp codec/rdmap codec/rules rnicsim/quirk"},
	{"rnicsim/rpc", "codec/..."},
	{"rnicsim/fault", "codec/ddp codec/mpa codec/rdmap rnicsim/quirk internal/spelling"},
	{"rnicsim/driver", "codec/... rnicsim rnicsim/fault internal/crowd internal/link"},
	{"rnicsim/internal/rpcwork", "rnicsim rnicsim/driver rnicsim/rpc internal/link"},
	{"rnicsim/service", "codec/... rnicsim rnicsim/driver rnicsim/internal/rpcwork rnicsim/rpc internal/crowd internal/link internal/pages"},
	{"rnicsim/client", "codec/... rnicsim rnicsim/driver rnicsim/internal/rpcwork rnicsim/rpc rnicsim/service"},

	// Captures and scenarios played against a peer.
	{"replay", ""},
	{"replay/scenario", "codec/... internal/spelling"},
	{"replay/compile", "codec/... pcaps dissect dissect/framing dissect/flow dissect/record replay/scenario"},
	{"replay/outcome", "codec/field codec/mpa dissect/record dissect/ulp/all replay/scenario internal/junit internal/printable internal/quantity"},
	{"replay/player", "codec/... replay/outcome replay/scenario internal/quantity"},
	{"replay/live", "codec/mpa replay/outcome replay/player replay/scenario internal/link"},
	{"replay/proxy", "codec/... pcaps dissect dissect/filter dissect/judge dissect/flow dissect/record dissect/ulp/all rnicsim/fault rnicsim/quirk replay/scenario internal/crowd internal/link"},
	{"replay/sim", "codec/... pcaps dissect dissect/judge dissect/record dissect/ulp/all rnicsim rnicsim/quirk replay/compile replay/outcome replay/player replay/scenario"},
	{"replay/internal/captures", "pcaps replay/compile replay/scenario"},
	{"replay/internal/rnic", "rnicsim rnicsim/driver rnicsim/service"},
	{"replay/conform", "codec/... rnicsim/service replay/live replay/outcome replay/player replay/scenario replay/conform/internal/rpctext replay/conform/internal/rpctext2 internal/spelling"},
	{"replay/conform/internal/parts replay/conform/internal/rpctext", ""},
	{"replay/conform/internal/rpctext2", "replay/conform/internal/rpctext"},
	{"replay/conform/internal/...", "codec/... rnicsim/... replay/conform replay/live replay/outcome replay/scenario"},
	{"replay/conform/report", "codec/rfc dissect/show/text replay/conform internal/junit internal/printable"},
	{"replay/conform/suite", "codec/rfc replay/conform/..."},
	{"replay/conform/rpcclient", "codec/... replay/conform replay/scenario rnicsim/driver rnicsim/rpc rnicsim/service"},
	{"replay/conform/...", "codec/... replay/conform replay/conform/internal/parts replay/conform/internal/rpctext replay/conform/internal/rpctext2 replay/scenario"},

	// Programs and tests of the whole.
	{"cmd/iwarp-fleet", "cmd/iwarp-fleet/... cmd/internal/exit cmd/internal/failon cmd/internal/usage codec/peers pcaps dissect/flow dissect/record dissect/show dissect/show/page dissect/show/parquet dissect/show/check dissect/show/text internal/printable internal/quantity"},
	{"cmd/iwarp-fleet/internal/fleet", "codec/ddp codec/mpa codec/oncrpc codec/peers codec/rdmap codec/rpcprivate codec/rpcrdma pcaps dissect dissect/ends dissect/flow dissect/judge dissect/record dissect/show/check dissect/tcpip dissect/ulp/all dissect/ulp/rpc internal/printable internal/quantity"},
	{"cmd/internal/exit", ""},
	{"cmd/internal/usage", "internal/spelling"},
	{"cmd/...", "codec/... pcaps dissect/... rnicsim/... replay/... cmd/... internal/crowd internal/junit internal/printable internal/quantity internal/spelling"},
	{"lab/...", "codec/... pcaps rnicsim/... replay/... lab/result"},

	// Helpers that know nothing of iWARP, and those of tests.
	{"internal/junit", "internal/printable internal/spool"},
	{"internal/codectest", "codec/field"},
	{"internal/textless", "codec/..."},
	{"internal/recordtest", "codec/... dissect/flow dissect/record"},
	{"internal/conversation", "pcaps dissect/tcpip"},
	{"internal/adversary", "pcaps"}, // none of the code that it tries
	{"internal/transcript", "pcaps internal/conversation"},
	{"internal/recorded", "codec/... pcaps/... dissect/... internal/conversation"},
	{"internal/ulptest", "codec/... pcaps dissect/... internal/conversation internal/tools"},
	{"internal/...", ""},
}

// outside names the packages of other modules, and those of tests, with the packages that may import them.
var outside = []permission{
	{"github.com/google/gopacket/...", "dissect/layers pcaps"},
	{"github.com/spf13/... github.com/olekukonko/... github.com/guptarohit/asciigraph github.com/fatih/color golang.org/x/term", "cmd/..."},
	{"github.com/HdrHistogram/hdrhistogram-go", "dissect/stats"},
	{"github.com/parquet-go/parquet-go/...", "dissect/show/parquet"},
	{"github.com/nats-io/... github.com/klauspost/compress/s2", "cmd/iwarp-fleet/..."},
	{"github.com/klauspost/compress/zstd", "cmd/iwarp-fleet/... dissect/show/parquet"}, // which parquet-go links as well
	{"golang.org/x/tools/go/packages", "internal/tools/typecheck"},
	{"go.uber.org/goleak", "replay/conform/internal/reference"},
	{"testing", "internal/... dissect/reassembly/reassemblytest replay/internal/... replay/conform/internal/reference"},
}

func TestImportsPointDown(t *testing.T) {
	used := map[string]bool{} // the packages of a row, or these with one of the names that it may import
	for file, imports := range importsOf(t) {
		from := filepath.ToSlash(filepath.Dir(file))
		row := slices.IndexFunc(levels, func(p permission) bool { return covers(p.packages, from) })
		if row < 0 {
			t.Errorf("%s is on no level: add it to levels in internal/structure", from)
			continue
		}
		p := &levels[row]
		used[p.packages] = true
		for _, path := range imports {
			to, ours := strings.CutPrefix(path, module)
			for _, name := range strings.Fields(p.imports) {
				used[p.packages+" > "+name] = used[p.packages+" > "+name] || ours && covers(name, to)
			}
			if ours && !covers(p.imports, to) {
				t.Errorf("%s imports %s, which levels in internal/structure does not allow", file, to)
			} else if !ours && !mayImport(from, path) {
				t.Errorf("%s imports %s, which outside in internal/structure does not allow", file, path)
			}
		}
	}
	for _, p := range levels {
		if !used[p.packages] {
			t.Errorf("there is no package %s: delete its row of levels", p.packages)
			continue
		}
		for _, name := range strings.Fields(p.imports) {
			if !used[p.packages+" > "+name] {
				t.Errorf("%s does not import %s: delete that in levels", p.packages, name)
			}
		}
	}
}

// mayImport reports whether a package may import another one that is not of this module.
func mayImport(from, path string) bool {
	for _, p := range outside {
		if covers(p.packages, path) {
			return covers(p.imports, from)
		}
	}
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") // the standard library
}

// covers reports whether one of the names is that of a package or of a tree it lies in.
func covers(names, path string) bool {
	return slices.ContainsFunc(strings.Fields(names), func(name string) bool {
		tree, ok := strings.CutSuffix(name, "/...")
		return path == tree || ok && strings.HasPrefix(path, tree+"/")
	})
}

// importsOf returns the imports of all files but tests, for every platform.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".git")):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path) // it begins with root
		files[name] = nil
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
			files[name] = append(files[name], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What go doc prints of a package that others may import can be read at once.
func TestOverviewIsShort(t *testing.T) {
	const most = 60 // lines
	folders := map[string]bool{}
	for file := range importsOf(t) {
		folders[filepath.ToSlash(filepath.Dir(file))] = true
	}
	for folder := range folders {
		n, err := api.Overview(filepath.Join(root, folder))
		if err != nil {
			t.Fatal(err)
		}
		if n > most && !strings.Contains(folder, "internal") {
			t.Errorf("go doc prints %d lines of %s, want at most %d: shorten the comment of the package, or export less", n, folder, most)
		}
	}
}
