package cli

import (
	"strings"
	"testing"
)

// TestExplainLive explains cases of conform and quirks of serve, with the command that runs them.
func TestExplainLive(t *testing.T) {
	for query, want := range map[string]string{
		"RFC5041/7.1/stag-without-right": "iwarp conform HOST RFC5041/7.1/stag-without-right",
		"drops-bad-stag":                 "iwarp serve --quirk drops-bad-stag",
		"quirk bad-crc":                  "iwarp serve --quirk bad-crc",
		"no-such-quirk":                  "",
	} {
		found := explainLive(query)
		if want == "" && found == nil {
			continue
		}
		if len(found) != 1 || found[0].Show != want || len(found[0].Text) == 0 {
			t.Errorf("%q is %+v", query, found)
		}
	}
}

// TestExplainNearCases suggests the cases of the same section, the nearest first, and else some of the document.
func TestExplainNearCases(t *testing.T) {
	for query, first := range map[string]string{
		"RFC5041/4.3/nonsense": "RFC5041/4.3/", "rfc5041/4.3/msn-leftout": "RFC5041/4.3/msn-left-out", "RFC5041/99/msn-left-out": "RFC5041/4.3/msn-left-out",
	} {
		got := run(t.Context(), strings.NewReader(""), false, nil, "explain", query)
		if _, names, _ := strings.Cut(got.err, "similar names are\n  "); !strings.HasPrefix(names, first) {
			t.Errorf("%s: %s", query, got.err)
		}
	}
}

// TestExplainMany lists the meanings of a word that has many.
func TestExplainMany(t *testing.T) {
	got := run(t.Context(), strings.NewReader(""), false, nil, "explain", "reserved")
	if lines := strings.Count(got.out, "\n"); lines > 48 || !strings.Contains(got.out, "iwarp_rdma.reserved") {
		t.Errorf("%d lines:\n%s", lines, got.out)
	}
}

// TestExplainManyWords looks a query of very many words up as fast as a short one, for each word.
func TestExplainManyWords(t *testing.T) {
	few := testing.AllocsPerRun(1, func() { explainLive("a ") })
	if many := testing.AllocsPerRun(1, func() { explainLive(strings.Repeat("a ", maxExplained/2)) }); many > few+100 {
		t.Errorf("%.0f allocations, for one word %.0f", many, few)
	}
}
