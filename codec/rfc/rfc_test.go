package rfc

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCatalogue checks that every requirement is complete and consistent.
func TestCatalogue(t *testing.T) {
	// family-section-number, a letter after the number for those added later; the Verbs have numbers only.
	wellFormed := regexp.MustCompile(`^([A-Z][A-Z0-9]*-[0-9A-Z.]+-[0-9]+[a-z]?|V-[0-9]{3})$`)
	documents := map[string]string{ // of the family of an id
		"MPA": "RFC5044", "EMPA": "RFC6581", "DDP": "RFC5041", "SCTP": "RFC5043", "IANA": "RFC6580", "RDMAP": "RFC5040", "RDMAPX": "RFC7306",
		"SEC": "RFC5042", "D00": "draft-ietf-rddp-rdmap-00", "RPCRDMA1": "RFC8166", "RPCRDMA2": "RPCRDMA-V2-01", "RPCBIDI": "RFC8167",
		"RPCPD": "RFC8797", "V": "RDMAC-VERBS-1.0",
	}
	basis := regexp.MustCompile(`^(stated (without a key word of RFC 2119|with a key word in lower case|in an? |by )|implied by |read from )`)
	who := strings.Fields("both data-sink data-source initiator receiver requester responder rnic sender")
	jargon := regexp.MustCompile(`^- |trap T|decoder|validator|\.md|^see \d| fact\)|lower-case`)
	observable := strings.Fields("api capture codec none peer")
	seen := make(map[string]bool)
	used := make(map[string]bool)
	for r := range All() {
		if !wellFormed.MatchString(r.ID) {
			t.Errorf("%s is not well formed", r.ID)
		}
		if id := strings.ToUpper(r.ID); seen[id] {
			t.Errorf("%s is there twice", r.ID)
		} else {
			seen[id] = true
		}
		family, rest, _ := strings.Cut(r.ID, "-")
		if documents[family] != r.Doc {
			t.Errorf("%s is from %s, want %s", r.ID, r.Doc, documents[family])
		}
		if d := r.Document(); d == nil || d.ID != r.Doc {
			t.Errorf("%s: there is no document %s", r.ID, r.Doc)
		}
		used[r.Doc] = true
		if r.Section == "" || r.Text == "" || !slices.Contains(who, r.Who) {
			t.Errorf("%s: %+v", r.ID, r)
		}
		verbs := family == "V"
		if section, _, _ := strings.Cut(rest, "-"); !verbs && !r.In(section) {
			t.Errorf("%s is in section %s", r.ID, r.Section)
		}
		for _, where := range strings.Split(r.Observable, ",") {
			if !slices.Contains(observable, where) {
				t.Errorf("%s shows in %q", r.ID, where)
			}
		}
		if slices.Contains([]string{"IN", "OPT", "SIM", "OUT"}, r.Scope) != verbs || verbs && (r.Violation != "" || r.Reaction != "") {
			t.Errorf("%s: %+v", r.ID, r)
		}
		if jargon.MatchString(r.Reaction) || jargon.MatchString(r.Text) {
			t.Errorf("%s: %q, the reaction is %q", r.ID, r.Text, r.Reaction)
		}
		if strings.HasPrefix(r.Text, "[") || r.Basis != "" && !basis.MatchString(r.Basis) {
			t.Errorf("%s: %q, %s", r.ID, r.Basis, r.Text)
		}
		for _, s := range []string{r.Section, r.Text, r.Violation, r.Reaction} {
			if s != strings.TrimSpace(s) || strings.ContainsAny(s, "\r\n\t") || s == "-" {
				t.Errorf("%s: %q", r.ID, s)
			}
		}
		if Lookup(r.ID) != r {
			t.Errorf("%s is not found", r.ID)
		}
	}
	if len(seen) < 1000 {
		t.Errorf("%d requirements", len(seen))
	}
	for d := range Documents() {
		if !used[d.ID] {
			t.Errorf("nothing is from %s", d.ID)
		}
		if d.Name == "" || d.Title == "" || LookupDocument(d.ID) != d || LookupDocument(d.Name) != d {
			t.Errorf("%+v", d)
		}
	}
	for range Documents() {
		break
	}
}

// TestOrder checks that the catalogue has the order that All promises.
func TestOrder(t *testing.T) {
	var families []string
	for r := range All() {
		if family, _, _ := strings.Cut(r.ID, "-"); len(families) == 0 || families[len(families)-1] != family {
			families = append(families, family)
		}
	}
	first := func(family string) int { return slices.Index(families, family) }
	for _, pair := range [][2]string{{"MPA", "DDP"}, {"DDP", "RDMAP"}, {"RDMAP", "RPCRDMA1"}, {"RPCRDMA1", "V"}} {
		if a, b := first(pair[0]), first(pair[1]); a < 0 || b < 0 || a > b {
			t.Errorf("%s at %d, %s at %d in %v", pair[0], a, pair[1], b, families)
		}
	}
	for range All() {
		break
	}
}

