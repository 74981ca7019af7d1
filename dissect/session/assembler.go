package session

// Putting RDMAP messages together from the DDP segments of one direction.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// segment reports the DDP segment that side i has sent, of which the Conn and the Dir are not set, and the message that it
// ends.
func (s *Stream) segment(i int, ev *record.Segment) {
	side := &s.Sides[i]
	t, f := side.Traffic, &ev.FPDU
	t.FPDUs++
	ev.Conn, ev.Dir = s.Conn, record.Direction(i^s.client)
	if len(f.ULPDU) > rdmap.ControlOff {
		t.Segments[ev.RDMAP.Control.Opcode]++
	}
	whole := ev.Err == nil
	if whole && f.Missing == 0 {
		ev.Err = ev.RDMAP.CheckBody()
	}
	if ev.Err != nil && (f.Missing == 0 || int(f.ULPDULength) < ev.HeaderLen()) {
		t.Malformed++
	}
	var own, cut *assembly
	ev.Message = nil
	if whole {
		own, cut = side.messages.add(ev, &s.shared.spare)
		ev.Message = &own.msg
	} else if f.Missing > 0 {
		side.messages.gap()
	}
	s.shared.records[record.KindSegment].Segment = ev
	s.shared.give(record.KindSegment, &ev.Origin)
	if f.BadMarkers > 0 {
		s.note(i, record.BadMarkers, uint64(f.BadMarkers), ev.Span)
	}
	if cut != nil {
		s.message(i, cut, false)
		s.shared.spare = cut
	}
	if own != nil && own.over {
		s.message(i, own, own.whole)
	}
}

// message reports a message of side i, which is over.
func (s *Stream) message(i int, a *assembly, complete bool) {
	m, t := s.Sides[i].messages.end(a, complete), s.Sides[i].Traffic
	if complete {
		t.Messages[m.Opcode]++
	} else {
		t.Incomplete[m.Opcode]++
	}
	t.Payload += m.Len
	if m.Opcode == rdmap.OpTerminate {
		s.Conn.End = record.EndTerminate
	}
	s.shared.records[record.KindMessage].Message = m
	s.shared.give(record.KindMessage, &m.Origin)
}

// cutMessages reports the messages of side i that are not whole.
func (s *Stream) cutMessages(i int) {
	for _, a := range s.Sides[i].messages.queues {
		if a != nil && a.active {
			s.message(i, a, false)
		}
	}
}

// An assembler holds the messages of one direction that are in progress: one for each queue. There cannot be more: messages
// follow each other (RFC 5041, section 5.3), and two that do not can be told apart only by their queues.
type assembler struct {
	queues [framing.Queues]*assembly // by framing.QueueOf; nil until the first message comes
	losses                           // up to now
}

// losses are how often segments may have been missed, and how often a header may have been wrong.
type losses struct{ gaps, doubts uint32 }

// An assembly is a message in progress.
type assembly struct {
	active bool
	over   bool        // its latest segment ended it
	whole  bool        // nothing of it is known to be missing
	losses             // when its latest segment came
	octets *ddp.Octets // of an untagged message whose segments come in any order, if Message.Disordered; else not used, or nil
	next   uint64      // MO or TO that the next segment must have
	cut    tail        // what would continue a tagged message that another one interrupted
	msg    record.Message
	header [maxHeader]byte
}

// A tail is where a tagged message continues.
type tail struct {
	known bool
	stag  uint32
	to    uint64
}

// maxHeader is how many octets of a message without payload are kept: all headers of a Terminate, and some octets after them.
const maxHeader = 96

// gap notes that segments may have been missed.
func (all *assembler) gap() { all.gaps++ }

// doubt notes that a header may be wrong, its CRC being bad.
func (all *assembler) doubt() { all.doubts++ }

