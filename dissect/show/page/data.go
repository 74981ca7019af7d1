package page

// What the scripts of a page read: columns of numbers and words.

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// data is what the scripts read: a list of connections, and what all of them share. Times are nanoseconds; in columns, since the
// row before.
type data struct {
	Begin int64    `json:"begin"` // of the capture, in microseconds since 1970-01-01 UTC
	End   int64    `json:"end"`   // since then
	Words []string `json:"words"`
}

// columns is what the scripts read of a connection.
type columns struct {
	Conn      int        `json:"conn"`
	Whole     bool       `json:"whole"` // all messages and requests are there
	Messages  messages   `json:"messages"`
	Requests  requests   `json:"requests"`
	Levels    []level    `json:"levels"`
	Start     int64      `json:"start"`   // of the intervals of lengths
	Step      int64      `json:"step"`    // of one of these
	Lengths   [][4]int   `json:"lengths"` // of messages (0) or FPDUs (1), their bits, the interval, and how many there are
	Stalls    [][2]int64 `json:"stalls"`
	Limit     [2]int     `json:"limit"` // of Reads and Atomics outstanding, by direction; -1 if not known
	Latencies []latency  `json:"latencies"`
}

// rows are messages and requests of several connections.
type rows struct {
	Messages messages `json:"messages"`
	Requests requests `json:"requests"`
	latest   [2]int64 // times of the last ones
}

// add adds what a connection has.
func (o *rows) add(c *connection) {
	o.latest[0] = c.rowsOfMessages(&o.Messages, max(o.latest[0], c.page.start))
	o.latest[1] = c.rowsOfRequests(&o.Requests, max(o.latest[1], c.page.start))
	for len(o.Messages.Conn) < len(o.Messages.Time) {
		o.Messages.Conn = append(o.Messages.Conn, c.of.ID)
	}
	for len(o.Requests.Conn) < len(o.Requests.Time) {
		o.Requests.Conn = append(o.Requests.Conn, c.of.ID)
	}
}

// eachWord gives all words to a function, which may change them.
func (o *rows) eachWord(do func(*word)) {
	for _, words := range [][]word{o.Messages.Name, o.Messages.Class, o.Messages.Upper, o.Messages.Faults, o.Requests.Name, o.Requests.Outcome, o.Requests.Result} {
		for i := range words {
			do(&words[i])
		}
	}
}

type messages struct {
	Conn   []int    `json:"conn,omitempty"` // if they are of several
	Time   []int64  `json:"time"`
	Dir    []int    `json:"dir"`
	Name   []word   `json:"name"`
	Class  []word   `json:"class"`
	Octets []uint64 `json:"octets"`
	Frames []string `json:"frames"`
	Fields []string `json:"fields"`
	Upper  []word   `json:"upper"`
	Took   []int64  `json:"took"`
	Worst  []int8   `json:"worst"`
	Faults []word   `json:"faults"`
}

type requests struct {
	Conn    []int    `json:"conn,omitempty"` // if they are of several
	Time    []int64  `json:"time"`
	Took    []int64  `json:"took"`
	Until   []int64  `json:"until"` // when it was over, since Time
	Dir     []int    `json:"dir"`
	Kind    []int    `json:"kind"`
	Name    []word   `json:"name"`
	ID      []uint64 `json:"id"`
	Octets  []uint64 `json:"octets"`
	Outcome []word   `json:"outcome"`
	Failed  []bool   `json:"failed"`
	Result  []word   `json:"result"`
	Asked   []uint32 `json:"asked"`
	Granted []uint32 `json:"granted"`
	Frames  []string `json:"frames"`
}

// A level is what went on in intervals of one length.
type level struct {
	Step   int64           `json:"step"`
	Start  int64           `json:"start"`
	Series []series        `json:"series"` // octets
	Open   [2][2][]float64 `json:"open"`   // on average: Reads and Atomics, and requests of upper layers, by direction
}

type series struct {
	Name   word     `json:"name"`
	Dir    int      `json:"dir"`
	Class  word     `json:"class"`
	Values []uint64 `json:"values"`
}

// A latency is how long the requests of one name took, in seconds.
type latency struct {
	Name    word         `json:"name"`
	Count   uint64       `json:"count"`
	Sampled [][2]float64 `json:"sampled"` // percent, and the latency that these do not exceed
}

// The finest level of zoom has at most finestLevel intervals; each of the others joins as many as levelStep of the one before.
const (
	levels      = 4
	finestLevel = 4096
	levelStep   = 4
)

// columns returns what the scripts read of a connection.
func (c *connection) columns() *columns {
	out := &columns{
		Conn: c.of.ID, Whole: c.whole(),
		Start: c.lengths.start - c.page.start, Step: c.lengths.step, Lengths: c.lengths.rows(), Stalls: [][2]int64{}, Limit: c.verdict.limit, Latencies: []latency{},
	}
	c.rowsOfMessages(&out.Messages, c.page.start)
	c.rowsOfRequests(&out.Requests, c.page.start)
	for _, s := range c.waits() {
		out.Stalls = append(out.Stalls, [2]int64{s.from - c.page.start, s.to - c.page.start})
	}
	all, step := c.intervals()
	for i := 0; i < levels && (i == 0 || len(all) > 1); i++ {
		out.Levels = append(out.Levels, c.page.level(all, int64(step)))
		all, step = joined(all, levelStep), levelStep*step
	}
	for _, row := range c.operations() {
		l := latency{Name: c.page.word(row.Name), Count: row.Count}
		if y := row.Latency; y != nil {
			l.Sampled = append(l.Sampled, [2]float64{0, y.Min})
			for _, p := range y.Percentiles {
				l.Sampled = append(l.Sampled, [2]float64{p.Percent, p.Value})
			}
			l.Sampled = append(l.Sampled, [2]float64{100, y.Max})
		}
		out.Latencies = append(out.Latencies, l)
	}
	return out
}

