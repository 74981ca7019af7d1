package cli

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// Numbers are those of a capture as one command tells them.
type numbers struct {
	messages  map[string]int // whole ones and others, by name
	octets    uint64         // of ULP payload
	requests  int
	latencies map[string][]float64           // of requests by name, in seconds
	quantiles map[string]map[float64]float64 // of latencies by name and percent, as the page draws them
}

// The page, the statistics, the rows and the comparison of a capture tell the same numbers.
func TestNumbersAgree(t *testing.T) {
	files, err := filepath.Glob(samples + "*.pcap*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range sampled(files) {
		ask := func(args ...string) string {
			t.Helper()
			got := run(t.Context(), nil, false, nil, append(args, "-q", file)...)
			if got.code != exit.OK {
				t.Fatalf("%v %s: exit status %d, %s", args, file, got.code, got.err)
			}
			return got.out
		}
		rows := fromRows(t, ask("decode", "-o", "csv"), ask("decode", "-o", "csv", "--transactions"))
		page := fromPage(t, ask("report"))
		if !maps.Equal(rows.messages, page.messages) || rows.octets != page.octets {
			t.Errorf("%s: csv has %v and %d octets, the page %v and %d", file, rows.messages, rows.octets, page.messages, page.octets)
		}
		if rows.requests != page.requests {
			t.Errorf("%s: csv has %d requests, the page %d", file, rows.requests, page.requests)
		}
		if !maps.EqualFunc(rows.latencies, page.latencies, slices.Equal) {
			t.Errorf("%s: csv and the page have other latencies", file)
		}
		var sum stats.Report
		if err := json.Unmarshal([]byte(ask("stats", "-o", "json")), &sum); err != nil {
			t.Fatal(err)
		}
		agree(t, file, rows, &sum)
		quantilesAgree(t, file, rows.latencies, page.quantiles)
		var line struct{ Intervals []stats.Interval }
		if err := json.Unmarshal([]byte(ask("stats", "-o", "json", "--interval", "1h")), &line); err != nil {
			t.Fatal(err)
		}
		lineAgrees(t, file, rows, &sum, line.Intervals)
		var d diff.Report
		if err := json.Unmarshal([]byte(ask("diff", "-o", "json", file)), &d); err != nil {
			t.Fatal(err)
		}
		compared(t, file, rows, &d)
	}
}

// fromRows reads what decode -o csv prints.
func fromRows(t *testing.T, messages, transactions string) numbers {
	n := numbers{messages: make(map[string]int), latencies: make(map[string][]float64)}
	for row := range cells(t, messages) {
		if row["type"] != "" && row["len"] != "" {
			n.messages[row["type"]]++
			if !strings.HasPrefix(row["type"], "MPA") {
				octets, _ := strconv.ParseUint(row["len"], 10, 64)
				n.octets += octets
			}
		}
	}
	for row := range cells(t, transactions) {
		n.requests++
		if took, err := strconv.ParseFloat(row["latency"], 64); err == nil {
			n.latencies[row["name"]] = append(n.latencies[row["name"]], took)
		}
	}
	n.sort()
	return n
}

// cells yields the rows of a table by the names of its columns.
func cells(t *testing.T, text string) func(func(map[string]string) bool) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(map[string]string) bool) {
		for _, values := range rows[1:] {
			row := make(map[string]string)
			for i, name := range rows[0] {
				row[name] = values[i]
			}
			if !yield(row) {
				return
			}
		}
	}
}

// fromPage reads what the scripts of a page read.
func fromPage(t *testing.T, html string) numbers {
	_, packed, _ := strings.Cut(html, `<script type="text/plain" id="data">`)
	packed, _, _ = strings.Cut(packed, "</script>")
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Connections []struct {
			Messages struct {
				Name, Class []int
				Octets      []uint64
			}
			Requests struct {
				Name []int
				Took []int64
			}
			Levels []struct {
				Series []struct{ Values []uint64 }
			}
			Latencies []struct {
				Name    int
				Sampled [][2]float64
			}
		}
		Shared struct{ Words []string }
	}
	if err := json.NewDecoder(z).Decode(&data); err != nil {
		t.Fatal(err)
	}
	n := numbers{messages: make(map[string]int), latencies: make(map[string][]float64), quantiles: make(map[string]map[float64]float64)}
	words := data.Shared.Words
	for _, c := range data.Connections {
		for i, name := range c.Messages.Name {
			switch class := words[c.Messages.Class[i]]; {
			case class == "mark", words[name] == "FIN", words[name] == "RST":
			default:
				n.messages[words[name]]++
			}
		}
		for i, name := range c.Requests.Name {
			if took := c.Requests.Took[i]; took >= 0 {
				n.latencies[words[name]] = append(n.latencies[words[name]], float64(took)/1e9)
			}
		}
		for _, l := range c.Latencies {
			if name := words[l.Name]; len(data.Connections) == 1 && len(l.Sampled) > 0 { // they are of one connection
				n.quantiles[name] = make(map[float64]float64)
				for _, s := range l.Sampled {
					n.quantiles[name][s[0]] = s[1]
				}
			}
		}
		n.requests += len(c.Requests.Name)
		for i := range c.Levels {
			octets := uint64(0)
			for _, s := range c.Levels[i].Series {
				for _, v := range s.Values {
					octets += v
				}
			}
			if i > 0 && octets != payload(c.Levels[0].Series) {
				t.Errorf("%d octets at level %d", octets, i)
			}
		}
		if len(c.Levels) > 0 {
			n.octets += payload(c.Levels[0].Series)
		}
	}
	n.sort()
	return n
}

