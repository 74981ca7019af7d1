package pcaps

import "io"

// A window is the stretch of a file that is in memory. It does what a bufio.Reader does,
// with a Peek and a Skip that cost next to nothing, for there are three in a packet.
type window struct {
	file     io.Reader
	buf      []byte
	from, to int   // what is in buf and not skipped
	err      error // of the latest read, to be returned when the octets before it are used up
}

// reset begins another file.
func (w *window) reset(file io.Reader) {
	if w.buf == nil {
		w.buf = make([]byte, bufferSize)
	}
	*w = window{file: file, buf: w.buf}
}

// rest is what is in memory and not skipped.
func (w *window) rest() []byte { return w.buf[w.from:w.to] }

// peek returns the next n octets, at most bufferSize, and leaves them where they are. If
// there are less it returns these and says why.
func (w *window) peek(n int) ([]byte, error) {
	if w.to-w.from >= n {
		return w.buf[w.from : w.from+n], nil
	}
	return w.fill(n)
}

// fill reads until there are n octets. An error is forgotten once it is returned: a file
// that grows may have more the next time.
func (w *window) fill(n int) ([]byte, error) {
	w.to = copy(w.buf, w.rest())
	w.from = 0
	for idle := 0; w.to < n && w.err == nil; idle++ {
		var m int
		m, w.err = w.file.Read(w.buf[w.to:])
		w.to += m
		switch {
		case m > 0:
			idle = 0
		case w.err == nil && idle > 100:
			w.err = io.ErrNoProgress
		}
	}
	if w.to >= n {
		return w.buf[:n], nil
	}
	err := w.err
	w.err = nil
	return w.buf[:w.to], err
}

// skip passes n octets and returns how many there were.
func (w *window) skip(n int64) (skipped int64, err error) {
	for {
		step := min(n-skipped, int64(w.to-w.from))
		w.from += int(step)
		skipped += step
		if skipped == n {
			return n, nil
		}
		if _, err := w.fill(1); err != nil {
			return skipped, err
		}
	}
}
