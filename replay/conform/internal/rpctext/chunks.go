package rpctext

// Chunk lists, which are the same in both versions (RFC 8166, section 4.3).

import "fmt"

// A Segment is a piece of our memory (RFC 8166, section 3.4.3).
type Segment struct {
	Handle, Length uint32 // STag, and octets
	Offset         uint64 // TO
}

// Of returns the Segment with another length, as a Reply returns it.
func (s Segment) Of(length int) Segment {
	s.Length = uint32(length)
	return s
}

// String returns the Segment as octets of a Scenario.
func (s Segment) String() string { return fmt.Sprintf("%08x %08x %016x", s.Handle, s.Length, s.Offset) }

// A ReadSegment is a piece of a Read chunk: all with one Position belong to one chunk (RFC 8166, section 3.4.5).
type ReadSegment struct {
	Position uint32
	Segment
}

// String returns the ReadSegment as octets of a Scenario.
func (r ReadSegment) String() string { return Join(Words(Word(r.Position)), r.Segment.String()) }

// Chunks are the lists of a message. The zero value has none.
type Chunks struct {
	Reads  []ReadSegment
	Writes [][]Segment // chunks, which may be empty
	Reply  []Segment   // nil for no Reply chunk; empty for one without segments
}

// String returns the lists as octets of a Scenario.
func (c Chunks) String() string {
	var parts []string
	for _, r := range c.Reads {
		parts = append(parts, Words(1), r.String())
	}
	parts = append(parts, Words(0))
	for _, w := range c.Writes {
		parts = append(parts, Words(1), Chunk(w...))
	}
	parts = append(parts, Words(0))
	if c.Reply == nil {
		return Join(append(parts, Words(0))...)
	}
	return Join(append(parts, Words(1), Chunk(c.Reply...))...)
}

// Chunk returns a Write or Reply chunk: the number of Segments, and the Segments.
func Chunk(segments ...Segment) string {
	parts := []string{Words(Word(len(segments)))}
	for _, s := range segments {
		parts = append(parts, s.String())
	}
	return Join(parts...)
}

// Used returns the Segments of a chunk as in a Reply that put n octets into them, filling one after the other.
func Used(n int, segments ...Segment) []Segment {
	used := make([]Segment, len(segments))
	for i, s := range segments {
		used[i] = s.Of(min(n, int(s.Length)))
		n -= int(used[i].Length)
	}
	return used
}
