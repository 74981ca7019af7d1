package sctp

// The DDP Segment Chunk, RFC 5043, section 5.2.2. A DDP segment follows:
//
//	 0                   1
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5
//	+-------------------------------+
//	|            DDP-SSN            |
//	+-------------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// SegmentLen is the length in octets of the header before the DDP segment in a DDP Segment Chunk.
const SegmentLen = 2

// SegmentFields describes the header before the DDP segment in a DDP Segment Chunk.
var SegmentFields = field.NewTable("DDP Segment Chunk", "iwarp_sctp", "RFC 5043, section 5.2.2", ddpSSN)

// SegmentChunk is the header before the DDP segment in a DDP Segment Chunk (RFC 5043, section 5.2.2).
type SegmentChunk struct {
	DDPSSN uint16 // DDP Source Sequence Number: 0 for the first chunk that a side sends in a session, one more for each that follows
}

// Decode reads the first 2 octets of b and returns 2. If b is shorter, it returns len(b) and an error that wraps
// field.ErrShort.
func (s *SegmentChunk) Decode(b []byte) (n int, err error) {
	if len(b) < SegmentLen {
		s.DDPSSN = 0
		if len(b) > 0 {
			s.DDPSSN = uint16(b[0]) << 8
		}
		return len(b), SegmentFields.Short(len(b))
	}
	s.DDPSSN = order.Uint16(b)
	return SegmentLen, nil
}

// AppendBinary appends the 2 octets to b. It never fails.
func (s *SegmentChunk) AppendBinary(b []byte) ([]byte, error) {
	return order.AppendUint16(b, s.DDPSSN), nil
}

// Len returns the number of octets that AppendBinary writes: 2.
func (s *SegmentChunk) Len() int { return SegmentLen }
