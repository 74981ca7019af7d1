package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/jsonl"
	"github.com/iwarpkit/iwarp/dissect/text"
	"github.com/iwarpkit/iwarp/dissect/tree"
	"github.com/iwarpkit/iwarp/pcaps"
)

// decode holds the flags of the command.
type decode struct {
	*app
	output       choice
	times        choice
	profile      choice
	verbose      bool
	transactions bool
	rpc          bool
	count        uint64
	separate     bool
	follow       bool
	write        string
}

func newDecode(a *app) *cobra.Command {
	d := &decode{
		app:     a,
		output:  choice{"text", []string{"text", "tree", "jsonl"}},
		times:   choice{"rel", []string{"rel", "utc"}},
		profile: newProfile(),
	}
	cmd := &cobra.Command{
		Use:     "decode FILE...",
		GroupID: groupCapture,
		Short:   "Print the messages in a capture, one line each",
		Long: `Print every MPA frame and every RDMAP message in captures, one line each: time, connection, direction, type,
octets of ULP payload, first and last frame, and the header fields that matter. A message is printed when its
last segment was seen, or when it is known that none is coming.

Times are seconds from the first packet. Connections are numbered from 0. c2s is from the sender of the MPA
Request to the other side, s2c the way back. In brackets stands what is wrong with a message: segments that were
not seen, a bad CRC, octets that the capture does not have, and what 'iwarp check' finds in it. Before them stands
the message of an upper layer that a message ends.

With --transactions each line is a request with its response: RDMA Reads, Atomics, and those of upper layers. With
--rpc each line is an RPC, with the Reads and Writes that moved it. They are printed when they are over.`,
		Example: `  iwarp decode capture.pcap
  iwarp decode -V -c 5 capture.pcap              # every field of the first five messages
  iwarp decode --time utc capture.pcap.gz
  iwarp decode --follow growing.pcapng           # until Ctrl-C
  iwarp decode --transactions capture.pcap       # which request got which response, and when
  iwarp decode -o jsonl capture.pcap | jq -r 'select(.type == "ReadRequest") | .rdmardsz'`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error { return d.run(cmd.Context(), files) },
	}
	f := cmd.Flags()
	addChoice(cmd, f, &d.output, "output", "o", "one line a message, a tree with every field, or one JSON object a line")
	addProfile(cmd, f, &d.profile)
	addChoice(cmd, f, &d.times, "time", "", "times as seconds from the first packet, or as date and time in UTC")
	f.BoolVarP(&d.verbose, "verbose", "V", false, "every field of every layer; the same as -o tree")
	f.BoolVar(&d.transactions, "transactions", false, "requests with their responses, one line each")
	f.BoolVar(&d.rpc, "rpc", false, "RPCs, one line each")
	cmd.MarkFlagsMutuallyExclusive("transactions", "rpc", "verbose")
	f.Uint64VarP(&d.count, "count", "c", 0, "stop after `N` lines or objects; with -V, messages and MPA frames")
	f.BoolVar(&d.separate, "separate", false, "decode each FILE on its own")
	f.BoolVar(&d.follow, "follow", false, "at the end of FILE wait for more, until Ctrl-C")
	f.StringVarP(&d.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

func (d *decode) run(ctx context.Context, files []string) error {
	if d.follow && len(files) > 1 {
		return errors.New("--follow takes one FILE")
	}
	if d.verbose {
		if d.output.value == "jsonl" {
			return errors.New("-V and -o jsonl exclude each other")
		}
		d.output.value = "tree"
	}
	if d.view() != text.Messages && d.output.value == "tree" {
		return errors.New("--transactions and --rpc have no tree")
	}
	w, terminal, finish, err := d.create(d.write, files)
	if err != nil {
		return err
	}
	decode := func() error { return d.capture(ctx, files, w, terminal) }
	if d.separate {
		decode = func() error { return d.eachFile(ctx, files, w, terminal) }
	}
	if err := decode(); err != nil {
		return err
	}
	if err := finish(); err != nil {
		return unreadable(err)
	}
	return nil
}

// eachFile decodes each file as a capture of its own.
func (d *decode) eachFile(ctx context.Context, files []string, w io.Writer, terminal bool) error {
	return each(d.app, files, func(file string) error {
		if d.output.value != "jsonl" && len(files) > 1 {
			fmt.Fprintf(w, "# %s\n", displayName(file))
		}
		return d.capture(ctx, []string{file}, w, terminal)
	})
}

// each calls do for each of several files. A file that cannot be read does not keep the others from being read.
func each(a *app, files []string, do func(file string) error) error {
	var bad *failure
	for _, file := range files {
		err := do(file)
		if f := new(failure); errors.As(err, &f) && f.code == exitUnreadable && len(files) > 1 {
			fmt.Fprintf(a.Err, "iwarp: %v\n", f.err)
			bad = &failure{code: f.code}
			continue
		}
		if err != nil {
			return err
		}
	}
	if bad != nil {
		return bad
	}
	return nil
}

// view is what lines or objects are about.
func (d *decode) view() text.View {
	switch {
	case d.transactions:
		return text.Transactions
	case d.rpc:
		return text.RPCs
	}
	return text.Messages
}

// A printer is a sink that prints.
type printer interface {
	analysis.Sink
	Flush() error
	Err() error
}

// capture decodes files as one capture.
func (d *decode) capture(ctx context.Context, files []string, w io.Writer, terminal bool) error {
	var sink *decodeSink
	in, err := d.open(ctx, files, d.follow, func() {
		if sink != nil {
			_ = sink.Flush() // met again by sink.Err
		}
	})
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()

	clock := &text.Clock{UTC: d.times.value == "utc"}
	sink = &decodeSink{view: d.view(), notes: d.newNotes(files), limit: d.count}
	sink.printer = d.printer(w, terminal, clock, files, sink.loose)
	engine := dissect.NewEngine(analyse(sink, d.profile.value), dissect.Options{})
	var rec pcaps.Record
	for ctx.Err() == nil && !sink.full() && sink.Err() == nil && in.Next(&rec) == nil {
		if rec.Frame == 1 {
			clock.Start = rec.Time
		}
		engine.Packet(&rec)
		if terminal {
			_ = sink.Flush() // met again by sink.Err
		}
	}
	engine.Close()
	if err := sink.Flush(); err != nil {
		return unreadable(err)
	}
	sink.notes.finish(in.Damage(), engine.Totals(), ctx.Err() != nil)
	return nil
}

// printer returns the sink for the output that was chosen.
func (d *decode) printer(w io.Writer, terminal bool, clock *text.Clock, files []string, loose func(*analysis.Finding)) printer {
	colored := d.colored(terminal)
	switch d.output.value {
	case "jsonl":
		o := jsonl.Options{View: d.view(), Loose: loose}
		if d.separate {
			o.File = files[0]
		}
		return jsonl.New(w, o)
	case "tree":
		o := tree.Options{Clock: clock}
		if colored {
			o.Palette = treePalette()
		}
		return tree.New(w, o)
	}
	o := text.Options{View: d.view(), Clock: clock, Header: terminal, Loose: loose}
	if colored {
		o.Palette = linePalette()
	}
	return text.New(w, o)
}

// A decodeSink prints events until there were enough, and notes.
type decodeSink struct {
	printer
	view  text.View
	notes *notes
	count uint64 // what was printed of the view
	limit uint64 // how many are wanted; 0 for all
}

// full says whether enough was printed.
func (s *decodeSink) full() bool { return s.limit > 0 && s.count >= s.limit }

func (s *decodeSink) StartupFrame(f *dissect.StartupFrame) {
	if !s.full() {
		s.printer.StartupFrame(f)
		s.printed(text.Messages)
	}
}

func (s *decodeSink) Segment(g *dissect.Segment) {
	if !s.full() {
		s.printer.Segment(g)
		if g.Err != nil {
			s.say(func() { s.notes.Segment(g) })
		}
	}
}

func (s *decodeSink) Message(m *dissect.Message) {
	if !s.full() {
		s.printer.Message(m)
		s.printed(text.Messages)
	}
}

func (s *decodeSink) Transaction(t *analysis.Transaction) {
	if !s.full() && s.view.Shows(t) {
		s.printer.Transaction(t)
		s.printed(s.view)
	}
}

// printed counts what was printed, if it belongs to the view.
func (s *decodeSink) printed(v text.View) {
	if v == s.view {
		s.count++
	}
}

func (s *decodeSink) Finding(f *analysis.Finding) {
	if !s.full() {
		s.printer.Finding(f)
	}
}

func (s *decodeSink) Upper(u *analysis.UpperMessage) {
	if !s.full() {
		s.printer.Upper(u)
	}
}

func (s *decodeSink) Note(n *dissect.Note) {
	if !s.full() {
		s.say(func() { s.notes.Note(n) })
	}
}

func (s *decodeSink) End(c *dissect.Conn) {
	if !s.full() {
		s.printer.End(c)
	}
}

// loose prints a finding that is about no message.
func (s *decodeSink) loose(f *analysis.Finding) { s.say(func() { s.notes.Finding(f) }) }

// say prints a note, after what was printed before it.
func (s *decodeSink) say(note func()) {
	_ = s.Flush() // met again by Err
	note()
}
