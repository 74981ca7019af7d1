package dissect

// The order of the chunks of a session: SCTP delivers them as they come, their DDP-SSNs say how they were sent.

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// When chunks behind a gap in the DDP-SSNs wait no longer.
const (
	maxWaiting   = 64 // chunks
	ackedWaiting = 8  // chunks, if the other side has acknowledged the first of them and all before: the capture has lost what is missing
)

// An order is what a direction of a session keeps to bring its chunks into order.
type order struct {
	known   bool   // next is
	next    uint16 // the DDP-SSN that comes next
	patchy  bool   // chunks before next may never have come: the begin was not seen, or a gap was given up
	waiting []arrival
	octets  int    // that wait
	frame   uint64 // of the latest packet
	tsn     uint32 // of the latest chunk
	control struct {
		sent     bool
		initiate bool
		tsn      uint32 // of the latest session control message
		frame    uint64
	}
}

// An arrival is a user message of DDP that has come.
type arrival struct {
	chunk   record.Chunk
	control bool
	octets  []byte
	missing int
	span    record.Span
}

// arrive takes in a user message of DDP, which belongs to the session t or begins one.
func (e *Engine) arrive(x *endpoint, t *pair, m *association.Message, rec *pcaps.Record) {
	var head sctp.Control // a DDP Segment Chunk has the same DDP-SSN
	if _, err := head.Decode(m.Data); len(m.Data) < sctp.SegmentLen || err != nil && m.PPID == sctp.PPIDControl {
		if t != nil {
			t.half(x).traffic.Undecoded += uint64(len(m.Data))
		}
		return
	}
	w := arrival{
		chunk: record.Chunk{
			DDPSSN: head.DDPSSN, TSN: m.TSN, Ordered: m.Ordered, Fragments: m.Fragments,
			Needless: m.Fragments > 1 && dataHeaderLen+len(m.Data)+m.Missing <= x.largest,
		},
		control: m.PPID == sctp.PPIDControl, octets: m.Data, missing: m.Missing, span: spanOfMessage(m),
	}
	initiate := w.control && head.FunctionCode.IsInitiate()
	if t != nil && initiate && t.isBehind(x, head.DDPSSN) {
		w.chunk.Hasty = t.outstanding()
		t.reusedBy(record.At(rec.Frame, rec.Time))
		e.finish(t)
		t = nil
	}
	if t == nil {
		if e.given.has(lane{x.flow, record.OverSCTP, m.Stream}, initiate) {
			return
		}
		t = e.newSession(x, m.Stream)
	}
	h := t.half(x)
	h.count(&association.Data{UserData: m.Data, Missing: m.Missing}, rec, true)
	if t.retired {
		h.traffic.Undecoded += uint64(len(m.Data))
		return
	}
	t.use()
	o := h.order()
	w.chunk.Hasty = w.chunk.Hasty || h.hasty(&w)
	o.note(&w, initiate)
	e.enter(h, &w)
}

// dataHeaderLen is the length in octets of the header of a DATA chunk.
const dataHeaderLen = 16

// isBehind tells whether an Initiate with a DDP-SSN begins a session behind t: t is over, or its DDP-SSNs have gone on.
func (t *pair) isBehind(x *endpoint, ssn uint16) bool {
	o := t.half(x).order()
	return t.ended() || t.retired || ssn == 0 && o.known && o.next != 0
}

// reusedBy notes that another session has taken the streams of t.
func (t *pair) reusedBy(at record.Span) {
	if t.conn != nil && !t.ended() && !t.retired {
		t.conn.Reused = at
	}
}

// outstanding tells whether the latest chunk of one side is not acknowledged, as far as the capture shows both sides.
func (t *pair) outstanding() bool {
	for i := range t.halves {
		h := &t.halves[i]
		x := h.endpoint()
		if o := h.order(); o.known && x.peer.acked && int32(o.tsn-x.peer.acks.Highest) > 0 {
			return true
		}
	}
	return false
}

// hasty tells whether nothing shows that the other side has the latest control message of h: a chunk of another packet
// may overtake it.
func (h *half) hasty(w *arrival) bool {
	x, c := h.endpoint(), &h.order().control
	switch whole := h.syn && h.peer.syn; {
	case !c.sent || !whole || c.frame == w.span.Frame || int32(w.chunk.TSN-c.tsn) < 0:
		return false
	case c.initiate && h.peer.order().known: // it was answered
		return false
	case !w.control && !c.initiate:
		return false
	}
	return !x.peer.acked || int32(c.tsn-x.peer.acks.Highest) > 0
}

// note remembers the latest chunk, and the latest control message.
func (o *order) note(w *arrival, initiate bool) {
	o.tsn = w.chunk.TSN
	if w.control {
		o.control.sent, o.control.initiate, o.control.tsn, o.control.frame = true, initiate, w.chunk.TSN, w.span.LastFrame
	}
}

