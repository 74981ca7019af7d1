package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/dissect/show"
)

// decode holds the flags of the command.
type decode struct {
	*app
	reading
	output       choice
	times        choice
	verbose      bool
	transactions bool
	rpc          bool
	count        number
	separate     bool
	follow       bool
	write        string
	headed       bool // the names of CSV columns were written
}

func newDecode(a *app) *cobra.Command {
	d := &decode{
		app:     a,
		reading: newReading(),
		output:  choice{outputs[0].name, outputNames()},
		times:   choice{"rel", []string{"rel", "utc"}},
		count:   number{least: 1, most: math.MaxInt64},
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
--rpc each line is an RPC, with the Reads and Writes that moved it. They are printed when they are over.

With -Y only what matches a filter is printed. Its language is that of Wireshark's display filters, with Wireshark's
names of fields; the tab key completes them. Of its own it knows
  type, conn, dir, len, frame, time, crc, complete, missing
                       what each line shows: type == Send, conn == 0, missing > 0
  finding, severity    what 'iwarp check' finds in a message: severity >= warning
  transaction, latency, outcome
                       requests with their responses: latency > 20ms, transaction contains "NFSv3 READ"
  upper                messages of upper layers: upper contains "NFSv4.1 COMPOUND"
docs/filter.md has all fields. A finding is matched together with the message that it is about.

The outputs are text (one line a message), tree (every field of every layer), jsonl (one object a line, docs/json.md),
csv (one row each, docs/csv.md), and pcapng: the capture as it is, with each message and finding as a comment of the
packet with which it ends, to be seen in Wireshark. It needs -w or a redirection, and files that can be read twice.

--mpa states what holds on connections whose MPA Request or Reply is not in the capture: crc=on or off, markers=on or
off, markers-c2s and markers-s2c for one direction, version=0 or 1 of DDP and RDMAP, with commas between. It is
believed where no MPA frame says otherwise; what is not stated is inferred from the FPDUs.`,
		Example: `  iwarp decode capture.pcap
  iwarp decode -V -c 5 capture.pcap              # every field of the first five messages
  iwarp decode --time utc capture.pcap.gz
  iwarp decode --follow growing.pcapng           # until Ctrl-C
  iwarp decode --transactions capture.pcap       # which request got which response, and when
  iwarp decode -Y 'type == ReadRequest and iwarp_rdma.rdmardsz > 4096' capture.pcap
  iwarp decode -o csv --rpc capture.pcap > rpcs.csv
  iwarp decode -o pcapng -w told.pcapng capture.pcap
  iwarp decode -o jsonl capture.pcap | jq -r 'select(.type == "ReadRequest") | .rdmardsz'`,
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
	addChoice(cmd, f, &d.output, "output", "o", "what to print or write")
	d.addFlags(cmd)
	addChoice(cmd, f, &d.times, "time", "", "times as seconds from the first packet, or as date and time in UTC")
	f.BoolVarP(&d.verbose, "verbose", "V", false, "every field of every layer; the same as -o tree")
	f.BoolVar(&d.transactions, "transactions", false, "requests with their responses, one line each")
	f.BoolVar(&d.rpc, "rpc", false, "RPCs, one line each")
	cmd.MarkFlagsMutuallyExclusive("transactions", "rpc", "verbose")
	f.VarP(&d.count, "count", "c", "stop after `N` lines or objects; with -V, messages and MPA frames")
	f.BoolVar(&d.separate, "separate", false, "decode each FILE on its own")
	f.BoolVar(&d.follow, "follow", false, "at the end of FILE wait for more, until Ctrl-C")
	f.StringVarP(&d.write, "write", "w", "", "write to `FILE` instead of standard output")
}

// check looks whether flags make sense together.
func (d *decode) check(flags *pflag.FlagSet, files []string) error {
	if d.follow && len(files) > 1 {
		return errors.New("--follow takes one FILE")
	}
	if d.verbose {
		if d.output.value != verboseOutput && flags.Changed("output") {
			return fmt.Errorf("-V and -o %s exclude each other", d.output.value)
		}
		d.output.value = verboseOutput
	}
	switch o := d.chosen(); {
	case flags.Changed("time") && !o.lines:
		return fmt.Errorf("--time has no meaning for -o %s", o.name)
	case o.printer == nil:
		return checkAnnotated(flags, files)
	case d.view() != show.Messages && !o.views:
		return fmt.Errorf("--transactions and --rpc have no %s", o.name)
	}
	return nil
}

func (d *decode) run(ctx context.Context, files []string) error {
	w, terminal, finish, err := d.create(d.write, files)
	if err != nil {
		return err
	}
	decode := func() error { return d.capture(ctx, files, w, terminal) }
	switch {
	case d.chosen().printer == nil && terminal:
		return fmt.Errorf("%s is not for a terminal; choose a file with -w", d.output.value)
	case d.chosen().printer == nil:
		decode = func() error { return d.annotate(ctx, files, w) }
	case d.separate:
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
		if d.chosen().lines && len(files) > 1 {
			fmt.Fprintf(w, "# %s\n", displayName(file))
		}
		return d.capture(ctx, []string{file}, w, terminal)
	})
}

// view is what lines or objects are about.
func (d *decode) view() show.View {
	switch {
	case d.transactions:
		return show.Transactions
	case d.rpc:
		return show.RPCs
	}
	return show.Messages
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

	clock := &show.Clock{UTC: d.times.value == "utc"}
	p := printing{w: w, terminal: terminal, colored: d.colored(terminal), clock: clock}
	if d.separate {
		p.file = files[0]
	}
	sink = &decodeSink{
		printer: d.chosen().printer(d, &p), view: d.view(), all: d.chosen().findings,
		notes: d.newNotes(files), limit: d.count.value,
	}
	chain := d.chain(sink)
	chain.begin = append(chain.begin, func(ns int64) { clock.Start = ns })
	err = chain.read(ctx, in, func() bool {
		if terminal {
			_ = sink.Flush() // met again by sink.Err
		}
		return sink.full() || sink.Err() != nil
	})
	if flushing := sink.Flush(); err == nil {
		err = flushing
	}
	if err != nil {
		return unreadable(err)
	}
	sink.notes.finish(in.Damage(), chain, ctx.Err() != nil)
	return nil
}
