package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// difference holds the flags of the command.
type difference struct {
	*app
	reading
	output choice
	all    bool
	write  string
}

func newDiff(a *app) *cobra.Command {
	d := &difference{app: a, reading: newReading(), output: usage.NewChoice("text", "text", "json", "html")}
	cmd := &cobra.Command{
		Use:     "diff GOOD BAD",
		GroupID: groupCapture,
		Short:   "Say where two captures of the same workload differ",
		Long: `Compare a good run and a bad one, by their messages rather than time or octets.
Connections are paired, and the messages of each side are aligned. Values that
differ in each run (ports, STags, TOs, XIDs) are not differences if they refer
to the same thing: an STag of GOOD must be used in BAD where its counterpart was
advertised. Segmentation is not compared, and payload only by its length.

  -  only in GOOD       +  only in BAD        ~  in both, but changed

-o html makes a page with the ladders of both captures side by side; what
differs is open in them.

An operation counts as slower or faster if both captures have 20 of it, and a
99 % bootstrap interval of the difference of the medians excludes zero.

The exit status is 0 if the captures are equal except for timing, and 1 if not.`,
		Example: `  iwarp diff good.pcap bad.pcap
  iwarp diff --all good.pcap bad.pcap
  iwarp diff -Y 'conn == 0' good.pcap bad.pcap
  iwarp diff -o html -w diff.html good.pcap bad.pcap
  iwarp diff -o json good.pcap bad.pcap | jq .first`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error { return d.run(cmd.Context(), files) },
	}
	f := cmd.Flags()
	d.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	d.addFlags(cmd)
	f.BoolVar(&d.all, "all", false, "show all differences")
	f.StringVarP(&d.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

func (d *difference) run(ctx context.Context, files []string) error {
	if len(files) != 2 {
		return fmt.Errorf("diff compares two captures, not %d: iwarp diff GOOD BAD", len(files))
	}
	c := diff.New()
	pages := [2]*page.Page{page.New(page.Options{}), page.New(page.Options{})}
	for i, side := range []record.Sink{c.A, c.B} {
		if err := d.capture(ctx, files[i:i+1], side, pages[i]); err != nil {
			return err
		}
	}
	r := c.Compare()
	r.A, r.B = plainName(files[0]), plainName(files[1])
	if a, b := filepath.Base(r.A), filepath.Base(r.B); a != b {
		r.A, r.B = a, b
	}
	err := d.writes(d.write, files, func(w io.Writer, terminal bool) error {
		switch d.output.Value {
		case "json":
			return printable.WriteJSON(w, r)
		case "html":
			if terminal {
				return errPageOnTerminal
			}
			return page.WriteComparison(w, pages[0], pages[1], r, d.all)
		}
		return r.WriteText(w, diff.Options{Width: d.lineWidth(terminal), All: d.all})
	})
	if err == nil && !r.Equal {
		return &exit.Failure{Code: exit.Findings}
	}
	return err
}

// capture gives what happens in a capture to a sink, and to a page if one is made.
func (d *difference) capture(ctx context.Context, files []string, sink record.Sink, of *page.Page) error {
	d.kept = d.output.Value == "html"
	in, err := d.open(ctx, d.app, files, opening{})
	if err != nil {
		return err
	}
	defer in.Close()
	both := record.SinkFunc(func(r *record.Record) {
		sink.Record(r)
		if d.kept {
			of.Record(r)
		}
	})
	return d.pass(ctx, both, of.Start, never, func(*dissect.Totals) error { return nil })
}
