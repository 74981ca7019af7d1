package rnicsim

// Which requirements the tests and transcripts of this package and of rnicsim/rpc prove, and which they do not.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/golden"
)

// requirementID finds what looks like an id of the catalogue.
var requirementID = regexp.MustCompile(`\b(?:V|RDMAPX?|DDP|E?MPA|SEC|D00|RPCRDMA[12]|RPCBIDI|RPCPD)-[0-9A-Z][0-9A-Za-z.]*(?:-[0-9]+[a-z]?)*\b`)

// proofs returns the ids in comments of test functions and in the lines "# proves" of transcripts, with the places
// where each is named, in order.
func proofs(t *testing.T) map[string][]string {
	found := map[string][]string{}
	name := func(where, text string) {
		for _, id := range requirementID.FindAllString(text, -1) {
			if !slices.Contains(found[id], where) {
				found[id] = append(found[id], where)
			}
		}
	}
	for _, file := range append(matching(t, "*_test.go"), matching(t, "rpc/*_test.go")...) {
		prefix := ""
		if filepath.Dir(file) == "rpc" {
			prefix = "rpc."
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if test, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(test.Name.Name, "Test") {
				name(prefix+test.Name.Name, test.Doc.Text())
			}
		}
	}
	for _, file := range matching(t, "testdata/*.txt") {
		for line := range strings.Lines(read(t, file)) {
			if ids, ok := strings.CutPrefix(line, "# proves "); ok {
				name(strings.TrimSuffix(filepath.Base(file), ".txt"), ids)
			}
		}
	}
	for _, places := range found {
		slices.Sort(places)
	}
	return found
}

// proofsFile has the proofs for others: an id and the places, with blanks between them, in the order of the catalogue.
const proofsFile = "testdata/proofs.tsv"

// table returns what proofsFile should hold.
func table(proved map[string][]string) string {
	var b strings.Builder
	b.WriteString("id\tproved by\n")
	for r := range rfc.All() {
		if places := proved[r.ID]; places != nil {
			b.WriteString(r.ID + "\t" + strings.Join(places, " ") + "\n")
		}
	}
	return b.String()
}

func TestProofsFile(t *testing.T) {
	golden.File(t, proofsFile, table(proofs(t)))
}

func matching(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, err)
	}
	return files
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unproved returns the reasons of testdata/unproved.tsv, by id.
func unproved(t *testing.T) map[string]string {
	reasons := map[string]string{}
	lines := strings.Split(strings.TrimSpace(read(t, "testdata/unproved.tsv")), "\n")
	if lines[0] != "id\treason" || !slices.IsSorted(lines[1:]) {
		t.Error("testdata/unproved.tsv has no header, or is not sorted")
	}
	for _, line := range lines[1:] {
		id, reason, _ := strings.Cut(line, "\t")
		if rfc.Lookup(id) == nil || reason == "" || reasons[id] != "" {
			t.Errorf("testdata/unproved.tsv: %s is not in the catalogue, has no reason or is there twice", id)
		}
		reasons[id] = reason
	}
	return reasons
}

// inScope reports whether a requirement is one that this package has to keep, as an RNIC, or rnicsim/rpc as a Requester: then who calls it,
// or the peer, can tell.
func inScope(r *rfc.Requirement) bool {
	if r.Who == "requester" && strings.HasPrefix(r.ID, "RPC") {
		return strings.Contains(r.Observable, "api") || strings.Contains(r.Observable, "peer")
	}
	return slices.Contains([]string{"IN", "OPT", "SIM"}, r.Scope)
}

func TestProofs(t *testing.T) {
	proved, unproved := proofs(t), unproved(t)
	for id, where := range proved {
		if rfc.Lookup(id) == nil {
			t.Errorf("%s: the catalogue has no %s", where, id)
		}
	}
	scope, kept := 0, 0
	for r := range rfc.All() {
		where, named := proved[r.ID]
		_, listed := unproved[r.ID]
		switch {
		case !inScope(r) && listed:
			t.Errorf("%s is not in scope, and need not be in testdata/unproved.tsv", r.ID)
		case !inScope(r):
			continue
		case named && listed:
			t.Errorf("%s is in testdata/unproved.tsv, but %s proves it", r.ID, where)
		case !named && !listed:
			t.Errorf("%s is proved nowhere, and testdata/unproved.tsv does not say why: %s", r.ID, r.Text)
		}
		scope++
		if named {
			kept++
		}
	}
	t.Logf("%d requirements of the Verbs and on Requesters in scope: %d proved, %d not; %d of all documents", scope, kept, scope-kept, len(proved))
}
