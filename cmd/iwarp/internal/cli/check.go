package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/failon"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/junit"
)

// checking holds the flags of the command.
type checking struct {
	*app
	reading
	kernel   kernelFlags
	output   choice
	failOn   choice
	groupBy  choice
	times    choice
	all      bool
	separate bool
	write    string

	failed bool // there were findings that count as failure
	rows   []check.Row
	suites []*junit.Suite
}

func newCheck(a *app) *cobra.Command {
	c := &checking{
		app: a, reading: newReading(), output: usage.NewChoice("text", "text", "json", "jsonl", "junit"),
		failOn:  usage.NewChoice("cause", failon.Values...),
		groupBy: usage.NewChoice("", "conn", "rule", "peer", "file"),
		times:   usage.NewChoice("", show.Forms...),
	}
	cmd := &cobra.Command{
		Use:     "check FILE...",
		GroupID: groupCapture,
		Short:   "Say why connections failed",
		Long: `Check captures. If a connection failed, check says why first: who did what to
whom, in which frame, and what followed. An error breaks a MUST, a warning a
SHOULD, or tells what went wrong; all else is a note: iwarp explain severity.

The exit status is 1 if a connection failed: was refused, rejected, unanswered,
terminated, or ended or stalled with work outstanding (docs/verdict.md).

--profile chooses which rules to check against, and whose deviations to excuse:
  auto      the RFCs; each side is recognised by what it does
  rfc       RFCs 5040, 5041, 5044, 6581 and 7306; verbs: with its Terminates
  rdmac     the RDMA Consortium: revision 0, always with Markers and CRCs
  others    the RFCs, and the deviations of the driver with that name`,
		Example: `  iwarp check capture.pcap
  iwarp check --separate *.pcap              # a row per file, worst first
  tcpdump -i eth0 -w - tcp | iwarp check -   # until Ctrl-C
  iwarp check client.pcap server.pcap        # what was lost on the way between
  iwarp check -o json capture.pcap | jq -r '.findings[].text'`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := c.fitting(); err != nil {
				return err
			}
			if err := c.checkView(cmd.Flags(), files, c.separate); err != nil {
				return err
			}
			return c.run(cmd.Context(), files)
		},
	}
	f := cmd.Flags()
	c.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	c.addFlags(cmd)
	c.addView(cmd)
	c.failOn.AddTo(cmd, f, "fail-on", "", "lowest `FINDING` that gives exit status 1")
	f.BoolVar(&c.all, "all", false, "show all connections, notes and deviations")
	c.groupBy.AddTo(cmd, f, "group-by", "", "one line for each `THING`")
	c.times.AddTo(cmd, f, "time", "", "`FORM` of times")
	f.Var(&c.maxWait, "max-wait", "report requests as unanswered after `TIME`")
	c.kernel.addFlags(cmd)
	f.BoolVar(&c.separate, "separate", false, "check each FILE alone, a row for each")
	cmd.MarkFlagsMutuallyExclusive("separate", "group-by")
	f.StringVarP(&c.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

// fitting returns an error if flags do not go together.
func (c *checking) fitting() error {
	switch {
	case c.output.Value != "text" && c.groupBy.Value != "":
		return fmt.Errorf("--group-by does not go with -o %s", c.output.Value)
	case c.kernel.file != "" && (c.output.Value != "text" || c.groupBy.Value != "" || c.separate):
		return errors.New("--dmesg goes with the text of one capture")
	case c.times.Value == "":
		return nil
	case c.output.Value != "text":
		return fmt.Errorf("--time does not go with -o %s", c.output.Value)
	case c.tallies():
		return errors.New("--time goes with the text of connections: add --all to --separate, or leave out --group-by")
	}
	return nil
}

func (c *checking) run(ctx context.Context, files []string) error {
	if err := c.kernel.read(c.app); err != nil {
		return err
	}
	err := c.writes(c.write, files, func(w io.Writer, terminal bool) (err error) {
		if c.separate {
			err = each(c.app, files, func(file string) error { return c.alone(ctx, file, w, terminal) })
		} else {
			err = c.capture(ctx, files, w, terminal)
		}
		return cmp.Or(err, c.printRest(w, terminal))
	})
	if err == nil && c.failed {
		err = &exit.Failure{Code: exit.Findings}
	}
	return err
}

// alone checks a file as a capture of its own.
func (c *checking) alone(ctx context.Context, file string, w io.Writer, terminal bool) error {
	if c.output.Value == "text" && c.all {
		fmt.Fprintf(w, "# %s\n", displayName(file))
	}
	err := c.capture(ctx, []string{file}, w, terminal)
	if err != nil && c.output.Value == "junit" {
		s := &junit.Suite{Name: plainName(file)}
		s.Add(&junit.Test{Class: s.Name, Name: "read", Fault: &junit.Note{Message: fmt.Sprint(err)}})
		c.suites = append(c.suites, s)
	}
	return err
}

func (c *checking) capture(ctx context.Context, files []string, w io.Writer, terminal bool) error {
	sink := &checkSink{kernel: &c.kernel}
	p := printing{w: w, terminal: terminal, colored: c.colored(terminal), clock: newClock(&c.times)}
	in, err := c.open(ctx, c.app, files, opening{programs: c.programs(), idle: func() {
		if sink.flush != nil {
			sink.flush()
		}
	}})
	if err != nil {
		return err
	}
	defer in.Close()
	in.notes.told = c.output.Value == "text" && !c.tallies()

	sink.reporter = c.reporter(&p, files)
	begin := func(ns int64) { p.clock.Start = ns }
	return c.pass(ctx, sink, begin, func() bool { return sink.err() != nil }, func(t *dissect.Totals) error {
		c.kernel.settle(in.notes)
		err := sink.finish(damage(in), c.nothing(t))
		c.failed = c.failed || failon.Fails(c.failOn.Value, sink.summary, t.Connections)
		return err
	})
}

// tallies reports whether the output is a table.
func (c *checking) tallies() bool { return c.groupBy.Value != "" || c.separate && !c.all }

// programs reports whether the output is for programs, which know files by their full names.
func (c *checking) programs() bool { return c.output.Value != "text" }

// counts reports whether a connection counts as failed, by --fail-on.
func (c *checking) counts(failed bool, errors, warnings uint64) bool {
	return failon.Counts(c.failOn.Value, failed, errors, warnings)
}

// nothing is what to say of a capture without connections.
func (c *checking) nothing(t *dissect.Totals) string {
	if c.filter.text != "" {
		return "No connection matches the filter."
	}
	return text.Nothing(t)
}

// A checkSink reports findings.
type checkSink struct {
	reporter
	kernel *kernelFlags
}

// Record implements record.Sink.
func (s *checkSink) Record(r *record.Record) {
	if r.Verdict != nil {
		s.kernel.note(r.Verdict)
	}
	s.reporter.Record(r)
}
