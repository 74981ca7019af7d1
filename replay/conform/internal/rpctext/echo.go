package rpctext

// Calls whose items move in chunks.

import (
	"fmt"
	"slices"
	"strings"
)

// Read returns the lines of a Read of a Segment by the peer, which we answer with octets.
func Read(s Segment, octets string) string {
	name := fmt.Sprintf("[read%x]", s.Handle)
	return "< " + name + " " + s.Request() + "\n> ReadResponse to " + name + " " + octets
}

// Request returns the RDMA Read Request for the whole Segment.
func (s Segment) Request() string {
	return fmt.Sprintf("ReadRequest RDMARDSZ=%d SrcSTag=0x%x SrcTO=0x%x", s.Length, s.Handle, s.Offset)
}

// Written returns the line of a Write by the peer to the beginning of a Segment.
func Written(s Segment, octets string) string {
	return fmt.Sprintf("< Write STag=0x%x TO=0x%x %s", s.Handle, s.Offset, octets)
}

// Fill returns the lines of the peer's Writes of data into Segments, one after the other, and the Segments as the Reply
// returns them.
func Fill(segments []Segment, data []byte) (lines string, used []Segment) {
	var writes []string
	used = Used(len(data), segments...)
	for _, s := range used {
		if s.Length > 0 {
			writes = append(writes, Written(s, Octets(data[:s.Length])))
		}
		data = data[s.Length:]
	}
	return strings.Join(writes, "\n"), used
}

// Split splits octets, in hexadecimal digits, over some Segments. It returns their Read chunk at a Position, and the
// lines in which the peer reads it.
func Split(octets string, position uint32, segments ...Segment) (chunk []ReadSegment, lines string) {
	var reads []string
	before := 0
	for _, s := range segments {
		chunk = append(chunk, ReadSegment{position, s})
		reads = append(reads, Read(s, Part(octets, before, int(s.Length))))
		before += int(s.Length)
	}
	return chunk, strings.Join(reads, "\n")
}

// An Echo is a Call of ECHO, with items in chunks.
type Echo struct {
	Items  []Item
	Reads  [][]Segment // Read chunks of the first items; none for an item that is inline
	Writes [][]Segment // Write chunks
	Into   []int       // for each Write chunk the index of the item that is returned in it, or -1
}

// An Exchange is the messages of an Echo.
type Exchange struct {
	Sent, Returned     Chunks
	Arguments, Results []Item
	Moves              string // the lines in which the peer reads and writes
}

// Exchange returns the Exchange of the Echo. A Read chunk with room for it has the roundup of its item.
func (e Echo) Exchange() Exchange {
	x := Exchange{Arguments: slices.Clone(e.Items), Results: slices.Clone(e.Items)}
	var moves []string
	for i, chunk := range e.Reads {
		data := slices.Concat(e.Items[i].Data, make([]byte, Padding(len(e.Items[i].Data))))
		for _, s := range chunk {
			x.Arguments[i].Reduced = true
			x.Sent.Reads = append(x.Sent.Reads, ReadSegment{Position(i, e.Items...), s})
			moves = append(moves, Read(s, Octets(data[:s.Length])))
			data = data[s.Length:]
		}
	}
	x.Sent.Writes = e.Writes
	for i, chunk := range e.Writes {
		var data []byte
		if k := e.Into[i]; k >= 0 {
			data, x.Results[k].Reduced = e.Items[k].Data, true
		}
		lines, used := Fill(chunk, data)
		x.Returned.Writes = append(x.Returned.Writes, used)
		moves = append(moves, lines)
	}
	x.Moves = strings.Join(moves, "\n")
	return x
}
