package cli

import (
	"bytes"
	"encoding/json"
	"testing"

	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/report"
)

// TestConformIsDocumented looks whether docs/json.md has every key of a result that has all of them.
func TestConformIsDocumented(t *testing.T) {
	section := cases.Section{Document: "RFC5041", Number: "7.1", Cases: []cases.Case{{Name: "x", Requirements: []string{"DDP-7.1-5"}}}}
	r := cases.Report{}
	for _, q := range cases.Questions([]cases.Section{section}) {
		r.Results = append(r.Results, cases.Result{Question: q, Verdict: cases.Fail, Conn: "c0", Expected: "a", Actual: "b", Known: "c", Newly: "d"})
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b, &r); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(b.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	known := documented(t)
	for key := range keys(value) {
		if !known[key] {
			t.Errorf("docs/json.md does not have %s", key)
		}
	}
}
