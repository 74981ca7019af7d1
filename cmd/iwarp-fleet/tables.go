package main

// What was found, and all that happened, as tables.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
)

// writeTables writes the tables of an answer into a new folder: findings and connections first.
func writeTables(ctx context.Context, folder string, bus *fleet.Bus, a *fleet.Answer) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return usage.Unwritten(folder, err)
	}
	file := ""
	if len(a.Files) == 1 {
		file = a.Files[0]
	}
	create := func(name string) (io.WriteCloser, error) { return create(filepath.Join(folder, name)) }
	found := parquet.NewVerdicts(create, file)
	a.Give(found)
	if err := found.Close(); err != nil {
		return err
	}
	all := parquet.NewRecords(create, &show.Clock{Start: a.Begin}, file)
	err := bus.Records(ctx, a, func(*flow.Conn) bool { return all.Err() == nil }, all)
	return cmp.Or(err, all.Close())
}

// unfinished ends the name of a file until all of it is there.
const unfinished = ".part"

// A part is a file that has its name when it is closed.
type part struct{ *os.File }

func create(name string) (io.WriteCloser, error) {
	f, err := os.Create(name + unfinished)
	if err != nil {
		return nil, usage.Unwritten(name, err)
	}
	return part{f}, nil
}

// Close implements io.Closer.
func (p part) Close() error {
	name := strings.TrimSuffix(p.Name(), unfinished)
	err := p.File.Close()
	if err == nil {
		err = os.Rename(p.Name(), name)
	}
	if err != nil {
		return usage.Unwritten(name, err)
	}
	return nil
}

// Write implements io.Writer.
func (p part) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	if err != nil {
		err = usage.Unwritten(strings.TrimSuffix(p.Name(), unfinished), err)
	}
	return n, err
}

// writable returns an error if newFile could not write a file, before much is done for it.
func writable(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return usage.Unwritten(name, syscall.EISDIR)
	}
	f, err := os.OpenFile(name+unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist): // another command may write it now
		return nil
	case err != nil:
		return usage.Unwritten(name, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// newFile writes a file, which is not there, nor is what was there before lost, unless all of it was written.
func newFile(name string, write func(io.Writer) error) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Close()
	}
	if err != nil {
		os.Remove(name + unfinished)
	}
	return err
}
