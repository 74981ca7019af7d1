package pcaps

import (
	"context"
	"io"
	"os"
	"time"
)

// How often a followed file is read again: often while it grows, then less so.
const (
	followFirstPause = 5 * time.Millisecond
	followLastPause  = 200 * time.Millisecond
)

// Follow returns a reader of f, a file that may still grow: at its end it waits for more octets, reading again at least
// every 200 ms, until ctx is done. Then it returns what is there to the last octet, and io.EOF. A capture that ends this
// way may break off within a packet, which the reader of the capture reports as [io.ErrUnexpectedEOF].
//
// If f is an [os.File] but not a regular file, such as a pipe, its end is final. The caller closes f.
func Follow(ctx context.Context, f io.Reader) io.Reader {
	follower := &follower{ctx: ctx, file: f}
	if file, ok := f.(*os.File); ok {
		follower.name = file.Name()
		if info, err := file.Stat(); err == nil {
			if !info.Mode().IsRegular() {
				return f
			}
			follower.regular = file
		}
	}
	return follower
}

type follower struct {
	ctx     context.Context
	file    io.Reader
	regular *os.File // file, if it is a regular file
	name    string
	pause   time.Duration
}

// Name returns the name of the file, for errors.
func (f *follower) Name() string { return f.name }

func (f *follower) Read(b []byte) (int, error) {
	for {
		// Checked before reading, so that nothing written before ctx was done is missed.
		done := f.ctx.Err() != nil
		n, err := f.file.Read(b)
		if n > 0 {
			f.pause = 0
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
		if err != nil && err != io.EOF || len(b) == 0 {
			return n, err
		}
		if done {
			return 0, io.EOF
		}
		if err := f.checkSize(); err != nil {
			return 0, err
		}
		f.wait()
	}
}

// wait pauses, twice as long each time, or until the context is done.
func (f *follower) wait() {
	f.pause = min(max(2*f.pause, followFirstPause), followLastPause)
	timer := time.NewTimer(f.pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-f.ctx.Done():
	}
}

// checkSize returns ErrShrunk if the file is shorter than the part already read.
func (f *follower) checkSize() error {
	if f.regular == nil {
		return nil
	}
	position, err := f.regular.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	info, err := f.regular.Stat()
	if err != nil {
		return err
	}
	if info.Size() < position {
		return ErrShrunk
	}
	return nil
}
