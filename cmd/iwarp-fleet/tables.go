package main

// Findings and connections as tables.

import (
	"io"
	"os"
	"path/filepath"

	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
)

// writeTables writes what was found into a new folder.
func writeTables(folder string, a *fleet.Answer) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	file := ""
	if len(a.Files) == 1 {
		file = a.Files[0]
	}
	t := parquet.NewVerdicts(func(name string) (io.WriteCloser, error) {
		f, err := os.Create(filepath.Join(folder, name+unfinished))
		return table{f}, err
	}, file)
	a.Give(t)
	return t.Close()
}

// unfinished ends the name of a file until all of it is there.
const unfinished = ".part"

// A table is a file of one.
type table struct{ *os.File }

// Close implements io.Closer. The file has its name then.
func (t table) Close() error {
	err := t.File.Close()
	if err == nil {
		err = os.Rename(t.Name(), t.Name()[:len(t.Name())-len(unfinished)])
	}
	return err
}
