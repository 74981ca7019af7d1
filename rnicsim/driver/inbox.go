package driver

// What was read from a socket, until the Stream has taken it in.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// readLen is how many octets are read at a time, and bufferLen the size of a buffer: behind as many there is room for the
// rest of an FPDU, so that none is moved to be put together.
const (
	readLen   = 256 << 10
	bufferLen = readLen + 64<<10 + 64
)

// smallTail is how many octets of an FPDU that is not whole are copied, so that a connection that waits for the rest
// needs no buffer.
const smallTail = 2 << 10

// An inbox is what was read and not taken in: the link.Room of a connection. It holds a buffer only while it holds
// octets.
type inbox struct {
	spare      *buffers
	b          []byte // nil for none
	turn       bool   // it has its turn
	start, end int    // of what is there
	small      []byte // what is there, while b is nil
	framed     bool   // it is FPDUs without Markers
}

// Take is where octets can be read to; nil if that needs a turn, and all are taken.
func (i *inbox) Take() []byte {
	if i.b == nil && !i.begin(false) {
		return nil
	}
	limit := readLen
	switch n := i.length(); {
	case i.start == i.end:
		i.start, i.end = 0, 0
	case n > 0:
		limit = max(limit, i.start+n)
	case i.end >= readLen:
		i.end = copy(i.b, i.b[i.start:i.end])
		i.start = 0
	}
	return i.b[i.end:limit]
}

// Await waits for a turn.
func (i *inbox) Await() { i.begin(true) }

// Keep is room without a turn, for who waits with a buffer.
func (i *inbox) Keep() []byte {
	if i.b == nil {
		i.b = i.spare.take()
	}
	return i.Take()
}

// begin begins a turn, for which it waits only if it may.
func (i *inbox) begin(wait bool) bool {
	if i.b, i.turn = i.spare.begin(wait); i.turn {
		i.start, i.end = 0, copy(i.b, i.small)
		i.small = i.small[:0]
	}
	return i.turn
}

// length is that of the FPDU that begins with what is there; 0 if it is not known.
func (i *inbox) length() int {
	if !i.framed || i.end-i.start < 2 {
		return 0
	}
	return mpa.FPDULen(int(binary.BigEndian.Uint16(i.b[i.start:])))
}

// whole is what there is up to the end of the last FPDU that is whole; all of it if FPDUs cannot be told apart.
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

// Leave is for when nothing is to be read now: a little is kept without a buffer.
func (i *inbox) Leave() {
	if i.end-i.start <= smallTail {
		i.small = append(i.small[:0], i.b[i.start:i.end]...)
		i.drop()
	} else if i.turn {
		i.turn = false
		i.spare.end(nil)
	}
}

// drop gives the buffer back, whatever is in it.
func (i *inbox) drop() {
	switch {
	case i.turn:
		i.spare.end(i.b)
	case i.b != nil:
		i.spare.giveBack(i.b)
	}
	i.b, i.turn, i.start, i.end = nil, false, 0, 0
}

// holds is how many octets of memory it takes to wait for the rest of what is there.
func (i *inbox) holds() int {
	switch n := i.end - i.start; {
	case n == 0:
		return 0
	case n <= smallTail:
		return smallTail
	}
	return bufferLen
}
