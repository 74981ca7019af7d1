package stats

// What went on in each interval of time.

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// TimelineSchema names the form of a Timeline in JSON.
const TimelineSchema = "iwarp.timeline/1"

// maxIntervals is how many intervals a Timeline has. When there would be more, two become one.
const maxIntervals = 1 << 13

// A Timeline sums up what went on in each interval of time. It is a record.Sink; Intervals and the Write methods say what it
// has when the capture has been read.
type Timeline struct {
	Sums bool // no latencies are collected

	length int64          // of an interval, in nanoseconds
	begin  int64          // of the first interval
	most   int            // intervals
	bins   map[int64]*bin // nil as long as nothing went on: there may be a Timeline per connection
	latest *bin           // the one that was asked for last, of number; nil if there is none
	number int64
	spare  []*bin // that are empty

	retransmitted map[*flow.Conn][2]uint64 // octets so far, by direction; nil as long as there are none
}

// A bin is what went on in an interval.
type bin struct {
	Interval
	latencies latencies
	waiting   [record.NumTransactionKinds][2]waiting
}

// waiting sums up requests of one kind and direction that began, or were over, in an interval.
type waiting struct {
	open  int64   // how many began, less those that were over
	spent float64 // nanoseconds of the interval before these were over, less those before they began
}

func (w *waiting) add(o waiting) {
	w.open += o.open
	w.spent += o.spent
}

// An Interval is what went on in an interval of time.
type Interval struct {
	Start         float64  `json:"start"`       // seconds since the first packet
	Messages      uint64   `json:"messages"`    // complete ones
	C2S           uint64   `json:"payload_c2s"` // octets of ULP payload from the clients, in the interval in which a message ends
	S2C           uint64   `json:"payload_s2c"`
	Retransmitted uint64   `json:"retransmitted"` // octets of TCP that had been seen before
	Requests      uint64   `json:"requests"`      // Reads, Atomics and those of upper layers that were over
	Failed        uint64   `json:"failed"`        // of these, those refused, unanswered, or answered with an error
	Outstanding   float64  `json:"outstanding"`   // requests, on average over the interval
	Latency       *Latency `json:"latency"`       // of those answered; null if there are none

	Payload [2]flow.Tally                          `json:"-"` // C2S and S2C by opcode
	Open    [record.NumTransactionKinds][2]float64 `json:"-"` // Outstanding by kind, and by the direction of the requests
}

// NewTimeline returns a Timeline of intervals of the given length, which must be positive.
func NewTimeline(interval time.Duration) *Timeline {
	return &Timeline{length: int64(interval), most: maxIntervals}
}

// Limit makes intervals longer until there are at most n, and keeps it so. n is at most 1<<13; less than 4 counts as 4, which all times
// fit in, those before the first packet too.
func (t *Timeline) Limit(n int) {
	n = max(n, 4)
	t.most = n
	for len(t.bins) > n {
		t.widen()
	}
	t.spare = slices.Delete(t.spare, min(len(t.spare), max(n-len(t.bins), 0)), len(t.spare))
}

// Start says when the first packet of the capture was captured.
func (t *Timeline) Start(ns int64) { t.begin = ns }

// Length is how long an interval is: a multiple of what was asked for, if there would be too many.
func (t *Timeline) Length() time.Duration { return time.Duration(t.length) }

// Record implements record.Sink.
func (t *Timeline) Record(r *record.Record) {
	for _, over := range r.Over {
		t.request(over)
	}
	if r.Conn == nil {
		return
	}
	switch r.Kind {
	case record.KindMessage:
		at := t.at(r.LastTime)
		*[2]*uint64{&at.C2S, &at.S2C}[r.Dir] += r.Message.Len
		at.Payload[r.Dir][r.Message.Opcode] += r.Message.Len
		if r.Message.Complete {
			at.Messages++
		}
		t.again(r.Conn, r.LastTime)
	case record.KindSegment:
		t.again(r.Conn, r.LastTime)
	case record.KindEnd:
		t.again(r.Conn, r.Conn.Latest)
		delete(t.retransmitted, r.Conn)
	}
}

// again adds what was sent again on a connection since the last time.
func (t *Timeline) again(c *flow.Conn, now int64) {
	n, before := [2]uint64{c.Traffic[0].TCP.Retransmitted, c.Traffic[1].TCP.Retransmitted}, t.retransmitted[c]
	if n == before {
		return
	}
	if t.retransmitted == nil {
		t.retransmitted = make(map[*flow.Conn][2]uint64)
	}
	t.retransmitted[c] = n
	for d := range n {
		if more := n[d] - before[d]; more > 0 {
			t.at(cmp.Or(c.Traffic[d].Disorder.LastTime, now)).Retransmitted += more
		}
	}
}

// request adds one that is over to the interval in which it was, and notes from when to when it was outstanding.
func (t *Timeline) request(o *record.Transaction) {
	begin, end := o.Request.LastTime, o.Response.LastTime
	if end < begin {
		end = max(o.Conn.Latest, begin)
	}
	at := t.at(end)
	at.Requests++
	if o.Outcome == record.Refused || o.Outcome == record.Unanswered || o.Status != "" {
		at.Failed++
	}
	if o.Timed() && !t.Sums {
		at.latencies.add(o.Latency())
	}
	t.at(begin).waiting[o.Kind][o.Dir].add(waiting{1, -float64(t.into(begin))})
	t.at(end).waiting[o.Kind][o.Dir].add(waiting{-1, float64(t.into(end))}) // t.at(begin) may have joined intervals
}

