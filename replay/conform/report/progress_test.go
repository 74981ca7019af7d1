package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/report"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
)

// Of five cases one is passed, one fails, one is not run, one is asked again and passed, and in the last one iwarp is killed while it writes.
func TestProgress(t *testing.T) {
	all := rpcclient.Questions()
	var b bytes.Buffer
	over := func(r conform.Result) {
		if err := report.WriteBegun(&b, r.Question); err != nil {
			t.Fatal(err)
		}
		if err := report.WriteOver(&b, &r); err != nil {
			t.Fatal(err)
		}
	}
	fail := conform.Result{
		Question: all[1], Verdict: conform.Fail, Took: 1500 * time.Millisecond, Detail: "d", Conn: "c", Expected: "e", Actual: "a", Known: "k",
	}
	over(conform.Result{Question: all[0], Verdict: conform.Pass, Newly: "n"})
	over(fail)
	over(conform.Result{Question: all[2], Detail: "interrupted"})
	over(conform.Result{Question: all[3], Verdict: conform.Error})
	over(conform.Result{Question: all[3], Verdict: conform.Pass})
	b.WriteString(`{"id":"RFC1/2/of-another-iwarp","state":"begun"}` + "\n")
	if err := report.WriteBegun(&b, all[4]); err != nil {
		t.Fatal(err)
	}
	b.WriteString(`{"id":"RFC8166/`)
	got, err := report.ReadProgress("file", &b, all)
	if err != nil || len(got) != 4 {
		t.Fatalf("%d results, %v", len(got), err)
	}
	if r := got[all[0].ID()]; r.Verdict != conform.Pass || r.Newly != "n" {
		t.Errorf("%+v", r)
	}
	if r := got[all[1].ID()]; r.Verdict != conform.Fail || r.Took != fail.Took || r.Detail+r.Conn+r.Expected+r.Actual+r.Known != "dceak" || r.Says != fail.Says {
		t.Errorf("%+v", r)
	}
	if r := got[all[3].ID()]; r.Verdict != conform.Pass {
		t.Errorf("%+v", r)
	}
	if r := got[all[4].ID()]; r.Verdict != conform.Fail || !strings.Contains(r.Actual, "crashed") {
		t.Errorf("%+v", r)
	}
	if _, err := report.ReadProgress("a.pcap", strings.NewReader("\xd4\xc3\xb2\xa1\n"), all); err == nil || err.Error() != "a.pcap: this is no progress of iwarp conform" {
		t.Error(err)
	}
}
