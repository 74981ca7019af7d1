package association

// One direction: which TSNs have come, and the fragments of messages.

// Limits on what a direction keeps.
const (
	windowLen    = 4096      // TSNs below the highest of which it is known whether they have come
	farAhead     = 1 << 16   // TSNs: more, ahead of the highest, are believed only if they go on so
	strayLimit   = 8         // chunks far ahead in a row that are believed
	maxFragments = 256       // that wait for others
	maxHeld      = 128 << 10 // octets of them
)

// A Place is where something was captured.
type Place struct {
	Frame uint64
	Time  int64
}

// A Message is a user message: the User Data of one DATA chunk, or of several that were joined.
type Message struct {
	Stream      uint16
	PPID        uint32
	TSN         uint32 // of its last fragment that was sent
	Ordered     bool   // U is clear in one of its fragments
	Fragments   int
	Data        []byte // captured octets; of a single chunk they alias the packet
	Missing     int    // octets after them that were sent and not captured
	First, Last Place  // of its fragments, by frame
}

// Counters tell what happened to one direction.
type Counters struct {
	Chunks     uint64 // DATA chunks
	Duplicates uint64 // that had come before
	Octets     uint64 // of User Data, duplicates included
	Repeated   uint64 // of User Data in duplicates
	Stray      uint64 // chunks whose TSN is far from the others
	Dropped    uint64 // octets of fragments thrown away to keep within the limits
}

// A Half takes in the DATA chunks of one direction. The zero value is ready; Expect tells it where they begin.
type Half struct {
	Counters
	started bool
	next    uint32 // the lowest TSN that has not come, and was not given up
	top     uint32 // the highest that has
	come    [windowLen / 64]uint64
	strays  int
	strayAt uint32

	fragments map[uint32]fragment
	held      int
}

// A fragment is part of a message.
type fragment struct {
	Data
	place Place
}

// Expect says which TSN comes first.
func (h *Half) Expect(tsn uint32) {
	if !h.started {
		h.started, h.next, h.top = true, tsn, tsn-1
	}
}

// Missing reports whether TSNs below the highest that has come have not come, and were not given up.
func (h *Half) Missing() bool { return h.started && h.next != h.top+1 }

// Lacks reports whether not all up to a TSN has come, or was given up.
func (h *Half) Lacks(tsn uint32) bool { return !h.started || int32(tsn-h.next) >= 0 }

// Lacking is how many chunks up to a TSN have not come and were not given up.
func (h *Half) Lacking(tsn uint32) (n int) {
	if !h.started || int32(tsn-h.top) > farAhead { // that cannot be
		return 0
	}
	for at := h.next; int32(tsn-at) >= 0 && int32(h.top-at) >= 0; at++ {
		if h.come[at%windowLen/64]&(1<<(at%64)) == 0 {
			n++
		}
	}
	return n + int(max(0, int32(tsn-h.top)))
}

// GiveUp stops waiting for what is missing.
func (h *Half) GiveUp() { h.next = h.top + 1 }

// Push takes in a chunk and reports whether it, alone or with others, is a message that was not there before. The message
// is valid until the octets of the chunk change.
func (h *Half) Push(d *Data, at Place, m *Message) bool {
	h.Chunks++
	size := uint64(len(d.UserData) + d.Missing)
	h.Octets += size
	switch fresh, stray := h.add(d.TSN); {
	case stray:
		h.Stray++
		return false
	case !fresh:
		h.Duplicates++
		h.Repeated += size
		return false
	case d.Begin && d.End:
		*m = Message{
			Stream: d.Stream, PPID: d.PPID, TSN: d.TSN, Ordered: d.Ordered, Fragments: 1,
			Data: d.UserData, Missing: d.Missing, First: at, Last: at,
		}
		return true
	}
	h.keep(d, at)
	return h.join(d.TSN, m)
}

// add notes that a TSN has come. It is not fresh if it had before, or if it is too old to tell.
func (h *Half) add(tsn uint32) (fresh, stray bool) {
	h.Expect(tsn)
	ahead := int32(tsn - h.top)
	if ahead > farAhead || ahead < -farAhead {
		near := tsn-h.strayAt < farAhead
		if h.strayAt = tsn; !near {
			h.strays = 0
		}
		if h.strays++; h.strays < strayLimit {
			return false, true
		}
		h.begin(tsn)
		ahead = 1
	}
	h.strays = 0
	switch {
	case ahead <= -windowLen:
		return false, false
	case ahead >= windowLen:
		h.come, h.top, ahead = [windowLen / 64]uint64{}, tsn, 0
	}
	for ; ahead > 0; ahead-- {
		h.top++
		h.come[h.top%windowLen/64] &^= 1 << (h.top % 64)
	}
	word, bit := &h.come[tsn%windowLen/64], uint64(1)<<(tsn%64)
	if *word&bit != 0 {
		return false, false
	}
	*word |= bit
	h.advance()
	return true, false
}

// begin begins anew with a TSN.
func (h *Half) begin(tsn uint32) {
	h.next, h.top, h.come = tsn, tsn-1, [windowLen / 64]uint64{}
	h.DropFragments()
}

// advance moves next after what has come, and into the window.
func (h *Half) advance() {
	if h.top-h.next >= windowLen && int32(h.top-h.next) > 0 {
		h.next = h.top - windowLen + 1
	}
	for h.next != h.top+1 && h.come[h.next%windowLen/64]&(1<<(h.next%64)) != 0 {
		h.next++
	}
}

func (h *Half) keep(d *Data, at Place) {
	if len(h.fragments) == maxFragments || h.held+len(d.UserData) > maxHeld {
		h.DropFragments()
	}
	if h.fragments == nil {
		h.fragments = make(map[uint32]fragment)
	}
	f := fragment{*d, at}
	f.UserData = append([]byte(nil), d.UserData...)
	h.fragments[d.TSN] = f
	h.held += len(f.UserData)
}

// Held is how many octets of fragments wait for others.
func (h *Half) Held() int { return h.held }

// DropFragments throws away the fragments that wait.
func (h *Half) DropFragments() {
	h.Dropped += uint64(h.held)
	clear(h.fragments)
	h.held = 0
}

// join puts the message together that the fragment with a TSN belongs to, if all of its fragments are there.
func (h *Half) join(tsn uint32, m *Message) bool {
	first, last := tsn, tsn
	for f, ok := h.fragments[first]; !f.Begin; f, ok = h.fragments[first] {
		if !ok || f.End && first != tsn {
			return false
		}
		first--
	}
	for f, ok := h.fragments[last]; !f.End; f, ok = h.fragments[last] {
		if !ok || f.Begin && last != first {
			return false
		}
		last++
	}
	begin := h.fragments[first]
	*m = Message{Stream: begin.Stream, PPID: begin.PPID, TSN: last, First: begin.place, Last: begin.place}
	for at := first; at != last+1; at++ {
		f := h.fragments[at]
		delete(h.fragments, at)
		h.held -= len(f.UserData)
		m.take(&f)
	}
	return true
}

// take adds the next fragment.
func (m *Message) take(f *fragment) {
	m.Fragments++
	m.Ordered = m.Ordered || f.Ordered
	if m.Missing == 0 {
		m.Data = append(m.Data, f.UserData...)
	} else {
		m.Missing += len(f.UserData)
	}
	m.Missing += f.Missing
	if f.place.Frame < m.First.Frame {
		m.First = f.place
	}
	if f.place.Frame > m.Last.Frame {
		m.Last = f.place
	}
}

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
