package stats_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/pcaps"
)

func report(t testing.TB, name string) *stats.Report {
	t.Helper()
	c, err := pcaps.Open("../../pcaps/samples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	collector := stats.NewCollector()
	e := dissect.NewEngine(collector, dissect.Options{})
	if err := e.Run(c, nil); err != nil {
		t.Fatal(err)
	}
	return collector.Report(e.Totals())
}

// asJSON is what a program that reads the Report sees.
func asJSON(t *testing.T, r *stats.Report) map[string]any {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func pick(m map[string]any, keys ...string) map[string]any {
	some := map[string]any{}
	for _, k := range keys {
		v, ok := m[k]
		if !ok {
			v = "no such key"
		}
		some[k] = v
	}
	return some
}

func TestReport(t *testing.T) {
	m := asJSON(t, report(t, "rping.pcap"))
	want := map[string]any{
		"schema": "iwarp.stats/1", "packets": 58.0, "captured_bytes": 5848.0, "fpdus": 35.0, "undecoded_bytes": 0.0,
		"crc":        map[string]any{"good": 0.0, "bad": 0.0, "unchecked": 35.0},
		"segments":   map[string]any{"Send": 20.0, "ReadRequest": 5.0, "ReadResponse": 5.0, "Write": 5.0},
		"messages":   map[string]any{"Send": 20.0, "ReadRequest": 5.0, "ReadResponse": 5.0, "Write": 5.0},
		"incomplete": map[string]any{}, "damage": []any{}, "files": []any{},
	}
	var keys []string
	for k := range want {
		keys = append(keys, k)
	}
	if d := cmp.Diff(want, pick(m, keys...)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestConnections(t *testing.T) {
	for _, tc := range []struct {
		file string
		want map[string]any
	}{
		{"rping.pcap", map[string]any{"mpa_revision": 2.0, "crc": "off", "markers_c2s": false, "markers_s2c": false, "fpdus": 35.0, "end": "fin", "conn": 0.0}},
		{"mpav1-crc.pcap", map[string]any{"mpa_revision": 1.0, "crc": "on", "ord_c2s": nil, "end": "fin"}},
		{"p2p-crc.pcap", map[string]any{"crc": "on", "client": "10.0.0.1:37692", "server": "10.0.0.2:7518", "end": "fin"}},
		{"refused.pcap", map[string]any{"mpa_revision": nil, "crc": "unknown", "markers_c2s": nil, "markers_s2c": nil, "end": "refused"}},
		{"reject-pd32.pcap", map[string]any{"mpa_revision": 2.0, "crc": "on", "end": "reject", "fpdus": 0.0}},
		{"pd-c16-s255.pcap", map[string]any{"mpa_revision": 2.0, "crc": "on", "markers_c2s": nil, "markers_s2c": false, "end": "fin"}},
		{"term-send-nobuf.pcap", map[string]any{"end": "terminate", "messages": map[string]any{"Send": 1.0, "Terminate": 1.0}}},
	} {
		connections := asJSON(t, report(t, tc.file))["connections"].([]any)
		if len(connections) != 1 {
			t.Errorf("%s: %d connections", tc.file, len(connections))
			continue
		}
		var keys []string
		for k := range tc.want {
			keys = append(keys, k)
		}
		if d := cmp.Diff(tc.want, pick(connections[0].(map[string]any), keys...)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.file, d)
		}
	}
	if c := report(t, "perf-nocm.pcap").Connections; len(c) != 0 {
		t.Errorf("TCP connections without MPA are reported: %v", c)
	}
}

func ExampleCollector() {
	c, err := pcaps.Open("../../pcaps/samples/mpav1-crc.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	collector := stats.NewCollector()
	e := dissect.NewEngine(collector, dissect.Options{})
	if err := e.Run(c, nil); err != nil {
		fmt.Println(err)
		return
	}
	for _, conn := range collector.Report(e.Totals()).Connections {
		fmt.Println("CRC", conn.CRCOption, conn.CRC.Good, "good,", conn.FPDUs, "FPDUs,", conn.End)
	}
	// Output: CRC on 8 good, 8 FPDUs, fin
}
