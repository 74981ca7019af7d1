package judge_test

// docs/generated/requirements.md: of every requirement of the catalogue, what checks it in captured traffic, or why nothing does, what
// proves that rnicsim keeps it, and which case asks a live peer for it, or why none does.

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/golden"
)

const requirementsFile = "../../docs/generated/requirements.md"

// TestRequirements checks whether every requirement that shows in a capture is either checked or has a reason why not,
// and whether docs/generated/requirements.md says so.
func TestRequirements(t *testing.T) {
	reasons := readReasons(t)
	by := rulesByRequirement(t)
	for r := range rfc.All() {
		_, excused := reasons[r.ID]
		checked := len(by[r.ID]) > 0
		switch shows := observable(r, "capture"); {
		case checked && excused:
			t.Errorf("%s is checked by %s and has a reason why not", r.ID, by[r.ID][0].Name)
		case shows && !checked && !excused:
			t.Errorf("%s shows in a capture, but no rule checks it and no reason says why: %s", r.ID, r.Text)
		case !shows && excused:
			t.Errorf("%s does not show in a capture: it needs no reason", r.ID)
		}
	}
	golden.File(t, requirementsFile, requirementsDocument(t, by, reasons))
}

// observable reports whether a breach of r shows in the given place: "capture", "codec", "api" or "peer".
func observable(r *rfc.Requirement, place string) bool {
	return slices.Contains(strings.Split(r.Observable, ","), place)
}

// rulesByRequirement are the rules that check a requirement, by its id: those that name it, and those of
// testdata/checked, which are named there since what they check is that requirement only under some profile.
func rulesByRequirement(t *testing.T) map[string][]*rules.Rule {
	t.Helper()
	by := map[string][]*rules.Rule{}
	for r := range rpcrules.All() {
		for _, id := range r.IDs {
			by[id] = append(by[id], r)
		}
	}
	const also = "testdata/checked/verbs.tsv"
	for i, row := range readTable(t, also, 2) {
		if rfc.Lookup(row[0]) == nil {
			t.Errorf("%s:%d: %q is not a requirement", also, i+2, row[0])
		}
		for _, name := range strings.Fields(row[1]) {
			r := rpcrules.Lookup(name)
			if r == nil {
				t.Fatalf("%s:%d: %q is not a rule", also, i+2, name)
			}
			by[row[0]] = append(by[row[0]], r)
		}
	}
	return by
}

