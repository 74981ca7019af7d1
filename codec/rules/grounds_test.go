package rules_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var specs = flag.String("specs", "", "a folder with the texts of the RFCs, as rfc5041.txt: are the words quoted from them there?")

// TestGrounds checks that each Situation has the words of a section of the catalogue, or a reason.
func TestGrounds(t *testing.T) {
	for s := rules.NoSituation + 1; s < rules.NumSituations; s++ {
		g := s.Ground()
		if g.Decided == "" && g.Words == "" || g.Partly && (g.Words == "" || g.Decided == "") || (g.Words == "") != (g.Source == "") {
			t.Errorf("%v: grounds.go has neither words of a document nor a reason: %+v", s, *g)
		}
		if g.Decided != "" && !strings.HasSuffix(g.Decided, ".") {
			t.Errorf("%v: no sentence: %q", s, g.Decided)
		}
		doc, section, _ := strings.Cut(g.Source, ", section ")
		if g.Words == "" {
			continue
		}
		if rfc.LookupDocument(strings.ReplaceAll(doc, " ", "")) == nil && doc != "RFC 6580" {
			t.Errorf("%v: the catalogue has no %s", s, doc)
		}
		if *specs != "" && !strings.Contains(sectionText(t, doc, section), spaced(g.Words)) {
			t.Errorf("%v: %s does not say %q", s, g.Source, g.Words)
		}
	}
}

// spaced returns a text with one space between words.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

var pageBreak = regexp.MustCompile(`\n+[^\n]*\[Page \d+\]\n\f?\n*RFC \d+[^\n]*\n`)

// sectionText returns what a document says in a section.
func sectionText(t *testing.T, doc, section string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(*specs, strings.ToLower(strings.ReplaceAll(doc, " ", ""))+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	text := pageBreak.ReplaceAllString(string(b), "\n")
	head := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(section) + `\.  `)
	places := head.FindAllStringIndex(text, -1)
	if places == nil {
		t.Fatalf("%s has no section %s", doc, section)
	}
	text = text[places[len(places)-1][1]:]
	if next := regexp.MustCompile(`(?m)^\d+(\.\d+)*\.  `).FindStringIndex(text); next != nil {
		text = text[:next[0]]
	}
	return spaced(text)
}
