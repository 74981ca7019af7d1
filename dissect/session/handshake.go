package session

// How full operation begins over TCP: with the MPA frames of both sides, or without them, and what becomes of octets that
// wait for a frame that never comes.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// frame takes an MPA frame.
func (s *TCP) frame(i int, r *scan) {
	h := &s.halves[i]
	client := i
	if r.frame.Reply {
		client = 1 - i
	}
	c := s.recognise(client)
	keepFrame(c, &r.frame)
	s.giveEarly()
	s.shared.startup = record.Startup{
		Origin: s.origin(i, r.span), MPA: r.frame, Octets: r.octets, Late: s.halves[1-i].framing.Acked >= r.end,
		Place: record.Place{End: r.end, Acked: h.framing.Acked},
	}
	rec := s.shared.record(record.KindStartup)
	rec.Startup = &s.shared.startup
	s.shared.give(rec, &s.shared.startup.Origin)
	h.framing.Await(r.end, r.span)
	if s.startup.isPaired(i, &r.frame) {
		h.unanswered, s.halves[1-i].unanswered = 0, 0
	}
	before := s.startup.phases
	switch s.startup.frame(i, &r.frame, c) {
	case stepRefuse:
		h.framing.Discard()
	case stepLate:
		negotiate(c)
		s.readAgreed(i)
		s.settleCRC(s.halves[i].framing.ReadTerms().CRC)
	case stepReject:
		c.End, c.Agreed = flow.EndReject, false
		for _, j := range [2]int{i, 1 - i} {
			s.abandon(j, before[j], before[1-j])
		}
	case stepAgree:
		s.agree(client)
	}
}

// agree begins full operation on both sides.
func (s *TCP) agree(initiator int) {
	negotiate(s.Conn)
	if s.Conn.End == flow.EndReject {
		s.Conn.End = flow.EndOpen // a second handshake on the same TCP connection
	}
	for _, i := range [2]int{initiator, 1 - initiator} {
		s.readAgreed(i)
	}
	for _, i := range [2]int{initiator, 1 - initiator} {
		s.decode(i)
	}
}

// readAgreed begins to read FPDUs as both frames say.
func (s *TCP) readAgreed(i int) {
	t := agreedTerms(s.Conn, s.direction(i))
	s.Sides[i].messages = assembler{}
	s.halves[i].framing.Begin(&t)
}

// synchronised begins full operation of a side in whose octets FPDUs were found although an MPA frame is missing.
func (s *TCP) synchronised(i int, out *framing.Output) {
	h, side := &s.halves[i], &s.Sides[i]
	c := s.recognise(s.initiator())
	if c.End == flow.EndReject {
		c.End = flow.EndOpen
	}
	if s.startup.phases[i] == streaming { // what was counted as streaming octets are FPDUs
		side.Traffic.Streaming -= uint64(h.framing.Listened() - len(h.scanner.carry))
		h.scanner.carry, h.unanswered = nil, 0
		if h.framing.FrameEnd() == 0 {
			h.early = nil
		}
	}
	s.startup.phases[i], side.messages = full, assembler{}
	t := h.framing.ReadTerms()
	learn(c, s.direction(i), t)
	if t.CRC.From != flow.SourceUnknown {
		s.settleCRC(t.CRC)
	}
	if out.Unanchored {
		side.Traffic.Midstream = true
		s.gap(i)
	}
	s.giveNote(i, &out.Note)
}

// initiator returns who sends the MPA Request: as the start of an MPA frame shows that waits for the rest, else who opened
// the stream.
func (s *TCP) initiator() int {
	var f mpa.Frame
	for i := range s.halves {
		switch begun := s.halves[i].scanner.begun(&f, false); {
		case begun && f.Reply:
			return 1 - i
		case begun:
			return i
		}
	}
	return s.opener()
}

// abandon gives up what waits for a frame of the other side that is not coming.
func (s *TCP) abandon(i int, own, other phase) {
	h, t := &s.halves[i], s.Sides[i].Traffic
	n := h.unanswered
	if own == streaming && other != streaming {
		n = max(n, uint64(h.framing.Listened())) // no FPDU was found, but there must be some
	}
	t.Streaming -= n
	h.unanswered = 0
	if own == waiting {
		for p := range h.framing.Held() {
			s.keepEarly(i, p.Data, flow.At(p.Frame, p.Time), record.Place{End: p.Offset + uint64(len(p.Data))})
		}
		n += h.framing.Abandon()
	}
	if own != full {
		h.framing.Discard()
	}
	if n > 0 {
		t.Undecoded += n
		s.note(i, record.NoNegotiation, n, s.span)
	}
}
