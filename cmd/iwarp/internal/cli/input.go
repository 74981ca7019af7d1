package cli

// Opening captures, so that Ctrl-C ends the reading and that their size is known.

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"os"

	"github.com/iwarpkit/iwarp/pcaps"
)

// An input is a capture of one or several files.
type input struct {
	*pcaps.Capture
	files []string
	piped *counter // what came out of a pipe; nil if files are regular
}

// open opens files as one capture. With follow, of which there must be one file only, it waits at its end for more.
func (a *app) open(ctx context.Context, files []string, follow bool) (*input, error) {
	name := files[0]
	if len(files) > 1 {
		return openFiles(files)
	}
	if name == pcaps.Stdin {
		return openPipe(ctx, displayName(name), a.In)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || info.Mode().IsRegular() && !follow {
		return openFiles(files)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	var in *input
	if info.Mode().IsRegular() {
		in = &input{files: files}
		in.Capture, err = pcaps.NewCapture(name, closing{pcaps.Follow(ctx, file), file})
	} else {
		in, err = openPipe(ctx, name, file)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return in, nil
}

func openFiles(files []string) (*input, error) {
	c, err := pcaps.Open(files...)
	if err != nil {
		return nil, err
	}
	return &input{Capture: c, files: files}, nil
}

func openPipe(ctx context.Context, name string, r io.Reader) (*input, error) {
	in := &input{piped: &counter{Reader: gunzipped(&interruptible{ctx: ctx, in: r})}}
	var err error
	if in.Capture, err = pcaps.NewCapture(name, in.piped); err != nil {
		return nil, err
	}
	return in, nil
}

// size is the number of octets of the files, uncompressed. Standard input counts only if it is the only file.
func (in *input) size() (n int64) {
	if in.piped != nil {
		return in.piped.n
	}
	for _, name := range in.files {
		n += sizeOf(name)
	}
	return n
}

// sizeOf is the number of octets of a file, uncompressed; 0 if it cannot be read.
func sizeOf(name string) int64 {
	file, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	r := gunzipped(file)
	if _, compressed := r.(*gzip.Reader); !compressed {
		return info.Size()
	}
	n, _ := io.Copy(io.Discard, r) // up to where it is damaged
	return n
}

// gunzipped is what r holds, uncompressed if it is gzip.
func gunzipped(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := b.Peek(2); string(magic) != "\x1f\x8b" {
		return b
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return failing{err}
	}
	return z
}

// counter counts the octets that are read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

// failing is a reader that cannot be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// closing is a reader of something that is closed apart from it.
type closing struct {
	io.Reader
	io.Closer
}

// interruptible reads from a pipe, which may keep silent for long, and ends when its context is done.
type interruptible struct {
	ctx     context.Context
	in      io.Reader
	buf     []byte // what the goroutine reads into
	have    []byte // what is left of what it has read
	results chan result
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
			got.err = nil // met again with the next call
		}
		return n, got.err
	case <-r.ctx.Done():
		return 0, io.EOF
	}
}
