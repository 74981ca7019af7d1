package cli

// The tables of iwarp stats about transactions.

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// transactionTables prints the tables that have rows.
func transactionTables(b *bytes.Buffer, r *stats.Report, width int) {
	for _, table := range []struct {
		title string
		rows  int
		print func(*bytes.Buffer, *stats.Report, int)
	}{
		{"Transactions", len(r.Transactions), kindTable},
		{"Procedures", len(r.Procedures), procedureTable},
		{"Latencies", len(detailed(r)), latencyTable},
		{"Busiest STags", len(r.STags), stagTable},
	} {
		if table.rows > 0 {
			fmt.Fprintf(b, "\n%s\n", table.title)
			table.print(b, r, width)
		}
	}
}

// kindNames are the kinds of transactions in the table.
var kindNames = map[string]string{"read": "RDMA Read", "atomic": "Atomic", "upper": "Upper layer"}

// kindTable prints a line for each kind of transactions.
func kindTable(b *bytes.Buffer, r *stats.Report, width int) {
	t := newTable(1, "Kind", "Count", "Refused", "Unanswered", "Unknown", "Octets", "Min", "p50", "p90", "p99", "Max")
	t.spare = []int{2, 3, 4}
	for i := range r.Transactions {
		o := &r.Transactions[i].Outcomes
		row := []string{kindNames[r.Transactions[i].Kind], grouped(o.Count), grouped(o.Refused), grouped(o.Unanswered), grouped(o.Unknown), grouped(o.Bytes)}
		if l := o.Latency; l != nil {
			row = append(row, duration(l.Min), duration(l.P50), duration(l.P90), duration(l.P99), duration(l.Max))
		}
		t.add(row...)
	}
	t.render(b, width)
}

// maxProcedures is the most procedures in a table.
const maxProcedures = 40

// procedureTable prints a line for each procedure of upper layers.
func procedureTable(b *bytes.Buffer, r *stats.Report, width int) {
	t := newTable(1, "Procedure", "Calls", "Errors", "Unanswered", "Unknown", "Octets", "p50", "p99")
	t.spare, t.words = []int{2, 3, 4}, 0
	for i := range r.Procedures[:min(len(r.Procedures), maxProcedures)] {
		p := &r.Procedures[i]
		row := []string{p.Procedure, grouped(p.Count), grouped(p.Errors), grouped(p.Unanswered), grouped(p.Unknown), grouped(p.Bytes)}
		if l := p.Latency; l != nil {
			row = append(row, duration(l.P50), duration(l.P99))
		}
		t.add(row...)
	}
	t.render(b, width)
	if more := len(r.Procedures) - maxProcedures; more > 0 {
		fmt.Fprintf(b, "and %d more\n", more)
	}
}

// maxSTags is the most STags in a table.
const maxSTags = 10

// stagTable prints a line for each of the busiest STags.
func stagTable(b *bytes.Buffer, r *stats.Report, width int) {
	header := []string{"STag", "Conn", "Of", "Written", "Read"}
	top := r.STags[:min(len(r.STags), maxSTags)]
	missed := false
	for i := range top {
		missed = missed || top[i].MissedBytes > 0
	}
	if missed {
		header = append(header, "Missed at most")
	}
	t := newTable(1, header...)
	for i := range top {
		s := &top[i]
		owner := "server"
		if s.Dir == "s2c" {
			owner = "client"
		}
		row := []string{s.STag, strconv.Itoa(s.Conn), owner, grouped(s.WrittenBytes), grouped(s.ReadBytes)}
		if missed {
			row = append(row, grouped(s.MissedBytes))
		}
		t.add(row...)
	}
	t.render(b, width)
}

func findingsLine(f *stats.Findings) string {
	more := ""
	if f.AtLeast {
		more = ", or more"
	}
	return fmt.Sprintf("Findings of 'iwarp check': errors %s, warnings %s, notes %s%s",
		grouped(f.Errors), grouped(f.Warnings), grouped(f.Notes), more)
}

// duration formats seconds with at least three digits.
func duration(seconds float64) string {
	return string(text.AppendDuration(nil, int64(seconds*1e9+0.5)))
}

// A named latency is one of which percentiles or a histogram were asked for.
type namedLatency struct {
	name string
	*stats.Latency
}

// detailed are the latencies with percentiles or a histogram: of kinds, and of procedures.
func detailed(r *stats.Report) (all []namedLatency) {
	add := func(name string, l *stats.Latency) {
		if l != nil && len(l.Percentiles)+len(l.Histogram) > 0 {
			all = append(all, namedLatency{name, l})
		}
	}
	for i := range r.Transactions {
		add(kindNames[r.Transactions[i].Kind], r.Transactions[i].Latency)
	}
	for i := range r.Procedures[:min(len(r.Procedures), maxProcedures)] {
		add(r.Procedures[i].Procedure, r.Procedures[i].Latency)
	}
	return all
}

// latencyTable prints the percentiles that were asked for, and then the histograms.
func latencyTable(b *bytes.Buffer, r *stats.Report, width int) {
	all := detailed(r)
	header := []string{"Of"}
	for _, p := range all[0].Percentiles {
		header = append(header, "p"+strconv.FormatFloat(p.Percent, 'f', -1, 64))
	}
	if len(header) > 1 {
		t := newTable(1, header...)
		t.words = 0
		for _, l := range all {
			row := []string{l.name}
			for _, p := range l.Percentiles {
				row = append(row, duration(p.Value))
			}
			t.add(row...)
		}
		t.render(b, width)
	}
	for _, l := range all {
		histogram(b, l, width)
	}
}

// histogram prints a line for each bar.
func histogram(b *bytes.Buffer, l namedLatency, width int) {
	most := uint64(0)
	for _, step := range l.Histogram {
		most = max(most, step.Count)
	}
	const margin = 26
	for i, step := range l.Histogram {
		if i == 0 {
			fmt.Fprintf(b, "\n%s\n", shorten(l.name, width))
		}
		bar := strings.Repeat("#", int(math.Ceil(float64(step.Count)/float64(most)*float64(max(width-margin, 10)))))
		line := fmt.Sprintf("  up to %-8s %7s  %s", duration(step.UpTo), grouped(step.Count), bar)
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
}
