package rpcrdma

// The Read list, RFC 8166, section 4.3.1.

import (
	"iter"
	"slices"
)

// readEntryLen is the length in octets of a read segment with the word before it.
const readEntryLen = wordLen + ReadSegmentLen

// A ReadList is a Read list in its XDR encoding: for every segment, in 24 octets, the word 1 and a [ReadSegment]. It
// lacks the word 0 that ends the list; nil is the empty list.
type ReadList []byte

// decode reads the list that begins at off. On error it keeps the segments before the error.
func (l *ReadList) decode(b []byte, off int, first *optional) (n int, err error) {
	start := off
	for o := first; ; o = &readNext {
		follows, n, err := o.read(b, off)
		if follows && len(b)-n < ReadSegmentLen {
			follows, n, err = false, len(b), ReadSegmentFields.Short(len(b)-n)
		}
		if !follows {
			if off > start {
				*l = ReadList(b[start:off:off])
			}
			return n, err
		}
		off += readEntryLen
	}
}

// append appends the list with its end.
func (l ReadList) append(b []byte) []byte { return append(append(b, l...), 0, 0, 0, 0) }

// Append appends a segment and returns the longer list, as append does for slices.
func (l ReadList) Append(position uint32, s Segment) ReadList {
	l = slices.Grow(l, readEntryLen)
	return appendSegment(append(l, 0, 0, 0, 1, byte(position>>24), byte(position>>16), byte(position>>8), byte(position)), s)
}

// Count returns the number of segments.
func (l ReadList) Count() int { return len(l) / readEntryLen }

// Segments yields every segment in the order of the list.
func (l ReadList) Segments() iter.Seq[ReadSegment] {
	return func(yield func(ReadSegment) bool) {
		for rest := l; len(rest) >= readEntryLen; rest = rest[readEntryLen:] {
			if !yield(readSegmentOf(rest[wordLen:])) {
				return
			}
		}
	}
}

// Chunk yields every segment with the Position, anywhere in the list: the Read chunk.
func (l ReadList) Chunk(position uint32) iter.Seq[Segment] {
	return func(yield func(Segment) bool) {
		for s := range l.Segments() {
			if s.Position == position && !yield(s.Segment) {
				return
			}
		}
	}
}

// Positions yields the Position of every Read chunk, in ascending order. It goes through the list once for
// each: if the list comes from the network, stop after as many chunks as are acceptable.
func (l ReadList) Positions() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for from := uint64(0); ; {
			next := uint64(1 << 32)
			for s := range l.Segments() {
				if p := uint64(s.Position); p >= from {
					next = min(next, p)
				}
			}
			if next == 1<<32 || !yield(uint32(next)) {
				return
			}
			from = next + 1
		}
	}
}

// Has reports whether there is a Read chunk at the Position. The one at Position 0 holds the whole Payload stream.
func (l ReadList) Has(position uint32) bool {
	for range l.Chunk(position) {
		return true
	}
	return false
}

// Length returns the number of octets in the Read chunk at the Position: the sum of its segments.
func (l ReadList) Length(position uint32) (n uint64) {
	for s := range l.Chunk(position) {
		n += uint64(s.Length)
	}
	return n
}
