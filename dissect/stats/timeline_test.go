package stats

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// answered is a Record with a request that was answered: from and to in nanoseconds.
func answered(c *flow.Conn, from, to int64) *record.Record {
	return &record.Record{Kind: record.KindLate, Over: []*record.Transaction{{
		Conn: c, Request: flow.At(1, from), Response: flow.At(2, to),
	}}}
}

// outstanding is how many of some requests were outstanding from begin to end, on average.
func outstanding(requests [][2]int64, begin, end int64) float64 {
	sum := int64(0)
	for _, r := range requests {
		sum += max(0, min(r[1], end)-max(r[0], begin))
	}
	return float64(sum) / float64(end-begin)
}

// TestTimeline compares the intervals, joined or not, with what is counted by hand.
func TestTimeline(t *testing.T) {
	for _, length := range []int64{1, 7, 1000, 100000} {
		r := rand.New(rand.NewPCG(uint64(length), 1))
		const begin = 1_700_000_000_000_000_000
		line := NewTimeline(time.Duration(length))
		line.Start(begin)
		c := new(flow.Conn)
		var requests [][2]int64
		for range 3000 {
			from := begin + r.Int64N(60000)
			requests = append(requests, [2]int64{from, from + 1 + r.Int64N(5000)})
		}
		for _, q := range requests {
			line.Record(answered(c, q[0], q[1]))
		}
		all := line.Intervals()
		if len(all) > maxIntervals {
			t.Fatalf("%d ns: %d intervals", length, len(all))
		}
		var total uint64
		for _, i := range all {
			at := begin + int64(math.Round(i.Start*1e9))
			if want := outstanding(requests, at, at+int64(line.Length())); math.Abs(want-i.Outstanding) > 1e-5 {
				t.Fatalf("%d ns: %v outstanding at %v, want %v", length, i.Outstanding, i.Start, want)
			}
			total += i.Requests
		}
		if total != uint64(len(requests)) {
			t.Errorf("%d ns: %d requests, want %d", length, total, len(requests))
		}
	}
}

// TestTimelineTraffic counts what a connection carries when it is seen.
func TestTimelineTraffic(t *testing.T) {
	line := NewTimeline(time.Second)
	line.Start(5e9)
	c := new(flow.Conn)
	see := func(at int64, octets ...uint64) {
		for dir, n := range octets {
			c.Traffic[dir].TCP.Retransmitted += n / 10 * uint64(dir)
			o := record.Origin{Conn: c, Dir: flow.Direction(dir), Span: flow.At(1, at)}
			line.Record(&record.Record{Kind: record.KindMessage, Origin: o, Message: &record.Message{Origin: o, Len: n}})
		}
	}
	see(5e9, 100, 0)
	see(6e9-1, 10, 50)
	see(6e9, 1, 20)
	see(9e9, 0, 30)
	got := line.Intervals()
	want := []Interval{
		{Start: 0, C2S: 110, S2C: 50, Retransmitted: 5}, {Start: 1, C2S: 1, S2C: 20, Retransmitted: 2}, {Start: 2}, {Start: 3}, {Start: 4, S2C: 30, Retransmitted: 3},
	}
	for i := range want {
		want[i].Payload[flow.C2S][0], want[i].Payload[flow.S2C][0] = want[i].C2S, want[i].S2C
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	var b bytes.Buffer
	if err := line.WriteCSV(&b); err != nil || bytes.Count(b.Bytes(), []byte("\n")) != 6 {
		t.Errorf("%v in %s", err, &b)
	}
}

// Many requests in a long interval are counted, and none less than none.
func TestTimelineLong(t *testing.T) {
	const year = 365 * 24 * time.Hour
	line := NewTimeline(year)
	c := new(flow.Conn)
	for range 400 {
		line.Record(answered(c, 1, 3*int64(year)))
	}
	for i, in := range line.Intervals() {
		if want := []float64{400, 400, 400, 0}[i]; math.Abs(in.Outstanding-want) > 1e-3 {
			t.Errorf("interval %d: %v outstanding, want %v", i, in.Outstanding, want)
		}
	}
}

// Times far apart neither overflow nor take long.
func TestTimelineFarApart(t *testing.T) {
	line := NewTimeline(time.Microsecond)
	c := new(flow.Conn)
	for _, at := range []int64{1, math.MaxInt64, math.MinInt64 + 1, -1, 1 << 40} {
		line.Record(answered(c, at, at))
	}
	if n := len(line.Intervals()); n > maxIntervals {
		t.Errorf("%d intervals", n)
	}
}

// TestJoin joins latencies that were collected apart: the percentiles are those of all, within what Error says.
func TestJoin(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		joined := latencies{exact: 20}
		var all []int64
		for range 1 + r.IntN(5) {
			part := latencies{exact: 20}
			for range r.IntN(40) {
				ns := r.Int64N(1 << (1 + r.IntN(40)))
				part.add(ns)
				all = append(all, ns)
			}
			joined.join(&part)
		}
		slices.Sort(all)
		got := joined.report(&Details{Percentiles: []float64{0.1, 75, 100}, Histogram: true})
		if got == nil {
			if len(all) > 0 {
				t.Fatalf("seed %d: nothing of %d", seed, len(all))
			}
			continue
		}
		rank := func(p int) float64 { return seconds(all[(len(all)*p+99)/100-1]) }
		for p, v := range map[int]float64{50: got.P50, 90: got.P90, 99: got.P99} {
			if want := rank(p); math.Abs(v-want) > want*got.Error+1e-12 {
				t.Errorf("seed %d: p%d of %d is %v, want %v", seed, p, len(all), v, want)
			}
		}
		for i, want := range []int{1, 75, 100} {
			if i > 0 && math.Abs(got.Percentiles[i].Value-rank(want)) > rank(want)*got.Error+1e-12 {
				t.Errorf("seed %d: p%d of %d is %v, want %v", seed, want, len(all), got.Percentiles[i].Value, rank(want))
			}
		}
		counts, before := uint64(0), -1e-9
		for _, bar := range got.Histogram {
			counts += bar.Count
			low, _ := slices.BinarySearch(all, int64(math.Round(before*1e9))+1)
			high, _ := slices.BinarySearch(all, int64(math.Round(bar.UpTo*1e9))+1)
			if got.Error == 0 && bar.Count != uint64(high-low) {
				t.Errorf("seed %d: %d from %v to %v, want %d", seed, bar.Count, before, bar.UpTo, high-low)
			}
			before = bar.UpTo
		}
		if counts != got.Count {
			t.Errorf("seed %d: %d in the histogram, want %d", seed, counts, got.Count)
		}
		if got.Count != uint64(len(all)) || got.Min != seconds(all[0]) || got.Max != seconds(all[len(all)-1]) {
			t.Errorf("seed %d: %+v of %d", seed, got, len(all))
		}
	}
}
