package reassembly

// Half: where the stream begins, where it stands and where it ends.

import "github.com/iwarpkit/iwarp/internal/recency"

// Half reassembles one direction of a TCP connection. It must be given to [Half.Init] before use, and must not be
// copied after. It is not safe for concurrent use, nor are two halves of the same [Budget].
type Half struct {
	budget *Budget
	direct fragment // what came in order while the queue was empty, to be pulled first; of length 0 if there is none
	queue  queue

	started, syn, fin, rst bool
	base                   uint32 // sequence number of offset 0
	next                   int64  // offset of the next piece
	ready                  int64  // the stream is known, or given up, up to here; next <= ready
	finAt                  int64  // offset of the FIN, if fin

	frame            uint64 // of the latest segment
	time             int64
	quiet            int64  // nanoseconds since the segment before it, if the time of that is known
	gapFrame         uint64 // of the segment after which the latest gap was given up
	gapTime          int64
	counters         Counters
	acks             acks
	straySeq, strays uint32 // the latest segment far out of the window, and how many there were in a row

	held   int                 // octets of the budget in use by this half
	recent recency.Place[Half] // among the halves of the budget with held > 0
}

// NewHalf returns a half that keeps what it must within budget; see [Half.Init].
func NewHalf(budget *Budget) *Half {
	h := new(Half)
	h.Init(budget)
	return h
}

// Init makes h ready for a new stream. With a nil budget it gets one of its own, of [DefaultLimits]. A half that is in
// use must be closed first.
func (h *Half) Init(budget *Budget) {
	if budget == nil {
		budget = NewBudget(DefaultLimits)
	}
	*h = Half{budget: budget}
	h.queue.reset(&budget.lists)
}

// Close gives all that h keeps back to the budget, undelivered data included, and must be called once when h is no
// longer needed. Pieces pulled before become invalid. [Half.Init] makes h usable again.
func (h *Half) Close() {
	for h.queue.count() > 0 {
		h.removeLast()
	}
	h.direct = fragment{}
	h.recycle()
	h.queue.reset(&h.budget.lists)
	h.forgetAcks()
	h.ready = h.next
}

// Push takes in one segment. What it brings in order must be pulled with [Half.Next] before s.Data is overwritten; what
// is still there at the next Push is copied. Pieces pulled before become invalid. It reports whether the octets come in order
// and for the first time.
//
// A SYN with a sequence number of its own ([Half.NewISN]) is not taken in, nor are the octets of an RST.
func (h *Half) Push(s *Segment) (orderly bool) {
	before := h.counters.disorder()
	if h.direct.length > 0 || len(h.queue.list) > 0 {
		h.settle()
	}
	h.counters.Segments++
	if h.quiet = 0; h.time > 0 {
		h.quiet = s.Time - h.time
	}
	h.frame, h.time = s.Frame, s.Time
	if h.isNext(s) {
		h.append(s, s.Data, h.ready+int64(len(s.Data)))
		return true
	}
	h.accept(s)
	if h.waiting() {
		h.judgeGaps()
	} else if h.acks.history != nil {
		h.forgetAcks()
	}
	if h.held > 0 {
		h.budget.enforce(h)
	}
	return before == h.counters.disorder()
}

// isNext reports whether a segment has nothing but the octets that come next, and nothing waits. A single octet may be a
// keep-alive probe.
func (h *Half) isNext(s *Segment) bool {
	plain := len(s.Data) > 1 && s.Missing <= 0 && !s.SYN && !s.FIN && !s.RST
	return plain && s.Seq == h.NextSeq() && h.next == h.ready && h.started && !h.fin && h.queue.count() == 0 && h.acks.history == nil
}

// append passes on what comes next of s, up to an offset: data, or if they were not captured, nil.
func (h *Half) append(s *Segment, data []byte, end int64) {
	d := &h.direct
	d.offset, d.length, d.data, d.frame, d.time = h.ready, uint32(end-h.ready), data, s.Frame, s.Time
	h.ready, h.strays = end, 0
}

// accept finds the place of a segment in the stream, and keeps what is new of it.
func (h *Half) accept(s *Segment) {
	if s.RST {
		h.rst = h.rst || !h.started || h.near(s.Seq)
		return
	}
	seq := s.Seq
	if s.SYN {
		if h.NewISN(seq) {
			h.counters.OutOfWindow++
			return
		}
		seq++
		h.start(seq)
		h.syn = true
	}
	length := int64(len(s.Data)) + int64(max(s.Missing, 0))
	if length == 0 && !s.FIN {
		return
	}
	h.start(seq)
	offset, ok := h.locate(seq, length)
	if !ok {
		return
	}
	if s.FIN {
		h.setFIN(offset + length)
	} else if length == 1 && h.isProbe(offset) {
		h.counters.Retransmitted++
		return
	}
	end := offset + length
	if h.fin && end > h.finAt {
		if offset >= h.finAt {
			h.counters.OutOfWindow++
			return
		}
		end = h.finAt
	}
	h.insert(s, offset, end)
}

// start fixes the sequence number of offset 0 when the first segment of the stream comes.
func (h *Half) start(seq uint32) {
	if h.started {
		return
	}
	h.started, h.base = true, seq
	if h.acks.seen {
		h.setAcked(h.acks.early)
	}
}

// offsetOf returns the offset in the stream that is nearest to what is expected among those that the sequence number
// seq stands for.
func (h *Half) offsetOf(seq uint32) int64 { return h.ready + int64(int32(seq-h.NextSeq())) }

// near reports whether seq lies within a window of what is expected.
func (h *Half) near(seq uint32) bool {
	distance := int32(seq - h.NextSeq())
	return -window <= distance && distance <= window
}

