package conform

import (
	"strings"
	"testing"
)

func TestExpectations(t *testing.T) {
	e, err := ReadExpectations("known", strings.NewReader("# siw\n\nrfc5041/7.1/MSN\t it counts otherwise\nRFC5041/5.2/zero never\n"), library())
	if err != nil {
		t.Fatal(err)
	}
	all := library()
	for _, tt := range []struct {
		q            Question
		v            Verdict
		known, newly string
	}{
		{all[1], Fail, "it counts otherwise", ""},
		{all[1], Pass, "", "it counts otherwise"},
		{all[0], Unsupported, "", ""},
		{all[3], Fail, "", ""},
	} {
		r := Result{Question: tt.q, Verdict: tt.v}
		if e.Apply(&r); r.Known != tt.known || r.Newly != tt.newly {
			t.Errorf("%s, %v: %q, %q", tt.q.ID(), tt.v, r.Known, r.Newly)
		}
	}
}

func TestExpectationErrors(t *testing.T) {
	for text, want := range map[string]string{
		"RFC5041/7.1/mns x":                                              `known:1: "RFC5041/7.1/mns" is not a case; did you mean RFC5041/7.1/msn?`,
		"# x\nRFC5041/7.1/msn":                                           "known:2: RFC5041/7.1/msn has no reason",
		"RFC5041/7.1/msn x\nrfc5041/7.1/msn x\n":                         "known:2: RFC5041/7.1/msn occurs twice",
		"#\n#" + strings.Repeat("x", 1<<20):                              "known:2: the line is longer than 65536 octets",
		strings.Repeat("# x\n", maxExpectations) + "# x\n":               "",
		strings.Repeat("# x\n", maxExpectations-1) + "RFC5041/7.1/msn x": "",
		strings.Repeat("# x\n", maxExpectations) + "RFC5041/7.1/msn x":   "known:10001: there are more than 10000 lines",
	} {
		_, err := ReadExpectations("known", strings.NewReader(text), library())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}
