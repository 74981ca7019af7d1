package main

import (
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/failon"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// checking holds the flags of the command.
type checking struct {
	question
	output, failOn usage.Choice
	tables         string
	all            bool
}

func newCheck(store chan<- string) *cobra.Command {
	c := &checking{
		question: newQuestion(store), output: usage.NewChoice("text", "text", "json"), failOn: usage.NewChoice(failon.Values[0], failon.Values...),
	}
	cmd := &cobra.Command{
		Use:   "check (--dir DIR... | --nats URL)",
		Short: "Say why connections failed, in all captures",
		Long: `Check the captures in folders, or those that agents have sent to a server, and
print what 'iwarp check' prints of all of them. With --dir, everything runs in
this process, which listens nowhere. With --nats, judges must be running.

Files that cannot be read are set aside and named; then the exit status is 3.`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := os.Lstat(c.tables); c.tables != "" && err == nil {
				return &exit.Failure{Code: exit.Unreadable, Err: usage.Unwritten(c.tables, fs.ErrExist)}
			}
			fails := false
			err := c.with(cmd.Context(), c.output.Value == "json", func(bus *fleet.Bus, a *fleet.Answer) error {
				s, err := c.print(stdout, a)
				if err == nil && c.tables != "" {
					err = writeTables(cmd.Context(), c.tables, bus, a)
				}
				fails = err == nil && failon.Fails(c.failOn.Value, s, s.Connections)
				return err
			})
			if err == nil && fails {
				err = &exit.Failure{Code: exit.Findings}
			}
			return err
		},
	}
	c.addFlags(cmd)
	f := cmd.Flags()
	c.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	c.failOn.AddTo(cmd, f, "fail-on", "", "lowest `FINDING` that gives exit status 1")
	f.StringVar(&c.tables, "tables", "", "write the new folder `DIR` with tables, too, as iwarp decode -o parquet does")
	f.BoolVar(&c.all, "all", false, "show all connections, notes and deviations")
	return cmd
}

// print prints an answer as iwarp check does.
func (c *checking) print(w io.Writer, a *fleet.Answer) (*check.Summary, error) {
	if c.output.Value == "json" {
		d := check.NewDocument(w, check.Head{Files: a.Files, Profile: c.profile.Value})
		a.Give(d)
		return &d.Summary, d.Finish(append([]string{}, a.Damage...))
	}
	const lines = 24 // of a screen
	t := check.NewText(w, check.Options{All: c.all, Lines: lines})
	a.Give(t)
	t.Nothing = text.Nothing(&a.Totals)
	return &t.Summary, t.Finish(a.Damage)
}
