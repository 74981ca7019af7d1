package cli

// The result of a run, for people and programs.

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/fatih/color"

	outcomes "github.com/iwarpkit/iwarp/replay/outcome"
)

// print prints the result of a run.
func (r *replay) print(report *outcomes.Report, files []string) error {
	return r.writes(r.write, files, func(w io.Writer, terminal bool) error {
		switch r.output.Value {
		case "json":
			return outcomes.WriteJSON(w, report)
		case "junit":
			return outcomes.WriteJUnit(w, report)
		}
		return r.printText(w, terminal, report)
	})
}

// printText prints a line for each connection, then the differences.
func (r *replay) printText(w io.Writer, terminal bool, report *outcomes.Report) error {
	var b bytes.Buffer
	outcomeTable(&b, report, r.tableWidth(terminal))
	b.WriteByte('\n')
	o := outcomes.TextOptions{All: r.verbose}
	if r.colored(terminal) {
		o.Paint = painter(map[outcomes.Verdict][]color.Attribute{
			outcomes.Exact: {color.FgGreen}, outcomes.Accepted: {color.FgCyan}, outcomes.NotApplicable: {color.FgCyan},
			outcomes.Mismatched: {color.FgRed, color.Bold}, outcomes.NotReached: {color.FgYellow}, outcomes.NotSent: {color.FgYellow},
		})
	}
	if err := outcomes.WriteText(&b, report, o); err != nil {
		return err
	}
	if r.loop.value > 1 {
		fmt.Fprintf(&b, "%s: %s passed\n", counted(uint64(report.Rounds.Played), "round"), grouped(uint64(report.Rounds.Passed)))
	}
	return r.folded(w, terminal, b.String())
}

// outcomeTable prints a line for each connection, of many those that did not pass.
func outcomeTable(b *bytes.Buffer, report *outcomes.Report, width int) {
	conns := report.Conns
	if len(conns) > maxConnections {
		conns = slices.Clone(conns)
		slices.SortStableFunc(conns, func(a, b *outcomes.Conn) int { return rank(a) - rank(b) })
		conns = conns[:maxConnections]
	}
	t := newTable(1, "Conn", "Steps", "Exact", "Accepted", "Mismatched", "Not reached", "Not applicable", "Sent")
	t.spare = []int{5, 6}
	for _, c := range conns {
		s := c.Summary()
		cells := []string{shown(c.Name)}
		for _, n := range []int{s.Steps, s.Exact, s.Accepted, s.Mismatched, s.NotReached, s.NotApplicable} {
			cells = append(cells, grouped(uint64(n)))
		}
		sent := grouped(uint64(s.Sent))
		if s.NotSent > 0 {
			sent += " of " + grouped(uint64(s.Sent+s.NotSent))
		}
		t.add(append(cells, sent)...)
	}
	t.renderMost(b, width, len(report.Conns)-len(conns))
}

// rank sorts those that did not pass first.
func rank(c *outcomes.Conn) int {
	if s := c.Summary(); s.Passed() {
		return 1
	}
	return 0
}
