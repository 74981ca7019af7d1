package stats_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
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
	if err := e.Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	return collector.Report(e.Totals())
}

// TestResent has octets that are sent again seconds before the next message.
func TestResent(t *testing.T) {
	s, err := transcript.Parse(t.Name(), `c2s hex "MPA ID Req Frame" 40 01 0000
s2c hex "MPA ID Rep Frame" 40 01 0000
c2s 4143 00000000 00000000 00000001 00000000 aa*400
again
s2c ack
wait 5s
c2s 4143 00000000 00000000 00000002 00000000 bb*100
s2c ack
c2s fin
s2c fin
end
`)
	if err != nil {
		t.Fatal(err)
	}
	line := stats.NewTimeline(time.Second)
	e := dissect.NewEngine(line, dissect.Options{})
	for i := range s.Records {
		s.Records[i].Frame = uint64(i + 1)
		e.Packet(&s.Records[i])
	}
	e.Close()
	if all := line.Intervals(); all[0].Retransmitted != 424 || all[len(all)-1].Retransmitted != 0 {
		t.Errorf("%+v", all)
	}
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

// TestBusiest looks for the connections with most payload, and of those with none for the ones with most octets of TCP.
func TestBusiest(t *testing.T) {
	c := stats.NewCollector()
	for id, octets := range [][2]uint64{{0, 9}, {5, 1}, {0, 8}, {0, 7}, {6, 1}} {
		conn := &flow.Conn{ID: id}
		conn.Traffic[id%2].Payload, conn.Traffic[id%2].Octets = octets[0], octets[1]
		recordtest.To(c).End(conn)
	}
	r := c.Report(&dissect.Totals{})
	for n, want := range [][]int{{}, {4}, {1, 4}, {0, 1, 4}, {0, 1, 2, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}} {
		got := []int{}
		for _, conn := range r.Busiest(n) {
			got = append(got, conn.Conn)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d busiest (-want +got)\n%s", n, d)
		}
	}
	for id, conn := range r.Connections {
		if conn.Conn != id {
			t.Errorf("connection %d is in the place of %d", conn.Conn, id)
		}
	}
}

// TestWriteJSON compares what is written element by element with what encoding/json makes of the whole.
func TestWriteJSON(t *testing.T) {
	for _, name := range []string{"rping.pcap", "perf-nocm.pcap", "reject-pd32.pcap"} {
		r := report(t, name)
		r.Files = []string{"a<b>&c.pcap"}
		var got, want bytes.Buffer
		if err := r.WriteJSON(&got); err != nil {
			t.Fatal(err)
		}
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(r); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.String(), got.String()); d != "" {
			t.Errorf("%s: (-whole +by elements)\n%s", name, d)
		}
	}
}

// TestManyConnectionsTakeLittle measures what a connection costs until the Report is written, and while it is.
func TestManyConnectionsTakeLittle(t *testing.T) {
	const n, most = 50_000, 250 // octets of memory for each
	conn := &flow.Conn{Requested: true, Replied: true}
	conn.Traffic[0].Messages[rdmap.OpSend], conn.Traffic[0].Segments[rdmap.OpSend] = 2, 3
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := stats.NewCollector()
	for conn.ID = range n {
		recordtest.To(c).End(conn)
	}
	r := c.Report(&dissect.Totals{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n; each > most {
		t.Errorf("%d octets for each connection, want at most %d", each, most)
	}
	largest := 0
	if err := r.WriteJSON(writer(func(b []byte) { largest = max(largest, len(b)) })); err != nil {
		t.Fatal(err)
	}
	if largest > 1<<17 {
		t.Errorf("%d octets of JSON are written at once", largest)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestAllConnections checks that WriteJSON writes very many connections, in the order of their ids, and a Report has the busiest.
func TestAllConnections(t *testing.T) {
	const n = 3 * stats.MaxConnections
	for _, only := range []bool{false, true} {
		c := stats.NewCollector()
		c.Details.OnlyBusiest = only
		for i := range n {
			conn := &flow.Conn{ID: i ^ 3}
			conn.Traffic[0].Payload = uint64(i ^ 3)
			recordtest.To(c).End(conn)
		}
		r := c.Report(&dissect.Totals{})
		var b bytes.Buffer
		var back stats.Report
		if err := errors.Join(r.WriteJSON(&b), json.Unmarshal(b.Bytes(), &back), c.Close()); err != nil {
			t.Fatal(err)
		}
		first, want := 0, n
		if only {
			first, want = n-stats.MaxConnections, stats.MaxConnections
		}
		if len(back.Connections) != want || len(r.Connections) != stats.MaxConnections || r.Connections[0].Conn != n-stats.MaxConnections {
			t.Errorf("%d connections in JSON, %d in the Report", len(back.Connections), len(r.Connections))
		}
		for i, conn := range back.Connections {
			if conn.Conn != first+i {
				t.Fatalf("connection %d is in the place of %d", conn.Conn, first+i)
			}
		}
		if all, _ := r.Count(); all != n {
			t.Errorf("%d connections are counted", all)
		}
	}
}

// A writer takes what is written.
type writer func([]byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
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
	if err := e.Run(context.Background(), c); err != nil {
		fmt.Println(err)
		return
	}
	for _, conn := range collector.Report(e.Totals()).Connections {
		fmt.Println("CRC", conn.CRCOption, conn.CRC.Good, "good,", conn.FPDUs, "FPDUs,", conn.End)
	}
	// Output: CRC on 8 good, 8 FPDUs, fin
}
