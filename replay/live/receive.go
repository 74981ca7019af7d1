package live

// Reading, into buffers that all connections share.

import (
	"io"
	"sync"
	"syscall"
)

// bufferLen limits the octets read or sent at a time.
const bufferLen = 256 << 10

var buffers = sync.Pool{New: func() any { return new([bufferLen]byte) }}

// received is octets that were read, or why no more can be read.
type received struct {
	buffer *[bufferLen]byte // nil for none
	n      int
	err    error
}

func (r *received) release() {
	if r.buffer != nil {
		buffers.Put(r.buffer)
	}
}

// room is a link.Room that holds a buffer only while there is something to read.
type room struct{ buffer *[bufferLen]byte }

func (r *room) Take() []byte {
	if r.buffer == nil {
		r.buffer = buffers.Get().(*[bufferLen]byte)
	}
	return r.buffer[:]
}

func (r *room) Leave() {
	buffers.Put(r.buffer)
	r.buffer = nil
}

func (r *room) Await() {} // Take always has room

func (r *room) Keep() []byte { return r.Take() }

// read reads until the input ends, or nothing wants it.
func (c *conn) read() {
	var r room
	for {
		n, err := c.link.Receive(&r)
		in := received{r.buffer, n, err}
		r.buffer = nil
		select {
		case c.input <- in:
		case <-c.gone:
			in.release()
			return
		}
		if err != nil {
			c.readReset(err)
			return
		}
	}
}

// readReset waits after a FIN for the reset that may follow.
func (c *conn) readReset(err error) {
	if err == io.EOF && c.link.AwaitReset() {
		select {
		case c.input <- received{err: syscall.ECONNRESET}:
		case <-c.gone:
		}
	}
}
