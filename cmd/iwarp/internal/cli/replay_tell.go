package cli

// Notes about a capture that was compiled: what is missing, what was learned, and values of unknown origin.

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// tell notes what cannot be played as recorded and, with -v, prints all that was found.
func (r *replay) tell(report *compile.Report, n *notes) {
	for _, c := range report.Conns {
		if c.NotApplicable != "" {
			if !r.plays() { // otherwise the result says so
				n.add(fmt.Appendf(nil, "%s cannot be played: %s", c.Name, c.NotApplicable))
			}
			continue
		}
		for _, g := range c.Gaps {
			n.add(fmt.Appendf(nil, "%s, %s: %s", c.Name, stepOf(g.Step), g.Text))
		}
		if len(c.Unexplained) > 0 && !r.verbose {
			n.add(fmt.Appendf(nil, "%s uses %s of unknown origin, sent as recorded; -v lists them", c.Name, counted(uint64(len(c.Unexplained)), "STag or TO")))
		}
	}
	n.printRest()
	if report.Left > 0 {
		n.print(fmt.Appendf(nil, "%s left out, to stay within --memory", counted(uint64(report.Left), "more connection")))
	}
	for _, c := range report.Conns {
		if r.verbose && c.NotApplicable == "" {
			r.tellConn(c)
		}
	}
}

func stepOf(number int) string {
	if number == 0 {
		return "before the first step"
	}
	return fmt.Sprintf("step %d", number)
}

// tellConn prints what was found in a connection.
func (r *replay) tellConn(c *compile.ConnReport) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %v -> %v\n", c.Name, c.Client, c.Server)
	if len(c.Vars) > 0 {
		t := newTable(6, "Variable", "Kind", "Of", "Recorded", "Learned in", "At", "Used")
		for _, v := range c.Vars {
			t.add("$"+v.Var.Name, v.Var.Kind.String(), v.Var.Owner.String(), valueText(v.Var.Kind, v.Var.Value), stepOf(v.Step), v.Where, fmt.Sprint(v.Uses))
		}
		t.render(&b, r.tableWidth(r.ErrIsTerminal))
	}
	for _, u := range c.Unexplained {
		kind := scenario.TO
		if strings.HasSuffix(u.Field, "STag") {
			kind = scenario.STag
		}
		fmt.Fprintf(&b, "unknown origin: %s %s of the %s, used %s from step %d on: %s; give its current value with --map\n",
			u.Field, valueText(kind, u.Value), u.Owner, counted(uint64(u.Uses), "time"), u.Step, u.Why)
	}
	if c.Padded > 0 {
		fmt.Fprintf(&b, "%s with a PAD that is not zero, which is not kept\n", counted(uint64(c.Padded), "FPDU"))
	}
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(r.Err, strings.TrimRight(line, " \n"))
	}
}

// valueText formats a value as wide as its kind.
func valueText(k scenario.Kind, v uint64) string {
	return fmt.Sprintf("0x%0*x", k.Bits()/4, v)
}
