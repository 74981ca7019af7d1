package cli

// The output pcapng: a capture with comments about its packets.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
)

// checkComments checks whether files can be annotated, and the other flags.
func (d *decode) checkComments(flags *pflag.FlagSet, files []string) error {
	for _, name := range []string{"transactions", "rpc", "count", "separate", "follow", "view"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s and -o pcapng exclude each other", name)
		}
	}
	err := annotate.CheckFiles(files...)
	if err != nil && !errors.Is(err, annotate.ErrOnce) {
		return unreadable(err)
	}
	return err
}

// comments writes files as one capture with comments, to a file or a pipe.
func (d *decode) comments(ctx context.Context, files []string) error {
	if (d.write == "" || d.write == "-") && d.OutIsTerminal {
		return errors.New("pcapng cannot be shown on a terminal; choose a file with -w")
	}
	return d.writes(d.write, files, func(w io.Writer, _ bool) error { return d.annotate(ctx, files, w) })
}

// annotate writes files as one capture with comments. When it is interrupted, it writes the packets read so far.
func (d *decode) annotate(ctx context.Context, files []string, w io.Writer) error {
	held, err := annotate.Hold(files...)
	if err != nil {
		return unreadable(err)
	}
	defer held.Close()
	in, err := d.openFiles(ctx, files, false, func() {})
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()

	comments, notes := annotate.New(annotate.Options{MaxOctets: d.memory.octets() / 2}), d.newNotes(files, in)
	d.in = &input{packets: in, notes: notes}
	chain := d.chain(comments)
	if err := chain.read(ctx, in, never); err != nil {
		return unreadable(err)
	}
	if in.Overlap() {
		return &exit.Failure{Code: exit.Usage, Err: errors.New("-o pcapng copies files one after the other, and these overlap in time: merge them first, with mergecap")}
	}
	p := part{ctx: ctx, wait: d.newWait()}
	defer p.end()
	if ctx.Err() != nil {
		p.ctx, p.most, p.limited = context.WithoutCancel(ctx), chain.Totals().Packets, true
	}
	if err := cmp.Or(comments.Write(w, p.ends, in.Files()...), held.Unchanged()); err != nil {
		return unreadable(err)
	}
	if n := comments.LeftOut(); n > 0 {
		notes.print(fmt.Appendf(nil, "%d comments are omitted: there are too many", n))
	}
	notes.finish(in.Damage(), chain, ctx.Err() != nil)
	if p.ended {
		d.complain(fmt.Errorf("interrupted: %s ends after packet %s", writtenName(d.write), grouped(p.n)))
	}
	return nil
}

// A part is the part of a capture that is written.
type part struct {
	*wait                   // for the next packet
	ctx     context.Context // ends it
	most    uint64          // packets, if it is limited
	limited bool
	n       uint64 // packets so far
	ended   bool   // there may be more
}

// ends reports, before each packet, whether the part ends there.
func (p *part) ends() bool {
	p.begin()
	if p.ended = p.limited && p.n == p.most || p.ctx.Err() != nil; !p.ended {
		p.n++
	}
	return p.ended
}
