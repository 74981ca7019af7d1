package record

import (
	"encoding/json"
	"testing"
)

// TestHostileJSON refuses what would be used as an index, or has nothing to point to.
func TestHostileJSON(t *testing.T) {
	const good = `{"Conn":{"End":6},"Dir":1,"Findings":[{"Severity":2}],"Verdict":{"By":2,"Cause":{"Severity":2},"Confidence":3,"Terminations":[{"Blame":4,"Grade":3}]}}`
	if err := json.Unmarshal([]byte(good), new(Record)); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{
		`{}`,
		`{"Conn":{"End":7}}`,
		`{"Conn":{},"Dir":2}`,
		`{"Conn":{},"Dir":-1}`,
		`{"Conn":{},"Over":[null]}`,
		`{"Conn":{},"Findings":[null]}`,
		`{"Conn":{},"Findings":[{"Severity":3}]}`,
		`{"Conn":{},"Findings":[{"Termination":{"Blame":5}}]}`,
		`{"Conn":{},"Findings":[{"Termination":{"Grade":4}}]}`,
		`{"Conn":{},"Findings":[{"Termination":{"Situations":[255]}}]}`,
		`{"Conn":{},"Verdict":{"By":3}}`,
		`{"Conn":{},"Verdict":{"Culprit":3}}`,
		`{"Conn":{},"Verdict":{"Confidence":4}}`,
		`{"Conn":{},"Verdict":{"Cause":{"Severity":3}}}`,
		`{"Conn":{},"Verdict":{"Consequences":[null]}}`,
		`{"Conn":{},"Verdict":{"Terminations":[null]}}`,
	} {
		if json.Unmarshal([]byte(wrong), new(Record)) == nil {
			t.Errorf("%s is a Record", wrong)
		}
	}
}
