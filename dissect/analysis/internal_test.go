package analysis

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
)

// TestObservations looks that observations are told apart from each other and from rules, and can be looked up.
func TestObservations(t *testing.T) {
	n := 0
	for o := range Observations {
		n++
		if LookupObservation(o.ID) != o || LookupObservation(o.Name) != o || rules.LookupRule(o.Name) != nil || o.Text == "" {
			t.Errorf("%+v", o)
		}
	}
	if n != len(observations) || LookupObservation("OBS-NOTHING") != nil {
		t.Errorf("%d observations", n)
	}
}
