package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"strings"

	"github.com/iwarpkit/iwarp/codec/peers"
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
	failed   bool // there were findings that count
}

func newCheck(a *app) *cobra.Command {
	c := &check{app: a, reading: newReading(), output: choice{"text", []string{"text", "json"}}}
	cmd := &cobra.Command{
		Use:     "check FILE...",
		GroupID: groupCapture,
		Short:   "Say how connections went, what was wrong, and by which document",
		Long: `Check captures against the documents. For each iWARP connection it is said how it went: who ended it, how, and
what was not answered by then. Below stands what was found, the gravest first, each with the first frame where it is
seen, the requirement that it breaks and what follows from it. Of many findings of one kind the first is told.

An error breaks a MUST, a warning a SHOULD, or a MUST where a capture cannot prove the breach; a warning may also be
what is allowed and yet explains a failure, such as a Terminate or a Read that was never answered. A note is good to
know. 'iwarp explain' tells more about the id of a requirement or observation, and about the name of a rule: there it
says why one weighs less than its requirement.

Profiles choose by whose law traffic is judged:
  rfc       the RFCs: 5040, 5041, 5044, 6581, 7306 (the default)
  verbs     the same, with the Terminates that the RDMA Protocol Verbs demand
  rdmac     the documents of the RDMA Consortium: version 0, Markers and CRCs always
  draft-00  draft-ietf-rddp-rdmap-00
  ` + peerNames() + `
            the RFCs, and known habits of that Linux driver are excused

With -Y a finding is told, and counts, if it or the message that it is about matches. Connections on which nothing
matches are left out; of the others it is said how they went in all, filter or not. See 'iwarp decode --help' for
filters.

The exit code is 1 if there is an error; with --strict, also if there is a warning, or no iWARP connection at all, for
then nothing was checked: the last line says so, and standard error why. A damaged capture is checked as far as it can
be read.`,
		Example: `  iwarp check capture.pcap
  iwarp check --profile siw --strict capture.pcapng
  iwarp check -Y 'conn == 3' capture.pcap        # one connection
  iwarp check -Y 'severity >= warning' big.pcap  # only connections with warnings or errors
  iwarp check --separate -q *.pcap               # each FILE on its own
  tcpdump -i eth0 -w - tcp | iwarp check -       # until Ctrl-C
  iwarp check -o json capture.pcap | jq -r '.findings[] | [.frame, .id, .text] | @tsv'`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error { return c.run(cmd.Context(), files) },
	}
	f := cmd.Flags()
	addChoice(cmd, f, &c.output, "output", "o", "text, or one JSON object")
	c.addFlags(cmd)
	f.BoolVar(&c.strict, "strict", false, "exit with 1 for warnings too, and if there is nothing to check")
	f.BoolVar(&c.separate, "separate", false, "check each FILE on its own")
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
	nothing := chain.Totals().Connections == 0 // a check of nothing proves nothing
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
		fmt.Fprintf(w, "Only what matches is told: %s\n\n", shown(c.filter.text))
		o.Nothing = "No connection matches: nothing is told."
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

// peerNames are the names of the profiles for RNICs.
func peerNames() string {
	var names []string
	for _, p := range peers.Profiles {
		if p.RNIC != nil {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}
