package association

// An End is one end of an association, and what its packets have shown.
type End struct {
	Init    Init  // its INIT or INIT ACK
	At      Place // of Init; zero if that is not in the capture
	Answers bool  // Init was an INIT ACK
	Chunks  *Half // what it sends; nil as long as that is not followed
	Acks    SACK  // the highest acknowledgement that it has sent
	Acked   bool  // it has sent one
	Largest int   // octets of the largest of its packets, without common header
}

// Acknowledge takes in what the End has received.
func (e *End) Acknowledge(s SACK) {
	switch {
	case !e.Acked:
		e.Acks, e.Acked = s, true
		return
	case int32(s.Cumulative-e.Acks.Cumulative) > 0:
		e.Acks.Cumulative = s.Cumulative
	}
	if int32(s.Highest-e.Acks.Highest) > 0 {
		e.Acks.Highest = s.Highest
	}
}

// Has reports whether the End has acknowledged all up to a TSN of the other end.
func (e *End) Has(tsn uint32) bool { return e.Acked && int32(e.Acks.Cumulative-tsn) >= 0 }

// IsBegun reports whether the INIT or INIT ACK of the End was seen.
func (e *End) IsBegun() bool { return e.At != Place{} }
