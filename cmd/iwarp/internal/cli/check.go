package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/report"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// check holds the flags of the command.
type check struct {
	*app
	reading
	output   choice
	failOn   choice
	all      bool
	separate bool
	write    string
	failed   bool // there were findings that count as failure
}

func newCheck(a *app) *cobra.Command {
	c := &check{
		app: a, reading: newReading(), output: choice{"text", []string{"text", "json"}},
		failOn: choice{"cause", []string{"cause", "error", "warning", "none"}},
	}
	cmd := &cobra.Command{
		Use:     "check FILE...",
		GroupID: groupCapture,
		Short:   "Say what went wrong in a capture, and by which RFC",
		Long: `Check captures. If a connection failed, check says why first: who did what to
whom, in which frame, and what followed. Findings come below, most severe first,
each kind once; 'iwarp explain ID' says more. Connections without warnings are
only counted, unless you ask for --all.

The exit status is 1 if a connection failed: if a side refused, rejected or
never answered it, sent a Terminate or what its peer must not accept, left a
request unanswered, never acknowledged octets, or ended it while there was work.

  error    breaks a MUST
  warning  breaks a SHOULD, or a MUST as far as a capture can show; or explains
  note     good to know, or a known habit of the peer

--profile chooses which rules to check against, and whose habits to excuse:
  auto     the RFCs; each side is recognised by what it does (the default)
  rfc      RFCs 5040, 5041, 5044, 6581 and 7306, without excuses
  verbs    the same, with the Terminates of the RDMA Protocol Verbs
  rdmac    the RDMA Consortium: revision 0, always with Markers and CRCs
  draft-00 draft-ietf-rddp-rdmap-00
  siw, irdma, cxgb4: the RFCs, and the habits of that driver`,
		Example: `  iwarp check capture.pcap
  iwarp check --profile rfc --fail-on error capture.pcapng
  tcpdump -i eth0 -w - tcp | iwarp check -       # until Ctrl-C
  iwarp check -o json capture.pcap | jq -r '.findings[].text'`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error { return c.run(cmd.Context(), files) },
	}
	f := cmd.Flags()
	addChoice(cmd, f, &c.output, "output", "o", "`FORMAT` of the output")
	c.addFlags(cmd)
	addChoice(cmd, f, &c.failOn, "fail-on", "", "least `FINDING` for exit status 1")
	f.BoolVar(&c.all, "all", false, "show all connections, notes and habits too")
	f.Var(&c.owed, "owed", "when a request counts as unanswered")
	f.BoolVar(&c.separate, "separate", false, "check each FILE by itself")
	f.StringVarP(&c.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

func (c *check) run(ctx context.Context, files []string) error {
	err := c.writes(c.write, files, func(w io.Writer, terminal bool) error {
		if !c.separate {
			return c.capture(ctx, files, w, terminal)
		}
		return each(c.app, files, func(file string) error {
			if c.output.value == "text" && len(files) > 1 {
				fmt.Fprintf(w, "# %s\n", displayName(file))
			}
			return c.capture(ctx, []string{file}, w, terminal)
		})
	})
	if err == nil && c.failed {
		err = &failure{code: exitFindings}
	}
	return err
}

// capture checks files as one capture.
func (c *check) capture(ctx context.Context, files []string, w io.Writer, terminal bool) error {
	in, err := c.open(ctx, files, false, func() {})
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()

	sink := &checkSink{reporter: c.reporter(w, terminal, files), notes: c.newNotes(files)}
	chain := c.chain(sink)
	if err := chain.read(ctx, in, func() bool { return sink.err() != nil }); err != nil {
		return unreadable(err)
	}
	if err := sink.finish(damage(in), c.nothing(chain.Totals())); err != nil {
		return unreadable(err)
	}
	sink.notes.finish(in.Damage(), chain, ctx.Err() != nil)
	c.failed = c.failed || c.fails(sink.summary, chain.Totals().Connections)
	return nil
}

// fails reports whether what was found counts, by --fail-on. A check of nothing proves nothing, but is no failure either
// unless warnings are.
func (c *check) fails(s *report.Summary, connections int) bool {
	switch c.failOn.value {
	case "none":
		return false
	case "warning":
		return s.Failed > 0 || s.Errors > 0 || s.Warnings > 0 || connections == 0
	case "error":
		return s.Failed > 0 || s.Errors > 0
	}
	return s.Failed > 0
}

// A reporter prints what was found.
type reporter struct {
	record.Sink
	summary *report.Summary
	err     func() error
	finish  func(damage []string, nothing string) error // nothing is what to say if there was no connection; empty for the usual
}

// nothing is what to say of a capture without connections; empty for the usual.
func (c *check) nothing(t *dissect.Totals) string {
	if c.filter.text != "" {
		return "No connection matches the filter."
	}
	if others := text.AppendOthers(nil, t); len(others) > 0 {
		return "No iWARP connection: the capture has " + string(others) + "."
	}
	return ""
}

// reporter returns what prints the output that was chosen.
func (c *check) reporter(w io.Writer, terminal bool, files []string) reporter {
	if c.output.value == "json" {
		d := report.NewDocument(w, report.Head{Files: plainNames(files), Profile: c.profile.value, Filter: c.filter.text})
		return reporter{d, &d.Summary, d.Err, func(damage []string, _ string) error { return d.Finish(damage) }}
	}
	o := report.Options{Width: c.lineWidth(terminal, foldWidth), All: c.all || c.filter.text != ""}
	if c.colored(terminal) {
		o.Palette = reportPalette()
	}
	if c.filter.text != "" {
		fmt.Fprintf(w, "Only findings that match are shown: %s\n\n", shown(c.filter.text))
	}
	t := report.NewText(w, o)
	return reporter{t, &t.Summary, t.Err, func(_ []string, nothing string) error {
		t.Nothing = nothing
		return t.Finish()
	}}
}

// A checkSink reports findings, and prints notes.
type checkSink struct {
	reporter
	notes *notes
}

// Record implements record.Sink.
func (s *checkSink) Record(r *record.Record) {
	s.notes.note(r)
	s.reporter.Record(r)
}
