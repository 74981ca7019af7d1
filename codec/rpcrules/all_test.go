package rpcrules_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// drawn are the requirements that only a figure, a table or XDR states, so that there is no sentence to quote.
var drawn = map[string]bool{
	"D00-6.8-1": true, "EMPA-8-1": true, "IANA-3.5-1": true, "RPCRDMA1-4.1.2-1": true, "RPCRDMA2-8.3-1": true, "RPCRDMA2-8.4-1": true,
}

// TestRules checks that each Rule has a unique name, a sentence, and requirements of the catalogue.
func TestRules(t *testing.T) {
	names := map[string]bool{}
	for r := range rpcrules.All() {
		if names[r.Name] || r.Name != strings.ToLower(r.Name) || strings.ContainsAny(r.Name, " _") {
			t.Errorf("a rule is called %q", r.Name)
		}
		names[r.Name] = true
		if !strings.HasSuffix(r.Text, ".") || strings.Contains(r.Text, ". ") {
			t.Errorf("%s: %q is not one sentence", r.Name, r.Text)
		}
		seen := map[string]bool{}
		for _, id := range r.IDs {
			if rfc.Lookup(id) == nil || seen[id] {
				t.Errorf("%s: %s is not in the catalogue, or named twice", r.Name, id)
			}
			seen[id] = true
		}
		if first := rfc.Lookup(r.ID()); first != nil && first.Quote == "" && !drawn[r.ID()] {
			t.Errorf("%s: %s is not quoted", r.Name, r.ID())
		}
		if rpcrules.Lookup(r.Name) != r {
			t.Errorf("%s is not found", r.Name)
		}
	}
	for r := range rpcrules.Rules() {
		if !strings.HasPrefix(r.Name, "rpc") || !strings.HasPrefix(r.ID(), "RPC") {
			t.Errorf("%s, %s is not a rule of RPC-over-RDMA", r.Name, r.ID())
		}
	}
	if len(names) < 200 {
		t.Errorf("only %d rules", len(names))
	}
	if rpcrules.Lookup("no-such-rule") != nil {
		t.Error("a rule that does not exist was found")
	}
}

// TestSeverities checks that a Rule weighs as much as the level of its first requirement says, or less with a reason.
func TestSeverities(t *testing.T) {
	for r := range rpcrules.All() {
		want := rules.Note
		switch rfc.Lookup(r.ID()).Level {
		case rfc.Must, rfc.MustNot:
			want = rules.Error
		case rfc.Should, rfc.ShouldNot:
			want = rules.Warning
		}
		if r.Severity > want || (r.Severity < want) != (r.Lighter != "") {
			t.Errorf("%s weighs %v, %s has %v; lighter: %q", r.Name, r.Severity, r.ID(), rfc.Lookup(r.ID()).Level, r.Lighter)
		}
		if r.Lighter != "" && !strings.HasSuffix(r.Lighter, ".") {
			t.Errorf("%s: %q is not a sentence", r.Name, r.Lighter)
		}
	}
}
