package rules_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// TestRules looks that each Rule has a name of its own, a sentence, and requirements that the catalogue knows.
func TestRules(t *testing.T) {
	names := map[string]bool{}
	for r := range rules.Rules {
		if names[r.Name] || r.Name != strings.ToLower(r.Name) || strings.ContainsAny(r.Name, " _") {
			t.Errorf("a rule is called %q", r.Name)
		}
		names[r.Name] = true
		if !ofRPC(r) && (!strings.HasSuffix(r.Text, ".") || strings.Count(r.Text, ". ") > 0) {
			t.Errorf("%s: %q is not one sentence", r.Name, r.Text)
		}
		seen := map[string]bool{}
		for _, id := range r.IDs {
			if rfc.Lookup(id) == nil || seen[id] {
				t.Errorf("%s: %s is not in the catalogue, or named twice", r.Name, id)
			}
			seen[id] = true
		}
		if rules.LookupRule(r.Name) != r {
			t.Errorf("%s is not found", r.Name)
		}
	}
	if len(names) < 60 {
		t.Errorf("only %d rules", len(names))
	}
	if rules.LookupRule("no-such-rule") != nil {
		t.Error("a rule that does not exist was found")
	}
}

// ofRPC tells that a Rule is one of RPC-over-RDMA.
func ofRPC(r *rules.Rule) bool { return strings.HasPrefix(r.ID(), "RPC") }

// TestSeverities looks that a Rule weighs as much as the level of its first requirement says, but for those that say in
// a comment why not.
func TestSeverities(t *testing.T) {
	lighter := map[string]bool{}
	for _, name := range strings.Fields(`interleaved l-missing terminate-l atomic-alignment atomic-ignored mpa-rev
		reply-rev to-end read-end crc-off empty-segment terminate-no-read terminate-trailing terminate-hdrct
		terminate-rdma-header terminate-protection terminate-header terminate-segment-length terminate-payload-length
		terminate-read-header terminate-first mpa-terminate terminate-local-code invalidate-none`) {
		lighter[name] = true
	}
	for r := range rules.Rules {
		if ofRPC(r) {
			continue
		}
		want := rules.Note
		switch rfc.Lookup(r.ID()).Level {
		case rfc.Must, rfc.MustNot:
			want = rules.Error
		case rfc.Should, rfc.ShouldNot:
			want = rules.Warning
		}
		if lighter[r.Name] && r.Severity > want || !lighter[r.Name] && r.Severity != want {
			t.Errorf("%s weighs %v, %s has %v", r.Name, r.Severity, r.ID(), rfc.Lookup(r.ID()).Level)
		}
	}
}
