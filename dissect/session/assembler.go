package session

// Putting RDMAP messages together from the DDP segments of one direction.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// segment reports the DDP segment that side i has sent, of which the Conn and the Dir are not set, and the message that it
// ends.
func (s *Stream) segment(i int, ev *record.Segment) {
	side := &s.Sides[i]
	t, f := side.Traffic, &ev.FPDU
	t.FPDUs++
	ev.Conn, ev.Dir = s.Conn, flow.Direction(i^s.client)
	if ev.HasOpcode() {
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
		if ev.RDMAP.Control.Opcode == rdmap.OpReadRequest && s.Conn.Agreed {
			s.Sides[1-i].messages.asked(&ev.RDMAP)
		}
		own, cut = side.messages.add(ev, &s.shared.spare)
		ev.Message = &own.msg
	} else if f.Missing > 0 {
		s.gap(i)
	}
	r := s.shared.record(record.KindSegment)
	r.Segment = ev
	s.shared.give(r, &ev.Origin)
	if f.BadMarkers > 0 {
		s.note(i, record.BadMarkers, uint64(f.BadMarkers), ev.Span)
	}
	if cut != nil {
		s.message(i, cut, cut.joins())
		s.shared.spare = cut
	}
	if own != nil && own.over {
		s.message(i, own, own.whole)
	}
}

// gap notes that segments of side i may have been missed.
func (s *Stream) gap(i int) {
	s.Sides[i].messages.gap()
	s.Sides[1-i].messages.forget()
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
		s.Conn.End = flow.EndTerminate
	}
	r := s.shared.record(record.KindMessage)
	r.Message = m
	s.shared.give(r, &m.Origin)
}

// cutMessages reports the messages of side i that are not whole.
func (s *Stream) cutMessages(i int) {
	for _, a := range s.Sides[i].messages.queues {
		if a != nil && a.active {
			s.message(i, a, a.joins())
		}
	}
}

// An assembler holds the messages of one direction that are in progress: one for each queue. There cannot be more: messages
// follow each other (RFC 5041, section 5.3), and two that do not can be told apart only by their queues.
type assembler struct {
	queues [framing.Queues]*assembly // by framing.QueueOf; nil until the first message comes
	losses                           // up to now
	sinks  []sink                    // that Read Responses are due for
	blind  bool                      // they are not known any more
}

// A sink is what a Read Request asks for.
type sink struct {
	stag uint32
	ddp.Span
}

// maxSinks limits the sinks that are kept. Nobody has so many Read Requests outstanding.
const maxSinks = 256

// asked takes a request of the other side.
func (all *assembler) asked(s *rdmap.Segment) {
	var h rdmap.ReadRequest
	if _, err := h.Decode(s.Body); err != nil || len(all.sinks) == maxSinks {
		all.forget()
	}
	if !all.blind {
		all.sinks = append(all.sinks, sink{h.SinkSTag, ddp.Span{From: h.SinkTO, To: h.SinkTO + uint64(h.RDMARDSZ)}})
	}
}

// forget notes that it is not known any more which request comes next.
func (all *assembler) forget() { all.sinks, all.blind = nil, true }

// due returns the sink that a part of a Read Response is for, with which another one begins; the zero
// value if that is not known.
func (all *assembler) due(s *rdmap.Segment, part ddp.Span) sink {
	if len(all.sinks) == 0 {
		all.forget()
		return sink{}
	}
	n := all.sinks[0]
	isEmpty := n.Len() == 0 && part.Len() == 0 // what it names does not matter
	if !isEmpty && (n.stag != s.Tagged.STag || !n.Holds(part)) {
		all.forget()
		return sink{}
	}
	all.sinks = slices.Delete(all.sinks, 0, 1)
	return n
}

// losses are how often segments may have been missed, and how often a header may have been wrong.
type losses struct{ gaps, doubts uint32 }

