package driver

// Octets read from a socket, until the Stream takes them.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// bufferLen is how many octets are read at a time, or written: five of the longest FPDUs.
const bufferLen = 5 * (64<<10 + 8)

// smallTail is the number of octets of an unfinished FPDU that are copied, so that a connection that waits for the rest
// needs no buffer. An MPA frame is shorter.
const smallTail = 2 << 10

// An inbox holds octets that the Stream has not taken: it is the link.Room of a connection. It has a buffer only while
// there are any.
type inbox struct {
	spare      *buffers
	b          []byte // nil for none
	turn       bool   // it has its turn
	start, end int    // of the octets in b
	small      []byte // the octets while b is nil
	framed     bool   // they are FPDUs without Markers
	begun      bool   // MPA has: before that few octets come, which must not wait for a turn
}

// Take returns room for reading; nil if that needs a turn, and none is free. An FPDU that would not end in the buffer is moved to its start:
// it costs less than to read the rest alone.
func (i *inbox) Take() []byte {
	if i.begun && len(i.b) == smallTail {
		i.Leave() // what has come since is more
	}
	switch {
	case i.b != nil:
	case !i.begun:
		i.b = make([]byte, smallTail)
		i.start, i.end = 0, copy(i.b, i.small)
		i.small = i.small[:0]
	case !i.begin(false):
		return nil
	}
	switch n := i.length(); {
	case i.start == i.end:
		i.start, i.end = 0, 0
	case max(i.start+n, i.end+1) > len(i.b):
		i.start, i.end = 0, copy(i.b, i.b[i.start:i.end])
	}
	return i.b[i.end:]
}

// Await waits for a turn.
func (i *inbox) Await() { i.begin(true) }

// Keep returns room without a turn, for a reader that waits with a buffer.
func (i *inbox) Keep() []byte {
	if i.b == nil {
		i.b = i.spare.take()
	}
	return i.Take()
}

// begin begins a turn, and waits for one if wait is set.
func (i *inbox) begin(wait bool) bool {
	if i.b, i.turn = i.spare.begin(wait); i.turn {
		i.start, i.end = 0, copy(i.b, i.small)
		i.small = i.small[:0]
	}
	return i.turn
}

// length returns the length of the first FPDU; 0 if unknown.
func (i *inbox) length() int {
	if !i.framed || i.end-i.start < 2 {
		return 0
	}
	return mpa.FPDULen(int(binary.BigEndian.Uint16(i.b[i.start:])))
}

// whole returns the octets up to the end of the last complete FPDU; all octets if the boundaries are unknown.
func (i *inbox) whole() []byte {
	at := i.start
	if !i.framed {
		return i.b[at:i.end]
	}
	for i.end-at >= 2 {
		n := mpa.FPDULen(int(binary.BigEndian.Uint16(i.b[at:])))
		if n > i.end-at {
			break
		}
		at += n
	}
	return i.b[i.start:at]
}

// Leave is called when nothing can be read now. It keeps few octets without a buffer.
func (i *inbox) Leave() {
	if i.end-i.start <= smallTail {
		i.small = append(i.small[:0], i.b[i.start:i.end]...)
		i.drop()
	} else if i.turn {
		i.turn = false
		i.spare.end(nil)
	}
}

// drop discards the octets and returns the buffer.
func (i *inbox) drop() {
	switch {
	case i.turn:
		i.spare.end(i.b)
	case i.b != nil:
		i.spare.giveBack(i.b)
	}
	i.b, i.turn, i.start, i.end = nil, false, 0, 0
}

// holds returns how many octets of memory wait for the rest of an FPDU.
func (i *inbox) holds() int {
	switch n := i.end - i.start; {
	case n == 0:
		return 0
	case n <= smallTail:
		return smallTail
	}
	return bufferLen
}

// A receiver is the reading half of a connection. One goroutine owns it.
type receiver struct {
	in      inbox
	drained int // octets received after the connection was over
}

// maxDrained limits the octets that are discarded after a connection is over. An earlier reset might destroy the last
// sent octets.
const maxDrained = 1 << 20

// read is the goroutine that reads.
func (c *Conn) read() {
	for {
		n, err := c.wire.link.Receive(&c.in)
		if n > 0 {
			c.in.end += n
			c.wire.tap(false, c.in.b[c.in.end-n:c.in.end])
		}
		c.d.mu.Lock()
		if err != nil || c.drained > maxDrained {
			c.endOfInput(err)
			return
		}
		c.moved = c.d.now()
		c.stream.Advance(c.moved)
		c.input()
		c.pump(true)
	}
}

// input passes octets to the Stream. The lock is held.
func (c *Conn) input() {
	i, a := &c.in, c.stream.Agreement()
	i.framed = c.stream.Phase() == rnicsim.Established && !a.Framing(!c.initiator).Markers // the MPA frame was consumed then
	b := i.whole()
	before := c.stream.Framed()
	n := c.stream.Input(b)
	i.begun = c.stream.Phase() >= rnicsim.Established
	if c.over {
		c.drained += n
	}
	for n < len(b) && c.stream.Phase() == rnicsim.Streaming { // after a rejection: discard
		var scratch [512]byte
		c.stream.Read(scratch[:])
		n += c.stream.Input(b[n:])
	}
	i.start += len(b)
	progress := c.stream.Framed() != before
	if progress {
		c.active = c.moved
	}
	c.hold(&c.unfinished, i.holds()+c.stream.Unfinished(), progress)
}
