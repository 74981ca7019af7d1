package show_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
)

// TestBasis checks that no finding is shown with a quotation that demands more than its severity says, and that each has some ground.
func TestBasis(t *testing.T) {
	lighter := 0
	for r := range rpcrules.All() {
		f := record.Finding{ID: r.ID(), Rule: r, Severity: r.Severity}
		b, q := show.BasisOf(&f), rfc.Lookup(r.ID())
		weighs := rules.Note
		switch q.Level {
		case rfc.Must, rfc.MustNot:
			weighs = rules.Error
		case rfc.Should, rfc.ShouldNot:
			weighs = rules.Warning
		}
		less := r.Severity < weighs
		if less {
			lighter++
		}
		if less != (b.Decided != "") || less && b.Quote+b.Demand != "" || !less && b.Quote != q.Quote || b.Quote+b.Demand+b.Decided == "" || b.Source != q.Source() {
			t.Errorf("%s, a %v about %s (%v): %+v", r.Name, r.Severity, q.ID, q.Level, b)
		}
		if f.Severity = rules.Error; r.Severity < f.Severity && show.BasisOf(&f).Decided != "" {
			t.Errorf("%s: weighs less although a profile makes it an error", r.Name)
		}
	}
	if lighter == 0 {
		t.Error("no rule weighs less than its requirement")
	}
	if b := show.BasisOf(&record.Finding{ID: "OBS-NO-REPLY"}); b != (show.Basis{}) {
		t.Errorf("an observation: %+v", b)
	}
}
