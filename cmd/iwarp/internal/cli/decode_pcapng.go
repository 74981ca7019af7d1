package cli

// The output pcapng: a capture with comments about its packets.

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/dissect/annotate"
)

// checkAnnotated looks whether files can be annotated, and whether the other flags make sense then.
func checkAnnotated(flags *pflag.FlagSet, files []string) error {
	for _, name := range []string{"transactions", "rpc", "count", "separate", "follow"} {
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

// annotate writes files, which are one capture, with comments.
func (d *decode) annotate(ctx context.Context, files []string, w io.Writer) error {
	in, err := d.open(ctx, files, false, func() {})
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()

	comments, notes := annotate.New(annotate.Options{}), d.newNotes(files)
	chain := d.chain(comments)
	interrupted := func() bool { return ctx.Err() != nil }
	if err := chain.run(ctx, in, interrupted); err != nil {
		return unreadable(err)
	}
	if err := comments.Write(w, interrupted, files...); err != nil {
		return unreadable(err)
	}
	if n := comments.LeftOut(); n > 0 {
		notes.print(fmt.Appendf(nil, "%d comments were too many and are left out", n))
	}
	notes.finish(in.Damage(), chain, interrupted())
	return nil
}