func payload(series []struct{ Values []uint64 }) (octets uint64) {
	for _, s := range series {
		for _, v := range s.Values {
			octets += v
		}
	}
	return octets
}

func (n *numbers) sort() {
	for _, all := range n.latencies {
		slices.Sort(all)
	}
}

// agree compares rows with statistics: counts, octets and percentiles, which are exact for few samples.
func agree(t *testing.T, file string, n numbers, sum *stats.Report) {
	for name, count := range n.messages {
		if !strings.HasPrefix(name, "MPA") && sum.Messages[name]+sum.Incomplete[name] != uint64(count) {
			t.Errorf("%s: %d %s in rows, %d and %d in statistics", file, count, name, sum.Messages[name], sum.Incomplete[name])
		}
	}
	if n.octets != sum.PayloadBytes {
		t.Errorf("%s: %d octets in rows, %d in statistics", file, n.octets, sum.PayloadBytes)
	}
	for _, p := range sum.Procedures {
		latencyAgrees(t, file+": "+p.Procedure, n.latencies[p.Procedure], p.Latency)
	}
	requests := uint64(0)
	for _, k := range sum.Transactions {
		requests += k.Count
		if name, ok := map[string]string{"read": "RDMA Read", "atomic": "RDMA Atomic"}[k.Kind]; ok {
			latencyAgrees(t, file+": "+name, n.latencies[name], k.Latency)
		}
	}
	if requests != uint64(n.requests) {
		t.Errorf("%s: %d requests in rows, %d in statistics", file, n.requests, requests)
	}
}

// latencyAgrees compares what statistics say of some latencies with these, which are sorted.
func latencyAgrees(t *testing.T, what string, all []float64, l *stats.Latency) {
	if l == nil {
		if len(all) > 0 {
			t.Errorf("%s: %d times in rows, none in statistics", what, len(all))
		}
		return
	}
	if l.Count != uint64(len(all)) {
		t.Errorf("%s: %d times in rows, %d in statistics", what, len(all), l.Count)
		return
	}
	for percent, value := range map[float64]float64{0: l.Min, 50: l.P50, 90: l.P90, 99: l.P99, 100: l.Max} {
		if want := quantile(all, percent); math.Abs(want-value) > want*l.Error+1e-9 {
			t.Errorf("%s: %v %% took %v in rows, %v in statistics", what, percent, want, value)
		}
	}
}

// quantile is the least of sorted values that so many percent do not exceed.
func quantile(all []float64, percent float64) float64 {
	return all[max(int(math.Ceil(float64(len(all))*percent/100)), 1)-1]
}

// quantilesAgree compares the curves of a page with all latencies.
func quantilesAgree(t *testing.T, file string, latencies map[string][]float64, curves map[string]map[float64]float64) {
	for name, curve := range curves {
		all := latencies[map[string]string{"read": "RDMA Read", "atomic": "RDMA Atomic"}[name]]
		if all == nil {
			all = latencies[name]
		}
		for percent, value := range curve {
			if want := quantile(all, percent); math.Abs(want-value) > 1e-9 {
				t.Errorf("%s: %v %% of %s took %v in rows, %v on the page", file, percent, name, want, value)
			}
		}
	}
}

// lineAgrees compares what statistics say of intervals with what they say of all, and with rows. The bundled captures last less than an
// hour: there is one interval, with more requests than it has exact percentiles of.
func lineAgrees(t *testing.T, file string, n numbers, sum *stats.Report, all []stats.Interval) {
	var messages, octets, again, requests uint64
	for _, i := range all {
		messages += i.Messages
		octets += i.C2S + i.S2C
		again += i.Retransmitted
		requests += i.Requests
	}
	wantMessages, wantAgain := uint64(0), uint64(0)
	for _, count := range sum.Messages {
		wantMessages += count
	}
	for _, c := range sum.Connections {
		wantAgain += c.C2S.RetransmittedBytes + c.S2C.RetransmittedBytes
	}
	if messages != wantMessages || octets != n.octets || again != wantAgain || requests != uint64(n.requests) {
		t.Errorf("%s: intervals have %d messages, %d octets, %d sent again and %d requests; all have %d, %d, %d and %d",
			file, messages, octets, again, requests, wantMessages, n.octets, wantAgain, n.requests)
	}
	if len(all) == 1 {
		latencyAgrees(t, file+": an interval", slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Values(n.latencies))...))), all[0].Latency)
	}
}

// compared checks whether a comparison of a capture with itself has the same messages and requests.
func compared(t *testing.T, file string, n numbers, d *diff.Report) {
	all := 0
	for _, count := range n.messages {
		all += count
	}
	if !d.Equal || d.Counts.Same != all {
		t.Errorf("%s: %d messages in rows, %d compared", file, all, d.Counts.Same)
	}
	for _, o := range d.Operations {
		of := n.latencies[o.Name]
		if len(of) != o.CountA || len(of) != o.CountB {
			t.Errorf("%s: %d times of %s in rows, %d and %d compared", file, len(of), o.Name, o.CountA, o.CountB)
		} else if want := of[len(of)/2]; math.Abs(o.MedianA-want) > 1e-9 || o.MedianB != o.MedianA {
			t.Errorf("%s: the median of %s is %v in rows, %v and %v compared", file, o.Name, want, o.MedianA, o.MedianB)
		}
	}
}
