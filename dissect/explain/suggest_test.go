package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/explain"
)

func queries(all []explain.Suggestion) (some []string) {
	for _, s := range all {
		some = append(some, s.Query)
	}
	return some
}

func TestNearest(t *testing.T) {
	for query, want := range map[string]string{
		"ulpud":            "ULPDU",
		"stagg":            "STag",
		"SendInvalid":      "SendInvalidate",
		"markr":            "Marker",
		"RDMA_NOMS":        "RDMA_NOMSG",
		"DDP-5.3":          "DDP-5.3-1",
		"DDP-5.3-44":       "DDP-5.3-4",
		"NFS4ERR_DLEAY":    "NFS4ERR_DELAY",
		"iwarp_ddp.sttag":  "iwarp_ddp.stag",
		"too long for":     "1/2/05",
		"bufer too small.": "",
	} {
		got := queries(explain.Nearest(query, 5))
		if len(got) > 5 || want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got := queries(explain.Nearest("send", 3)); len(got) != 3 {
		t.Errorf("3 wanted: %q", got)
	}
	for _, n := range []int{0, -1} {
		if got := explain.Nearest("send", n); got != nil {
			t.Errorf("%d wanted: %q", n, got)
		}
	}
}

func TestComplete(t *testing.T) {
	for _, test := range []struct {
		prefix string
		want   string // one of them
		not    string // none of them
	}{
		{"", "SendInvalidate", "DDP-5.3-4"},
		{"", "Marker", "iwarp_ddp.stag"},
		{"ddp-5.3", "DDP-5.3-4", "DDP-5.2-1"},
		{"term 1/", "term 1/2/05", "term 0/1/02"},
		{"1/2/", "1/2/05", "term 1/2/05"},
		{"opcode ", "opcode 10", "AtomicRequest"},
		{"opcode 1", "opcode 12", "opcode 2"},
		{"field iwarp_d", "field iwarp_ddp.stag", "iwarp_ddp.stag"},
		{"nfs4err_de", "NFS4ERR_DELAY", "NFS4ERR_PERM"},
		{"OBS-R", "OBS-RESET", "OBS-STALL"},
		{"layer", "layer-of-nothing", "*"},
	} {
		got := queries(explain.Complete(test.prefix))
		if test.not == "*" {
			if len(got) > 0 {
				t.Errorf("%q: %q", test.prefix, got)
			}
			continue
		}
		if !slices.Contains(got, test.want) || slices.Contains(got, test.not) {
			t.Errorf("%q: %d completions, want %q, not %q", test.prefix, len(got), test.want, test.not)
		}
		seen := map[string]bool{}
		for _, query := range got {
			if seen[query] || !strings.HasPrefix(strings.ToLower(query), strings.ToLower(test.prefix)) {
				t.Errorf("%q: %q twice, or with another begin", test.prefix, query)
			}
			seen[query] = true
		}
	}
}

// TestOddQueries asks for what nobody should: nothing may panic, and what comes must be text.
func TestOddQueries(t *testing.T) {
	parts := []string{
		"", " ", "\n", "0", "0x", "0xg", "x", "/", "//", "1//", "1/2/", "/2/05", "1/2/055", "-1", "99999999999999999999", "0x100000000",
		"term", "term ", "opcode", "opcode -1", "opcode 16", "opcode g", "layer", "layer x", "layer 16 type 99",
		"layer 1 type 2 code 256", "field", "field .", "code code code", "DDP-", "-", "._.", "...", "%s%d", "\x00", "\xff\xfe",
		"é", "日本", "٣", "İ", "ſtag", strings.Repeat("a", 5000), strings.Repeat("1/2/05 ", 1000), strings.Repeat(". ", 3000),
	}
	for _, a := range parts {
		for _, b := range parts {
			query := a + b
			for _, e := range explain.Lookup(query) {
				if e.Name == "" || !utf8.ValidString(fmt.Sprint(e)) {
					t.Errorf("%q: %+v", query, e)
				}
			}
			if b == "" {
				explain.Nearest(query, 3)
				explain.Complete(query)
			}
		}
	}
}