func TestLookup(t *testing.T) {
	want := Requirement{ID: "MPA-3-2", Doc: "RFC5044", Section: "3", Level: Must, Who: "sender", Text: "Tell DDP the current MULPDU.",
		Observable: "api", Violation: "no MULPDU interface"}
	for _, id := range []string{"MPA-3-2", "mpa-3-2", "Mpa-3-2"} {
		if d := cmp.Diff(&want, Lookup(id)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", id, d)
		}
	}
	verbs := Requirement{ID: "V-002", Doc: "RDMAC-VERBS-1.0", Section: "5.1.2, 9.2.1.1", Level: Must, Who: "rnic",
		Text: `A second Open of an RNIC that is open must fail with "RNIC in use" until Close.`, Observable: "api", Scope: "IN"}
	if d := cmp.Diff(&verbs, Lookup("v-002")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if r := Lookup("rdmap-5.5-12B"); r == nil || r.ID != "RDMAP-5.5-12b" {
		t.Errorf("%v", r)
	}
	for _, id := range []string{"", "DDP", "DDP-5.3", "DDP-5.3-400", " MPA-3-2"} {
		if r := Lookup(id); r != nil {
			t.Errorf("Lookup(%q) is %s", id, r)
		}
	}
	if s := Lookup("MPA-3-2").String(); s != "MPA-3-2 (RFC 5044, section 3, MUST)" {
		t.Errorf("%s", s)
	}
	if s := (&Requirement{ID: "X-1-1", Doc: "RFC1", Section: "1", Level: May}).String(); s != "X-1-1 (RFC1, section 1, MAY)" {
		t.Errorf("%s", s)
	}
	if allocs := testing.AllocsPerRun(100, func() { Lookup("MPA-3-2") }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestIn(t *testing.T) {
	for _, tc := range []struct {
		sections, section string
		want              bool
	}{
		{"5.3", "5.3", true}, {"5.3", "5", true}, {"5.3", "5.", false}, {"5.3", "5.31", false}, {"5.31", "5.3", false}, {"5.3", "", false},
		{"5.1.2, 9.2.1.1", "9.2", true}, {"5.1.2, 9.2.1.1", "1.2", false}, {"6.4 F12", "F12", true}, {"6.5, 8.2.2-18", "8.2.2", true},
		{"C.2.5", "C", true}, {"15.3", "5.3", false},
	} {
		if got := (&Requirement{Section: tc.sections}).In(tc.section); got != tc.want {
			t.Errorf("%s in %s: %v", tc.sections, tc.section, got)
		}
	}
}

func TestSection(t *testing.T) {
	ids := func(some []*Requirement) (ids []string) {
		for _, r := range some {
			ids = append(ids, r.ID)
		}
		return ids
	}
	whole := ids(Section("rfc 5041", "5.3"))
	if len(whole) == 0 || whole[0] != "DDP-5.3-1" || !slices.Equal(whole, Complete("DDP-5.3-")) {
		t.Errorf("%v", whole)
	}
	if d := cmp.Diff(ids(Section("RFC5041", "5")), Complete("ddp-5")); d != "" {
		t.Errorf("section 5 and its ids differ:\n%s", d)
	}
	if some := Section("RDMAC Verbs 1.0", "F24"); len(some) < 6 {
		t.Errorf("%v", ids(some))
	}
	for _, s := range [][2]string{{"RFC5041", "99"}, {"RFC5041", ""}, {"RFC1", "5"}} {
		if some := Section(s[0], s[1]); some != nil {
			t.Errorf("%v: %v", s, ids(some))
		}
	}
}

func TestComplete(t *testing.T) {
	n := 0
	for range All() {
		n++
	}
	if all := Complete(""); len(all) != n {
		t.Errorf("%d of %d", len(all), n)
	}
	if got := Complete("mpa-3-"); len(got) == 0 || got[0] != "MPA-3-1" || got[1] != "MPA-3-2" {
		t.Errorf("%v", got)
	}
	if got := Complete("rdmap-5.5-12"); !slices.Equal(got, []string{"RDMAP-5.5-12", "RDMAP-5.5-12b", "RDMAP-5.5-12c"}) {
		t.Errorf("%v", got)
	}
	if got := Complete("XYZ"); got != nil {
		t.Errorf("%v", got)
	}
}

func TestNearest(t *testing.T) {
	for _, tc := range []struct{ typed, first string }{
		{"MPA-3-2", "MPA-3-2"}, {"MPA3-2", "MPA-3-2"}, {"DPP-5.3-4", "DDP-5.3-4"}, {"ddp-5.3.4", "DDP-5.3-4"}, {"V-2", "V-002"}, {"V-0002", "V-002"},
	} {
		if got := Nearest(tc.typed, 5); len(got) == 0 || len(got) > 5 || !slices.Contains(got, Lookup(tc.first)) {
			t.Errorf("%s: %v", tc.typed, got)
		}
	}
	if got := Nearest("MPA-3-2", 1); len(got) != 1 || got[0] != Lookup("MPA-3-2") {
		t.Errorf("%v", got)
	}
	for _, typed := range []string{"", "X", "something else", strings.Repeat("MPA-3-2", 100)} {
		if got := Nearest(typed, 5); len(got) != 0 {
			t.Errorf("%.20q: %v", typed, got)
		}
	}
	if got := Nearest("MPA-3-2", -1); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestParse(t *testing.T) {
	const row = "A-1-1\tRFC1\t1\tMUST NOT\tstated in a table\tboth\ttext\t-\tapi\t-\tclose"
	got, err := parse(nil, protocolColumns+"\n"+row+"\n")
	want := []Requirement{{ID: "A-1-1", Doc: "RFC1", Section: "1", Level: MustNot, Basis: "stated in a table", Who: "both", Text: "text", Observable: "api", Reaction: "close"}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
	for text, want := range map[string]string{
		"":                             `line 1: columns "" are not known`,
		"id\tdoc\n":                    `line 1: columns "id\tdoc" are not known`,
		verbsColumns + "\nA-1-1\tRFC1": "line 2: 2 columns, want 10",
		verbsColumns + "\n" + row:      "line 2: 11 columns, want 10",
		protocolColumns + "\n" + strings.Replace(row, "MUST NOT", "must", 1): `line 2: rfc: "must" is not a level: want one of MUST, MUST NOT, SHOULD, SHOULD NOT, MAY`,
	} {
		if _, err := parse(nil, text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

var specs = flag.String("specs", "", "a folder with the texts of the documents, as rfc5041.txt: is what is quoted there?")

var (
	pageBreak = regexp.MustCompile(`\n[^\n]*\[Page \d+\]\s*\n\f?\s*(RFC \d+|Internet-Draft|INTERNET-DRAFT)[^\n]*\n`)
	heading   = regexp.MustCompile(`(?m)^(?:   (\d+(?:\.\d+)+) |(?:Appendix )?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)*)(?:\. |  ))`)
	markup    = regexp.MustCompile(`</?u>`)
	space     = regexp.MustCompile(`\s+`)
)

// sectionsOf are the sections of a document, subsections apart, without white space.
func sectionsOf(t *testing.T, d *Document) map[string]string {
	b, err := os.ReadFile(filepath.Join(*specs, strings.ToLower(strings.ReplaceAll(d.Name, " ", ""))+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	text := markup.ReplaceAllString(pageBreak.ReplaceAllString(string(b), ""), "")
	sections := map[string]string{}
	parts := strings.Split(heading.ReplaceAllString(text, "\x00$1$2\x00"), "\x00")
	for i := 1; i < len(parts); i += 2 {
		sections[parts[i]] += space.ReplaceAllString(parts[i+1], "")
	}
	return sections
}

// TestQuotes checks that quotations are tidy and, with -specs, that the sections of the ids have each part of them, white space aside.
func TestQuotes(t *testing.T) {
	documents := map[string]map[string]string{}
	for r := range All() {
		if r.Quote == "" {
			continue
		}
		if r.Quote != strings.Join(strings.Fields(r.Quote), " ") || len(r.Quote) > 450 {
			t.Errorf("%s: %q", r.ID, r.Quote)
		}
		if *specs == "" {
			continue
		}
		if documents[r.Doc] == nil {
			documents[r.Doc] = sectionsOf(t, r.Document())
		}
		for part := range strings.SplitSeq(r.Quote, " ... ") {
			if !strings.Contains(documents[r.Doc][r.Section], space.ReplaceAllString(part, "")) {
				var where []string
				for name, text := range documents[r.Doc] {
					if strings.Contains(text, space.ReplaceAllString(part, "")) {
						where = append(where, name)
					}
				}
				t.Errorf("%s: %s does not say %q, but %q", r.ID, r.Source(), part, where)
			}
		}
	}
}

func TestLevel(t *testing.T) {
	for l, name := range map[Level]string{Must: "MUST", MustNot: "MUST NOT", Should: "SHOULD", ShouldNot: "SHOULD NOT", May: "MAY"} {
		if l.String() != name {
			t.Errorf("%d is %s, want %s", l, l, name)
		}
		if back, err := ParseLevel(name); back != l || err != nil {
			t.Errorf("%s is read as %s, %v", name, back, err)
		}
	}
	if s := Level(9).String(); s != "Level9" {
		t.Errorf("%s", s)
	}
}

func BenchmarkParse(b *testing.B) {
	var texts []string
	n := 0
	for _, name := range fileNames {
		text, err := files.ReadFile("catalogue/" + name)
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, string(text))
		n += len(text)
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		var all []Requirement
		for _, text := range texts {
			all, _ = parse(all, text)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		Lookup("RDMAP-5.5-12b")
	}
}

func BenchmarkNearest(b *testing.B) {
	for b.Loop() {
		Nearest("RDMP-5.5-12", 5)
	}
}