// readReasons reads testdata/unchecked: by id, why a requirement that shows in a capture is not checked.
func readReasons(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/unchecked/*.tsv")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, name := range names {
		for i, row := range readTable(t, name, 2) {
			id, reason := row[0], row[1]
			if rfc.Lookup(id) == nil {
				t.Errorf("%s:%d: %q is not a requirement", name, i+2, id)
			}
			if _, twice := reasons[id]; twice {
				t.Errorf("%s:%d: %s is there twice", name, i+2, id)
			}
			reasons[id] = reason
		}
	}
	return reasons
}

// readTable reads a file of tab-separated values, whose first line names the columns. No value may be empty.
func readTable(t *testing.T, name string, columns int) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, line := range lines[1:] {
		row := strings.Split(line, "\t")
		if len(row) != columns || slices.Contains(row, "") {
			t.Fatalf("%s:%d: want %d columns, none of them empty", name, i+2, columns)
		}
		rows = append(rows, row)
	}
	return rows
}

const requirementsIntro = `# Requirements

This is what the documents demand, how ` + "`dissect/judge`" + ` checks it in captured traffic, what proves that ` + "`rnicsim`" + ` keeps it,
and which cases of ` + "`iwarp conform`" + ` test a live peer for it. ` + "`iwarp explain ID`" + ` has the text of a requirement.

One or several rules of ` + "`codec/rules`" + ` check a requirement; each is followed by the streams under
` + "`dissect/judge/testdata/streams`" + ` that break it. A test runs these streams, and fails without the rule. If a requirement is
not checked, the table has the reason.

The next column names tests of ` + "`rnicsim`" + `, and transcripts in its testdata; those with ` + "`rpc.`" + ` are of ` + "`rnicsim/rpc`" + `. All
requirements of the Verbs that are in scope for software have one, and those on Requesters of RPC-over-RDMA except for seven, with the
reasons in ` + "`rnicsim/testdata/unproved.tsv`" + `. Two more tests prove that these fail when the behaviour is wrong. ` + "`TestTranscriptsNotice`" + ` ignores
each rule and situation of an RNIC in turn, and answers each with another Terminate; except for six, with the reasons, a
transcript then fails. ` + "`go run ./internal/tools/mutate rnicsim`" + ` inverts conditions, moves limits by one and removes
statements: of 700 such mutations, chosen at random, the tests noticed 666. Most of the others then got a test; the rest
changes nothing visible, such as when memory is released.

The last column names cases of ` + "`replay/conform`" + `, or says why a requirement that shows to a peer is not tested.

This file is generated: ` + "`make golden`" + `.

`

// keptFile is written by a test of rnicsim: an id, and the tests and transcripts that prove that it is kept.
const keptFile = "../../rnicsim/testdata/proofs.tsv"

// readKept reads keptFile.
func readKept(t *testing.T) map[string]string {
	t.Helper()
	kept := map[string]string{}
	for i, row := range readTable(t, keptFile, 2) {
		if rfc.Lookup(row[0]) == nil {
			t.Errorf("%s:%d: %q is not a requirement", keptFile, i+2, row[0])
		}
		kept[row[0]] = strings.ReplaceAll(row[1], " ", ", ")
	}
	return kept
}

// askedFile is written by a test of replay/conform/suite: an id, the cases that ask for it, or why none does.
const askedFile = "../../replay/conform/suite/testdata/asked.tsv"

// notAsked begins the reason why no case asks.
const notAsked = "not asked: "

// readAsked reads askedFile.
func readAsked(t *testing.T) map[string]string {
	t.Helper()
	asked := map[string]string{}
	for i, row := range readTable(t, askedFile, 3) {
		if rfc.Lookup(row[0]) == nil {
			t.Errorf("%s:%d: %q is not a requirement", askedFile, i+2, row[0])
		}
		asked[row[0]] = notAsked + row[2]
		if row[1] != "-" {
			asked[row[0]] = strings.ReplaceAll(row[1], " ", ", ")
		}
	}
	return asked
}

// requirementsDocument is what docs/generated/requirements.md should be.
func requirementsDocument(t *testing.T, by map[string][]*rules.Rule, reasons map[string]string) string {
	var b strings.Builder
	b.WriteString(requirementsIntro)
	b.WriteString("| document | requirements | show in a capture | of these checked | not checked | kept by rnicsim | show to a peer | of these asked |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	kept, asked := readKept(t), readAsked(t)
	var all counts
	for d := range rfc.Documents() {
		c := countDocument(d, by, kept, asked)
		all.add(c)
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", d.Name, anchor(d), c)
	}
	fmt.Fprintf(&b, "| all | %s |\n", all)
	proved := proofs(t)
	for d := range rfc.Documents() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", d.Name, d.Title)
		b.WriteString("| id | section | level | checked by, or why not | kept by rnicsim | asked by, or why not |\n|---|---|---|---|---|---|\n")
		for r := range rfc.All() {
			if r.Doc == d.ID {
				checked := fate(r, by[r.ID], reasons[r.ID], proved)
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.ID, r.Section, r.Level, checked, kept[r.ID], asked[r.ID])
			}
		}
	}
	lighterRules(&b)
	decidedRules(&b)
	return b.String()
}

// decidedRules writes which rules are answered with a Terminate that no RFC demands, and why with that.
func decidedRules(b *strings.Builder) {
	b.WriteString("\n## What iwarp expects where the RFCs are silent\n\nNo RFC says which Terminate answers a breach of these rules, or not all of it.\n\n" +
		"| rule | what is decided, and why |\n|---|---|\n")
	for r := range rpcrules.All() {
		if g := r.Situation.Ground(); g.Decided != "" {
			fmt.Fprintf(b, "| **%s** | %s |\n", r.Name, g.Decided)
		}
	}
}

// lighterRules writes which rules weigh less than their requirement says, and why.
func lighterRules(b *strings.Builder) {
	b.WriteString("\n## Rules that weigh less\n\nA breach of a MUST is an error, one of a SHOULD a warning, all else is a note. " +
		"These rules weigh less\nthan the level of their first requirement, for no capture proves a breach, or the documents " +
		"contradict each other.\n\n| rule | weighs | requirement | level | why not more |\n|---|---|---|---|---|\n")
	for r := range rpcrules.All() {
		if r.Lighter != "" {
			fmt.Fprintf(b, "| **%s** | %s | %s | %s | %s |\n", r.Name, r.Severity, r.ID(), rfc.Lookup(r.ID()).Level, r.Lighter)
		}
	}
}

// anchor is how a heading is linked to.
func anchor(d *rfc.Document) string {
	return strings.ToLower(strings.NewReplacer(" ", "-", ".", "").Replace(d.Name))
}

// counts are numbers of requirements.
type counts struct{ all, shows, checked, kept, peer, asked int }

func (c *counts) add(o counts) {
	c.all += o.all
	c.shows += o.shows
	c.checked += o.checked
	c.kept += o.kept
	c.peer += o.peer
	c.asked += o.asked
}

func (c counts) String() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d", c.all, c.shows, c.checked, c.shows-c.checked, c.kept, c.peer, c.asked)
}

func countDocument(d *rfc.Document, by map[string][]*rules.Rule, kept, asked map[string]string) (c counts) {
	for r := range rfc.All() {
		if r.Doc != d.ID {
			continue
		}
		c.all++
		if kept[r.ID] != "" {
			c.kept++
		}
		if observable(r, "peer") {
			c.peer++
			if !strings.HasPrefix(asked[r.ID], notAsked) {
				c.asked++
			}
		}
		if observable(r, "capture") {
			c.shows++
			if len(by[r.ID]) > 0 {
				c.checked++
			}
		}
	}
	return c
}

// fate is what checks a requirement, or why nothing does.
func fate(r *rfc.Requirement, by []*rules.Rule, reason string, proved map[string][]string) string {
	switch {
	case len(by) > 0:
		var checks []string
		for _, rule := range by {
			var files []string
			for _, path := range proved[rule.Name] {
				files = append(files, strings.TrimSuffix(path, ".txt"))
			}
			checks = append(checks, fmt.Sprintf("**%s** (%s)", rule.Name, strings.Join(files, ", ")))
		}
		return strings.Join(checks, "; ")
	case reason != "":
		return reason
	}
	return elsewhere(r)
}

// places says where else than in a capture a breach shows.
var places = map[string]string{
	"api":  "shows only inside an implementation",
	"peer": "needs a live peer",
	"none": "not observable",
}

// codecs are the packages whose tests look at what a codec can show, by the begin of an id.
var codecs = map[string]string{
	"MPA": "mpa", "EMPA": "mpa", "DDP": "ddp",
	"RDMAP": "rdmap", "RDMAPX": "rdmap", "D00": "rdmap", "IANA": "rdmap", "SEC": "rdmap",
	"SCTP": "sctp", "RPCRDMA1": "rpcrdma", "RPCRDMA2": "rpcrdma", "RPCBIDI": "rpcrdma", "RPCPD": "rpcrdma",
}

// elsewhere says of a requirement that does not show in a capture where it does.
func elsewhere(r *rfc.Requirement) string {
	var where []string
	for _, place := range slices.Sorted(slices.Values(strings.Split(r.Observable, ","))) {
		if text, ok := places[place]; ok {
			where = append(where, text)
		} else if prefix, _, _ := strings.Cut(r.ID, "-"); place == "codec" {
			where = append(where, "a property of the codec: tests of codec/"+codecs[prefix])
		}
	}
	return strings.Join(where, "; ")
}

// TestPlaces checks whether every place that the catalogue knows can be put into words.
func TestPlaces(t *testing.T) {
	unknown := map[string]bool{}
	for r := range rfc.All() {
		prefix, _, _ := strings.Cut(r.ID, "-")
		for _, place := range strings.Split(r.Observable, ",") {
			if place != "capture" && places[place] == "" && (place != "codec" || codecs[prefix] == "") {
				unknown[prefix+" "+place] = true
			}
		}
	}
	if len(unknown) > 0 {
		t.Errorf("no words for %v", slices.Sorted(maps.Keys(unknown)))
	}
}

// TestQuotes shows for each id of a rule that a finding in a stream names it, and for each quotation of the catalogue that one cites it if
// it is that of the first requirement of a rule. It is not cited if the rule weighs less, or if it is named behind the first one alone.
func TestQuotes(t *testing.T) {
	named, cited := map[string]bool{}, map[string]bool{}
	for _, s := range allStreams(t) {
		for _, one := range analyse(s.Records, s.Profile, nil).findings {
			named[one.ID] = true
			for _, id := range one.Also {
				named[id] = true
			}
			if r := rfc.Lookup(one.ID); r != nil && r.Quote != "" && show.BasisOf(&one).Quote == r.Quote {
				cited[one.ID] = true
			}
		}
	}
	first, lighter := map[string]bool{}, map[string]bool{}
	for r := range rpcrules.All() {
		for _, id := range r.IDs {
			if !named[id] {
				t.Errorf("no finding in any stream names %s of %s: add the id to a line \"! %[2]s\" in testdata/streams, where it is broken too", id, r.Name)
			}
		}
		if r.Lighter != "" {
			lighter[r.ID()] = true
		} else {
			first[r.ID()] = true
		}
	}
	n := map[string]int{}
	for r := range rfc.All() {
		switch {
		case r.Quote == "":
		case cited[r.ID]:
			n["cited"]++
		case first[r.ID]:
			t.Errorf("%s: no finding in any stream cites %q", r.ID, r.Quote)
		case lighter[r.ID]:
			n["weighs less"]++
		case named[r.ID]:
			n["named behind another"]++
		default:
			t.Errorf("%s: no finding names what the catalogue quotes: %q", r.ID, r.Quote)
		}
	}
	t.Log(n)
}
