package cli

// The outputs of iwarp check.

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/internal/junit"
)

// screenLines is how many lines check prints unless it is asked for all.
const screenLines = 24

// A reporter prints what was found.
type reporter struct {
	record.Sink
	summary *check.Summary
	err     func() error
	flush   func()
	finish  func(damage []string, nothing string) error // nothing is what to say if there was no connection
}

// reporter returns what prints the output that was chosen.
func (c *checking) reporter(p *printing, files []string) reporter {
	head := check.Head{Files: plainNames(files), Profile: c.profile.Value, Filter: c.filter.text}
	fine := func() error { return nil }
	switch {
	case c.output.Value == "json":
		d := check.NewDocument(p.w, head)
		return reporter{d, &d.Summary, d.Err, func() {}, func(damage []string, _ string) error { return d.Finish(damage) }}
	case c.output.Value == "jsonl":
		l := check.NewLines(p.w, head)
		flush := func() { _ = l.Flush() } // Err returns it too
		return reporter{l, &l.Summary, l.Err, flush, func(damage []string, _ string) error { return l.Finish(damage) }}
	case c.output.Value == "junit":
		t := check.NewTests(suiteName(files), c.counts)
		return reporter{t, &t.Summary, fine, func() {}, func(damage []string, _ string) error {
			for _, text := range damage {
				t.Suite.Add(&junit.Test{Class: t.Suite.Name, Name: "the rest", Skipped: &junit.Note{Message: text}})
			}
			c.suites = append(c.suites, t.Suite)
			return nil
		}}
	case c.tallies():
		t := check.NewTally(c.grouping(files))
		return reporter{t, &t.Summary, fine, func() {}, func(damage []string, nothing string) error {
			rows := t.Rows()
			if rows == nil && c.separate {
				why := strings.TrimPrefix(nothing, "No iWARP connection: ")
				rows = []check.Row{{Name: fileLabel(files[0]), Story: strings.ToUpper(why[:1]) + why[1:]}}
			}
			if c.separate && len(damage) > 0 {
				for i := range rows {
					rows[i].Partial, rows[i].Story = true, cmp.Or(rows[i].Story, damage[0])
				}
			}
			c.rows = append(c.rows, rows...)
			return nil
		}}
	}
	return c.textReporter(p)
}

// suiteName names the suite of one capture.
func suiteName(files []string) string {
	name := plainName(files[0])
	if more := len(files) - 1; more > 0 {
		name += fmt.Sprintf(" and %d more", more)
	}
	return name
}

// grouping is the one that was chosen.
func (c *checking) grouping(files []string) check.Grouping {
	switch c.groupBy.Value {
	case "conn":
		return check.ByConn
	case "rule":
		return check.ByRule
	case "peer":
		return check.ByPeer
	}
	return check.ByFile(fileLabel(files[0]))
}

// fileLabel is the name of a file in a table.
func fileLabel(file string) string { return shown(filepath.Base(plainName(file))) }

func (c *checking) textReporter(p *printing) reporter {
	o := check.Options{Width: c.lineWidth(p.terminal), All: c.all || c.filter.text != "", Lines: screenLines, Brief: "--group-by rule, peer or conn", Kernel: c.kernel.search(c.running)}
	if c.times.Value != "" {
		o.Clock = p.clock
	}
	if p.colored {
		o.Palette = reportPalette()
	}
	if c.filter.text != "" {
		fmt.Fprintf(p.w, "Only findings that match are shown: %s\n\n", shown(c.filter.text))
	}
	t := check.NewText(p.w, o)
	return reporter{t, &t.Summary, t.Err, func() {}, func(damage []string, nothing string) error {
		t.Nothing = nothing
		return t.Finish(damage)
	}}
}

// printRest prints what waits until all files were read.
func (c *checking) printRest(w io.Writer, terminal bool) error {
	switch {
	case c.output.Value == "junit":
		return junit.Write(w, "iwarp check", c.suites)
	case c.rows != nil:
		return c.printRows(w, terminal)
	}
	return nil
}

// printRows prints the rows of a table, the worst first.
func (c *checking) printRows(w io.Writer, terminal bool) error {
	check.SortRows(c.rows)
	names := map[string]string{"conn": "Connection", "rule": "Rule", "peer": "Address", "": "File", "file": "File"}
	t := newTable(3, names[c.groupBy.Value], "Result", "Why")
	t.words, t.wraps = 2, true
	const around = 2 // lines
	rows, more := c.rows, 0
	if !c.all {
		rows = rows[:min(len(rows), screenLines-around)]
		more = len(c.rows) - len(rows)
	}
	for _, r := range rows {
		name := r.Name
		if t.header[0] == "File" {
			name = shortenInside(name, c.tableWidth(terminal)*2/5) // a ring-buffer file of dumpcap fits in 80 columns
		}
		t.add(name, r.Outcome(), r.Story)
	}
	var b bytes.Buffer
	t.render(&b, c.tableWidth(terminal))
	if more > 0 {
		fmt.Fprintf(&b, "and %s more; --all shows them\n", grouped(uint64(more)))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// shortenInside cuts a name that is longer than n characters in its middle: the ends tell files apart.
func shortenInside(s string, n int) string {
	const dots = "..."
	all := []rune(s)
	if len(all) <= n {
		return s
	}
	end := (n - len(dots)) / 2
	return string(all[:n-len(dots)-end]) + dots + string(all[len(all)-end:])
}
