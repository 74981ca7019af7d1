package rnicsim

// The lower layer protocol: what TCP delivers goes in, what TCP is to send comes out.

import (
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Phase is how far a Stream has come.
type Phase uint8

// The phases.
const (
	Streaming    Phase = iota // MPA has not begun, or was left after a rejection: octets are the upper layer's
	AwaitReply                // Initiator: the Request is on its way
	AwaitRequest              // Responder
	Deciding                  // Responder: the Request is there, Accept or Reject is due
	Established               // full operation: a QP can be attached, and FPDUs go to it
	Closed                    // the connection is over
)

var phaseNames = [...]string{"Streaming", "AwaitReply", "AwaitRequest", "Deciding", "Established", "Closed"}

// String is "Streaming", "AwaitReply" and so on.
func (p Phase) String() string { return phaseNames[p] }

// StreamConfig is what one end wants of a Stream.
type StreamConfig struct {
	Rev        uint8         // revision of the Request, and the highest of a Reply: mpa.RevRDMAC, mpa.Rev1 or mpa.Rev2
	Markers    bool          // Markers are wanted in what comes in
	CRC        bool          // CRCs are wanted
	Enhanced   *mpa.Enhanced // what a Request offers and a Reply can at most; nil for no offer, and for a Reply to any
	Permissive bool          // peers of the RDMA Consortium are taken as they are (RFC 5044, appendix C)
	MaxHeld    int           // octets that may wait to be taken; 0 for 64 KiB
	Timeout    time.Duration // for the other side's MPA frame, and for its end of a close; 0 for 10 s
}

const (
	defaultEMSS    = 1460
	defaultHeld    = 64 << 10
	defaultTimeout = 10 * time.Second
)

// A Stream is one end of a TCP connection with the MPA on it.
//
// Octets that TCP delivers go in by Input; what Input does not take is to be given again later, so TCP's window does the
// rest. Octets to be sent are pulled by AppendTransmit; when there are none, Ending says whether the direction ends. A
// FIN, a reset and the time have functions of their own.
type Stream struct {
	config    StreamConfig
	phase     Phase
	carried   carried // what is attached; nil for nothing
	initiator bool
	request   mpa.Frame // Private Data is the Stream's own
	reply     mpa.Frame
	agreement rules.Agreement
	quirks    *quirks         // nil for none
	rtr       rtr             // Initiator: what the first FPDU has to be
	objection rules.Situation // Initiator: what is wrong with the Reply and only a Terminate answers
	mute      bool            // Responder: no FPDU may be sent before one has come

	in       []byte // octets that wait: of an MPA frame that is not whole, or for somebody to take them
	out      []byte // octets to be sent: MPA frames and the upper layer's
	sent     int    // of them
	framer   mpa.Framer
	deframer mpa.Deframer
	fpdu     mpa.Deframed
	emss     int

	now, deadline time.Duration // deadline 0 is none
	ending        Ending        // that AppendTransmit leads to
	finished      bool          // the peer has sent its FIN
	err           error
}

// carried is what a Stream carries in full operation.
type carried interface {
	receive(f *mpa.Deframed)                       // the next FPDU; it is valid until receive returns
	segment(mulpdu int) (parts [][]byte, ok bool)  // the next ULPDU to send, of at most mulpdu octets
	reframe(fpdu []byte, o mpa.Options, at uint64) // sets fields of the FPDU that the ULPDU has become
	sent()                                         // that ULPDU was taken: what its parts alias is free again
	fin()                                          // the peer has sent all it had
	closed(err error)                              // the connection is over; err is nil after a FIN of both sides
}

// An Ending is how a side stops sending.
type Ending uint8

// The endings.
const (
	GoesOn    Ending = iota
	EndsFIN          // all was sent: send a FIN
	EndsReset        // reset the connection
)

// NewStream returns a Stream for a connection that TCP has established. It is in the Streaming phase.
func NewStream(c StreamConfig) *Stream {
	if c.MaxHeld <= 0 {
		c.MaxHeld = defaultHeld
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	return &Stream{config: c, emss: defaultEMSS}
}

// NewStream returns a Stream for a connection that TCP has established, which deviates as the RNIC does: the quirks
// about MPA frames, and about how a connection begins, are those of the Stream.
func (r *RNIC) NewStream(c StreamConfig) *Stream {
	s := NewStream(c)
	s.quirks = &r.quirks
	return s
}

// Phase returns how far the Stream has come.
func (s *Stream) Phase() Phase { return s.phase }

// Err says why the connection is over; nil as long as it is not, and after a FIN of both sides.
func (s *Stream) Err() error { return s.err }

// Request returns the MPA Request, and Reply the Reply. Their Private Data must not be changed. Before they were sent or
// came in they are zero.
func (s *Stream) Request() mpa.Frame { return s.request }

// Reply returns the MPA Reply; see Request.
func (s *Stream) Reply() mpa.Frame { return s.reply }

// Agreement is what both frames fix, once the Stream is Established.
func (s *Stream) Agreement() rules.Agreement { return s.agreement }

// Finished tells that the peer has sent a FIN.
func (s *Stream) Finished() bool { return s.finished }

// SetEMSS tells how many octets fit a TCP segment, 1460 unless told: FPDUs that are made from then on fit (RFC 5044,
// section 4.5), but ULPDUs of up to 128 octets are never cut.
func (s *Stream) SetEMSS(octets int) { s.emss = octets }

// Input takes in octets that TCP has delivered and returns how many it took. It does not take all while nobody is there
// to take what waits: a QP that has still to be attached, or the upper layer. Once the connection is over it takes all
// and keeps nothing.
func (s *Stream) Input(b []byte) (n int) {
	for n < len(b) {
		took := 0
		switch s.phase {
		case AwaitReply, AwaitRequest:
			took = s.frame(b[n:])
		case Established:
			took = s.operate(b[n:])
		case Deciding: // the Initiator has to wait for the Reply
			if s.quirks.permits(rules.RuleFPDUBeforeReply) {
				took = s.hold(b[n:])
			} else {
				s.fail(ErrEarly)
			}
		case Streaming:
			took = s.hold(b[n:])
		case Closed:
			return len(b)
		}
		if took == 0 && s.phase != Closed {
			break
		}
		n += took
	}
	return n
}

// hold keeps octets as far as there is room.
func (s *Stream) hold(b []byte) int {
	n := min(len(b), s.config.MaxHeld-len(s.in))
	s.in = append(s.in, b[:n]...)
	return n
}

// operate takes in octets of full operation. None may come to the Initiator before it has sent an FPDU, for which it
// needs a QP (RFC 5044, section 7.1.2).
func (s *Stream) operate(b []byte) int {
	if s.carried == nil {
		if s.initiator && !s.quirks.permits(rules.RuleResponderFirst) {
			s.fail(ErrEarly)
			return len(b)
		}
		return s.hold(b)
	}
	s.deframer.Push(b)
	for s.carried != nil && s.deframer.Next(&s.fpdu) {
		s.mute = false
		s.carried.receive(&s.fpdu)
	}
	return len(b)
}

// attach gives the Stream something to carry, and that the octets that wait for it.
func (s *Stream) attach(c carried) {
	s.carried = c
	if waiting := s.in; len(waiting) > 0 {
		s.in = nil
		s.operate(waiting)
	}
	if s.finished && s.carried != nil {
		s.carried.fin()
	}
}

// maySend reports whether FPDUs can be sent, now or later.
func (s *Stream) maySend() bool { return !s.mute && s.ending == GoesOn }

// detach takes off what the Stream carries. What still comes in is passed over.
func (s *Stream) detach() { s.carried = discard{} }

// discard is carried by a Stream that has been detached.
type discard struct{}

func (discard) receive(*mpa.Deframed)               {}
func (discard) segment(int) ([][]byte, bool)        { return nil, false }
func (discard) reframe([]byte, mpa.Options, uint64) {}
func (discard) sent()                               {}
func (discard) fin()                                {}
func (discard) closed(error)                        {}

// AppendTransmit appends to dst octets to be sent: at most limit octets of MPA frames and of the upper layer, or if there
// are none of these, as many whole FPDUs as fit limit, but at least one. FPDUs do not follow in one call behind anything
// else, so that each begins a TCP segment.
func (s *Stream) AppendTransmit(dst []byte, limit int) []byte {
	switch {
	case s.ending == EndsReset:
		return dst
	case s.sent < len(s.out):
		return s.drain(dst, limit)
	case s.phase != Established || s.carried == nil || s.mute || s.ending != GoesOn:
		return dst
	}
	return s.frameUp(dst, limit)
}

// drain appends octets that wait to be sent, at most limit.
func (s *Stream) drain(dst []byte, limit int) []byte {
	n := min(limit, len(s.out)-s.sent)
	dst = append(dst, s.out[s.sent:s.sent+n]...)
	if s.sent += n; s.sent == len(s.out) {
		s.out, s.sent = s.out[:0], 0
	}
	return dst
}

// leastEMSS is the size in octets above which FPDUs fit a TCP segment: no ULPDU has to be cut below 128 octets.
const leastEMSS = 160

// frameUp appends FPDUs.
func (s *Stream) frameUp(dst []byte, limit int) []byte {
	begin := len(dst)
	mulpdu := mpa.MULPDU(s.emss, s.framer.Markers)
	for len(dst) == begin || s.ending == GoesOn && len(dst)-begin+max(s.emss, leastEMSS) <= limit {
		parts, ok := s.carried.segment(mulpdu)
		if !ok {
			break
		}
		at := s.framer.Pos()
		framed, err := s.framer.Append(dst, parts...)
		if err != nil {
			break
		}
		s.carried.reframe(framed[len(dst):], s.framer.Options, at)
		dst = framed
		s.carried.sent()
	}
	return dst
}

// Write sends octets of the upper layer, before MPA begins or after a rejection. It fails with ErrNotStreaming in other
// phases.
func (s *Stream) Write(b []byte) error {
	if s.phase != Streaming || s.ending != GoesOn {
		return ErrNotStreaming
	}
	s.out = append(s.out, b...)
	return nil
}

// Read takes octets of the upper layer that have come in before MPA began or after a rejection. When there are none,
// Finished reports whether there will be more.
func (s *Stream) Read(dst []byte) (n int) {
	if s.phase != Streaming {
		return 0
	}
	n = copy(dst, s.in)
	s.in = s.in[:copy(s.in, s.in[n:])]
	return n
}
