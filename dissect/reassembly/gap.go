package reassembly

// When a gap becomes a hole. The rules are in the package comment.

// acks is what the other side of the connection acknowledged.
type acks struct {
	seen    bool
	early   uint32 // the latest acknowledgement before the stream started
	at      uint64 // number of segments pushed when the latest acknowledgement came
	acked   int64  // everything before this offset was acknowledged
	history *ackHistory
}

// ackHistory is what acked was at each of the latest segments, while there is a gap.
type ackHistory [ackedPatience - 1]int64

// Acked takes in an acknowledgement of the other side: everything before the sequence number ack has reached it, and
// what is missing of that was lost by the capture, not by the network. It is meant for every segment of the other side
// that has the ACK flag. One that is absurdly far ahead is ignored.
func (h *Half) Acked(ack uint32) {
	h.acks.seen, h.acks.at = true, h.counters.Segments
	if !h.started {
		h.acks.early = ack
		return
	}
	h.setAcked(ack)
}

func (h *Half) setAcked(ack uint32) {
	if offset := h.offsetOf(ack); offset > h.acks.acked && offset <= h.ready+window {
		h.acks.acked = offset
	}
}

// oneWay reports whether the capture shows, or shows now, this direction of the connection only.
func (h *Half) oneWay() bool {
	return !h.acks.seen || h.counters.Segments-h.acks.at > ackSilence
}

// ackedBefore returns what had been acknowledged ackedPatience segments ago, and notes what is now.
func (h *Half) ackedBefore() int64 {
	if h.acks.history == nil {
		h.acks.history = h.budget.getHistory()
	}
	slot := &h.acks.history[h.counters.Segments%uint64(len(h.acks.history))]
	before := *slot
	*slot = h.acks.acked
	return before
}

// forgetAcks ends the history when there is no gap any more.
func (h *Half) forgetAcks() {
	if h.acks.history != nil {
		h.budget.putHistory(h.acks.history)
		h.acks.history = nil
	}
}

// waiting reports whether there is a gap: something is known after what is ready.
func (h *Half) waiting() bool { return h.queue.waiting() > 0 || h.fin && h.ready < h.finAt }

// gapEnd is the offset at which the first gap ends.
func (h *Half) gapEnd() int64 {
	if q := &h.queue; q.waiting() > 0 {
		return q.list[q.ready].offset
	}
	return h.finAt
}

// judgeGaps gives up the gaps for which it is time. It runs once for each segment.
func (h *Half) judgeGaps() {
	before := h.ackedBefore()
	oneWay := h.oneWay()
	for h.waiting() && (h.gapEnd() <= before || oneWay && h.queue.waiting() >= unackedPatience) {
		h.giveUp()
	}
	if h.waiting() && h.budget.nearLimit(h) && (oneWay || h.gapEnd() <= h.acks.acked) {
		h.giveUp()
	}
}

// giveUp makes the first gap a hole.
func (h *Half) giveUp() {
	h.ready = h.gapEnd()
	h.gapFrame, h.gapTime = h.frame, h.time
	h.advance()
}
