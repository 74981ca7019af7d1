package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/pcaps"
)

// decode holds the flags of the command.
type decode struct {
	*app
	reading
	kernel       kernelFlags
	output       choice
	times        choice
	verbose      bool
	transactions bool
	rpc          bool
	count        number
	separate     bool
	follow       bool
	write        string
	headed       bool // the CSV header was written
}

func newDecode(a *app) *cobra.Command {
	d := &decode{
		app:     a,
		reading: newReading(),
		output:  usage.NewChoice(outputs[0].name, outputNames()...),
		times:   usage.NewChoice("relative", show.Forms...),
		count:   number{least: 1, most: math.MaxInt64},
	}
	cmd := &cobra.Command{
		Use:     "decode FILE...",
		GroupID: groupCapture,
		Short:   "Print the messages in a capture, one line each",
		Long: `Print MPA frames and RDMAP messages, one line each, once complete: time of the
first frame, connection, direction (c2s: from the sender of the MPA Request),
type, octets of ULP payload, first and last frame, important header fields; in
brackets, what is wrong. The exit status stays 0 then: use iwarp check.

Filters are Wireshark's display filters, with more fields: docs/filter.md.

` + outputTexts(),
		Example: `  iwarp decode capture.pcap
  iwarp decode -V -c 5 capture.pcap         # every field of five messages
  iwarp decode --transactions capture.pcap  # requests with their responses
  iwarp decode -o pcapng -w commented.pcapng capture.pcap  # for Wireshark
  iwarp decode -o jsonl capture.pcap | jq -r 'select(.type == "Send") | .len'`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := d.check(cmd.Flags(), files); err != nil {
				return err
			}
			return d.run(cmd.Context(), files)
		},
	}
	d.defineFlags(cmd)
	return cmd
}

func (d *decode) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	d.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	d.addFlags(cmd)
	d.addView(cmd)
	d.times.AddTo(cmd, f, "time", "", "`FORM` of times")
	f.BoolVarP(&d.verbose, "verbose", "V", false, "every field of every layer, as -o tree")
	f.BoolVar(&d.transactions, "transactions", false, "requests with their responses, one per line")
	f.BoolVar(&d.rpc, "rpc", false, "RPCs, one per line")
	cmd.MarkFlagsMutuallyExclusive("transactions", "rpc", "verbose")
	f.VarP(&d.count, "count", "c", "stop reading after `N` lines, objects or messages")
	f.BoolVar(&d.separate, "separate", false, "decode each FILE by itself")
	f.BoolVar(&d.follow, "follow", false, "wait for more at the end of FILE, until Ctrl-C")
	d.kernel.addFlags(cmd)
	f.StringVarP(&d.write, "write", "w", "", "write to `FILE` instead of standard output")
}

// check checks whether the flags fit together.
func (d *decode) check(flags *pflag.FlagSet, files []string) error {
	if err := d.checkView(flags, files, d.separate); err != nil {
		return err
	}
	if d.follow && len(files) > 1 {
		return errors.New("--follow takes one FILE")
	}
	if d.verbose {
		if d.output.Value != verboseOutput && flags.Changed("output") {
			return fmt.Errorf("-V and -o %s exclude each other", d.output.Value)
		}
		d.output.Value = verboseOutput
	}
	switch o := d.chosen(); {
	case d.kernel.file != "" && o.name != "text":
		return fmt.Errorf("--dmesg does not go with -o %s", o.name)
	case flags.Changed("time") && !o.lines:
		return fmt.Errorf("--time does not go with -o %s", o.name)
	case o.check != nil:
		return o.check(d, flags, files)
	case d.about() != show.Messages && !o.views:
		return fmt.Errorf("--transactions and --rpc do not go with -o %s", o.name)
	}
	return nil
}

func (d *decode) run(ctx context.Context, files []string) error {
	if err := d.kernel.read(d.app); err != nil {
		return err
	}
	if err := d.kernel.learn(ctx, &d.reading, d.app, files); err != nil {
		return err
	}
	if write := d.chosen().write; write != nil {
		return write(d, ctx, files)
	}
	return d.writes(d.write, files, func(w io.Writer, terminal bool) error {
		if !d.separate {
			return d.capture(ctx, files, w, terminal)
		}
		return each(d.app, files, func(file string) error {
			if d.chosen().lines && len(files) > 1 {
				fmt.Fprintf(w, "# %s\n", displayName(file))
			}
			return d.capture(ctx, []string{file}, w, terminal)
		})
	})
}

// about is what lines are about.
func (d *decode) about() show.View {
	switch {
	case d.transactions:
		return show.Transactions
	case d.rpc:
		return show.RPCs
	}
	return show.Messages
}

func (d *decode) capture(ctx context.Context, files []string, w io.Writer, terminal bool) error {
	var sink *decodeSink
	in, err := d.open(ctx, d.app, files, opening{programs: !d.chosen().lines, follow: d.follow, idle: func() {
		if sink != nil {
			_ = sink.Flush() // sink.Err returns it too
		}
	}})
	if err != nil {
		return err
	}
	defer in.Close()

	clock := newClock(&d.times)
	p := printing{w: w, terminal: terminal, colored: d.colored(terminal), clock: clock, several: in.frames != nil}
	if d.separate {
		p.file = files[0]
	}
	sink = &decodeSink{
		printer: d.kernel.interleaved(d.chosen().printer(d, &p), &p), view: d.about(), all: d.chosen().findings,
		notes: in.notes, limit: d.count.value,
	}
	chain := d.chain(sink)
	chain.begin = append(chain.begin, func(ns int64) { clock.Start = ns })
	err = chain.read(ctx, in.packets, func() bool {
		if terminal {
			_ = sink.Flush() // sink.Err returns it too
		}
		return sink.full() || sink.Err() != nil
	})
	if i, ok := sink.printer.(*interleaver); ok && !sink.full() {
		i.finish()
	}
	if err := cmp.Or(err, sink.Flush()); err != nil {
		return unreadable(err)
	}
	sink.notes.finish(in.Damage(), chain, ctx.Err() != nil)
	if sink.count == 0 && chain.Totals().Connections > 0 && d.filter.compiled == nil {
		switch sink.view {
		case show.Transactions:
			in.notes.print([]byte("no request in this capture"))
		case show.RPCs:
			in.notes.print([]byte("no RPC in this capture"))
		}
	}
	if i := slices.IndexFunc(in.Damage(), func(err error) bool { return errors.Is(err, pcaps.ErrShrunk) }); i >= 0 {
		return &exit.Failure{Code: exit.Unreadable} // a note says so
	}
	return nil
}
