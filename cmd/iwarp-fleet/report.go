package main

// The page of all captures.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
)

func newReport(store chan<- string) *cobra.Command {
	q := newQuestion(store)
	var write string
	cmd := &cobra.Command{
		Use:   "report (--dir DIR... | --nats URL) -w FILE",
		Short: "Make an HTML page of all captures, the worst first",
		Long: `Make the HTML page that 'iwarp report' makes of all captures in folders, or of
those that agents have sent to a server: hosts and connections by verdict, the
worst first, and what happened over time. The packets of the worst and the
busiest connections are read again for it.`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if write == "" && term.IsTerminal(int(os.Stdout.Fd())) {
				return errors.New("will not print HTML to a terminal; use -w report.html")
			}
			if write != "" {
				if err := writable(write); err != nil {
					return &exit.Failure{Code: exit.Unreadable, Err: err}
				}
			}
			return q.with(cmd.Context(), false, func(bus *fleet.Bus, a *fleet.Answer) error {
				if write == "" {
					return q.page(cmd.Context(), stdout, bus, a)
				}
				return newFile(write, func(f io.Writer) error { return q.page(cmd.Context(), f, bus, a) })
			})
		},
	}
	q.addFlags(cmd)
	cmd.Flags().StringVarP(&write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

func (q *question) page(ctx context.Context, w io.Writer, bus *fleet.Bus, a *fleet.Answer) error {
	made := page.New(page.Options{Files: a.Files, Name: strings.Join(q.folders, ", "), Damage: a.Damage, Command: "iwarp-fleet check --tables DIR"})
	made.Start(a.Begin)
	chosen := worst(a, page.MaxConnections)
	if err := bus.Records(ctx, a, func(c *flow.Conn) bool { return chosen[c] }, made); err != nil {
		return err
	}
	return made.Write(w, &a.Totals)
}

// worst are the worst n connections, and of those that are as bad, the ones that carried most.
func worst(a *fleet.Answer, n int) map[*flow.Conn]bool {
	var all []*record.Verdict
	a.Give(record.SinkFunc(func(r *record.Record) {
		if r.Verdict != nil {
			all = append(all, r.Verdict)
		}
	}))
	octets := func(v *record.Verdict) uint64 { return v.Conn.Traffic[0].Payload + v.Conn.Traffic[1].Payload }
	slices.SortStableFunc(all, func(a, b *record.Verdict) int {
		return cmp.Or(cmp.Compare(badness(b), badness(a)), cmp.Compare(octets(b), octets(a)))
	})
	chosen := make(map[*flow.Conn]bool)
	for _, v := range all[:min(n, len(all))] {
		chosen[v.Conn] = true
	}
	return chosen
}

// badness is greater for what is worse.
func badness(v *record.Verdict) int {
	switch {
	case v.Cause != nil:
		return 3
	case v.Errors > 0:
		return 2
	case v.Warnings > 0:
		return 1
	}
	return 0
}
