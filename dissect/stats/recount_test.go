package stats_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/netip"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/pcaps"
)

// addresses lets cmp compare them.
var addresses = cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })

// recount is the Report of what a filter passes.
func recount(t *testing.T, name, expression string) *stats.Report {
	t.Helper()
	c, err := pcaps.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f, err := filter.Compile(expression)
	if err != nil {
		t.Fatal(err)
	}
	r := stats.NewRecount()
	e := dissect.NewEngine(judge.New(filter.NewSieve(f, r), judge.Options{}), dissect.Options{})
	if err := e.Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	return r.Report(e.Totals())
}

// TestRecountOfAll compares what is counted of all events with what the Engine has counted.
func TestRecountOfAll(t *testing.T) {
	names, _ := filepath.Glob("../../pcaps/samples/*.pcap*")
	if len(names) == 0 {
		t.Fatal("no samples")
	}
	for _, name := range names {
		want, got := report(t, filepath.Base(name)), recount(t, name, "")
		if d := cmp.Diff(asJSON(t, want)["connections"], asJSON(t, got)["connections"]); d != "" {
			t.Errorf("%s: (-Engine +Recount)\n%s", name, d)
		}
	}
}

func TestRecountOfSome(t *testing.T) {
	got := recount(t, "../../pcaps/samples/rping.pcap", "type == ReadResponse")
	if len(got.Connections) != 1 || len(got.Messages) != 1 || got.Messages["ReadResponse"] != 5 || got.FPDUs != 5 || got.PayloadBytes != 5*64 {
		t.Errorf("got %+v", got)
	}
	if c := got.Connections[0]; c.C2S.TCPBytes == 0 || c.C2S.FPDUs != 5 || c.S2C.FPDUs != 0 || c.CRCOption == "" {
		t.Errorf("got %+v", c)
	}
}

func TestJSONIsPrintable(t *testing.T) {
	r := report(t, "rping.pcap")
	connections := r.Connections
	r.Files = []string{"a\x1b[31m\u009b\u202e.pcap"}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(b.Bytes(), "\x1b\u009b\u202e") {
		t.Errorf("got %q", b.String()[:200])
	}
	var back stats.Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Files[0] != r.Files[0] {
		t.Errorf("got %q, %v", back.Files, err)
	}
	if d := cmp.Diff(connections, back.Connections, addresses); d != "" {
		t.Errorf("connections (-want +got)\n%s", d)
	}
}