// An assembly is a message in progress.
type assembly struct {
	active bool
	over   bool        // its latest segment ended it
	whole  bool        // nothing of it is known to be missing
	losses             // when its latest segment came
	octets *ddp.Octets // of a message whose segments come in any order, if Message.Disordered; else not used, or nil
	from   uint64      // MO or TO with which it began
	next   uint64      // MO or TO that the next segment must have
	above  uint64      // TO of a whole message that may be the higher part of this one; 0 if there is none
	sink   sink        // of a Read Response, if that is known
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
func (all *assembler) gap() {
	all.gaps++
	all.forget()
}

// doubt notes that a header may be wrong, its CRC being bad.
func (all *assembler) doubt() {
	all.doubts++
	all.forget()
}

// add adds a segment to its message, own. cut is the message that it cuts off; nil if it does not. own is then in the
// memory of spare, which may be nil.
func (all *assembler) add(ev *record.Segment, spare **assembly) (own, cut *assembly) {
	s, f := &ev.RDMAP, &ev.FPDU
	queue := &all.queues[framing.QueueOf(&s.Header)]
	if *queue == nil {
		*queue = new(assembly)
	}
	a, before := *queue, *queue
	gap := a.gaps != all.gaps
	part := partOf(s, int(f.ULPDULength))
	if a.active && !a.continuedBy(s, part, all) {
		cut = a
		if a = *spare; a == nil {
			a = new(assembly)
		}
		*spare = nil
		a.cut = tail{s.T && !cut.joins(), cut.msg.First.Tagged.STag, cut.next}
		*queue = a
	}
	if !a.active {
		all.start(a, before, ev, part)
	}
	a.over = s.L()
	switch inOrder := part.From == a.next; {
	case !inOrder && a.whole && !gap && (s.T || s.Control.Opcode.ConsumesReceive()), a.msg.Disordered:
		a.place(part, s.L(), gap)
	case !inOrder || s.T && gap:
		a.whole = false
	}
	a.losses = all.losses
	a.next = part.To
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

// start begins a message after the one before in its queue.
func (all *assembler) start(a, before *assembly, ev *record.Segment, part ddp.Span) {
	s, sure := &ev.RDMAP, before.losses == all.losses
	a.above = 0
	switch {
	case s.T: // where a tagged message that follows a gap began is not known
		if sure && before.isHigher(s, part) {
			a.above = before.extent().From
		}
		a.whole, a.from = sure && a.cut != tail{true, s.Tagged.STag, s.Tagged.TO}, s.Tagged.TO
	case s.Untagged.MO == 0 || sure && s.Untagged.MSN == before.msg.First.Untagged.MSN+1:
		a.whole, a.from = true, 0
	default:
		a.whole, a.from = false, uint64(s.Untagged.MO)
	}
	a.sink = sink{}
	if s.Control.Opcode == rdmap.OpReadResponse && !all.blind {
		if a.sink = all.due(s, part); a.sink != (sink{}) {
			a.from = a.sink.From
		}
	}
	a.next = a.from
	a.begin(ev)
}

// place adds a segment to a message whose segments come in another order than that of their MOs or TOs, which is over when all
// octets before the last have come.
func (a *assembly) place(part ddp.Span, last, gap bool) {
	if a.octets == nil {
		a.octets = new(ddp.Octets)
	}
	if !a.msg.Disordered {
		a.msg.Disordered = true
		a.octets.Begin(ddp.Span{From: a.from, To: a.next})
	}
	over, ok := a.octets.Add(part, last)
	a.whole = a.whole && ok && over == ddp.Span{} && !gap
	if !a.msg.First.T {
		a.over = a.octets.Whole() || !a.whole && last
		return
	}
	extent, missing := a.octets.Extent()
	missing += a.sink.Len() - min(extent.Len(), a.sink.Len())
	a.over = a.octets.Ended() && (missing == 0 || !a.whole)
}

// end ends a message of the assembler, and makes room for the next one of its queue.
func (all *assembler) end(a *assembly, complete bool) *record.Message {
	a.active, a.losses, a.msg.Complete = false, all.losses, complete
	return &a.msg
}

// partOf is which octets of its message a segment has.
func partOf(s *rdmap.Segment, ulpduLength int) ddp.Span {
	from := uint64(s.Untagged.MO)
	if s.T {
		from = s.Tagged.TO
	}
	return ddp.Span{From: from, To: from + uint64(max(0, ulpduLength-s.Header.Len()))}
}

// continuedBy reports whether s, with a part of a message, belongs to the one in progress rather than to another one, whose
// predecessor then lacks its end. Where segments were missed, one further ahead still belongs to it.
func (a *assembly) continuedBy(s *rdmap.Segment, part ddp.Span, all *assembler) bool {
	first := &a.msg.First
	switch {
	case s.Control.Opcode != first.Control.Opcode:
		return false
	case !s.T:
		return s.Untagged.MSN == first.Untagged.MSN && s.Untagged.QN == first.Untagged.QN
	case s.Tagged.STag != first.Tagged.STag:
		return false
	case part.From == a.next || part.From > a.next && a.gaps != all.gaps:
		return true
	}
	return a.whole && a.losses == all.losses && a.lacks(part, s.L()) && !a.joins()
}

// extent returns from where to where octets of the message came; it is empty if some between are missing.
func (a *assembly) extent() ddp.Span {
	all, missing := ddp.Span{From: a.from, To: a.next}, uint64(0)
	if a.msg.Disordered {
		all, missing = a.octets.Extent()
	}
	if missing > 0 {
		return ddp.Span{}
	}
	return all
}

// isHigher reports whether a message that looks whole may be the higher part of a Write, of which a lower one begins: L need not come
// last (RFC 5041, section 5.3).
func (a *assembly) isHigher(s *rdmap.Segment, part ddp.Span) bool {
	isSame := s.Control.Opcode == rdmap.OpWrite && a.msg.Opcode == rdmap.OpWrite && a.msg.First.Tagged.STag == s.Tagged.STag
	return isSame && (!a.active && a.msg.Complete || a.joins()) && part.To <= a.extent().From
}

// joins reports whether a message without L is whole together with the higher part that came before it.
func (a *assembly) joins() bool { return a.above != 0 && a.whole && a.extent().To == a.above }

// lacks reports whether a part of the tagged message in progress has not come, which has L or not.
func (a *assembly) lacks(part ddp.Span, last bool) bool {
	if a.sink != (sink{}) && !a.sink.Holds(part) {
		return false
	}
	if !a.msg.Disordered {
		return part.From < part.To && (part.To <= a.from || part.From >= a.next)
	}
	extent, _ := a.octets.Extent()
	if extent.From = min(extent.From, part.From); a.sink != (sink{}) { // nothing says where a Write begins
		extent = a.sink.Span
	}
	return !a.octets.Clash(part) && (!a.octets.Ended() || !last && extent.Holds(part))
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
