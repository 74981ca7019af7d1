package pcaps

import "io"

// A window is the stretch of a file that is in memory. It is a bufio.Reader whose Peek and Skip cost next to nothing:
// each packet takes three of them.
type window struct {
	file     io.Reader
	buf      []byte
	from, to int   // what is in buf and not skipped
	err      error // of the latest read, returned when the octets before it are used up
}

// reset begins another file.
func (w *window) reset(file io.Reader) {
	if w.buf == nil {
		w.buf = make([]byte, firstSize)
	}
	*w = window{file: file, buf: w.buf}
}

// rest returns what is in memory and not skipped.
func (w *window) rest() []byte { return w.buf[w.from:w.to] }

// peek returns the next n octets, at most bufferSize, without skipping them. If there are fewer, it returns those and the
// reason.
func (w *window) peek(n int) ([]byte, error) {
	if w.to-w.from >= n {
		return w.buf[w.from : w.from+n], nil
	}
	return w.fill(n)
}

// fill reads until there are n octets. It returns an error once and forgets it: a file that grows may have more the next
// time.
func (w *window) fill(n int) ([]byte, error) {
	rest := w.rest()
	if full := w.to == len(w.buf); n > len(w.buf) || full && len(w.buf) < chunkSize {
		w.buf = make([]byte, min(bufferSize, max(n, 4*len(w.buf))))
	}
	w.to = copy(w.buf, rest)
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

// skip skips n octets and returns how many there were.
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