// enter delivers a chunk if it is its turn, and those that have waited for it; else it has to wait.
func (e *Engine) enter(h *half, w *arrival) {
	o := h.order()
	if !o.known {
		o.known = true
		o.next, o.patchy = h.firstSSN(w.chunk.DDPSSN)
	}
	switch ahead := int16(w.chunk.DDPSSN - o.next); {
	case ahead == 0:
		o.next++
		e.deliverChunk(h, w)
		e.deliverReady(h)
	case ahead < 0 && o.patchy: // too late
		h.traffic.Undecoded += uint64(len(w.octets))
		h.traffic.TCP.OutOfOrder++
	case ahead < 0: // its sender has made a mistake
		e.deliverChunk(h, w)
	default:
		h.traffic.TCP.OutOfOrder++
		e.wait(h, w)
	}
}

// firstSSN is the DDP-SSN with which a direction begins, of which the first chunk that came has another one perhaps. Where
// the capture has the begin of the association, or of the session, that is 0.
func (h *half) firstSSN(came uint16) (first uint16, patchy bool) {
	x := h.endpoint()
	if x.init.Span != (record.Span{}) || h.pair.session.asked == h.peer {
		return 0, false
	}
	return came, came != 0
}

// wait keeps a chunk until those before it have come, or have to be given up.
func (e *Engine) wait(h *half, w *arrival) {
	o := h.order()
	at, _ := slices.BinarySearchFunc(o.waiting, w.chunk.DDPSSN, func(a arrival, ssn uint16) int {
		return int(int16(a.chunk.DDPSSN - ssn))
	})
	kept := *w
	kept.octets = bytes.Clone(w.octets)
	o.waiting = slices.Insert(o.waiting, at, kept)
	o.octets += len(kept.octets)
	e.framing.Hold(len(kept.octets))
	for len(o.waiting) > 0 && (o.tooMuch() || e.framing.Full() || h.lostByCapture()) {
		e.giveUpGap(h)
	}
}

func (o *order) tooMuch() bool { return len(o.waiting) > maxWaiting || o.octets > framing.MaxHeld }

// lostByCapture tells whether the other side has got all up to the first chunk that waits, and enough have come since.
func (h *half) lostByCapture() bool {
	o := h.order()
	return len(o.waiting) >= ackedWaiting && h.endpoint().peer.has(o.waiting[0].chunk.TSN)
}

// giveUpGap goes on behind the gap before the first chunk that waits. If no TSN is missing, there was no gap: the sender
// has not counted rightly.
func (e *Engine) giveUpGap(h *half) {
	o, chunks := h.order(), h.endpoint().chunks
	if missing := o.waiting[0].chunk.DDPSSN - o.next; chunks.Missing() {
		o.patchy = true
		chunks.GiveUp()
		h.messages.gap()
		h.traffic.TCP.Holes++
		e.recognise(h.pair.opener())
		e.note(h, record.ChunksMissing, uint64(missing), o.waiting[0].span)
	}
	o.next = o.waiting[0].chunk.DDPSSN
	e.deliverReady(h)
}

// deliverReady delivers those chunks that have waited and whose turn it is.
func (e *Engine) deliverReady(h *half) {
	o := h.order()
	for len(o.waiting) > 0 && int16(o.waiting[0].chunk.DDPSSN-o.next) <= 0 && !h.pair.retired {
		w := o.waiting[0]
		o.waiting = slices.Delete(o.waiting, 0, 1)
		o.octets -= len(w.octets)
		e.framing.Hold(-len(w.octets))
		if w.chunk.DDPSSN == o.next {
			o.next++
		}
		e.deliverChunk(h, &w)
	}
}

// deliverAll delivers all chunks that wait.
func (e *Engine) deliverAll(h *half) {
	for o := h.order(); len(o.waiting) > 0 && !h.pair.retired; {
		e.giveUpGap(h)
	}
}

// miss reports, at the end of a session, chunks that the other side has acknowledged and that never came: they may have
// been of this session.
func (e *Engine) miss(h *half) {
	x := h.endpoint()
	if h.pair.conn == nil || x.chunks == nil || !x.peer.acked {
		return
	}
	if n := x.chunks.Lacking(x.peer.acks.Cumulative); n > 0 {
		e.note(h, record.ChunksMissing, uint64(n), h.pair.span)
	}
}

// drop gives up the chunks that still wait when a session is over.
func (e *Engine) drop(h *half) {
	o := h.order()
	e.framing.Hold(-o.octets)
	h.traffic.Undecoded += uint64(o.octets)
	o.waiting, o.octets = nil, 0
}

func (e *Engine) deliverChunk(h *half, w *arrival) {
	if w.control {
		e.control(h, w)
	} else {
		e.place(h, w)
	}
}
