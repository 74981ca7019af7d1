package session

// Full operation over TCP: what framing finds on each side, and what that says of the other one.

import (
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// read gives a piece to framing and takes what that finds. What FPDUs show without an MPA frame may be all that the other
// side lacked.
func (s *TCP) read(i int, p *reassembly.Piece) {
	k := s.known(i)
	s.ways[i].framing.Push(p, &k)
	for s.decode(i) && s.startup.phases[1-i] != full {
		i = 1 - i
		k = s.known(i)
		s.ways[i].framing.Search(&k, false)
	}
}

// known is what framing may know of side i.
func (s *TCP) known(i int) framing.Known {
	own, other, frameEnd := &s.Progress[i], &s.Progress[1-i], s.ways[1-i].frameEnd
	k := framing.Known{
		Acked: own.Acked, Received: other.Acked, Ahead: s.isAhead(i), Blind: own.HasAcked && frameEnd > 0 && own.Acked <= frameEnd,
	}
	if phases := &s.startup.phases; phases[i] != full {
		k.Terms = termsOf(s.Conn, s.direction(i), &s.shared.Stated)
		k.Unknown = s.Conn == nil || phases[i] == streaming && phases[1-i] == streaming
	}
	return k
}

// isAhead reports whether side i has acknowledged octets of the other one that have not come, or wait to be decoded.
func (s *TCP) isAhead(i int) bool {
	own, other := &s.Progress[i], &s.Progress[1-i]
	next := other.Next
	if offset, ok := s.ways[1-i].framing.Front(); ok {
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
	w, out := &s.ways[i], &s.shared.out
	for w.framing.Next(out) {
		if out.CRC {
			s.settleCRC(w.framing.Terms().CRC)
		}
		switch out.Kind {
		case framing.FPDU:
			s.fpdu(i, out)
		case framing.Note:
			s.giveNote(i, &out.Note)
			if out.Note.Kind == record.FramingLost {
				s.Sides[i].messages.gap()
			}
			if out.Learned {
				learn(s.Conn, s.direction(i), w.framing.Terms())
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

// fpdu takes in an FPDU.
func (s *TCP) fpdu(i int, out *framing.Output) {
	if out.Learned {
		learn(s.Conn, s.direction(i), s.ways[i].framing.Terms())
	}
	side, f := &s.Sides[i], &out.Segment.FPDU
	side.Traffic.CRC[f.Verdict]++
	side.Traffic.Markers += uint64(f.Markers)
	s.segment(i, &out.Segment)
	if out.Doubtful {
		side.messages.doubt()
	}
}

// synchronised begins full operation of a side in whose octets FPDUs were found although an MPA frame is missing.
func (s *TCP) synchronised(i int, out *framing.Output) {
	w, side := &s.ways[i], &s.Sides[i]
	c := s.recognise(s.opener())
	if c.End == record.EndReject {
		c.End = record.EndOpen
	}
	if s.startup.phases[i] == streaming { // what was counted as streaming octets are FPDUs
		side.Traffic.Streaming -= uint64(w.framing.Listened() - len(w.scanner.carry))
		w.scanner.carry, w.unanswered = nil, 0
		if w.frame == (record.Span{}) {
			w.early = nil
		}
	}
	s.startup.phases[i], side.messages = full, assembler{}
	t := w.framing.Terms()
	learn(c, s.direction(i), t)
	if t.CRC.From != record.SourceUnknown {
		s.settleCRC(t.CRC)
	}
	if out.Unanchored {
		side.Traffic.Midstream = true
		side.messages.gap()
	}
	s.giveNote(i, &out.Note)
}

// settleCRC notes whether CRCs are on, which is the same on both sides.
func (s *TCP) settleCRC(on framing.Term) {
	s.Conn.Agreement.CRC, s.Conn.Sources.CRC = on.Setting == framing.On, on.From
	for i := range s.ways {
		s.ways[i].framing.SetCRC(on)
	}
}
