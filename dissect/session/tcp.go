package session

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A TCP is a stream over TCP, with MPA between. It may turn out to be iWARP, or not.
type TCP struct {
	Stream
	Progress [2]Progress // by side; to be kept up to date by the caller
	startup  startup
	halves   [2]half
}

// A Progress is how far TCP has come on one side. Places count octets from the begin of a side's stream.
type Progress struct {
	Acked    uint64 // place in the other side's stream that it has acknowledged; 0 if none
	Next     uint64 // place behind the octets of its own that have come
	HasAcked bool   // it has sent an acknowledgement
	FIN      bool   // it has sent a FIN
}

// A half is what one side sends.
type half struct {
	scanner    scanner
	framing    framing.Direction
	early      *early // nil if nothing is kept
	reached    uint64 // place behind the latest piece
	unanswered uint64 // streaming octets since the other side has sent its MPA frame
}

// Init makes s ready for a new stream.
func (s *TCP) Init(shared *Shared, src, dst netip.AddrPort) {
	s.init(shared, src, dst)
	for i := range s.halves {
		s.halves[i].framing.Init(&shared.Shared)
	}
}

// Receive takes in the next piece that side i has sent. It may change p, and does not keep its octets.
func (s *TCP) Receive(i int, p *reassembly.Piece) {
	h, side := &s.halves[i], &s.Sides[i]
	h.reached = p.Offset + uint64(len(p.Data)) + p.Hole
	if h.scanner.missing > 0 {
		side.Traffic.Undecoded += uint64(h.scanner.leavePrivateData(p))
	}
	if s.startup.phases[i] == streaming && p.Offset == 0 && !side.Opened {
		h.framing.Listen()
	}
	for len(p.Data) > 0 || p.Hole > 0 {
		switch s.startup.phases[i] {
		case streaming:
			r := &s.shared.scan
			h.scanner.scan(p, s.startup.phases[1-i] == waiting, r)
			s.passOver(i, r.early, r.earlySpan, r.earlyEnd)
			if r.found {
				s.frame(i, r)
				*p = r.rest
				continue
			}
			if p.Data == nil {
				h.framing.Listen() // an MPA frame may be missing
			}
			if h.framing.IsOn() {
				s.read(i, p)
			}
		case opaque:
			side.Traffic.Undecoded += uint64(len(p.Data))
			side.Traffic.MissingOctets += p.Hole
		default:
			s.read(i, p)
		}
		return
	}
}

// read gives a piece to framing and takes what that finds. What FPDUs show without an MPA frame may be all that the other
// side lacked.
func (s *TCP) read(i int, p *reassembly.Piece) {
	s.inform(i)
	s.halves[i].framing.Push(p)
	for s.decode(i) && s.startup.phases[1-i] != full {
		i = 1 - i
		s.inform(i)
		s.halves[i].framing.Search(false)
	}
}

// inform tells the framing of side i what it has to know.
func (s *TCP) inform(i int) {
	own, other, frameEnd := &s.Progress[i], &s.Progress[1-i], s.halves[1-i].framing.FrameEnd()
	k := &s.halves[i].framing.Known
	k.Acked, k.Received, k.Ahead = own.Acked, other.Acked, s.isAhead(i)
	k.Blind = own.HasAcked && frameEnd > 0 && own.Acked <= frameEnd
	if phases := &s.startup.phases; phases[i] != full {
		k.Terms = termsOf(s.Conn, s.direction(i), &s.shared.Stated)
		k.Unknown = s.Conn == nil || phases[i] == streaming && phases[1-i] == streaming
	}
}

// isAhead reports whether side i has acknowledged octets of the other one that have not come, or wait to be decoded.
func (s *TCP) isAhead(i int) bool {
	own, other := &s.Progress[i], &s.Progress[1-i]
	next := other.Next
	if offset, ok := s.halves[1-i].framing.Front(); ok {
		next = offset
	}
	if other.FIN {
		next++ // it counts as an octet
	}
	return own.HasAcked && own.Acked > next
}

// decode takes what framing finds. It reports whether that includes FPDUs for the first time, although an MPA frame is
// missing.
func (s *TCP) decode(i int) (synchronised bool) {
	h, out := &s.halves[i], &s.shared.out
	for h.framing.Next(out) {
		if out.CRC {
			s.settleCRC(h.framing.ReadTerms().CRC)
		}
		//exhaustive:enforce
		switch out.Kind {
		case framing.FPDU:
			s.fpdu(i, out)
		case framing.Note:
			s.giveNote(i, &out.Note)
			if out.Note.Kind == record.FramingLost {
				s.Sides[i].messages.gap()
			}
			if out.Learned {
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

// fpdu takes an FPDU.
func (s *TCP) fpdu(i int, out *framing.Output) {
	if out.Learned {
		learn(s.Conn, s.direction(i), s.halves[i].framing.ReadTerms())
	}
	side, f := &s.Sides[i], &out.Segment.FPDU
	side.Traffic.CRC[f.Verdict]++
	side.Traffic.Markers += uint64(f.Markers)
	s.segment(i, &out.Segment)
	if out.Doubtful {
		side.messages.doubt()
	}
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