// at is the bin of a time.
func (t *Timeline) at(ns int64) *bin {
	if t.begin == 0 {
		t.begin = ns
	}
	for {
		n := t.place(ns)
		if t.latest != nil && t.number == n {
			return t.latest
		}
		b := t.bins[n]
		if b == nil && len(t.bins) >= t.most {
			t.widen()
			continue
		}
		if t.bins == nil {
			t.bins = make(map[int64]*bin)
		}
		if b == nil {
			b = t.empty()
			t.bins[n] = b
		}
		t.latest, t.number = b, n
		return b
	}
}

// empty returns a new bin.
func (t *Timeline) empty() (b *bin) {
	if last := len(t.spare) - 1; last >= 0 {
		b, t.spare = t.spare[last], t.spare[:last]
	} else {
		b = new(bin)
	}
	*b = bin{latencies: latencies{exact: maxExactInterval, all: b.latencies.all[:0]}}
	return b
}

// place is the number of the interval of a time, into is how far it is from the beginning of that interval.
func (t *Timeline) place(ns int64) int64 {
	n := (ns - t.begin) / t.length
	if (ns-t.begin)%t.length < 0 {
		n--
	}
	return n
}

func (t *Timeline) into(ns int64) int64 { return ns - t.begin - t.place(ns)*t.length }

// Join makes intervals longer until there are at most n, those without anything included.
func (t *Timeline) Join(n int) {
	for len(t.bins) > 1 && t.length < math.MaxInt64/4 && t.span() >= uint64(n) {
		t.widen()
	}
}

// span is how far the last interval is behind the first.
func (t *Timeline) span() uint64 {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for n := range t.bins {
		first, last = min(first, n), max(last, n)
	}
	return uint64(last - first)
}

// widen makes intervals twice as long.
func (t *Timeline) widen() {
	old, length := t.bins, t.length
	t.latest = nil
	t.bins, t.length = make(map[int64]*bin, len(old)), 2*length
	for n, b := range old {
		wide := n >> 1
		for k := range b.waiting {
			for d := range b.waiting[k] {
				w := &b.waiting[k][d]
				w.spent -= float64(w.open*(n&1)) * float64(length) // what is open from there on was not for the first half
			}
		}
		into := t.bins[wide]
		if into == nil {
			t.bins[wide] = b
			continue
		}
		into.Messages += b.Messages
		into.C2S += b.C2S
		into.S2C += b.S2C
		into.Retransmitted += b.Retransmitted
		into.Requests += b.Requests
		into.Failed += b.Failed
		into.latencies.join(&b.latencies)
		for d := range b.Payload {
			for o, n := range b.Payload[d] {
				into.Payload[d][o] += n
			}
		}
		for k := range b.waiting {
			for d, w := range b.waiting[k] {
				into.waiting[k][d].add(w)
			}
		}
		t.spare = append(t.spare, b)
	}
}

// Intervals are all from the first to the last in which anything went on, those without anything included. Beyond maxIntervals,
// intervals without anything are left out.
func (t *Timeline) Intervals() []Interval {
	numbers := slices.Sorted(maps.Keys(t.bins))
	if len(numbers) == 0 {
		return []Interval{}
	}
	between := uint64(numbers[len(numbers)-1] - numbers[0])
	dense, n := between < maxIntervals, len(numbers)
	if dense {
		n = int(between) + 1
	}
	all := make([]Interval, 0, n)
	var open [record.NumTransactionKinds][2]int64 // at the beginning of the interval
	for i, n := range numbers {
		if i > 0 && dense {
			for empty := numbers[i-1] + 1; empty < n; empty++ {
				idle := bin{Interval: Interval{Start: t.start(empty)}}
				idle.occupy(&open, t.length)
				all = append(all, idle.Interval)
			}
		}
		b := t.bins[n]
		b.Start, b.Latency = t.start(n), b.latencies.report(&Details{})
		b.occupy(&open, t.length)
		all = append(all, b.Interval)
	}
	return all
}

// occupy fills in how many requests were outstanding on average. open is how many are at the beginning of the interval, and then at
// its end.
func (b *bin) occupy(open *[record.NumTransactionKinds][2]int64, length int64) {
	b.Outstanding = 0
	for k := range open {
		for d := range open[k] {
			w := b.waiting[k][d]
			open[k][d] += w.open
			b.Open[k][d] = float64(open[k][d]) + w.spent/float64(length)
			b.Outstanding += b.Open[k][d]
		}
	}
	b.Outstanding = math.Round(b.Outstanding*1e6) / 1e6
}

func (t *Timeline) start(n int64) float64 { return seconds(n * t.length) }

// WriteJSON writes one object.
func (t *Timeline) WriteJSON(w io.Writer, files []string) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Schema    string     `json:"schema"`
		Files     []string   `json:"files"`
		Interval  float64    `json:"interval"` // in seconds
		Intervals []Interval `json:"intervals"`
	}{TimelineSchema, files, seconds(t.length), t.Intervals()})
}

// timelineColumns are those of WriteCSV.
var timelineColumns = []string{
	"start", "messages", "payload_c2s", "payload_s2c", "retransmitted", "requests", "failed", "outstanding",
	"latency_count", "latency_min", "latency_p50", "latency_p90", "latency_p99", "latency_max",
}

// WriteCSV writes a row for each interval, with a head. Cells without a value are empty.
func (t *Timeline) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(timelineColumns); err != nil {
		return err
	}
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	float := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	for _, i := range t.Intervals() {
		row := []string{
			float(i.Start), number(i.Messages), number(i.C2S), number(i.S2C), number(i.Retransmitted), number(i.Requests), number(i.Failed),
			float(i.Outstanding), "", "", "", "", "", "",
		}
		if l := i.Latency; l != nil {
			row = append(row[:8], number(l.Count), float(l.Min), float(l.P50), float(l.P90), float(l.P99), float(l.Max))
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
