package cli

// Files that commands write: whole ones, and captures that grow.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
)

// A Disk has the files that commands write. Its methods are those of package os.
type Disk interface {
	OpenFile(name string, flag int, perm os.FileMode) (File, error)
	Mkdir(name string, perm os.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
}

// A File is one of them.
type File interface {
	io.WriteCloser
	Name() string
	Chmod(perm os.FileMode) error
	Sync() error
}

// disk is the Disk of the system.
type disk struct{}

func (disk) OpenFile(name string, flag int, perm os.FileMode) (File, error) {
	return os.OpenFile(name, flag, perm)
}
func (disk) Mkdir(name string, perm os.FileMode) error { return os.Mkdir(name, perm) }
func (disk) Rename(from, to string) error              { return os.Rename(from, to) }
func (disk) Remove(name string) error                  { return os.Remove(name) }

// writes writes a file, or standard output if name is empty or "-". A regular file is whole or not there: write fills a file beside it,
// which takes its name when write has succeeded. Pipes and devices are written to as they are. terminal is for a terminal.
func (a *app) writes(name string, inputs []string, write func(w io.Writer, terminal bool) error) error {
	existing, err := a.replaced(name, inputs)
	if err != nil {
		return err
	}
	if name == "" || name == "-" {
		return failed(write(a.Out, a.OutIsTerminal))
	}
	if existing != nil && !existing.Mode().IsRegular() {
		file := &growing{app: a, name: name}
		return failed(errors.Join(write(a.outlet(file), false), file.Close()))
	}
	file := &whole{app: a, name: name, existing: existing}
	defer file.discard()
	err = write(a.outlet(file), false)
	if f := new(exit.Failure); err != nil && !(errors.As(err, &f) && f.Err == nil) {
		return failed(err)
	}
	if unfinished := file.finish(); unfinished != nil {
		return a.lose(unfinished)
	}
	return failed(err)
}

// failed is the failure of a command that could not write what it has to; nil without an error.
func failed(err error) error {
	if f := new(exit.Failure); err == nil || errors.As(err, &f) {
		return err
	}
	return unreadable(err)
}

// writtenName is the name given to writes, for people.
func writtenName(name string) string {
	if name == "" || name == "-" {
		return "standard output"
	}
	return name
}

// outInfo describes standard output; nil if it is not a regular file.
func (a *app) outInfo() os.FileInfo {
	if out, ok := a.Out.(*outlet); ok {
		if file, ok := out.Writer.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				return info
			}
		}
	}
	return nil
}

// replaced describes the file that an output replaces, nil for none and for standard output. It fails if that is read too.
func (a *app) replaced(name string, inputs []string) (os.FileInfo, error) {
	if name == "" || name == "-" {
		if a.isInput(a.outInfo(), inputs) {
			return nil, errors.New("standard output is an input too; choose another output file")
		}
		return nil, nil
	}
	existing, err := os.Stat(name)
	if err != nil {
		return nil, nil
	}
	if a.isInput(existing, inputs) {
		return nil, fmt.Errorf("%s is both input and output; choose another output file", name)
	}
	return existing, nil
}

// distinct returns an error if two outputs are one regular file. "" and "-" are none.
func distinct(outputs ...string) error {
	for i, name := range outputs {
		info, err := os.Stat(name)
		if name == "" || name == "-" || err == nil && !info.Mode().IsRegular() {
			continue
		}
		for _, other := range outputs[:i] {
			same, failed := os.Stat(other)
			if filepath.Clean(other) == filepath.Clean(name) || err == nil && failed == nil && os.SameFile(info, same) {
				return fmt.Errorf("two outputs go to %s; choose another file for one of them", name)
			}
		}
	}
	return nil
}

// isInput reports whether a file is among those that are read, or will be.
func (a *app) isInput(out os.FileInfo, inputs []string) bool {
	if out != nil && a.isRead(out) {
		return true
	}
	for _, input := range inputs {
		in, err := os.Stat(input)
		if file, ok := a.In.(*os.File); ok && input == "-" {
			in, err = file.Stat()
		}
		if err == nil && os.SameFile(in, out) {
			return true
		}
	}
	return false
}

