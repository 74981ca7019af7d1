package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/report"
)

// check holds the flags of the command.
type check struct {
	*app
	reading
	output   choice
	strict   bool
	separate bool
	write    string
	failed   bool // there were findings that count as failure
}

func newCheck(a *app) *cobra.Command {
	c := &check{app: a, reading: newReading(), output: choice{"text", []string{"text", "json"}}}
	cmd := &cobra.Command{
		Use:     "check FILE...",
		GroupID: groupCapture,
		Short:   "Say what went wrong in a capture, and by which RFC",
		Long: `Check captures against the RFCs. For each iWARP connection, check says how it
went: who ended it, how, and what was still unanswered. Findings follow, most
severe first, each with the first frame that shows it. Repeated findings are
shown once, with a count. 'iwarp explain ID' says more about each.

  error    breaks a MUST
  warning  breaks a SHOULD, or a MUST as far as a capture can show; or explains
           a failure, such as a Terminate or an unanswered RDMA Read
  note     good to know

--profile chooses which rules to check against:
  rfc      RFCs 5040, 5041, 5044, 6581 and 7306 (the default)
  verbs    the same, with the Terminates of the RDMA Protocol Verbs
  rdmac    the RDMA Consortium: revision 0, always with Markers and CRCs
  draft-00 draft-ietf-rddp-rdmap-00
  siw, irdma, cxgb4: the RFCs, but known habits of that driver are excused

-Y shows and counts only matching findings; see 'iwarp decode --help'.

The exit status is 1 if there is an error; with --strict also if there is a
warning, or no iWARP connection. A damaged capture is checked up to the damage.`,
		Example: `  iwarp check capture.pcap
  iwarp check --profile siw --strict capture.pcapng
  iwarp check -Y 'conn == 3' capture.pcap        # one connection
  iwarp check --separate -q *.pcap               # each FILE by itself
  tcpdump -i eth0 -w - tcp | iwarp check -       # until Ctrl-C
  iwarp check -o json capture.pcap | jq -r '.findings[].text'`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error { return c.run(cmd.Context(), files) },
	}
	f := cmd.Flags()
	addChoice(cmd, f, &c.output, "output", "o", "`FORMAT` of the output")
	c.addFlags(cmd)
	f.BoolVar(&c.strict, "strict", false, "exit with 1 for warnings, or if nothing was checked")
	f.BoolVar(&c.separate, "separate", false, "check each FILE by itself")
	f.StringVarP(&c.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

func (c *check) run(ctx context.Context, files []string) error {
	w, terminal, finish, err := c.create(c.write, files)
	if err != nil {
		return err
	}
	if c.separate {
		err = each(c.app, files, func(file string) error {
			if c.output.value == "text" && len(files) > 1 {
				fmt.Fprintf(w, "# %s\n", displayName(file))
			}
			return c.capture(ctx, []string{file}, w, terminal)
		})
	} else {
		err = c.capture(ctx, files, w, terminal)
	}
	if closing := finish(); err == nil && closing != nil {
		err = unreadable(closing)
	}
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
	if err := sink.finish(damage(in)); err != nil {
		return unreadable(err)
	}
	sink.notes.finish(in.Damage(), chain, ctx.Err() != nil)
	nothing := chain.Totals().Connections == 0 // a check of nothing is no success
	c.failed = c.failed || sink.summary.Failed(c.strict) || c.strict && nothing
	return nil
}

// A reporter prints what was found.
type reporter struct {
	record.Sink
	summary *report.Summary
	err     func() error
	finish  func(damage []string) error
}

// reporter returns what prints the output that was chosen.
func (c *check) reporter(w io.Writer, terminal bool, files []string) reporter {
	if c.output.value == "json" {
		d := report.NewDocument(w, report.Head{Files: plainNames(files), Profile: c.profile.value, Filter: c.filter.text})
		return reporter{d, &d.Summary, d.Err, d.Finish}
	}
	o := report.Options{Width: c.lineWidth(terminal, foldWidth)}
	if c.colored(terminal) {
		o.Palette = reportPalette()
	}
	if c.filter.text != "" {
		fmt.Fprintf(w, "Only findings that match are shown: %s\n\n", shown(c.filter.text))
		o.Nothing = "No connection matches the filter."
	}
	t := report.NewText(w, o)
	return reporter{t, &t.Summary, t.Err, func([]string) error { return t.Finish() }}
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
