package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/ladder"
	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/pcaps"
)

// follow holds the flags of the command.
type follow struct {
	*app
	reading
	kernel  kernelFlags
	all     bool
	unicode bool
	width   number
	times   choice
	write   string
	conn    int
	chosen  bool // conn was given
}

func newFollow(a *app) *cobra.Command {
	l := &follow{app: a, reading: newReading(), width: number{least: ladder.LeastWidth, most: ladder.MostWidth},
		times: usage.NewChoice("relative", show.Forms...),
	}
	cmd := &cobra.Command{
		Use:     "follow FILE... [CONN]",
		GroupID: groupCapture,
		Short:   "Draw a connection as a ladder: who sent what, and when",
		Long: `Draw one iWARP connection as a ladder: a vertical line for each end, and an
arrow for each message, with its time and its frames.
CONN is the number that 'iwarp stats' and 'iwarp decode' show; the default is
the first connection. If there is no such connection, follow lists the
others.

A request and its response have the same number after a #. A response shows how
long it took. Findings of 'iwarp check' appear below their message. The last
lines say how the connection went and what was still unanswered.

Repeated messages, or sequences of messages, are folded into one arrow per kind;
--all draws each. A second or more without messages is shown as a gap.

-Y draws only matching messages and findings; without CONN, follow draws the
first connection that has any. See 'iwarp decode --help' for filters.`,
		Example: `  iwarp follow capture.pcap
  iwarp follow capture.pcap 3                     # connection 3
  iwarp follow --all capture.pcap 3 | less        # an arrow for every message
  iwarp follow --unicode --width 120 capture.pcap
  iwarp follow -Y 'not type in {Write, ReadResponse}' capture.pcap`,
		Args: func(cmd *cobra.Command, args []string) error { return captureFiles(cmd, l.files(args)) },
		RunE: func(cmd *cobra.Command, args []string) error {
			files := l.files(args)
			if err := l.misnamed(files); err != nil {
				return unreadable(err)
			}
			if err := l.checkView(cmd.Flags(), files, false); err != nil {
				return err
			}
			return l.run(cmd, files)
		},
	}
	f := cmd.Flags()
	l.addFlags(cmd)
	l.addView(cmd)
	f.BoolVar(&l.all, "all", false, "an arrow for every message")
	f.BoolVar(&l.unicode, "unicode", false, "draw with Unicode lines and arrowheads")
	f.Var(&l.width, "width", fmt.Sprintf("`N` characters per line, at least %d (default: the terminal's, or 80)", ladder.LeastWidth))
	l.times.AddTo(cmd, f, "time", "", "`FORM` of times")
	l.kernel.addFlags(cmd)
	f.StringVarP(&l.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

// files returns the arguments without CONN: the last of several, if it is a number.
func (l *follow) files(args []string) []string {
	if last := len(args) - 1; last > 0 {
		if n, err := parseConn(args[last]); err == nil {
			l.conn, l.chosen = int(n), true
			return args[:last]
		}
	}
	return args
}

func parseConn(s string) (uint64, error) { return strconv.ParseUint(s, 10, 31) }

// misnamed is an error if one of several arguments is no file, and is CONN in the wrong place, or stands in its place.
func (l *follow) misnamed(files []string) error {
	for i, name := range files {
		_, err := os.Stat(name)
		_, word := parseConn(name)
		last := i == len(files)-1
		switch name = strings.TrimSpace(name); {
		case name == pcaps.Stdin, !errors.Is(err, fs.ErrNotExist):
		case !last && word == nil:
			return fmt.Errorf("%s: no such file; the number of a connection comes last: iwarp follow FILE %s", name, name)
		case last && i > 0 && !l.chosen:
			return fmt.Errorf("%s: no such file, and not the number of a connection", name)
		}
	}
	return nil
}

func (l *follow) run(cmd *cobra.Command, files []string) error {
	if err := l.kernel.read(l.app); err != nil {
		return err
	}
	if err := l.kernel.learn(cmd.Context(), &l.reading, l.app, files); err != nil {
		return err
	}
	return l.writes(l.write, files, func(w io.Writer, terminal bool) error { return l.capture(cmd.Context(), files, w, terminal) })
}

// capture draws a connection of files, which are one capture.
func (l *follow) capture(ctx context.Context, files []string, w io.Writer, terminal bool) error {
	var drawing *ladder.Ladder
	flush := func() {
		if drawing != nil {
			_ = drawing.Flush() // Err returns it too
		}
	}
	in, err := l.open(ctx, l.app, files, opening{idle: flush})
	if err != nil {
		return err
	}
	defer in.Close()

	o := l.options(terminal)
	drawing = ladder.New(w, o)
	chain := l.sieve(drawing)
	chain.begin = append(chain.begin, func(ns int64) { o.Clock.Start = ns })
	if l.filter.compiled != nil {
		chain.matched = drawing.Matched
	}
	err = chain.read(ctx, in.packets, func() bool {
		if terminal {
			flush()
		}
		return drawing.Err() != nil
	})
	if err := cmp.Or(err, drawing.Flush()); err != nil {
		return unreadable(err)
	}
	if all, more := drawing.Connections(); !l.chosen && len(all)+more > 1 {
		in.notes.print(fmt.Appendf(nil, "%s: 'iwarp follow FILE CONN' draws another, 'iwarp stats' lists all", quantity.Count(len(all)+more-1, "more connection")))
	}
	in.notes.finish(in.Damage(), chain, ctx.Err() != nil)
	if l.chosen && !drawing.Found() && ctx.Err() == nil {
		return &exit.Failure{Code: exit.Usage, Err: fmt.Errorf("there is no connection %d; %s", l.conn, connections(drawing, in.frames))}
	}
	return nil
}

func (l *follow) options(terminal bool) ladder.Options {
	o := ladder.Options{Conn: l.conn, Width: int(l.width.value), All: l.all, Unicode: l.unicode, Clock: newClock(&l.times), Kernel: l.kernel.about(lateness(l.running))}
	if l.filter.compiled != nil && !l.chosen {
		o.Conn = ladder.First
	}
	if o.Width == 0 && terminal {
		o.Width = l.Width
	}
	if l.colored(terminal) {
		o.Palette = linePalette()
	}
	return o
}

// maxListed is how many connections or files are listed.
const maxListed = 10

// connections lists those that there are.
func connections(drawing *ladder.Ladder, frames flow.Frames) string {
	all, more := drawing.Connections()
	if len(all) == 0 {
		return "there is none"
	}
	var b strings.Builder
	b.WriteString("there are")
	for i := range all[:min(len(all), maxListed)] {
		c := &all[i]
		fmt.Fprintf(&b, "\n  %d  %v > %v, frames %s, messages %d", c.Conn, c.Client, c.Server, frames.Append(nil, &c.Span), c.Messages)
	}
	if more += len(all) - maxListed; more > 0 {
		fmt.Fprintf(&b, "\nand %d more; 'iwarp stats' shows all", more)
	}
	return b.String()
}
