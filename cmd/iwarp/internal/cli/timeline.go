package cli

// What went on in each interval of time: iwarp stats --interval and --plot.

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/guptarohit/asciigraph"

	"github.com/iwarpkit/iwarp/dissect/stats"
)

// A timeline holds the flags about intervals.
type timeline struct {
	interval span
	plot     choice
}

// finest is the interval of a plot before intervals are joined until they fit.
const finest = time.Millisecond

// wanted reports whether intervals are printed in place of tables.
func (t *timeline) wanted() bool { return t.interval.value > 0 || t.plot.Value != "" }

// collector returns what collects the intervals.
func (t *timeline) collector() *stats.Timeline {
	if t.interval.value > 0 {
		return stats.NewTimeline(t.interval.value)
	}
	return stats.NewTimeline(finest)
}

// print prints the intervals in the form that was chosen.
func (t *timeline) print(w io.Writer, line *stats.Timeline, output string, files []string, width int) error {
	switch {
	case t.plot.Value != "":
		return t.graph(w, line, width)
	case output == "json":
		return line.WriteJSON(w, files)
	case output == "csv":
		return line.WriteCSV(w)
	}
	return t.table(w, line, width)
}

// table prints a line for each interval.
func (t *timeline) table(w io.Writer, line *stats.Timeline, width int) error {
	var b bytes.Buffer
	if length := line.Length(); length != t.interval.value {
		fmt.Fprintf(&b, "Too many intervals of %v; showing intervals of %v.\n\n", t.interval.value, length)
	}
	table := newTable(1, "Start", "Messages", "To server", "To client", "Sent again", "Requests", "Failed", "Open", "p50", "p99")
	table.spare = []int{4, 6}
	for _, i := range line.Intervals() {
		row := []string{
			strconv.FormatFloat(i.Start, 'f', places(line.Length()), 64), grouped(i.Messages), grouped(i.C2S), grouped(i.S2C), grouped(i.Retransmitted),
			grouped(i.Requests), grouped(i.Failed), strconv.FormatFloat(i.Outstanding, 'f', 1, 64),
		}
		if l := i.Latency; l != nil {
			row = append(row, duration(l.P50), duration(l.P99))
		}
		table.add(row...)
	}
	table.render(&b, width)
	_, err := w.Write(b.Bytes())
	return err
}

// places is how many places after the point tell multiples of an interval apart.
func places(interval time.Duration) (n int) {
	for unit := time.Second; interval%unit != 0 && n < 9; n++ {
		unit /= 10
	}
	return n
}

// Sizes of a plot in characters.
const (
	plotHeight = 12
	plotMargin = 12 // for the numbers beside it
)

// graph draws one measure over time.
func (t *timeline) graph(w io.Writer, line *stats.Timeline, width int) error {
	line.Join(max(width-plotMargin, 20))
	all := line.Intervals()
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "Nothing was sent over iWARP: there is nothing to plot.")
		return err
	}
	var series [][]float64
	var legends []string
	add := func(name string, value func(*stats.Interval) float64) {
		values := make([]float64, len(all))
		for i := range all {
			values[i] = value(&all[i])
		}
		series, legends = append(series, values), append(legends, name)
	}
	seconds := line.Length().Seconds()
	what := ""
	switch t.plot.Value {
	case "throughput":
		what = "payload in MB/s; "
		add("to the server", func(i *stats.Interval) float64 { return float64(i.C2S) / seconds / 1e6 })
		add("to the client", func(i *stats.Interval) float64 { return float64(i.S2C) / seconds / 1e6 })
	case "outstanding":
		add("requests outstanding", func(i *stats.Interval) float64 { return i.Outstanding })
	default:
		what = "latency in ms; "
		add("p50", latencyOf(func(l *stats.Latency) float64 { return l.P50 }))
		add("p99", latencyOf(func(l *stats.Latency) float64 { return l.P99 }))
	}
	if !slices.ContainsFunc(series[0], func(v float64) bool { return !math.IsNaN(v) }) {
		_, err := fmt.Fprintln(w, "No request was answered: there is no latency to plot.")
		return err
	}
	options := []asciigraph.Option{asciigraph.Height(plotHeight), asciigraph.Precision(precision(series)), asciigraph.LowerBound(0)}
	if len(series) > 1 {
		options = append(options, asciigraph.SeriesChars(asciigraph.DefaultCharSet, asciigraph.CreateCharSet("*")))
		legends[0], legends[1] = "line: "+legends[0], "stars: "+legends[1]
	}
	end := all[len(all)-1].Start + seconds
	since := func(s float64) string { return strconv.FormatFloat(s, 'f', places(line.Length()), 64) }
	_, err := fmt.Fprintf(w, "%s\n%s\n%s s to %s s in intervals of %v\n",
		asciigraph.PlotMany(series, options...), what+strings.Join(legends, ", "), since(all[0].Start), since(end), line.Length())
	return err
}

// latencyOf is a latency in milliseconds; NaN, which is not drawn, where nothing was answered.
func latencyOf(of func(*stats.Latency) float64) func(*stats.Interval) float64 {
	return func(i *stats.Interval) float64 {
		if i.Latency == nil {
			return math.NaN()
		}
		return of(i.Latency) * 1e3
	}
}

// precision is how many places after the point three digits of the greatest value need.
func precision(series [][]float64) (places uint) {
	most := 0.0
	for _, values := range series {
		for _, v := range values {
			if v > most {
				most = v
			}
		}
	}
	for ; places < 6 && most > 0 && most < 100; most *= 10 {
		places++
	}
	return places
}
