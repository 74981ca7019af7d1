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
	ways     [2]way
}

// A Progress is how far TCP has come on one side. Places count octets from the begin of a side's stream.
type Progress struct {
	HasAcked bool
	Acked    uint64 // place in the other side's stream that it has acknowledged; 0 if none
	Next     uint64 // place behind the octets of its own that have come
	FIN      bool   // it has sent a FIN
}

// A way is what one side sends.
type way struct {
	scanner    scanner
	framing    framing.Direction
	early      *early      // nil if nothing is kept
	frame      record.Span // of the MPA frame
	frameEnd   uint64      // place behind the MPA frame
	reached    uint64      // place behind the latest piece
	unanswered uint64      // streaming octets since the other side has sent its MPA frame
}

// Init makes s ready for a new stream.
func (s *TCP) Init(shared *Shared, src, dst netip.AddrPort) {
	s.init(shared, src, dst)
	for i := range s.ways {
		s.ways[i].framing.Init(&shared.Shared)
	}
}

// Receive takes in the next piece that side i has sent. Its octets have to stay valid until Receive returns.
func (s *TCP) Receive(i int, p *reassembly.Piece) {
	w, t := &s.ways[i], s.Sides[i].Traffic
	w.reached = p.Offset + uint64(len(p.Data)) + p.Hole
	if w.scanner.missing > 0 {
		t.Undecoded += uint64(w.scanner.leavePrivateData(p))
	}
	if s.startup.phases[i] == streaming && p.Offset == 0 && !s.Sides[i].Opened {
		w.framing.Listen()
	}
	for len(p.Data) > 0 || p.Hole > 0 {
		switch s.startup.phases[i] {
		case streaming:
			r := w.scanner.scan(p, s.startup.phases[1-i] == waiting)
			s.passOver(i, r.early, r.earlySpan, r.earlyEnd)
			if r.found {
				s.frame(i, &r)
				p = &r.rest
				continue
			}
			if p.Data == nil {
				w.framing.Listen() // an MPA frame may be missing
			}
			if w.framing.IsOn() {
				s.read(i, p)
			}
		case opaque:
			t.Undecoded += uint64(len(p.Data))
			t.MissingOctets += p.Hole
		default:
			s.read(i, p)
		}
		return
	}
}

// passOver counts, and keeps for whoever wants them, octets that come before MPA and end at a place.
func (s *TCP) passOver(i int, b []byte, span record.Span, end uint64) {
	s.keepEarly(i, b, span, record.Place{End: end, Acked: s.Progress[i].Acked})
	s.Sides[i].Traffic.Streaming += uint64(len(b))
	if other := s.startup.phases[1-i]; other == waiting || other == opaque {
		s.ways[i].unanswered += uint64(len(b))
	}
}

// frame takes in an MPA frame.
func (s *TCP) frame(i int, r *scan) {
	w := &s.ways[i]
	client := i
	if r.frame.Reply {
		client = 1 - i
	}
	c := s.recognise(client)
	keepFrame(c, &r.frame)
	w.frame, w.frameEnd = r.span, r.end
	s.giveEarly()
	s.shared.startup = record.Startup{
		Origin: s.origin(i, r.span), MPA: r.frame, Octets: r.octets, Late: s.Progress[1-i].Acked >= r.end,
		Place: record.Place{End: r.end, Acked: s.Progress[i].Acked},
	}
	s.shared.Sink.StartupFrame(&s.shared.startup)
	w.framing.Await(r.end, r.span)
	if s.startup.isPaired(i, &r.frame) {
		w.unanswered, s.ways[1-i].unanswered = 0, 0
	}
	before := s.startup.phases
	switch s.startup.frame(i, &r.frame, c) {
	case stepRefuse:
		w.framing.Discard()
	case stepLate:
		negotiate(c)
		s.readAgreed(i)
		s.settleCRC(s.ways[i].framing.Terms().CRC)
	case stepReject:
		c.End, c.Agreed = record.EndReject, false
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
	if s.Conn.End == record.EndReject {
		s.Conn.End = record.EndOpen // a second handshake on the same TCP connection
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
	t, k := agreedTerms(s.Conn, s.direction(i)), s.known(i)
	s.Sides[i].messages = assembler{}
	s.ways[i].framing.Begin(&t, &k)
}

// abandon gives up what waits for a frame of the other side that is not coming.
func (s *TCP) abandon(i int, own, other phase) {
	w, t := &s.ways[i], s.Sides[i].Traffic
	n := w.unanswered
	if own == streaming && other != streaming {
		n = max(n, uint64(w.framing.Listened())) // no FPDU was found, but there must be some
	}
	t.Streaming -= n
	w.unanswered = 0
	if own == waiting {
		for p := range w.framing.Held() {
			s.keepEarly(i, p.Data, record.At(p.Frame, p.Time), record.Place{End: p.Offset + uint64(len(p.Data))})
		}
		n += w.framing.Abandon()
	}
	if own != full {
		w.framing.Discard()
	}
	if n > 0 {
		t.Undecoded += n
		s.note(i, record.NoNegotiation, n, s.span)
	}
}

// Settle ends both sides: what waits is decoded as far as it can be, and what is not whole is reported.
func (s *TCP) Settle() {
	for _, i := range [3]int{0, 1, 0} { // what one side shows may be all that the other one lacked
		k := s.known(i)
		s.ways[i].framing.Search(&k, true)
		s.decode(i)
	}
	for i := range s.ways {
		if s.Conn != nil {
			s.leave(i)
		}
		s.ways[i].framing.Discard()
	}
	s.Over = true
}

// leave ends side i of a connection.
func (s *TCP) leave(i int) {
	w, t := &s.ways[i], s.Sides[i].Traffic
	s.passOver(i, w.scanner.carry, w.scanner.carrySpan, w.reached)
	w.scanner.carry = nil
	s.abandon(i, s.startup.phases[i], s.startup.phases[1-i])
	s.cutMessages(i)
	if out := &s.shared.out; w.framing.Close(out) {
		s.giveNote(i, &out.Note)
	}
	t.Undecoded += w.framing.Undecoded()
	t.MissingOctets += w.framing.Missing()
}

// End reports the end of the connection, or of the capture, if this is one.
func (s *TCP) End() {
	s.giveEarly()
	s.Stream.End()
}
