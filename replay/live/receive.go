package live

// Reading: octets are handed over in buffers that all connections share.

import (
	"io"
	"sync"
	"syscall"
)

// bufferLen is how many octets are read or sent at a time.
const bufferLen = 256 << 10

// buffers are those that nobody uses.
var buffers = sync.Pool{New: func() any { return new([bufferLen]byte) }}

// received is what was read, or why nothing can be read any more.
type received struct {
	buffer *[bufferLen]byte // nil for none
	n      int
	err    error
}

// release gives the buffer back.
func (r *received) release() {
	if r.buffer != nil {
		buffers.Put(r.buffer)
	}
}

// room is a link.Room that has a buffer only while there is something to be read.
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

func (r *room) Await() {} // Take has always room

func (r *room) Keep() []byte { return r.Take() }

// read reads until nothing comes any more, or nobody wants it.
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

// readReset waits behind a FIN for the reset that may follow.
func (c *conn) readReset(err error) {
	if err == io.EOF && c.link.AwaitReset() {
		select {
		case c.input <- received{err: syscall.ECONNRESET}:
		case <-c.gone:
		}
	}
}
