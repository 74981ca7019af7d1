package rnicsim

// The lower layer protocol of one connection: TCP's octets in, octets for TCP out.

import (
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Phase is the progress of a Stream.
type Phase uint8

// The phases.
const (
	Streaming    Phase = iota // MPA has not begun, or was rejected: octets belong to the upper layer
	AwaitReply                // Initiator: the Request is sent
	AwaitRequest              // Responder: the Request is due
	Deciding                  // Responder: the Request has arrived, Accept or Reject is due
	Established               // full operation: a QP can be attached, and receives FPDUs
	Closed                    // the connection is over
)

var phaseNames = [...]string{"Streaming", "AwaitReply", "AwaitRequest", "Deciding", "Established", "Closed"}

// String returns "Streaming", "AwaitReply" and so on.
func (p Phase) String() string { return phaseNames[p] }

// A StreamConfig configures one end of a Stream.
type StreamConfig struct {
	Rev        uint8         // revision of a Request, and the highest of a Reply: mpa.RevRDMAC, mpa.Rev1 or mpa.Rev2
	Markers    bool          // ask for Markers in the received direction
	CRC        bool          // ask for CRCs
	Enhanced   *mpa.Enhanced // offer of a Request, and limit of a Reply; nil for no offer, and no limit
	Permissive bool          // accept peers of the RDMA Consortium (RFC 5044, appendix C)
	MaxHeld    int           // octets to buffer until the upper layer reads them; 0 for 64 KiB
	Timeout    time.Duration // for the peer's MPA frame, and for its FIN in a close; 0 for 10 s
}

const (
	defaultEMSS    = 1460
	defaultHeld    = 64 << 10
	defaultTimeout = 10 * time.Second
)

// A Stream is one end of a TCP connection with MPA on it.
//
// Give it the octets that TCP delivers by Input. Octets that Input does not consume must be given again later; TCP's
// window stops the peer meanwhile. Pull the octets to send by AppendTransmit; when there are none, Ending says whether
// the direction ends. Report a FIN, a reset and the time by InputFIN, InputReset and Advance.
type Stream struct {
	negotiation
	phase   Phase
	carried carried // nil if nothing is attached
	mute    bool    // Responder: no FPDU may be sent until one has arrived

	in       []byte // octets of an incomplete MPA frame, or not read yet
	out      []byte // octets to be sent: MPA frames and the upper layer's
	sent     int    // octets of out
	framer   mpa.Framer
	deframer mpa.Deframer
	fpdu     mpa.Deframed
	emss     int

	now, deadline time.Duration // deadline 0 is none
	ending        mpa.Ending    // once all is sent
	finished      bool          // the peer has sent its FIN
	err           error
}

// A carried is what a Stream carries in full operation.
type carried interface {
	receive(f *mpa.Deframed)                       // the next FPDU, valid until receive returns
	segment(mulpdu int) (parts [][]byte, ok bool)  // returns the next ULPDU to send, of at most mulpdu octets
	reframe(fpdu []byte, o mpa.Options, at uint64) // sets fields of the FPDU with that ULPDU
	sent()                                         // that ULPDU was copied: its parts are free again
	fin()                                          // the peer has sent a FIN
	closed(err error)                              // the connection is over; err is nil after a FIN of both sides
}

// NewStream returns a Stream for an established TCP connection, in the Streaming phase. The quirks of the RNIC apply to
// its MPA frames and start-up.
func (r *RNIC) NewStream(c StreamConfig) *Stream {
	if c.MaxHeld <= 0 {
		c.MaxHeld = defaultHeld
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	return &Stream{negotiation: negotiation{config: c, quirks: &r.quirks}, emss: defaultEMSS}
}

// Phase returns the progress of the Stream.
func (s *Stream) Phase() Phase { return s.phase }

// Err returns why the connection is over, a StreamError or what wraps one; nil until then, and after a FIN of both sides.
func (s *Stream) Err() error { return s.err }

// Request returns the MPA Request; zero until it was sent or received. Its Private Data must not be changed.
func (s *Stream) Request() mpa.Frame { return s.request }

// Reply returns the MPA Reply; zero until it was sent or received. Its Private Data must not be changed.
func (s *Stream) Reply() mpa.Frame { return s.reply }

// Agreement returns what both frames have negotiated, once the Stream is Established.
func (s *Stream) Agreement() rules.Agreement { return s.agreement }

// Finished reports whether the peer has sent a FIN.
func (s *Stream) Finished() bool { return s.finished }

// Framed returns where the next FPDU, or the one in progress, begins: octets of the peer in full operation.
func (s *Stream) Framed() uint64 {
	start, _ := s.deframer.InProgress()
	return start
}

// Unfinished returns how many octets of an FPDU in progress the Stream holds.
func (s *Stream) Unfinished() int { return s.deframer.Pending() }

// SetEMSS sets how many octets fit a TCP segment, 1460 by default. Later FPDUs fit (RFC 5044, section 4.5), but ULPDUs
// of up to 128 octets are never split.
func (s *Stream) SetEMSS(octets int) { s.emss = octets }

// Input consumes octets from TCP and returns how many. It may not consume all while they wait for a QP that is not
// attached yet, or for the upper layer. When the connection is over it discards all.
func (s *Stream) Input(b []byte) (n int) {
	for n < len(b) {
		took := 0
		//exhaustive:enforce
		switch s.phase {
		case AwaitReply, AwaitRequest:
			took = s.receiveFrame(b[n:])
		case Established:
			took = s.receiveFPDUs(b[n:])
		case Deciding: // the Initiator has to wait for the Reply
			if s.quirks.Permits(rules.RuleFPDUBeforeReply) {
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

// hold buffers octets as far as there is room.
func (s *Stream) hold(b []byte) int {
	n := min(len(b), s.config.MaxHeld-len(s.in))
	s.in = append(s.in, b[:n]...)
	return n
}

// receiveFPDUs handles octets in full operation. The Initiator must not receive any before it has sent an FPDU, for
// which it needs a QP (RFC 5044, section 7.1.2).
func (s *Stream) receiveFPDUs(b []byte) int {
	if s.carried == nil {
		if s.initiator && !s.quirks.Permits(rules.RuleResponderFirst) {
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

// attach attaches c, and gives it the buffered octets.
func (s *Stream) attach(c carried) {
	s.carried = c
	if waiting := s.in; len(waiting) > 0 {
		s.in = nil
		s.receiveFPDUs(waiting)
	}
	if s.finished && s.carried != nil {
		s.carried.fin()
	}
}

// maySend reports whether FPDUs can be sent, now or later.
func (s *Stream) maySend() bool { return !s.mute && s.ending == mpa.GoesOn }

// detach detaches what the Stream carries. It discards what still arrives.
func (s *Stream) detach() { s.carried = discard{} }

// A discard is carried by a detached Stream.
type discard struct{}

func (discard) receive(*mpa.Deframed)               {}
func (discard) segment(int) ([][]byte, bool)        { return nil, false }
func (discard) reframe([]byte, mpa.Options, uint64) {}
func (discard) sent()                               {}
func (discard) fin()                                {}
func (discard) closed(error)                        {}

// AppendTransmit appends octets to send to dst. These are at most limit octets of MPA frames and of the upper layer or,
// if there are none, as many complete FPDUs as fit limit, but at least one. FPDUs come in a call of their own, so that
// each begins a TCP segment.
func (s *Stream) AppendTransmit(dst []byte, limit int) []byte {
	switch {
	case s.ending == mpa.EndsReset:
		return dst
	case s.sent < len(s.out):
		return s.drain(dst, limit)
	case s.phase != Established || s.carried == nil || s.mute || s.ending != mpa.GoesOn:
		return dst
	}
	return s.transmitFPDUs(dst, limit)
}

// drain appends queued octets, at most limit.
func (s *Stream) drain(dst []byte, limit int) []byte {
	n := min(limit, len(s.out)-s.sent)
	dst = append(dst, s.out[s.sent:s.sent+n]...)
	if s.sent += n; s.sent == len(s.out) {
		s.out, s.sent = s.out[:0], 0
	}
	return dst
}

// leastEMSS is the size in octets at and above which FPDUs fit a TCP segment: a ULPDU of 128 octets is never split.
const leastEMSS = 160

func (s *Stream) transmitFPDUs(dst []byte, limit int) []byte {
	begin := len(dst)
	mulpdu := mpa.MULPDU(s.emss, s.framer.Markers)
	for len(dst) == begin || s.ending == mpa.GoesOn && len(dst)-begin+max(s.emss, leastEMSS) <= limit {
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

// Write sends octets of the upper layer, before MPA begins or after a rejection. It fails with ErrNotStreaming in
// other phases.
func (s *Stream) Write(b []byte) error {
	if s.phase != Streaming || s.ending != mpa.GoesOn {
		return ErrNotStreaming
	}
	s.out = append(s.out, b...)
	return nil
}

// Read returns octets of the upper layer received before MPA began or after a rejection. If there are none, Finished
// reports whether this is the end.
func (s *Stream) Read(dst []byte) (n int) {
	if s.phase != Streaming {
		return 0
	}
	n = copy(dst, s.in)
	s.in = s.in[:copy(s.in, s.in[n:])]
	return n
}
