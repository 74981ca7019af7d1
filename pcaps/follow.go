package pcaps

import (
	"context"
	"io"
	"os"
	"time"
)

// How often a followed file is asked for more: soon while it grows, then less.
const (
	followFirstPause = 5 * time.Millisecond
	followLastPause  = 200 * time.Millisecond
)

// Follow returns a reader of f, a file that may still grow: at its end it waits for
// more, by asking again up to 200 ms later, until ctx is done. Then it reports what is
// there to the last octet, and io.EOF. A capture ended in this way may break off
// within a packet, which reads as [io.ErrUnexpectedEOF].
//
// If f is an [os.File] that is not a regular file, such as a pipe, its end is final.
// Closing f is left to the caller.
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

// Name is that of the file, for errors.
func (f *follower) Name() string { return f.name }

func (f *follower) Read(b []byte) (int, error) {
	for {
		// Asked before reading, so that nothing written before the end is missed.
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

// checkSize returns ErrShrunk if the file ends in front of where reading has come to.
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