// add adds a segment to its message, own. cut is the message that it cuts off; nil if it does not. own is then in the
// memory of spare, which may be nil.
func (all *assembler) add(ev *record.Segment, spare **assembly) (own, cut *assembly) {
	s, f := &ev.RDMAP, &ev.FPDU
	queue := &all.queues[framing.QueueOf(&s.Header)]
	if *queue == nil {
		*queue = new(assembly)
	}
	a := *queue
	gap, sure := a.gaps != all.gaps, a.losses == all.losses
	if a.active && !a.continuedBy(s, all.gaps) {
		cut = a
		if a = *spare; a == nil {
			a = new(assembly)
		}
		*spare = nil
		a.cut = tail{s.T, cut.msg.First.Tagged.STag, cut.next}
		*queue = a
	}
	if !a.active {
		before := a
		if cut != nil {
			before = cut
		}
		switch {
		case s.T: // where a tagged message that follows a gap began is not known
			a.whole, a.next = sure && a.cut != tail{true, s.Tagged.STag, s.Tagged.TO}, s.Tagged.TO
		case s.Untagged.MO == 0 || sure && s.Untagged.MSN == before.msg.First.Untagged.MSN+1:
			a.whole, a.next = true, 0
		default:
			a.whole, a.next = false, uint64(s.Untagged.MO)
		}
		a.begin(ev)
	}
	a.over = s.L()
	length := max(0, int(f.ULPDULength)-s.Header.Len())
	switch inOrder := position(s) == a.next; {
	case !inOrder && a.whole && !gap && !s.T && s.Control.Opcode.ConsumesReceive(), a.msg.Disordered:
		a.place(&s.Untagged, length, gap)
	case !inOrder || s.T && gap:
		a.whole = false
	}
	a.losses = all.losses
	a.next = position(s) + uint64(length)
	a.msg.Len += uint64(s.PayloadLen(int(f.ULPDULength)))
	a.msg.Segments++
	a.msg.Missing += uint64(f.Missing)
	switch f.Verdict {
	case mpa.Bad:
		a.msg.CRC = mpa.Bad
		a.msg.BadCRCs++
	case mpa.Unchecked:
		if a.msg.CRC == mpa.Good {
			a.msg.CRC = mpa.Unchecked
		}
	}
	a.msg.Include(ev.Span)
	return a, cut
}

// place adds a segment to a message whose segments come in another order than that of their MOs, which is over when all
// octets before the last have come.
func (a *assembly) place(h *ddp.Untagged, length int, gap bool) {
	if a.octets == nil {
		a.octets = new(ddp.Octets)
	}
	if !a.msg.Disordered {
		a.msg.Disordered = true
		a.octets.Begin(uint32(a.next))
	}
	over, ok := a.octets.Add(ddp.Span{From: h.MO, To: h.MO + uint32(length)}, h.L)
	a.whole = a.whole && ok && over == ddp.Span{} && !gap
	a.over = a.octets.Whole() || !a.whole && h.L
}

// end ends a message of the assembler, and makes room for the next one of its queue.
func (all *assembler) end(a *assembly, complete bool) *record.Message {
	a.active, a.losses, a.msg.Complete = false, all.losses, complete
	return &a.msg
}

// position is a segment's TO or MO.
func position(s *rdmap.Segment) uint64 {
	if s.T {
		return s.Tagged.TO
	}
	return uint64(s.Untagged.MO)
}

// continuedBy reports whether s belongs to the message in progress rather than to another one, whose predecessor then lacks
// its end. Where segments were missed, one further ahead still belongs to it.
func (a *assembly) continuedBy(s *rdmap.Segment, gaps uint32) bool {
	first := &a.msg.First
	switch at := position(s); {
	case s.Control.Opcode != first.Control.Opcode:
		return false
	case !s.T:
		return s.Untagged.MSN == first.Untagged.MSN && s.Untagged.QN == first.Untagged.QN
	case s.Tagged.STag != first.Tagged.STag:
		return false
	default:
		return at == a.next || at > a.next && gaps != a.gaps
	}
}

// begin begins a message with its first segment.
func (a *assembly) begin(ev *record.Segment) {
	header := ev.RDMAP.Header.Len()
	keep := header
	if !ev.RDMAP.Control.Opcode.HasPayload() {
		keep = maxHeader
	}
	n := copy(a.header[:keep], ev.FPDU.ULPDU)
	a.active = true
	m := &a.msg // every field is set, one by one: that takes half as long as another Message
	m.Conn, m.Dir, m.Span = ev.Conn, ev.Dir, ev.Span
	m.Opcode, m.ULPDU, m.Header = ev.RDMAP.Control.Opcode, int(ev.FPDU.ULPDULength), a.header[:n]
	m.First.Header, m.First.Body = ev.RDMAP.Header, a.header[header:n]
	m.Len, m.Segments, m.CRC, m.BadCRCs, m.Missing = 0, 0, mpa.Good, 0, 0
	m.Complete, m.Disordered = false, false
	m.Payload, m.Answers, m.Marks = nil, nil, m.Marks[:0]
}
