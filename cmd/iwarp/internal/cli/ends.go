package cli

// Two captures of the same connections, one at either end, read as one.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/pcaps"
)

// addView adds the flag that chooses whose packets are shown.
func (r *reading) addView(cmd *cobra.Command) {
	r.view.AddTo(cmd, cmd.Flags(), "view", "", "packets of `END`")
}

// checkView checks whether the files can be captures of two ends, if that flag is given.
func (r *reading) checkView(flags *pflag.FlagSet, files []string, separate bool) error {
	if flags.Changed("view") && (len(files) != 2 || separate) {
		return errors.New("--view goes with two files, captured at the two ends of connections")
	}
	return nil
}

// openEnds opens two files as one if they are captures of the two ends of connections, and says so in notes. Frames are
// named by their ends, for programs by their files. It returns nil if the files are no such captures, or cannot be read twice.
func (r *reading) openEnds(ctx context.Context, a *app, files []string, programs bool) (*input, error) {
	if len(files) != 2 || !readableTwice(files) {
		return nil, nil
	}
	held, err := annotate.Hold(files...)
	if err != nil {
		return nil, err
	}
	in, err := r.joinEnds(ctx, a, files, programs)
	if in == nil {
		held.Close()
		return nil, err
	}
	in.packets = &steady{in.packets, held}
	return in, nil
}

// joinEnds does so for files that can be read twice.
func (r *reading) joinEnds(ctx context.Context, a *app, files []string, programs bool) (*input, error) {
	both := &bothEnds{app: a, ctx: ctx, files: files}
	comparison, err := ends.Compare(both.open)
	switch {
	case ctx.Err() != nil || errors.As(err, new(*pcaps.Error)):
		return nil, nil // reading them one after the other says what is wrong
	case err != nil:
		return nil, err
	case comparison == nil || !comparison.Clock.Known:
		return nil, nil
	}
	notes := a.newNotes(files, nil)
	about := endsText(comparison, files)
	for _, line := range about {
		notes.print([]byte(line))
	}
	base := comparison.At(flow.Client)
	if r.view.Value == "server" {
		base = comparison.At(flow.Server)
	}
	fill := r.view.Value == "both"
	if comparison.SamePlace() {
		fill = true
		r.noteView(notes)
	}
	if both.Merge, err = comparison.Merge(base, fill); err != nil {
		return nil, err
	}
	names := fileNames(files, programs)
	return &input{packets: both, ends: both.Merge, about: about, notes: notes, frames: func(frame uint64) (string, uint64) {
		view, own := both.Locate(frame)
		if programs || comparison.SamePlace() {
			return names[files[view]], own
		}
		return comparison.Ends[view].String(), own
	}}, nil
}

// noteView says that --view chooses nothing.
func (r *reading) noteView(n *notes) {
	if r.view.Value != "both" {
		n.print([]byte("--view is ignored: the files are not recognised as captures of the two ends of connections"))
	}
}

// readableTwice reports whether all files are regular ones.
func readableTwice(files []string) bool {
	for _, file := range files {
		if info, err := os.Stat(file); file == pcaps.Stdin || err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// bothEnds are two files that are read as one.
type bothEnds struct {
	*ends.Merge
	app    *app
	ctx    context.Context
	files  []string
	latest [2]*pcaps.Capture
}

// open opens one of the files. What was read before a signal counts.
func (b *bothEnds) open(view int) (ends.Source, error) {
	in, err := b.app.openFiles(b.ctx, b.files[view:view+1], false, func() {})
	if err != nil {
		return nil, err
	}
	b.latest[view] = in
	return &until{in, b.ctx}, nil
}

// Damage is what was wrong with the files.
func (b *bothEnds) Damage() (all []error) {
	for _, in := range b.latest {
		all = append(all, in.Damage()...)
	}
	return all
}

// FileBytes is how many octets of both files were read so far.
func (b *bothEnds) FileBytes() int64 { return b.latest[0].FileBytes() + b.latest[1].FileBytes() }

// until is a Capture that ends with its context.
type until struct {
	*pcaps.Capture
	ctx context.Context
}

// Next implements ends.Source.
func (i *until) Next(rec *pcaps.Record) error {
	if i.ctx.Err() != nil {
		return io.EOF
	}
	return i.Capture.Next(rec)
}

// endsText says what two captures are, on what grounds, and how their clocks differ.
func endsText(c *ends.Comparison, files []string) (lines []string) {
	var names [2]string
	translated := 0
	for i, file := range files {
		names[i] = shown(plainName(file))
	}
	for _, p := range c.Connections {
		if p.Translated {
			translated++
		}
	}
	what, grounds := counted(uint64(len(c.Connections)), "TCP connection"), "addresses, ports and sequence numbers are the same"
	if translated > 0 {
		grounds = fmt.Sprintf("sequence numbers are the same; the addresses of %d are translated between the two", translated)
	}
	if c.SamePlace() && sameFile(files[0], files[1]) {
		return nil // a note says so
	}
	if c.SamePlace() {
		return []string{fmt.Sprintf("%s and %s show %s, captured at one place: %s", names[0], names[1], what, grounds)}
	}
	client, server := c.At(flow.Client), c.At(flow.Server)
	lines = append(lines, fmt.Sprintf("%s (client) and %s (server) show the two ends of %s: %s", names[client], names[server], what, grounds), clockText(c, server))
	for i, cut := range c.Cut {
		if cut {
			lines = append(lines, fmt.Sprintf("%s has more than %s TCP packets or %s connections: what comes after them is not compared", names[i],
				grouped(ends.MaxPackets), grouped(ends.MaxConnections)))
		}
	}
	return lines
}

// clockText says how the clocks differ.
func clockText(c *ends.Comparison, server int) string {
	ahead, drift, word := c.Clock.Ahead, c.Clock.Drift, "ahead of"
	if server == 0 {
		ahead, drift = -ahead, -drift
	}
	if ahead < 0 {
		ahead, word = -ahead, "behind"
	}
	text := fmt.Sprintf("the server's clock is %s %s the client's, within %s, half of the shortest round trip", quantity.Duration(ahead), word,
		quantity.Duration(c.Clock.Within))
	switch {
	case drift > 0:
		text += fmt.Sprintf("; it gains %.3g us a second", drift*1e6)
	case drift < 0:
		text += fmt.Sprintf("; it loses %.3g us a second", -drift*1e6)
	}
	return text
}
