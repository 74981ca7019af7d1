package dissect

// Directions whose FPDUs have to be read without both MPA frames: the capture begins after them, has lost one, or shows
// the other side's packets only.

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

const (
	// maxListened limits the octets of a direction among which FPDUs are looked for, if the connection is not known to be
	// iWARP. If there are none among them, it is something else.
	maxListened = 128 << 10

	// patience is how many pieces wait for the other side's MPA frame before it counts as lost. A capture may show the two
	// directions out of order.
	patience = 32
)

// A hearing is what a direction without MPA frame keeps to find FPDUs in it.
type hearing struct {
	on       bool
	octets   int    // listened to
	streamed uint64 // Traffic.Streaming when listening began
}

// listenFrom begins to look for FPDUs: an MPA frame may have been among octets that the capture does not have.
func (h *half) listenFrom() {
	if h.start.hearing == (hearing{}) {
		h.start.hearing = hearing{on: true, streamed: h.traffic.Streaming}
	}
}

// listen looks for FPDUs in a direction that has shown no MPA frame.
func (e *Engine) listen(h *half, p *reassembly.Piece) {
	b, l := &h.backlog, &h.start.hearing
	if p.Data == nil && b.empty() {
		return
	}
	b.add(p, false, e.ahead(h))
	l.octets += len(p.Data)
	stranger := h.stranger()
	enough := stranger && l.octets > maxListened
	if (b.size() >= b.tryAt || enough) && e.look(h, enough) {
		e.lockedOn(h)
		return
	}
	switch {
	case !stranger:
		e.trim(h)
	case enough || !e.store(h):
		l.on = false
		e.free(b)
	}
}

// await keeps a piece until the other side's frame has been seen. If that does not come, the FPDUs themselves have to
// show how they are to be read.
func (e *Engine) await(h *half, p *reassembly.Piece) {
	b := &h.backlog
	b.add(p, false, e.ahead(h))
	fits := e.store(h)
	if fits && (len(b.parcels) < patience || b.size() < b.tryAt) {
		return
	}
	if e.look(h, !fits) {
		e.lockedOn(h)
	} else if !fits {
		e.abandon(h)
		h.phase = opaque
	}
}

// stranger tells that nothing but FPDUs can show that this is, or is again, iWARP.
func (h *half) stranger() bool {
	return h.pair.conn == nil || h.phase == streaming && h.peer.phase == streaming
}

// operate begins full operation of a direction without that both MPA frames were seen.
func (e *Engine) operate(h *half, l *lock) {
	c := e.recognise(h.pair.opener())
	if c.End == record.EndReject {
		c.End = record.EndOpen
	}
	d := h.direction()
	expected := h.phase == waiting && l.offset == h.start.behindFrame
	before := h.start.frame
	passed, missing := h.backlog.pass(l.at)
	if h.phase == waiting {
		h.traffic.MissingOctets += missing
	} else {
		passed = e.unstream(h)
	}
	learn(c, d, &l.terms)
	h.readFrom(l)
	if l.terms.crc.from != record.SourceUnknown {
		e.settleCRC(h.pair, l.terms.crc)
	}
	s := h.stream
	if s.latest = before; !expected {
		s.latest = h.backlog.span()
		s.alone, h.traffic.Midstream = true, true
		s.messages.gap()
	}
	h.traffic.Undecoded += passed
	e.note(h, record.LockedOn, passed, h.backlog.span())
}

// unstream takes back that octets before the front of the backlog, and those in it, were streaming octets, and tells how
// many the former are.
func (e *Engine) unstream(h *half) (before uint64) {
	t, b := h.traffic, &h.backlog
	since := t.Streaming - h.start.hearing.streamed + uint64(len(h.start.carry))
	t.Streaming = h.start.hearing.streamed
	h.start.carry, h.start.unanswered = nil, 0
	return since - uint64(len(b.octets)-b.at)
}

// lockedOn goes on behind look: what waits is decoded, and what was learned may be all that the other direction lacked.
func (e *Engine) lockedOn(h *half) {
	e.catchUp(h, false)
	other := h.peer
	if l := &other.start.hearing; other.phase == streaming && *l != (hearing{}) {
		l.on = true // it may have been given up
	}
	if other.phase != full && e.look(other, false) {
		e.lockedOn(other)
	}
}

// lateFrame begins full operation of h, whose MPA frame came when the other side's FPDUs had been read without it.
func (e *Engine) lateFrame(h *half) {
	c := h.pair.conn
	negotiate(c)
	l := h.agreed()
	h.readFrom(&l)
	e.settleCRC(h.pair, term{setting(c.Agreement.CRC), record.Negotiated})
}

// conclude looks for FPDUs in what waits for the last time.
func (e *Engine) conclude(t *pair) {
	for _, h := range []*half{&t.halves[0], &t.halves[1], &t.halves[0]} {
		if e.look(h, true) {
			e.catchUp(h, true)
		}
	}
}

// servicePorts are the well-known ports of what is used over iWARP: SMB, NFS with and without its own port for RDMA,
// iSER, NVMe and SMB Direct.
var servicePorts = [...]uint16{445, 2049, 3260, 4420, 5445, 20049}

// serves tells whether a side has a well-known port.
func (h *half) serves() bool { return slices.Contains(servicePorts[:], h.src.Port()) }

// opener is who opened the TCP connection: the sender of the SYN, else who speaks to a well-known port from another, else
// the sender of the first packet.
func (t *pair) opener() *half {
	for i := range t.halves {
		if h := &t.halves[i]; h.syn && h.answers {
			return h.peer
		}
	}
	for i := range t.halves {
		if h := &t.halves[i]; h.syn {
			return h
		}
	}
	if first := &t.halves[0]; first.serves() && !first.peer.serves() {
		return first.peer
	}
	return &t.halves[0]
}

// directionOf is the direction of h as far as it is known.
func (t *pair) directionOf(h *half) record.Direction {
	switch {
	case t.conn != nil:
		return h.direction()
	case t.opener() == h:
		return record.C2S
	}
	return record.S2C
}
