package session

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A TCP is a stream over TCP, with MPA between. It may turn out to be iWARP, or not.
type TCP struct {
	Stream
	startup startup
	halves  [2]half
	wires   [2]flow.Wire // of the sides, until there is a Conn
}

// A half is what one side sends.
type half struct {
	scanner    scanner
	framing    framing.Direction
	early      *early // nil if nothing is kept
	reached    uint64 // place after the latest piece
	unanswered uint64 // streaming octets since the other side has sent its MPA frame
}

// Init makes s ready for a new stream.
func (s *TCP) Init(shared *Shared, src, dst netip.AddrPort) {
	s.init(shared, src, dst)
	for i := range s.halves {
		s.Sides[i].Wire = &s.wires[i]
		s.halves[i].framing.Init(&shared.Shared, &s.halves[1-i].framing)
	}
}

// Framing is that of side i. The caller keeps its Progress up to date.
func (s *TCP) Framing(i int) *framing.Direction { return &s.halves[i].framing }

// Receive takes in the next piece that side i has sent. It may change p, and does not keep its octets. What FPDUs show
// without an MPA frame may be all that the other side lacked.
func (s *TCP) Receive(i int, p *reassembly.Piece) {
	h, phases := &s.halves[i], &s.startup.phases
	if (phases[i] != full || h.scanner.missing > 0) && !s.leads(i, p) {
		return
	}
	h.framing.Push(p)
	for s.decode(i) && phases[1-i] != full {
		i = 1 - i
		s.inform(i)
		s.halves[i].framing.Search(false)
	}
}

// leads takes what of a piece of side i comes before FPDUs. It reports whether FPDUs may follow.
func (s *TCP) leads(i int, p *reassembly.Piece) bool {
	h, phases := &s.halves[i], &s.startup.phases
	if h.scanner.missing > 0 {
		s.Sides[i].Traffic.Undecoded += uint64(h.scanner.leavePrivateData(p))
	}
	for phases[i] == streaming && !isEmpty(p) && s.scan(i, p) {
	}
	switch {
	case isEmpty(p):
		return false
	case phases[i] == opaque:
		t := s.Sides[i].Traffic
		t.Undecoded += uint64(len(p.Data))
		t.MissingOctets += p.Hole
		return false
	case !h.framing.IsOn():
		return false
	case phases[i] != full:
		s.inform(i)
	}
	return true
}

func isEmpty(p *reassembly.Piece) bool { return len(p.Data) == 0 && p.Hole == 0 }

// scan looks through a piece of side i for an MPA frame. It reports whether there is one; then p is what is left after it.
func (s *TCP) scan(i int, p *reassembly.Piece) bool {
	h, r := &s.halves[i], &s.shared.scan
	h.reached = p.Offset + uint64(len(p.Data)) + p.Hole
	if p.Offset == 0 && !s.Sides[i].Opened {
		h.framing.Listen()
	}
	h.scanner.scan(p, s.startup.phases[1-i] == waiting, r)
	s.passOver(i, r.early, r.earlySpan, r.earlyEnd)
	switch {
	case r.found:
		s.frame(i, r)
		*p = r.rest
	case p.Data == nil:
		h.framing.Listen() // an MPA frame may be missing
	}
	return r.found
}

// inform tells the framing of side i, in which no FPDUs were found, what is known of it.
func (s *TCP) inform(i int) {
	phases := &s.startup.phases
	s.halves[i].framing.Known = framing.Known{
		Terms:   termsOf(s.Conn, s.direction(i), &s.shared.Stated),
		Unknown: s.Conn == nil || phases[i] == streaming && phases[1-i] == streaming,
	}
}

// decode takes what framing finds. It reports whether that includes FPDUs for the first time, although an MPA frame is
// missing.
func (s *TCP) decode(i int) (synchronised bool) {
	h, side, out := &s.halves[i], &s.Sides[i], &s.shared.out
	for h.framing.Next(out) {
		if out.CRC {
			s.settleCRC(h.framing.ReadTerms().CRC)
		}
		//exhaustive:enforce
		switch out.Kind {
		case framing.FPDU:
			f, t := &out.Segment.FPDU, side.Traffic
			t.CRC[f.Verdict]++
			t.Markers += uint64(f.Markers)
			s.segment(i, &out.Segment)
			if out.Doubtful {
				side.messages.doubt()
				s.Sides[1-i].messages.forget()
			}
		case framing.Note:
			s.giveNote(i, &out.Note)
			switch out.Note.Kind {
			case record.FramingLost:
				s.gap(i)
			case record.FramingFound:
				learn(s.Conn, s.direction(i), h.framing.ReadTerms())
			}
		case framing.Synchronised:
			s.synchronised(i, out)
			synchronised = true
		case framing.Overflow:
			s.abandon(i, waiting, s.startup.phases[1-i])
			s.startup.phases[i] = opaque
		}
	}
	return synchronised
}

// settleCRC notes whether CRCs are on, which is the same on both sides.
func (s *TCP) settleCRC(on framing.Term) {
	s.Conn.Agreement.CRC, s.Conn.Sources.CRC = on.Setting == framing.On, on.From
	for i := range s.halves {
		s.halves[i].framing.SetCRC(on)
	}
}

// Settle ends both sides: what waits is decoded as far as it can be, and what is not whole is reported.
func (s *TCP) Settle() {
	for _, i := range [3]int{0, 1, 0} { // what one side shows may be all that the other one lacked
		s.inform(i)
		s.halves[i].framing.Search(true)
		s.decode(i)
	}
	for i := range s.halves {
		if s.Conn != nil {
			s.leave(i)
		}
		s.halves[i].framing.Discard()
	}
	s.Over = true
}

// leave ends side i of a connection.
func (s *TCP) leave(i int) {
	h, t := &s.halves[i], s.Sides[i].Traffic
	s.passOver(i, h.scanner.carry, h.scanner.carrySpan, h.reached)
	h.scanner.carry = nil
	s.abandon(i, s.startup.phases[i], s.startup.phases[1-i])
	s.cutMessages(i)
	if out := &s.shared.out; h.framing.Close(out) {
		s.giveNote(i, &out.Note)
	}
	t.Undecoded += h.framing.Undecoded()
	t.MissingOctets += h.framing.Missing()
}

// End reports the end of the connection, or of the capture, if this is one.
func (s *TCP) End() {
	s.giveEarly()
	s.Stream.End()
}
