// Package reassembly puts the TCP segments of one direction of a connection back into the order in which they were
// sent.
//
// Push each segment into a [Half] with [Half.Push], tell it with [Half.Acked] what the other side has acknowledged, and
// pull the stream with [Half.Next], piece by piece: octets, or a hole of known length where the capture has none. Pieces
// are contiguous and never go back. Segments in order are passed on without copying or allocating; only what has to
// wait is copied. A [Budget] bounds what all halves together keep. Before pushing a SYN, ask [Half.NewISN]: if it
// returns true, the port was reused, and the segment belongs to a new Half.
//
// # Octets that arrive twice
//
// The first copy wins, as in most receivers. A difference between the copies is counted while the first is still held.
// A segment cut by the snaplen becomes its captured octets and a hole; while that hole waits, a copy of the segment
// that was captured longer fills it. A keep-alive probe may have any octet in place of the last one (RFC 9293, section
// 3.8.4): a segment of one octet is not used if the other side has already acknowledged that octet and nothing after it.
//
// # Holes
//
// A gap in the sequence numbers is either data still under way or data that the capture lost. It becomes a hole when
//
//   - the other side has acknowledged it, and 32 further segments of this half have been seen since: captures reorder
//     the two directions of a connection;
//   - no acknowledgement was seen at all, or none during the last 1024 segments, so that the capture shows one direction
//     only, and 256 fragments wait;
//   - three quarters of the limit for one half are used, and no acknowledgement denies the loss;
//   - [Half.Flush] is called.
//
// A hole once delivered is not taken back. Data that arrives for it later counts as retransmitted.
//
// # Out of window
//
// A segment more than 2^30 octets (the largest window, RFC 7323, section 2.3) ahead of or behind what is expected, or
// before the start of the stream, is counted as out of window and not used. After 32 in a row that are ahead and agree
// with each other, the capture must have paused: everything queued is flushed, and the stream goes on after a hole
// whose length is known modulo 2^32.
package reassembly

// Segment is one TCP segment of a half-connection.
type Segment struct {
	Seq     uint32 // of the SYN if there is one, else of the first octet of Data
	SYN     bool
	FIN     bool
	RST     bool
	Data    []byte // captured octets of the payload
	Missing int    // octets of the payload after Data that the snaplen cut off
	Frame   uint64 // handed back in Piece
	Time    int64  // handed back in Piece
}

// Piece is the next stretch of the stream: Data, or a Hole where the capture has none.
type Piece struct {
	Offset uint64 // octets since the start of the stream: the octet after the SYN, or the first one seen
	Data   []byte // nil for a hole; valid until the next Push; aliases Segment.Data if it came in order
	Hole   uint64 // octets missing; 0 if there is Data
	Frame  uint64 // of the segment that brought Data or was cut by the snaplen; else the one after which the gap was given up
	Time   int64  // of the same segment
}

// Counters tell what happened to one half-connection.
type Counters struct {
	Segments      uint64 // pushed, with or without data
	OutOfOrder    uint64 // segments that had to wait, in whole or in part
	OutOfWindow   uint64 // segments too far ahead or behind, before the start or behind the FIN
	Retransmitted uint64 // octets that had been seen, or given up, before
	LostBefore    uint64 // octets that came so late behind others that they had been lost before the capture point, and were sent again
	Conflicting   uint64 // of these, octets that differed from those seen before; counted only against queued ones
	Holes         uint64 // delivered
	HoleOctets    uint64 // delivered
	Cut           uint64 // of these, octets that the snaplen cut off
	Dropped       uint64 // captured octets thrown away to keep within the Limits
}

func (c *Counters) disorder() uint64 { return c.OutOfOrder + c.Retransmitted + c.LostBefore }

// The figures of the package comment.
const (
	window          = 1 << 30 // octets
	ackedPatience   = 32      // segments after the acknowledgement of a gap
	unackedPatience = 256     // waiting fragments without any acknowledgement
	ackSilence      = 1024    // segments without acknowledgement until the other side counts as not captured
	resyncAfter     = 32      // segments far out of the window that agree with each other
	overtakenBy     = 3       // waiting fragments, after which TCP sends again
	overtakenFor    = 3e6     // nanoseconds, more than packets overtake each other by
	probeAfter      = 500e6   // nanoseconds without a segment, fewer than any sender of keep-alive probes waits
)
