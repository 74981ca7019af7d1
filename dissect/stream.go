package dissect

// Full operation: what framing finds in one direction.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// read gives a piece to framing and takes what that finds. What FPDUs show without an MPA frame may be all that the other
// direction lacked.
func (e *Engine) read(h *half, p *reassembly.Piece) {
	k := e.known(h)
	h.framing.Push(p, &k)
	for e.decode(h) && h.peer.phase != full {
		h = h.peer
		k = e.known(h)
		h.framing.Search(&k, false)
	}
}

// known is what framing may know of h.
func (e *Engine) known(h *half) framing.Known {
	k := framing.Known{Acked: h.acknowledged(), Received: h.peer.acknowledged(), Ahead: h.ahead(), Blind: h.blind()}
	if !h.framing.IsReading() {
		k.Terms, k.Unknown = e.terms(h), h.isUnknown()
	}
	return k
}

// decode takes what framing finds. It reports whether that includes FPDUs for the first time, although an MPA frame is
// missing.
func (e *Engine) decode(h *half) (synchronised bool) {
	out := &e.event.Output
	for h.framing.Next(out) {
		if out.CRC {
			e.settleCRC(h.pair, h.framing.Terms().CRC)
		}
		switch out.Kind {
		case framing.FPDU:
			e.segment(h, out)
		case framing.Note:
			e.give(h, &out.Note)
			if out.Note.Kind == record.FramingLost {
				h.messages.gap()
			}
			if out.Learned {
				learn(h.pair.conn, h.direction(), h.framing.Terms())
			}
		case framing.Synchronised:
			e.synchronised(h, out)
			synchronised = true
		case framing.Overflow:
			e.abandon(h)
			h.phase = opaque
		}
	}
	return synchronised
}

// settleCRC notes whether CRCs are on, which is the same in both directions.
func (e *Engine) settleCRC(t *pair, on framing.Term) {
	t.conn.Agreement.CRC, t.conn.Sources.CRC = on.Setting == framing.On, on.From
	for i := range t.halves {
		t.halves[i].framing.SetCRC(on)
	}
}

// segment takes in an FPDU.
func (e *Engine) segment(h *half, out *framing.Output) {
	if out.Learned {
		learn(h.pair.conn, h.direction(), h.framing.Terms())
	}
	t, f := h.traffic, &out.Segment.FPDU
	t.CRC[f.Verdict]++
	t.Markers += uint64(f.Markers)
	e.decoded(h, out.Segment.Span)
	if out.Doubtful {
		h.messages.doubt()
	}
}

// decoded reports the segment in e.event.segment, and the message that it ends.
func (e *Engine) decoded(h *half, span record.Span) {
	t, ev := h.traffic, &e.event.Segment
	f := &ev.FPDU
	t.FPDUs++
	ev.Origin = record.Origin{Conn: h.pair.conn, Dir: h.direction(), Span: span}
	if len(f.ULPDU) > rdmap.ControlOff {
		t.Segments[ev.RDMAP.Control.Opcode]++
	}
	whole := ev.Err == nil
	if whole && f.Missing == 0 {
		ev.Err = ev.RDMAP.CheckBody()
	}
	if ev.Err != nil && (f.Missing == 0 || int(f.ULPDULength) < ev.RDMAP.Header.Len()) {
		t.Malformed++
	}
	e.sink.Segment(ev)
	if f.BadMarkers > 0 {
		e.note(h, record.BadMarkers, uint64(f.BadMarkers), span)
	}
	if whole {
		e.assemble(h, ev)
	} else if f.Missing > 0 {
		h.messages.gap()
	}
}

// leave ends a direction: what is not whole is reported.
func (e *Engine) leave(h *half) {
	e.passOverEarly(h, h.start.carry, h.start.carrySpan, h.reached)
	h.start.carry = nil
	e.abandon(h)
	for _, a := range h.messages.places {
		if a != nil && a.active {
			e.emit(h, a, false)
		}
	}
	if out := &e.event.Output; h.framing.Close(out) {
		e.give(h, &out.Note)
	}
	h.traffic.Undecoded += h.framing.Undecoded()
	h.traffic.MissingOctets += h.framing.Missing()
}

// give reports a note about h.
func (e *Engine) give(h *half, n *record.Note) {
	n.Conn, n.Dir = h.pair.conn, h.direction()
	e.sink.Note(n)
}
