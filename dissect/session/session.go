// Package session follows DDP streams: it makes MPA frames, DDP segments and RDMAP messages from what arrives in both
// directions of a TCP connection ([TCP]), or on a pair of streams of an SCTP association ([SCTP]).
//
//	var s session.TCP
//	s.Init(&session.Shared{Sink: sink}, client, server)
//	s.Receive(0, &reassembly.Piece{Data: request, Frame: 4})
//	s.Receive(1, &reassembly.Piece{Data: reply, Frame: 5})
//	s.Settle()
//	s.End() // by now the record.Sink has the Records
//
// What a transport delivers goes in; what it means goes to a sink. Sides are numbered: 0 is the sender of the first packet,
// 1 the other. A [flow.Direction] is known only once the stream is known to be iWARP.
package session

import (
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Shared is what streams share that are not used at the same time.
type Shared struct {
	framing.Shared
	Sink        record.Sink
	Streaming   bool // octets that come before MPA are wanted
	Stated      framing.MPA
	Frames      flow.Frames
	Packet      uint64   // frame that is being read
	Begin       int64    // time of the first packet of the capture
	Ports       []uint16 // well-known ports of servers
	Connections int      // iWARP connections that were recognised

	records [record.KindEnd + 1]record.Record // by Kind; these are used again and again
	startup record.Startup
	scan    scan
	out     framing.Output
	spare   *assembly // for the message that cuts off another one
}

// A Stream is what DDP streams have in common, whatever carries them.
type Stream struct {
	Conn  *flow.Conn // nil as long as it is not known to be iWARP
	Sides [2]Side
	Over  bool // both sides have sent all they had, and what was not whole was reported

	shared           *Shared
	client           int // side, once there is a Conn
	givenUp          bool
	span             flow.Span
	earliest, latest int64 // times of its packets, as far as they have one
}

// A Side is one end of a stream, and what it sends.
type Side struct {
	Addr    netip.AddrPort
	Opened  bool // its SYN was seen; over SCTP its INIT or INIT ACK
	Answers bool // which answers the other side's
	Closed  bool // it has sent a FIN; over SCTP a session Terminate, or a SHUTDOWN
	Reset   bool // it has sent a reset that counts; over SCTP an ABORT
	Bare    bool // its reset has no ACK
	flow.Impostor
	FIN     flow.Span     // the first packet with what closed it
	RST     flow.Span     // the first packet with what reset it
	LastAck uint64        // octets of the other side that it had acknowledged by then; see record.Place
	Wire    *flow.Wire    // own, or once there is a Conn, that of the Conn
	Traffic *flow.Traffic // of the Conn; nil over TCP as long as there is none

	messages assembler
}

// record returns the Record of a Kind, for give.
func (s *Shared) record(k record.Kind) *record.Record {
	r := &s.records[k]
	r.Kind = k
	return r
}

// give gives the sink a Record in which what it is about has been set.
func (s *Shared) give(r *record.Record, o *record.Origin) {
	r.Conn, r.Dir, r.Span, r.Known = o.Conn, o.Dir, o.Span, s.Packet // a copy of Origin as a whole would wait for Dir, which was just written
	s.Sink.Record(r)
}

func (s *Stream) init(shared *Shared, src, dst netip.AddrPort) {
	s.shared = shared
	for i, addr := range []netip.AddrPort{src, dst} {
		s.Sides[i].Addr = addr
	}
}

// Include takes in the frame number and the time of a packet, in nanoseconds since 1970-01-01 UTC.
func (s *Stream) Include(frame uint64, time int64) {
	s.span.Include(flow.At(frame, time))
	if time == 0 {
		return // a Simple Packet Block has none
	}
	if s.earliest == 0 || time < s.earliest {
		s.earliest = time
	}
	s.latest = flow.Later(s.latest, time)
}

// Packets are all that were included.
func (s *Stream) Packets() flow.Span { return s.span }

// IsReset reports whether a side has sent a reset.
func (s *Stream) IsReset() bool { return s.Sides[0].Reset || s.Sides[1].Reset }

// recognise makes the stream an iWARP connection with the given client. If it is one already, its client stays.
func (s *Stream) recognise(client int) *flow.Conn {
	if s.Conn == nil {
		c, server := &s.Sides[client], &s.Sides[1-client]
		s.client = client
		s.Conn = &flow.Conn{ID: s.shared.Connections, Frames: s.shared.Frames, Begin: s.shared.Begin, Client: c.Addr, Server: server.Addr, End: flow.EndOpen}
		s.shared.Connections++
		for d, side := range []*Side{c, server} {
			t := &s.Conn.Traffic[d]
			if side.Traffic != nil {
				*t = *side.Traffic
			} else {
				t.Wire = *side.Wire
			}
			side.Traffic, side.Wire = t, &t.Wire
		}
	}
	return s.Conn
}

// serves reports whether side i has a well-known port.
func (s *Stream) serves(i int) bool { return slices.Contains(s.shared.Ports, s.Sides[i].Addr.Port()) }

// firstEphemeral is the first of the ports that clients get from Linux; those of IANA, from 49152 on, are among them.
const firstEphemeral = 32768

// opener returns who opened the stream: the sender of the SYN, else who speaks to a well-known port from another, else who has a
// port that only clients get, else the sender of the first packet.
func (s *Stream) opener() int {
	for i := range s.Sides {
		if side := &s.Sides[i]; side.Opened && side.Answers {
			return 1 - i
		}
	}
	for i := range s.Sides {
		if s.Sides[i].Opened {
			return i
		}
	}
	ephemeral := func(i int) bool { return s.Sides[i].Addr.Port() >= firstEphemeral }
	switch {
	case s.serves(0) != s.serves(1):
		if s.serves(0) {
			return 1
		}
	case !ephemeral(0) && ephemeral(1):
		return 1
	}
	return 0
}

// direction is what side i sends, as far as that is known.
func (s *Stream) direction(i int) flow.Direction {
	if s.Conn == nil {
		return flow.Direction(i ^ s.opener())
	}
	return flow.Direction(i ^ s.client)
}

// origin is that of something that side i of an iWARP connection has sent.
func (s *Stream) origin(i int, span flow.Span) record.Origin {
	return record.Origin{Conn: s.Conn, Dir: s.direction(i), Span: span}
}

// note reports something about what side i sends.
func (s *Stream) note(i int, kind record.NoteKind, octets uint64, span flow.Span) {
	s.giveNote(i, &record.Note{Origin: record.Origin{Span: span}, Kind: kind, Octets: octets})
}

// giveNote reports a note about what side i sends.
func (s *Stream) giveNote(i int, n *record.Note) {
	note := &s.shared.out.Note
	*note = *n
	note.Origin = s.origin(i, n.Span)
	r := s.shared.record(record.KindNote)
	r.Note = note
	s.shared.give(r, &note.Origin)
}

// GiveUp says that nothing more of the stream is decoded, for there are too many. If it is a connection by its end, that is reported then.
func (s *Stream) GiveUp() { s.givenUp = true }

// Refuse makes the stream, which a side has refused, a connection: it may well have been meant for iWARP.
func (s *Stream) Refuse(client int) { s.recognise(client).End = flow.EndRefused }

// Unanswered makes the stream, whose SYNs nobody answered, a connection for the same reason.
func (s *Stream) Unanswered(client int) { s.recognise(client).End = flow.EndNoAnswer }

// Mislead makes the stream, on which the client spoke another protocol than MPA, a connection for the same reason.
func (s *Stream) Mislead(client int, f flow.Foreign) { s.recognise(client).Foreign = f }

// Desert makes the stream, on which only keep-alives were seen that nobody answers any more, a connection for the same reason.
func (s *Stream) Desert() { s.recognise(s.opener()) }

// Refused reports a Call of MOUNT that was refused, in place of the connection that it would have led to.
func (s *Shared) Refused(m *flow.Mount) {
	c := &flow.Conn{ID: s.Connections, Frames: s.Frames, Begin: s.Begin, Client: m.Client, Server: m.Server, End: flow.EndOpen, Mount: m}
	s.Connections++
	c.Span, c.Earliest, c.Latest = m.Call, m.Call.Time, m.Reply.LastTime
	c.Include(m.Reply)
	s.give(s.record(record.KindEnd), &record.Origin{Conn: c, Span: c.Span})
}

// End reports the end of the connection, or of the capture, if this is one.
func (s *Stream) End() {
	c := s.Conn
	if c == nil {
		return
	}
	if s.givenUp {
		s.note(0, record.GivenUp, 0, s.span)
	}
	c.Span, c.Earliest, c.Latest = s.span, s.earliest, s.latest
	c.End, c.Whole = s.end(), s.Sides[0].Opened && s.Sides[1].Opened
	for i := range s.Sides {
		d, side := s.direction(i), &s.Sides[i]
		c.FIN[d], c.RST[d], c.LastAck[d], c.Bare[d], c.Impostor[d] = side.FIN, side.RST, side.LastAck, side.Bare, side.Impostor
	}
	s.shared.give(s.shared.record(record.KindEnd), &record.Origin{Conn: c, Span: c.Span})
}

// end is how the connection ended.
func (s *Stream) end() flow.End {
	switch {
	case s.Conn.End != flow.EndOpen: // a Terminate, a refusal, or a rejection as the last word of MPA
		return s.Conn.End
	case s.IsReset():
		return flow.EndReset
	case s.Sides[0].Closed || s.Sides[1].Closed:
		return flow.EndFIN
	}
	return flow.EndOpen
}
