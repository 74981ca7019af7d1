package rpcrdma

// Segments, RFC 8166, section 3.4.3 and 3.4.5. They are the same in all versions:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                  Position (read segment only)                 |
//	+---------------------------------------------------------------+
//	|                            Handle                             |
//	+---------------------------------------------------------------+
//	|                            Length                             |
//	+---------------------------------------------------------------+
//	|                            Offset                             |
//	+                                                               +
//	|                                                               |
//	+---------------------------------------------------------------+

import (
	"math/bits"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
)

// segmentFields are the fields of a plain segment that begins at bit off.
func segmentFields(off int) []field.Field {
	return []field.Field{
		{Name: "rpcordma.rdma_handle", Label: "Handle", Off: off, Width: 32, Base: field.Hex, Refers: field.ToOwnSTag},
		{Name: "rpcordma.rdma_length", Label: "Length", Off: off + 32, Width: 32, Base: field.Dec},
		{Name: "rpcordma.rdma_offset", Label: "Offset", Off: off + 64, Width: 64, Base: field.Hex, Refers: field.ToOwnTO},
	}
}

var (
	errSegmentWrap = SegmentFields.Err("rpcordma.rdma_offset", field.ErrValue, "Offset and Length pass 2^64 (RFC 8166, section 3.4.3)")
)

// Segment is a plain segment: a region of the Requester's memory (RFC 8166, section 3.4.3).
type Segment struct {
	Handle uint32 // STag of the region
	Length uint32 // octets; in a Reply, those that were written
	Offset uint64 // tagged offset (TO) of its first octet
}

// Decode reads the first 16 octets of b and returns their number. If b is shorter, it returns len(b) and an error that
// wraps field.ErrShort and names the first incomplete field; the fields before it are valid.
func (s *Segment) Decode(b []byte) (n int, err error) {
	if len(b) < SegmentLen {
		var whole [SegmentLen]byte
		copy(whole[:], b)
		*s = segmentOf(whole[:])
		return len(b), SegmentFields.Short(len(b))
	}
	*s = segmentOf(b)
	return SegmentLen, nil
}

// segmentOf decodes the first 16 octets of b, which must be there.
func segmentOf(b []byte) Segment {
	_ = b[SegmentLen-1]
	return Segment{Handle: order.Uint32(b), Length: order.Uint32(b[4:]), Offset: order.Uint64(b[8:])}
}

// AppendBinary appends the segment to b. It never fails.
func (s *Segment) AppendBinary(b []byte) ([]byte, error) { return appendSegment(b, *s), nil }

func appendSegment(b []byte, s Segment) []byte {
	b = slices.Grow(b, SegmentLen)
	b = order.AppendUint32(b, s.Handle)
	b = order.AppendUint32(b, s.Length)
	return order.AppendUint64(b, s.Offset)
}

// Len returns the number of octets that AppendBinary writes: 16.
func (s *Segment) Len() int { return SegmentLen }

// Check reports a region that reaches beyond offset 2^64. The error wraps field.ErrValue.
func (s *Segment) Check() error {
	if s.wraps() {
		return errSegmentWrap
	}
	return nil
}

func (s *Segment) wraps() bool {
	end, carry := bits.Add64(s.Offset, uint64(s.Length), 0)
	return carry != 0 && end != 0
}

// ReadSegment is a segment of a Read chunk (RFC 8166, section 3.4.5). All segments of a chunk have its Position.
type ReadSegment struct {
	Position uint32 // octets from the beginning of the unreduced Payload stream to where the chunk belongs; 0 for the whole of it
	Segment         // the region to read
}

// Decode reads the first 20 octets of b and returns their number. If b is shorter, it returns len(b) and an error that
// wraps field.ErrShort and names the first incomplete field; the fields before it are valid.
func (s *ReadSegment) Decode(b []byte) (n int, err error) {
	if len(b) < ReadSegmentLen {
		var whole [ReadSegmentLen]byte
		copy(whole[:], b)
		*s = readSegmentOf(whole[:])
		return len(b), ReadSegmentFields.Short(len(b))
	}
	*s = readSegmentOf(b)
	return ReadSegmentLen, nil
}

// readSegmentOf decodes the first 20 octets of b, which must be there.
func readSegmentOf(b []byte) ReadSegment {
	_ = b[ReadSegmentLen-1]
	return ReadSegment{Position: order.Uint32(b), Segment: segmentOf(b[4:])}
}

// AppendBinary appends the segment to b. It never fails.
func (s *ReadSegment) AppendBinary(b []byte) ([]byte, error) {
	return appendSegment(order.AppendUint32(b, s.Position), s.Segment), nil
}

// Len returns the number of octets that AppendBinary writes: 20.
func (s *ReadSegment) Len() int { return ReadSegmentLen }