// A whole is a regular file that appears under its name when it is complete. Until then it has another name in the same folder.
// A file in a folder that takes no other one is written in place.
type whole struct {
	*app
	name     string
	existing os.FileInfo // what has the name; nil for nothing
	file     File        // nil until something is written
}

// create creates the file under another name, with the permissions of the one that it will replace.
func (w *whole) create() error {
	if w.file != nil {
		return nil
	}
	if err := w.follow(); err != nil {
		return err
	}
	if w.existing != nil { // what may not be written may not be replaced
		old, err := w.Disk.OpenFile(w.name, os.O_WRONLY, 0)
		if err == nil {
			err = old.Close()
		}
		if err != nil {
			return usage.Unwritten(w.name, err)
		}
	}
	beside := filepath.Join(filepath.Dir(w.name), fmt.Sprintf(".iwarp-%016x", rand.Uint64()))
	file, err := w.begin(w.Disk, beside)
	inPlace := (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENAMETOOLONG)) && w.existing != nil
	if inPlace {
		file, err = w.Disk.OpenFile(w.name, os.O_WRONLY|os.O_TRUNC, 0)
	}
	if err != nil {
		return usage.Unwritten(w.name, err)
	}
	w.file = file
	if w.existing != nil && !inPlace {
		return file.Chmod(w.existing.Mode().Perm())
	}
	return nil
}

// follow makes the name that of the file to which symbolic links lead, which need not exist: the links stay.
func (w *whole) follow() error {
	for range 40 { // Linux follows as many
		target, err := os.Readlink(w.name)
		if err != nil {
			return nil
		}
		if !filepath.IsAbs(target) {
			folder, _ := filepath.Split(w.name)
			target = folder + target
		}
		w.name = target
	}
	return fmt.Errorf("%s: too many symbolic links", w.name)
}

func (w *whole) Write(b []byte) (int, error) {
	if err := w.create(); err != nil {
		return 0, err
	}
	n, err := w.file.Write(b)
	if err != nil {
		err = usage.Unwritten(w.name, err)
	}
	return n, err
}

// finish gives the file its name, once it is on the disk.
func (w *whole) finish() error {
	if err := w.create(); err != nil {
		return err
	}
	beside := w.file.Name()
	if err := errors.Join(w.file.Sync(), w.file.Close()); err != nil {
		return usage.Unwritten(w.name, err)
	}
	if err := w.Disk.Rename(beside, w.name); err != nil {
		return usage.Unwritten(w.name, err)
	}
	w.file = nil
	return nil
}

// discard removes a file that is not complete.
func (w *whole) discard() {
	if w.file != nil {
		w.file.Close()
		if w.file.Name() != w.name {
			w.Disk.Remove(w.file.Name())
		}
	}
}

// A growing is a file that is written in place: a pipe, a device, or the capture of connections that last. The first write creates or
// truncates it, so that a command that fails earlier does no harm.
type growing struct {
	*app
	name string
	file File

	several bool   // files are numbered: "a.pcapng" stands for "a-00001.pcapng" and so on
	number  int    // of those that are complete
	octets  uint64 // of the file
}

func (g *growing) Write(b []byte) (_ int, err error) {
	if g.file == nil {
		name := g.name
		if ending := filepath.Ext(name); g.several {
			name = fmt.Sprintf("%s-%05d%s", strings.TrimSuffix(name, ending), g.number+1, ending)
		}
		if _, err := g.replaced(name, nil); err != nil {
			return 0, err
		}
		if g.file, err = g.Disk.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666); err != nil {
			g.file = nil
			return 0, usage.Unwritten(name, err)
		}
	}
	n, err := g.file.Write(b)
	if g.octets += uint64(n); err != nil {
		err = usage.Unwritten(g.file.Name(), err)
	}
	return n, err
}

// next completes the file. The next write creates another.
func (g *growing) next() error {
	err := g.Close()
	g.file, g.octets = nil, 0
	g.number++
	return err
}

// Close completes the file, if anything was written.
func (g *growing) Close() error {
	if g.file == nil {
		return nil
	}
	if err := g.file.Close(); err != nil {
		return g.lose(usage.Unwritten(g.file.Name(), err))
	}
	return nil
}
