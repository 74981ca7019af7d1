package main

// The table of cases.

import (
	"fmt"
	"strings"
)

func groups() []group {
	return []group{
		{Name: "setup", Text: "how a connection begins", Cases: setupCases()},
		{Name: "data", Text: "RDMA Writes, Reads and Sends of 0 octets to 1 MiB, whose data both sides verify", Cases: dataCases()},
		{Name: "network", Text: "data over other wires", Cases: networkCases()},
		{Name: "rping", Text: "the kernel's rping and the commands of iwarp", Cases: rpingCases()},
		{Name: "ours", Text: "mistakes of the kernel's side, which we answer with a Terminate that the kernel sees", Cases: ourTerminates()},
		{Name: "theirs", Text: "mistakes of ours, which the kernel answers with a Terminate that we see", Cases: theirTerminates()},
		{Name: "proxy", Text: "all cases of rping and theirs through a proxy that only passes on (`proxy/rping/...`, `proxy/theirs/...`), and what the rules of one do", Cases: proxyCases()},
		{Name: "replay", Text: "recorded sessions of two kernels, of which iwarp replay takes one side", Cases: replayCases()},
		{Name: "conform", Text: "the conformance suite against conformd", Cases: conformCases(), Uncaptured: true},
	}
}

// table is the cases as docs/lab.md has them.
func table() string {
	var b strings.Builder
	for _, g := range groups() {
		fmt.Fprintf(&b, "### %s\n\n%s%s.\n\n| case | what is done and seen |\n|---|---|\n", g.Name,
			strings.ToUpper(g.Text[:1]), g.Text[1:])
		for i := range g.Cases {
			if c := &g.Cases[i]; c.Text != "" {
				fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.Text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
