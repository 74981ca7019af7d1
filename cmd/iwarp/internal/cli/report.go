package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/show/page"
)

// pages holds the flags of the command report.
type pages struct {
	*app
	reading
	write string
}

func newReport(a *app) *cobra.Command {
	p := &pages{app: a, reading: newReading()}
	p.kept = true
	cmd := &cobra.Command{
		Use:     "report FILE...",
		GroupID: groupCapture,
		Short:   "Make an HTML page of a capture: verdicts, ladders, plots",
		Long: fmt.Sprintf(`Make one HTML page of captures, to look at or to send. It shows how each
connection went and why, a ladder with the cause of a failure open and the rest
folded, what was found with its octets and requirements, plots over time, and
tables of transactions and messages to search.

The page is one file: it needs no server and no network, and loads nothing. What
comes from the capture is text in it. An interval that is selected in one plot
is selected everywhere.

Up to %d messages, and as many transactions, are in the page. Of a larger
capture it has sums over time, and of the worst and busiest connections the
messages at the beginning and the end and around what was found; it says so.`, page.MaxMessages),
		Example: `  iwarp report capture.pcap -w report.html
  iwarp report client.pcap server.pcap -w report.html
  iwarp report -Y 'conn == 3' capture.pcap > report.html`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := p.checkView(cmd.Flags(), files, false); err != nil {
				return err
			}
			return p.run(cmd.Context(), cmd.Flags(), files)
		},
	}
	p.addFlags(cmd)
	p.addView(cmd)
	cmd.Flags().StringVarP(&p.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

func (p *pages) run(ctx context.Context, flags *pflag.FlagSet, files []string) error {
	return p.writes(p.write, files, func(w io.Writer, terminal bool) error {
		if terminal {
			return errPageOnTerminal
		}
		return p.capture(ctx, files, w, flags)
	})
}

var errPageOnTerminal = &exit.Failure{Code: exit.Usage, Err: errors.New("will not print HTML to a terminal; use -w report.html")}

// decoding returns the command that prints what a page with these flags is about, for a POSIX shell.
func decoding(flags *pflag.FlagSet, files []string) string {
	words := []string{"iwarp decode"}
	flags.Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"filter", "view", "profile", "mpa", "memory"}, f.Name) {
			words = append(words, "--"+f.Name, shellWord(f.Value.String()))
		}
	})
	for _, file := range files {
		words = append(words, shellWord(file))
	}
	return strings.Join(words, " ")
}

// capture makes the page of files, which are one capture.
func (p *pages) capture(ctx context.Context, files []string, w io.Writer, flags *pflag.FlagSet) error {
	in, err := p.open(ctx, p.app, files, opening{})
	if err != nil {
		return err
	}
	defer in.Close()
	made := page.New(page.Options{
		Files: plainNames(files), Filter: p.filter.text, Command: decoding(flags, files), Notes: in.about,
	})
	return p.pass(ctx, made, made.Start, never, func(t *dissect.Totals) error {
		made.Damage = damage(in)
		return made.Write(w, t)
	})
}
