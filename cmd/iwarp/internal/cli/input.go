package cli

// Opening captures, one by one or together, so that Ctrl-C ends the reading.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/pcaps"
)

// openFiles opens files as one capture. With follow, it waits for more at the end of the only file. It calls idle each time
// before it waits for octets of a pipe or of a growing file.
func (a *app) openFiles(ctx context.Context, files []string, follow bool, idle func()) (*pcaps.Capture, error) {
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a folder: name its files, or use iwarp-fleet check --dir %s", name, name)
		}
	}
	name := files[0]
	if len(files) > 1 {
		w := a.newWait()
		defer w.end()
		for _, name := range files {
			a.reads(os.Stat(name))
		}
		if slices.ContainsFunc(files, isPipe) {
			return pcaps.Open(files...)
		}
		return pcaps.OpenByTime(files...)
	}
	if name == pcaps.Stdin {
		return pcaps.NewCapture(plainName(name), &interruptible{ctx: ctx, in: a.In, idle: idle})
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	file, err := a.open(name)
	if err != nil {
		return nil, err
	}
	var r io.Reader = file
	switch {
	case info.Mode().IsRegular() && follow:
		r = &interruptible{ctx: ctx, in: pcaps.Follow(ctx, file.File), idle: idle}
	case !info.Mode().IsRegular():
		r = &interruptible{ctx: ctx, in: file.File, idle: idle}
	}
	c, err := pcaps.NewCapture(name, closing{r, file})
	if err != nil {
		file.Close()
	}
	return c, err
}

// noteRepeated notes files that are given more than once.
func (a *app) noteRepeated(files []string) {
	for i, file := range files {
		if !a.quiet && slices.ContainsFunc(files[:i], func(other string) bool { return sameFile(file, other) }) {
			fmt.Fprintf(a.Err, "note: %s is given more than once\n", displayName(file))
		}
	}
}

// sameFile reports whether two names are those of one regular file.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, wrong := os.Stat(b)
	return err == nil && wrong == nil && one.Mode().IsRegular() && os.SameFile(one, other)
}

// isPipe reports whether a file is standard input, or no regular file, so that it can be read only once.
func isPipe(name string) bool {
	info, err := os.Stat(name)
	return name == pcaps.Stdin || err == nil && !info.Mode().IsRegular()
}

// awaited are packets of several files, of which the next may be far away: within a pipe, or behind much else.
type awaited struct {
	packets
	*wait
}

// Next implements dissect.Source.
func (w *awaited) Next(packet *pcaps.Record) error {
	w.begin()
	defer w.end()
	return w.packets.Next(packet)
}

// steady are packets of files that are read more than once: it is an error if those have changed since they were held.
type steady struct {
	packets
	held *annotate.Held
}

// Next implements dissect.Source.
func (s *steady) Next(packet *pcaps.Record) error {
	err := s.packets.Next(packet)
	if err == io.EOF {
		return cmp.Or(s.held.Unchanged(), err)
	}
	return err
}

// Close implements io.Closer.
func (s *steady) Close() error {
	s.held.Close()
	return s.packets.Close()
}

// framesOf names the frames of a capture of several files by their files; it is nil for one file.
func framesOf(in *pcaps.Capture, programs bool) flow.Frames {
	if len(in.Files()) < 2 {
		return nil
	}
	names := fileNames(in.Files(), programs)
	return func(frame uint64) (string, uint64) {
		file, number := in.Locate(frame)
		return names[file], number
	}
}

// fileNames are what files are called before frames: as they were given for programs, in short for people.
func fileNames(files []string, programs bool) map[string]string {
	names := make(map[string]string)
	for _, file := range files {
		sameBase := func(other string) bool { return other != file && filepath.Base(other) == filepath.Base(file) }
		switch {
		case programs:
			names[file] = plainName(file)
		case slices.ContainsFunc(files, sameBase):
			names[file] = displayName(file)
		default:
			names[file] = displayName(filepath.Base(file))
		}
	}
	return names
}

// closing is a reader with a separate Closer.
type closing struct {
	io.Reader
	io.Closer
}

// interruptible reads from a pipe, which may be silent for long, and ends when its context is done.
type interruptible struct {
	ctx     context.Context
	in      io.Reader
	idle    func() // called before it waits for octets
	buf     []byte // what the goroutine reads into
	have    []byte // octets of buf not yet returned
	results chan result
	over    bool // the context is done, and the goroutine may still read
}

type result struct {
	n   int
	err error
}

func (r *interruptible) Read(b []byte) (int, error) {
	if len(r.have) > 0 {
		n := copy(b, r.have)
		r.have = r.have[n:]
		return n, nil
	}
	if r.over {
		return 0, io.EOF
	}
	r.idle()
	if r.buf == nil {
		r.buf, r.results = make([]byte, 64<<10), make(chan result, 1)
	}
	go func() {
		n, err := r.in.Read(r.buf)
		r.results <- result{n, err}
	}()
	select {
	case got := <-r.results:
		n := copy(b, r.buf[:got.n])
		r.have = r.buf[n:got.n]
		if n > 0 && got.err == io.EOF {
			got.err = nil // the next call returns it
		}
		return n, got.err
	case <-r.ctx.Done():
		r.over = true
		return 0, io.EOF
	}
}

// each calls do for each file. It continues after a file that cannot be read.
func each(a *app, files []string, do func(file string) error) error {
	var bad *exit.Failure
	for _, file := range files {
		err := do(file)
		if f := new(exit.Failure); errors.As(err, &f) && f.Code == exit.Unreadable && len(files) > 1 {
			a.complain(f.Err)
			bad = &exit.Failure{Code: f.Code}
			continue
		}
		if err != nil {
			return err
		}
	}
	if bad != nil {
		return bad
	}
	return nil
}
