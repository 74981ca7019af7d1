package check_test

import (
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/internal/junit"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// document is what a program reads in the Document of what give gives it.
func document(t *testing.T, damage []string, give func(*check.Document)) map[string]any {
	t.Helper()
	var b strings.Builder
	d := check.NewDocument(&b, check.Head{Files: []string{"a.pcap"}, Profile: "rfc"})
	give(d)
	if err := d.Finish(damage); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(b.String()), &m); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	return m
}

func TestDocument(t *testing.T) {
	got := document(t, []string{"a.pcap: cut"}, func(d *check.Document) {
		c := connection(1)
		recordtest.Alone(d).Finding(wrongMSN(c, 12))
		recordtest.Alone(d).Finding(observation(c, 150, ended))
		recordtest.Alone(d).Verdict(terminated(c))
		recordtest.Alone(d).Verdict(closed(connection(0)))
	})
	text := wrongMSN(connection(1), 12).Text
	none := map[string]any{"reads": 0.0, "atomics": 0.0, "upper": 0.0}
	want := map[string]any{
		"schema": "iwarp.check/2", "files": []any{"a.pcap"}, "profile": "rfc",
		"findings": []any{
			map[string]any{
				"severity": "error", "id": "DDP-5.3-4", "also": []any{"DDP-5.3-5"}, "name": "send-msn",
				"source": "RFC 5041, section 5.3", "quote": nil, "conn": 1.0, "dir": "c2s", "frame": 12.0, "last_frame": 12.0,
				"time": "2027-01-15T08:00:00Z", "seen": "MSN 7", "expected": "MSN 5", "text": text, "ground": nil,
			},
			map[string]any{
				"severity": "warning", "id": "OBS-TERMINATE", "also": []any{}, "name": "terminate", "source": nil, "quote": nil,
				"conn": 1.0, "dir": "s2c", "frame": 150.0, "last_frame": 150.0, "time": "2027-01-15T08:00:00Z",
				"seen": "", "expected": "", "text": ended.Text, "ground": nil,
			},
		},
		"connections": []any{
			map[string]any{
				"conn": 0.0, "transport": "TCP", "stream": nil, "client": "10.0.0.1:44600", "server": "10.0.0.2:7509", "frame": 1.0, "last_frame": 99.0,
				"start": "2027-01-15T08:00:00Z", "duration": 1.5, "ulp": nil, "end": "fin", "ended_by": "client", "ended_frame": 99.0,
				"verdict":     told("The client closed it. Nothing was outstanding."),
				"outstanding": map[string]any{"c2s": none, "s2c": none},
				"depth": map[string]any{
					"c2s": map[string]any{"most": 0.0, "limit": nil}, "s2c": map[string]any{"most": 0.0, "limit": nil},
				},
				"terminates": []any{}, "findings": map[string]any{"error": 0.0, "warning": 0.0, "note": 0.0, "withheld": 0.0},
			},
			map[string]any{
				"conn": 1.0, "transport": "TCP", "stream": nil, "client": "10.0.0.1:44600", "server": "10.0.0.2:7509", "frame": 101.0, "last_frame": 199.0,
				"start": "2027-01-15T08:00:01Z", "duration": 1.5, "ulp": "RPC-over-RDMA", "end": "terminate",
				"ended_by": "server", "ended_frame": 151.0, "verdict": told(terminated(connection(1)).Text),
				"outstanding": map[string]any{"c2s": map[string]any{"reads": 1.0, "atomics": 0.0, "upper": 0.0}, "s2c": none},
				"depth": map[string]any{
					"c2s": map[string]any{"most": 1.0, "limit": 4.0}, "s2c": map[string]any{"most": 0.0, "limit": nil},
				},
				"terminates": []any{map[string]any{
					"dir": "s2c", "frame": 151.0, "code": "0/1/00", "code_read": "1/0/00", "swapped": true,
					"layer": "RDMAP", "etype": "Remote Protection Error", "errcode": "Invalid STag",
					"culprit": map[string]any{
						"dir": "c2s", "frame": 7.0, "last_frame": 7.0, "type": "ReadRequest", "text": "the ReadRequest in frame 7",
						"blame": "request", "invalidated": nil,
					},
					"rule": nil, "situations": []any{"read-stag"}, "grade": "exact",
				}},
				"findings": map[string]any{"error": 2.0, "warning": 1.0, "note": 0.0, "withheld": 1.0},
			},
		},
		"summary": map[string]any{
			"connections": 2.0, "failed": 0.0, "half_seen": 0.0, "excused": 0.0, "error": 2.0, "warning": 1.0, "note": 0.0, "withheld": 1.0,
			"first": map[string]any{"severity": "error", "id": "DDP-5.3-4", "frame": 12.0, "conn": 1.0},
		},
		"damage": []any{"a.pcap: cut"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestEmptyDocument(t *testing.T) {
	got := document(t, nil, func(*check.Document) {})
	want := map[string]any{
		"schema": "iwarp.check/2", "files": []any{"a.pcap"}, "profile": "rfc", "findings": []any{}, "connections": []any{},
		"summary": map[string]any{"connections": 0.0, "failed": 0.0, "half_seen": 0.0, "excused": 0.0, "error": 0.0, "warning": 0.0, "note": 0.0, "withheld": 0.0, "first": nil},
		"damage":  []any{},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// told is the verdict about a connection of which no cause is known.
func told(text string) map[string]any {
	return map[string]any{
		"summary": "", "text": text, "evidence": nil, "advice": "", "cause": nil, "side": nil, "confidence": "none",
		"consequences": []any{}, "excused": []any{}, "peers": []any{},
	}
}

// TestManyConnectionsTakeLittle measures what a connection costs in memory until a document is written.
func TestManyConnectionsTakeLittle(t *testing.T) {
	const n, most = 50_000, 250 // octets for each
	d := check.NewDocument(io.Discard, check.Head{})
	tests := check.NewTests("", func(bool, uint64, uint64) bool { return true })
	for name, form := range map[string]struct {
		record.Sink
		finish func() error
	}{
		"json":  {d, func() error { return d.Finish(nil) }},
		"junit": {tests, func() error { return junit.Write(io.Discard, "", []*junit.Suite{tests.Suite}) }},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for id := range n {
			recordtest.Alone(form).Verdict(failed(connection(id), "send-msn"))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n; each > most {
			t.Errorf("%s: %d octets for each connection, want at most %d", name, each, most)
		}
		if err := form.finish(); err != nil {
			t.Error(err)
		}
	}
}
