package dissect

// Directions whose FPDUs have to be read without both MPA frames: the capture begins after them, has lost one, or shows
// the other side's packets only.

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// isUnknown reports that nothing but FPDUs can show that this is, or is again, iWARP.
func (h *half) isUnknown() bool {
	return h.pair.conn == nil || h.phase == streaming && h.peer.phase == streaming
}

// synchronised begins full operation of a direction in which FPDUs were found although an MPA frame is missing.
func (e *Engine) synchronised(h *half, out *framing.Output) {
	c := e.recognise(h.pair.opener())
	if c.End == record.EndReject {
		c.End = record.EndOpen
	}
	if h.phase == streaming {
		h.unstream()
	}
	t := h.framing.Terms()
	learn(c, h.direction(), t)
	h.phase, h.messages = full, assembler{}
	if t.CRC.From != record.SourceUnknown {
		e.settleCRC(h.pair, t.CRC)
	}
	if out.Unanchored {
		h.traffic.Midstream = true
		h.messages.gap()
	}
	e.give(h, &out.Note)
}

// unstream takes back that the octets since listening began were streaming octets.
func (h *half) unstream() {
	h.traffic.Streaming -= uint64(h.framing.Listened() - len(h.start.carry))
	h.start.carry, h.start.unanswered = nil, 0
	if h.start.frame == (record.Span{}) {
		h.early = nil
	}
}

// lateFrame begins full operation of h, whose MPA frame came when the other side's FPDUs had been read without it.
func (e *Engine) lateFrame(h *half) {
	c := h.pair.conn
	negotiate(c)
	e.readAgreed(h)
	e.settleCRC(h.pair, framing.Term{Setting: framing.SettingOf(c.Agreement.CRC), From: record.Negotiated})
}

// conclude looks for FPDUs in what waits for the last time.
func (e *Engine) conclude(t *pair) {
	for _, h := range []*half{&t.halves[0], &t.halves[1], &t.halves[0]} {
		k := e.known(h)
		h.framing.Search(&k, true)
		e.decode(h)
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
