package session

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// An SCTP is a DDP Stream Session over SCTP (RFC 5043, section 6). It runs on a pair of streams of an association, from
// its Initiate to its Terminates; the next session on these streams is another connection.
type SCTP struct {
	Stream
	id     uint16 // Stream Identifier
	ends   [2]*association.End
	orders [2]order
	placed [2]uint64       // octets of the ULPDUs that came
	asked  int             // the side that has sent an Initiate; -1 if none
	own    [2]flow.Traffic // by side, as long as there is no Conn
}

// Init makes s ready for a new session on the streams with an identifier, between two ends of an association.
func (s *SCTP) Init(shared *Shared, src, dst netip.AddrPort, id uint16, ends [2]*association.End) {
	s.init(shared, src, dst)
	s.id, s.ends, s.asked = id, ends, -1
	for i, end := range ends {
		side := &s.Sides[i]
		side.Opened, side.Answers = end.IsBegun(), end.Answers
		side.Traffic, side.Wire = &s.own[i], &s.own[i].Wire
	}
}

// recognise makes the session an iWARP connection with the given client. If it is one already, its client stays.
func (s *SCTP) recognise(client int) *flow.Conn {
	if s.Conn == nil {
		c := s.Stream.recognise(client)
		c.Association = &flow.Association{Stream: s.id}
		for i, end := range s.ends {
			a := &c.Association.Ends[s.direction(i)]
			if a.Init = end.Init; end.IsBegun() {
				a.Span = flow.At(end.At.Frame, end.At.Time)
			}
		}
		c.Agreement = unnegotiated
	}
	return s.Conn
}

// Refuse makes the session, which has not begun and is refused, a connection.
func (s *SCTP) Refuse(client int) { s.recognise(client).End = flow.EndRefused }

// IsEnded reports whether nothing but a Terminate can come: a Terminate or a Reject came.
func (s *SCTP) IsEnded() bool {
	return s.Sides[0].Closed || s.Sides[1].Closed || s.IsReset() || s.Conn != nil && s.Conn.End == flow.EndReject
}

// Count counts the User Data of a DATA chunk of side i. isFresh says that it has not come before.
func (s *SCTP) Count(i int, octets int, at association.Place, isFresh bool) {
	t, o := s.Sides[i].Traffic, &s.orders[i]
	s.Include(at.Frame, at.Time)
	if o.frame != at.Frame {
		o.frame = at.Frame
		t.Packets++
	}
	t.Octets += uint64(octets)
	t.TCP.Segments++
	if !isFresh {
		t.TCP.Retransmitted += uint64(octets)
		t.Disorder = flow.At(at.Frame, at.Time)
	}
}

// Foreign reports a chunk of side i that is none of DDP.
func (s *SCTP) Foreign(i int, m *association.Message) {
	s.giveNote(i, &record.Note{
		Origin: record.Origin{Span: spanOf(m)}, Kind: record.ForeignChunk, Octets: uint64(len(m.Data) + m.Missing), PPID: m.PPID,
	})
}

// Shutdown takes in a SHUTDOWN of side i, which ends the session gracefully.
func (s *SCTP) Shutdown(i int, at association.Place) {
	side, other := &s.Sides[i], &s.Sides[1-i]
	if s.Over || s.IsReset() || side.Closed || other.Closed && !s.orders[1-i].isShut {
		return
	}
	s.Include(at.Frame, at.Time)
	s.orders[i].isShut = true
	side.Closed, side.FIN = true, flow.At(at.Frame, at.Time)
	if s.Conn != nil {
		s.Conn.Association.Shutdown[s.direction(i)] = true
	}
}

// Abort takes in an ABORT of side i.
func (s *SCTP) Abort(i int, at association.Place) {
	if s.Over || s.IsReset() {
		return
	}
	s.Include(at.Frame, at.Time)
	s.Sides[i].Reset, s.Sides[i].RST = true, flow.At(at.Frame, at.Time)
}

// ReusedBy notes that the packet at a place begins another session on the same streams.
func (s *SCTP) ReusedBy(at association.Place) {
	if s.Conn != nil && !s.IsEnded() && !s.Over {
		s.Conn.Reused = flow.At(at.Frame, at.Time)
	}
}

