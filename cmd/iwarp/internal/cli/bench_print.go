package cli

// The tables, the CSV and the JSON of iwarp bench.

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/rnicsim/client"
)

// A benchResult is the result of one operation, size and measure. Rates are per second, times are seconds.
type benchResult struct {
	Op         string `json:"op"`
	Measure    string `json:"measure"`
	Size       int    `json:"size"`
	Iterations int    `json:"iterations"`
	Depth      int    `json:"depth,omitempty"`

	*benchBandwidth
	*benchLatency

	rate  client.Rate
	times client.Times
}

// A benchBandwidth is in octets and operations per second.
type benchBandwidth struct {
	Seconds float64 `json:"seconds"`
	Peak    float64 `json:"octets_per_second_peak"`
	Average float64 `json:"octets_per_second"`
	Rate    float64 `json:"operations_per_second"`
}

// A benchLatency is in seconds.
type benchLatency struct {
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	P50       float64 `json:"p50"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"stdev"`
	P99       float64 `json:"p99"`
	P999      float64 `json:"p99_9"`
}

// settle fills in what is printed.
func (r *benchResult) settle() {
	if r.Measure == bandwidth {
		size := float64(r.Size)
		r.benchBandwidth = &benchBandwidth{
			Seconds: r.rate.Elapsed.Seconds(), Peak: r.rate.Best * size, Average: r.rate.Mean() * size, Rate: r.rate.Mean(),
		}
		return
	}
	t := &r.times
	r.benchLatency = &benchLatency{
		Min: t.Min.Seconds(), Max: t.Max.Seconds(), P50: t.Median.Seconds(), Mean: t.Mean.Seconds(),
		Deviation: t.Deviation.Seconds(), P99: t.P99.Seconds(), P999: t.P999.Seconds(),
	}
}

// A benchReport is the form of iwarp bench -o json.
type benchReport struct {
	Schema string `json:"schema"`
	Peer   string `json:"peer"`
	agreement
	Offer     *benchOffer   `json:"offer"`
	Results   []benchResult `json:"results"`
	Error     *string       `json:"error"`
	Terminate *terminate    `json:"terminate"`
}

// A benchOffer is what the peer advertises.
type benchOffer struct {
	STag        string `json:"stag"`
	TO          string `json:"to"`
	Length      uint32 `json:"length"`
	Messages    string `json:"messages"`
	Receives    uint32 `json:"receives"`
	ReceiveSize uint32 `json:"receive_size"`
}

// A benchPrinter prints results as they come, or at the end.
type benchPrinter struct {
	w      io.Writer
	format string
	csv    *csv.Writer
	report benchReport
	table  string // the current one
}

func (b *bench) printer(m *client.Meter) *benchPrinter {
	p := &benchPrinter{w: b.Out, format: b.output.Value}
	p.report = benchReport{Schema: "iwarp.bench/1", Peer: m.Conn().RemoteAddr().String(), agreement: agreed(m.Conn()), Results: []benchResult{}}
	if o, ok := m.Offer(); ok {
		p.report.Offer = &benchOffer{
			STag: fmt.Sprintf("0x%08x", uint32(o.STag)), TO: fmt.Sprintf("0x%016x", o.TO), Length: o.Length,
			Messages: o.Answer.String(), Receives: o.Receives, ReceiveSize: o.ReceiveSize,
		}
	}
	switch p.format {
	case "csv":
		p.csv = csv.NewWriter(p.w)
		p.csv.Write(benchColumns)
		p.csv.Flush()
	case "text":
		fmt.Fprintf(p.w, "%s: %v\n", p.report.Peer, &p.report.agreement)
	}
	return p
}

func (p *benchPrinter) add(r benchResult) error {
	r.settle()
	p.report.Results = append(p.report.Results, r)
	switch p.format {
	case "csv":
		p.csv.Write(r.columns())
		p.csv.Flush()
		return p.csv.Error()
	case "text":
		return p.line(&r)
	}
	return nil
}

// finish prints the rest. err is why the connection ended early.
func (p *benchPrinter) finish(err error) error {
	p.report.Error, p.report.Terminate = reason(err), terminateOf(err, "client", "server")
	switch p.format {
	case "csv":
		p.csv.Flush()
		return p.csv.Error()
	case "json":
		return printable.WriteJSON(p.w, &p.report)
	}
	return nil
}

// titles are the names of operations in tables.
var titles = map[string]string{
	"write": "RDMA Write", "read": "RDMA Read", "send": "Send", "immediate": "Immediate Data", "atomic": "FetchAdd",
}

// line prints a line of a table, after its header if it is the first.
func (p *benchPrinter) line(r *benchResult) (err error) {
	if table := r.Op + r.Measure; table != p.table {
		p.table = table
		if r.Measure == bandwidth {
			fmt.Fprintf(p.w, "\n%s bandwidth, depth %d\n", titles[r.Op], r.Depth)
			fmt.Fprintf(p.w, "%8s %12s %17s %20s %15s\n", "#bytes", "#iterations", "BW peak[MB/sec]", "BW average[MB/sec]", "MsgRate[Mpps]")
		} else {
			fmt.Fprintf(p.w, "\n%s latency, microseconds\n", titles[r.Op])
			fmt.Fprintf(p.w, "%8s %11s %7s %8s %9s %7s %8s %7s %7s\n", "#bytes", "#iterations", "t_min", "t_max", "t_typical", "t_avg", "t_stdev", "99%", "99.9%")
		}
	}
	if b := r.benchBandwidth; b != nil {
		const mb = 1 << 20
		_, err = fmt.Fprintf(p.w, "%8d %12d %17.2f %20.2f %15.6f\n", r.Size, r.Iterations, b.Peak/mb, b.Average/mb, b.Rate/1e6)
		return err
	}
	t := &r.times
	_, err = fmt.Fprintf(p.w, "%8d %11d %7s %8s %9s %7s %8s %7s %7s\n", r.Size, r.Iterations,
		microseconds(t.Min), microseconds(t.Max), microseconds(t.Median), microseconds(t.Mean), microseconds(t.Deviation),
		microseconds(t.P99), microseconds(t.P999))
	return err
}

// microseconds formats a time in seven characters, if it is less than ten seconds.
func microseconds(t time.Duration) string {
	us, precision := float64(t)/1e3, 2
	switch {
	case us >= 99999.95:
		precision = 0
	case us >= 9999.995:
		precision = 1
	}
	return strconv.FormatFloat(us, 'f', precision, 64)
}

// benchColumns are the columns of the CSV, named as in JSON. Some are empty.
var benchColumns = []string{
	"op", "measure", "size", "iterations", "depth", "seconds", "octets_per_second_peak", "octets_per_second", "operations_per_second",
	"min", "max", "p50", "mean", "stdev", "p99", "p99_9",
}

// columns are the cells of one line.
func (r *benchResult) columns() []string {
	c := []string{r.Op, r.Measure, strconv.Itoa(r.Size), strconv.Itoa(r.Iterations)}
	number := func(precision int, values ...float64) {
		for _, v := range values {
			c = append(c, strconv.FormatFloat(v, 'f', precision, 64))
		}
	}
	if b := r.benchBandwidth; b != nil {
		c = append(c, strconv.Itoa(r.Depth))
		number(9, b.Seconds)
		number(0, b.Peak, b.Average, b.Rate)
		return append(c, make([]string, 7)...)
	}
	c = append(c, make([]string, 5)...)
	l := r.benchLatency
	number(9, l.Min, l.Max, l.P50, l.Mean, l.Deviation, l.P99, l.P999)
	return c
}
