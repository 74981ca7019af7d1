package cli

// The output parquet: a folder with tables.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
)

// checkTables checks whether the other flags go with tables.
func (d *decode) checkTables(flags *pflag.FlagSet, _ []string) error {
	for _, name := range []string{"transactions", "rpc", "count", "separate"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s and -o parquet exclude each other", name)
		}
	}
	if d.write == "" || d.write == "-" {
		return errors.New("-o parquet writes a folder: choose its name with -w")
	}
	return nil
}

// tables writes files as the tables of one capture. The folder must be new. If reading or writing fails, the files that are complete stay.
func (d *decode) tables(ctx context.Context, files []string) error {
	d.kept = true
	in, err := d.open(ctx, d.app, files, opening{programs: true, follow: d.follow})
	if err != nil {
		return err
	}
	defer in.Close()
	if err := d.Disk.Mkdir(d.write, 0o777); err != nil {
		return unreadable(usage.Unwritten(d.write, err))
	}
	file := ""
	if in.frames == nil {
		file = plainName(files[0])
	}
	var made []*tableFile
	defer func() {
		for _, file := range made {
			file.discard()
		}
	}()
	clock := new(show.Clock)
	tables := parquet.New(func(name string) (io.WriteCloser, error) {
		made = append(made, &tableFile{whole{app: d.app, name: filepath.Join(d.write, name)}})
		return made[len(made)-1], nil
	}, clock, file)
	chain := d.chain(record.SinkFunc(func(r *record.Record) {
		in.notes.note(r)
		tables.Record(r)
	}))
	chain.begin = append(chain.begin, func(ns int64) { clock.Start = ns })
	err = chain.read(ctx, in.packets, func() bool { return tables.Err() != nil })
	if err := cmp.Or(err, tables.Close()); err != nil {
		return unreadable(err)
	}
	in.notes.finish(in.Damage(), chain, ctx.Err() != nil)
	return nil
}

// A tableFile is a file that appears when it is closed.
type tableFile struct{ whole }

// Close implements io.Closer.
func (f *tableFile) Close() error { return f.finish() }