// locate returns the offset of a segment, which may be negative, and false, having counted it, if it lies wholly out of
// the window.
func (h *Half) locate(seq uint32, length int64) (offset int64, ok bool) {
	offset = h.offsetOf(seq)
	if offset < h.ready-window || offset+length > max(h.ready, h.acks.acked)+window {
		h.counters.OutOfWindow++
		if !h.resync(seq, length) {
			return 0, false
		}
		return h.ready, true
	}
	if end := offset + length; end < 0 || end == 0 && length > 0 {
		if keepAlive := h.syn && offset == -1; !keepAlive {
			h.counters.OutOfWindow++
		}
		return 0, false
	}
	h.strays = 0
	return offset, true
}

// isProbe reports whether a single octet that is new here may be that of a keep-alive probe: it comes after a silence, and the
// other side has acknowledged it, and nothing after it. A probe has the sequence number of the last octet, and any octet there.
func (h *Half) isProbe(offset int64) bool {
	return h.quiet >= probeAfter && offset >= h.ready && offset+1 == h.acks.acked
}

// resync decides whether enough segments in a row lie far out of the window, but near to each other, to believe them
// instead. If so, the stream goes on at seq.
func (h *Half) resync(seq uint32, length int64) bool {
	if h.fin || h.near(seq) || length > window {
		return false
	}
	if distance := int32(seq - h.straySeq); distance < -window || distance > window {
		h.strays = 0
	}
	h.straySeq = seq
	h.strays++
	if h.strays < resyncAfter {
		return false
	}
	h.Flush()
	h.ready += int64(seq - h.NextSeq())
	h.gapFrame, h.gapTime = h.frame, h.time
	h.strays = 0
	return true
}

// setFIN notes where the stream ends. The first FIN counts, and one that would cut off what is known is ignored.
func (h *Half) setFIN(at int64) {
	if h.fin || at < h.ready {
		return
	}
	h.fin, h.finAt = true, at
	for last := h.queue.last(); last != nil && last.end() > at; last = h.queue.last() {
		if last.offset < at {
			last.shorten(at)
			return
		}
		h.counters.OutOfWindow++
		h.removeLast()
	}
}

// Next sets p to the next piece of the stream. It returns false, and leaves p alone, when there is none now.
func (h *Half) Next(p *Piece) bool {
	if h.next == h.ready {
		return false
	}
	if f := &h.direct; f.length > 0 {
		h.setPiece(p, f)
		f.length, f.data = 0, nil
	} else {
		h.nextQueued(p)
	}
	return true
}

// nextQueued sets p to the next piece of the queue, or to what is missing before it.
func (h *Half) nextQueued(p *Piece) {
	f := h.queue.first()
	if f == nil || f.offset > h.next {
		end := h.ready
		if f != nil {
			end = f.offset
		}
		h.setHole(p, end, h.gapFrame, h.gapTime)
		return
	}
	h.queue.head++
	if f.held {
		h.release(f)
	}
	h.setPiece(p, f)
}

func (h *Half) setPiece(p *Piece, f *fragment) {
	if f.data == nil {
		h.setHole(p, f.end(), f.frame, f.time)
		h.counters.Cut += p.Hole
		return
	}
	p.Offset, p.Data, p.Hole, p.Frame, p.Time = uint64(f.offset), f.data, 0, f.frame, f.time
	h.next = f.end()
}

func (h *Half) setHole(p *Piece, end int64, frame uint64, time int64) {
	p.Offset, p.Data, p.Hole, p.Frame, p.Time = uint64(h.next), nil, uint64(end-h.next), frame, time
	h.counters.Holes++
	h.counters.HoleOctets += p.Hole
	h.next = end
}

// Flush gives up all gaps, including one before a FIN: the connection or the capture has ended, or something
// else, such as an RST or a long silence, says that nothing is to come. Everything queued can be pulled then, with
// holes between.
func (h *Half) Flush() {
	for h.waiting() {
		h.giveUp()
	}
}

// NewISN reports whether a SYN with the sequence number seq begins another stream than the one h follows: the connection
// was closed and its ports are used again. The SYN of the stream itself, even one that comes late, does not.
func (h *Half) NewISN(seq uint32) bool {
	if ahead := h.base - (seq + 1); !h.syn && ahead < window {
		return false // the stream began in the middle, or its packets are out of order
	}
	return h.started && seq+1 != h.base
}

// Started reports whether the start of the stream is known: a SYN, a FIN or data was pushed.
func (h *Half) Started() bool { return h.started }

// FIN reports whether the end of the stream is known: a FIN was pushed. There may be data to come before it.
func (h *Half) FIN() bool { return h.fin }

// Finished reports whether everything up to the FIN has been pulled.
func (h *Half) Finished() bool { return h.fin && h.next == h.finAt }

// RST reports whether an RST within the window was pushed. It does not stop the stream: segments that the capture shows
// later are still taken in. The caller may want to Flush.
func (h *Half) RST() bool { return h.rst }

// NextSeq is the sequence number expected next, meaningful once the stream has started.
func (h *Half) NextSeq() uint32 { return h.base + uint32(h.ready) }

// Ready is the offset after the octets that are known, or given up.
func (h *Half) Ready() uint64 { return uint64(h.ready) }

// Offset is the place in the stream of what has a sequence number near [Half.NextSeq]; 0 if that is before the start, or
// if the stream has not started.
func (h *Half) Offset(seq uint32) uint64 {
	if !h.started {
		return 0
	}
	return uint64(max(0, h.offsetOf(seq)))
}

// Held is the number of octets of the budget this half uses.
func (h *Half) Held() int { return h.held }

// Counters returns what was counted since Init.
func (h *Half) Counters() Counters { return h.counters }