// whole reports whether the page has all messages and requests.
func (c *connection) whole() bool {
	return len(c.messages.all) == c.messages.count && len(c.requests.all) == c.requests.count
}

// rowsOfMessages appends the messages to rows of which the last is at a time. It returns that of the last one.
func (c *connection) rowsOfMessages(out *messages, latest int64) int64 {
	for i := range c.messages.all {
		m := &c.messages.all[i].it
		at := m.Time
		if at == 0 {
			at = latest
		}
		out.Time = append(out.Time, at-latest)
		out.Dir = append(out.Dir, int(m.dir))
		out.Name = append(out.Name, m.name)
		out.Class = append(out.Class, m.class)
		out.Octets = append(out.Octets, m.octets)
		out.Frames = append(out.Frames, string(c.of.Frames.Append(nil, &m.Span)))
		out.Fields = append(out.Fields, c.fields(m))
		out.Upper = append(out.Upper, m.upper)
		out.Took = append(out.Took, m.took)
		out.Worst = append(out.Worst, m.worst)
		out.Faults = append(out.Faults, m.faults)
		latest = at
	}
	return latest
}

// rowsOfRequests does the same with requests.
func (c *connection) rowsOfRequests(out *requests, latest int64) int64 {
	for i := range c.requests.all {
		r := &c.requests.all[i].it
		at := r.begin.LastTime
		if at == 0 {
			at = latest
		}
		until := r.end.LastTime
		if until < at {
			until = max(c.of.Latest, c.verdict.until, at)
		}
		out.Time = append(out.Time, at-latest)
		out.Took = append(out.Took, r.took)
		out.Until = append(out.Until, until-at)
		out.Dir = append(out.Dir, int(r.dir))
		out.Kind = append(out.Kind, int(r.kind))
		out.Name = append(out.Name, r.name)
		out.ID = append(out.ID, r.id)
		out.Octets = append(out.Octets, r.octets)
		outcome := r.outcome.String()
		if r.standing {
			outcome = "waiting"
		}
		out.Outcome = append(out.Outcome, c.page.word(outcome))
		out.Failed = append(out.Failed, r.failed)
		out.Result = append(out.Result, r.result)
		out.Asked = append(out.Asked, r.asked)
		out.Granted = append(out.Granted, r.granted)
		frames := string(c.of.Frames.Append(nil, &r.begin))
		if r.end.Frame != 0 {
			frames += " > " + string(c.of.Frames.Append(nil, &r.end))
		}
		out.Frames = append(out.Frames, frames)
		latest = at
	}
	return latest
}

// intervals are those of the finest level, and their length.
func (c *connection) intervals() ([]stats.Interval, time.Duration) {
	if c.finest == nil {
		c.line.Join(finestLevel)
		c.finest = c.line.Intervals()
	}
	return c.finest, c.line.Length()
}

// joined joins each n intervals.
func joined(all []stats.Interval, n int) (out []stats.Interval) {
	for part := range slices.Chunk(all, n) {
		in := stats.Interval{Start: part[0].Start}
		for i := range part {
			in.C2S += part[i].C2S
			in.S2C += part[i].S2C
			for d := range in.Payload {
				for o, octets := range part[i].Payload[d] {
					in.Payload[d][o] += octets
				}
			}
			for k := range in.Open {
				for d, open := range part[i].Open[k] {
					in.Open[k][d] += open / float64(n)
				}
			}
		}
		out = append(out, in)
	}
	return out
}

// level is what went on in intervals of a length.
func (p *Page) level(all []stats.Interval, step int64) level {
	l := level{Step: step, Series: []series{}}
	if len(all) == 0 {
		return l
	}
	l.Start = int64(all[0].Start*1e9 + 0.5)
	for dir := range 2 {
		var sum flow.Tally
		for i := range all {
			for o, octets := range all[i].Payload[dir].All() {
				sum[o] += octets
			}
		}
		for o := range sum.All() {
			k := p.kind(&record.Message{Opcode: o})
			s := series{Name: k.name, Dir: dir, Class: k.class}
			for i := range all {
				s.Values = append(s.Values, all[i].Payload[dir][o])
			}
			l.Series = append(l.Series, s)
		}
		for i := range all {
			open := &all[i].Open
			l.Open[0][dir] = append(l.Open[0][dir], round(open[record.ReadTransaction][dir]+open[record.AtomicTransaction][dir]))
			l.Open[1][dir] = append(l.Open[1][dir], round(open[record.UpperTransaction][dir]))
		}
	}
	return l
}

// round keeps three places after the point.
func round(v float64) float64 { return float64(int64(v*1000+0.5)) / 1000 }

// pack compresses what the scripts read, and writes it in letters that mean nothing in HTML.
func (p *Page) pack(gzipLevel int) (string, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzipLevel)
	if err != nil {
		return "", err
	}
	io.WriteString(z, `{"connections":[`) // a Buffer takes all
	e := json.NewEncoder(z)
	for i, c := range p.conns[:p.detailed()] {
		if i > 0 {
			io.WriteString(z, ",")
		}
		if err := e.Encode(c.columns()); err != nil {
			return "", err
		}
	}
	others := p.others
	if p.whole() {
		for _, c := range p.conns[p.detailed():] {
			others.add(c)
		}
	}
	io.WriteString(z, `],"others":`)
	if err := e.Encode(&others); err != nil {
		return "", err
	}
	io.WriteString(z, `,"shared":`)
	if err := e.Encode(data{p.start / 1e3, p.end(), p.words}); err != nil {
		return "", err
	}
	io.WriteString(z, "}")
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
