package rpcrdma

// Write chunks, RFC 8166, section 3.4.6: in the Write list, section 4.3.2, and as Reply chunk, section 4.3.3.

import (
	"iter"
	"slices"
)

// writeEntryLen is the length in octets of an empty Write chunk with the word before it.
const writeEntryLen = 2 * wordLen

// A WriteChunk is a Write chunk or Reply chunk in its XDR encoding: the count of segments, and each [Segment]. A chunk
// with count 0 is the empty chunk; nil means that there is none.
type WriteChunk []byte

// decode reads the chunk whose count stands at off. If its segments are not all there it returns len(b), which may be
// long before where the count says that they end.
func (c *WriteChunk) decode(b []byte, off int) (n int, err error) {
	left := len(b) - off - wordLen
	if left < 0 {
		return len(b), WriteChunkFields.Short(len(b) - off)
	}
	count := uint64(word(b, off))
	if count > uint64(left)/SegmentLen {
		return len(b), SegmentFields.Short(left % SegmentLen)
	}
	n = off + wordLen + int(count)*SegmentLen
	*c = WriteChunk(b[off:n:n])
	return n, nil
}

// decodeReply reads the word that says whether there is a Reply chunk, and the chunk.
func (c *WriteChunk) decodeReply(b []byte, off int) (n int, err error) {
	follows, n, err := replyFirst.read(b, off)
	if !follows {
		return n, err
	}
	return c.decode(b, n)
}

// appendReply appends the chunk with the word that says whether there is one.
func (c WriteChunk) appendReply(b []byte) []byte {
	if !c.Present() {
		return append(b, 0, 0, 0, 0)
	}
	return append(append(b, 0, 0, 0, 1), c...)
}

// replyLen returns the number of octets that appendReply writes.
func (c WriteChunk) replyLen() int { return wordLen + len(c) }

// Append appends segments, counts them, and returns the longer chunk. Without segments it makes nil the empty chunk.
// Like append it may change the octets that c holds: the count.
func (c WriteChunk) Append(segments ...Segment) WriteChunk {
	if len(c) < wordLen {
		c = append(slices.Grow(c[:0], wordLen+len(segments)*SegmentLen), 0, 0, 0, 0)
	}
	for _, s := range segments {
		c = appendSegment(c, s)
		order.PutUint32(c, word(c, 0)+1)
	}
	return c
}

// Present reports whether there is a chunk, even an empty one.
func (c WriteChunk) Present() bool { return len(c) != 0 }

// Count is the number of segments that are there.
func (c WriteChunk) Count() int { return max(0, len(c)-wordLen) / SegmentLen }

// Segments yields every segment in the order of the chunk.
func (c WriteChunk) Segments() iter.Seq[Segment] {
	return func(yield func(Segment) bool) {
		for off := wordLen; off+SegmentLen <= len(c); off += SegmentLen {
			if !yield(segmentOf(c[off:])) {
				return
			}
		}
	}
}

// Length is the number of octets in the chunk: the sum of its segments. It is 0 for a chunk in a Reply that was not
// used.
func (c WriteChunk) Length() (n uint64) {
	for s := range c.Segments() {
		n += uint64(s.Length)
	}
	return n
}

// A WriteList is a Write list in its XDR encoding: for every chunk the word 1 and a [WriteChunk]. The word 0 that ends
// the list is left out; nil is the empty list.
type WriteList []byte

// decode reads the list that begins at off. On error it keeps the chunks before the error.
func (l *WriteList) decode(b []byte, off int) (n int, err error) {
	start := off
	for o := &writeFirst; ; o = &writeNext {
		follows, n, err := o.read(b, off)
		if follows {
			var c WriteChunk
			n, err = c.decode(b, n)
		}
		if !follows || err != nil {
			if off > start {
				*l = WriteList(b[start:off:off])
			}
			return n, err
		}
		off = n
	}
}

// append appends the list with its end.
func (l WriteList) append(b []byte) []byte { return append(append(b, l...), 0, 0, 0, 0) }

// Append appends a chunk that consists of segments, or without any the empty chunk, and returns the longer list, as
// append does for slices.
func (l WriteList) Append(segments ...Segment) WriteList {
	l = append(slices.Grow(l, writeEntryLen+len(segments)*SegmentLen), 0, 0, 0, 1)
	l = order.AppendUint32(l, uint32(len(segments)))
	for _, s := range segments {
		l = appendSegment(l, s)
	}
	return l
}

// Chunks yields every chunk in the order of the list.
func (l WriteList) Chunks() iter.Seq[WriteChunk] {
	return func(yield func(WriteChunk) bool) {
		for rest := l; len(rest) >= writeEntryLen; {
			var c WriteChunk
			n, err := c.decode(rest, wordLen)
			if err != nil || !yield(c) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Count is the number of chunks.
func (l WriteList) Count() (n int) {
	for range l.Chunks() {
		n++
	}
	return n
}
