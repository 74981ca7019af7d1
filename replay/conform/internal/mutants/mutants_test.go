package mutants

import "testing"

func TestAll(t *testing.T) {
	all := All()
	if len(all) < 300 {
		t.Errorf("there are only %d mutants", len(all))
	}
	for i := range all {
		if all[i].Name == "suppress write-stag" {
			return
		}
	}
	t.Error("suppress write-stag is missing")
}