// control reports a session control message of side i and takes in what it does.
func (s *SCTP) control(i int, a *Arrival) {
	var c sctp.Control
	c.Decode(a.octets)
	frame, equivalent := c.Frame(max(0, len(a.octets)+a.missing-sctp.ControlLen))
	if c.FunctionCode == sctp.SessionTerminate && s.isRefusedBy(i) { // it stands for a Reject (RFC 5043, section 6.4)
		frame, equivalent = mpa.Frame{Reply: true, R: true, Rev: mpa.Rev1}, true
	}
	if frame.Reply && s.Conn != nil && s.Conn.Replied && s.asked != 1-i {
		equivalent = false // the session has begun, and this side was not asked
	}
	if !equivalent {
		frame = mpa.Frame{PDLength: frame.PDLength, PrivateData: frame.PrivateData}
	}
	client := s.opener()
	switch {
	case c.FunctionCode.IsInitiate():
		client = i
	case equivalent:
		client = 1 - i
	}
	conn := s.recognise(client)
	if equivalent {
		keepFrame(conn, &frame)
	}
	s.shared.startup = record.Startup{
		Origin: s.origin(i, a.span), MPA: frame, Control: c, Chunk: a.chunk, Octets: a.octets,
		Late: s.ends[1-i].Has(a.chunk.TSN),
	}
	r := s.shared.record(record.KindStartup)
	r.Startup = &s.shared.startup
	s.shared.give(r, &s.shared.startup.Origin)
	if equivalent && conn.Requested && conn.Replied {
		s.agree()
	}
	switch {
	case c.FunctionCode.IsInitiate():
		s.asked = i
	case c.FunctionCode == sctp.SessionTerminate:
		s.terminate(i, a.span)
	}
}

// isRefusedBy reports whether a session Terminate of side i answers an Initiate that nothing has answered.
func (s *SCTP) isRefusedBy(i int) bool { return s.asked == 1-i && s.Conn != nil && !s.Conn.Replied }

// agree notes what an Initiate and its answer fix.
func (s *SCTP) agree() {
	if c := s.Conn; c.Reply.R {
		c.End, c.Agreed = flow.EndReject, false
	} else {
		c.Agreement, c.Agreed = rules.Negotiate(&c.Request, &c.Reply), true
	}
}

// terminate closes side i, which has sent a Terminate, and ends the session with the second.
func (s *SCTP) terminate(i int, at flow.Span) {
	if side := &s.Sides[i]; !side.Closed {
		side.Closed, side.FIN = true, at
	}
	if !s.Sides[1-i].Closed {
		return
	}
	if s.deliverAll(1 - i); !s.Over {
		s.finish()
	}
}

// place reports the DDP segment in a DDP Segment Chunk of side i.
func (s *SCTP) place(i int, a *Arrival) {
	ulpdu := a.octets[min(sctp.SegmentLen, len(a.octets)):]
	n := len(ulpdu) + a.missing
	s.recognise(s.opener())
	side, ev := &s.Sides[i], &s.shared.out.Segment
	if n > 0xffff { // no DDP segment is so long
		side.Traffic.Undecoded += uint64(len(ulpdu))
		side.Traffic.MissingOctets += uint64(a.missing)
		side.Traffic.Malformed++
		s.gap(i)
		return
	}
	begin := s.placed[i]
	s.placed[i] += uint64(n)
	side.Traffic.MissingOctets += uint64(a.missing)
	*ev = record.Segment{Origin: record.Origin{Span: a.span}, Chunk: a.chunk}
	ev.FPDU = mpa.Deframed{
		FPDU: mpa.FPDU{ULPDULength: uint16(n), ULPDU: ulpdu}, Missing: a.missing, Start: begin, End: s.placed[i],
	}
	_, ev.Err = ev.RDMAP.Decode(ulpdu)
	ev.Ahead, ev.Late = s.isAhead(i), s.ends[1-i].Has(a.chunk.TSN)
	s.segment(i, ev)
}

// isAhead reports whether side i has acknowledged chunks of the other side that have not come, or wait.
func (s *SCTP) isAhead(i int) bool {
	x, other, waiting := s.ends[i], s.ends[1-i], s.orders[1-i].waiting
	if !x.Acked || other.Chunks == nil {
		return false
	}
	return other.Chunks.Lacks(x.Acks.Cumulative) || len(waiting) > 0 && x.Has(waiting[0].chunk.TSN)
}

// Settle ends both sides: chunks that wait are delivered, and what is not whole is reported.
func (s *SCTP) Settle() {
	for i := range s.Sides {
		s.deliverAll(i)
		s.reportMissing(i)
	}
	s.finish()
}

// finish reports what is not whole.
func (s *SCTP) finish() {
	s.Over = true
	for i := range s.Sides {
		if s.Conn != nil {
			s.cutMessages(i)
		}
		s.drop(i)
	}
}
