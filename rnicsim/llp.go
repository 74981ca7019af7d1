package rnicsim

// The end of a connection, and its timers.

import (
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A StreamError is the reason why a connection is over.
type StreamError uint8

// The errors of a Stream.
const (
	ErrReset        StreamError = iota + 1 // the peer reset the connection
	ErrLost                                // TCP gave up
	ErrAborted                             // this side reset the connection
	ErrCut                                 // the peer sent a FIN during MPA start-up
	ErrTimeout                             // the peer's MPA frame or its FIN did not arrive in time
	ErrKey                                 // not an MPA frame, or one of the wrong kind
	ErrRev                                 // a revision of MPA that this side does not support
	ErrPrivateData                         // Private Data above 512 octets, or too short for an enhanced frame
	ErrEnhanced                            // an illegal Enhanced word, or none where one is due
	ErrOldReply                            // a Reply of revision 1 to an enhanced Request
	ErrIRD                                 // the peer's ORD exceeds the IRD of this side
	ErrEarly                               // octets arrived too early
	ErrCutFPDU                             // the peer sent a FIN in the middle of an FPDU
	ErrNotStreaming                        // a function was called in the wrong phase
)

var streamTexts = [...]string{
	ErrReset: "reset by the peer", ErrLost: "connection lost", ErrAborted: "aborted by this side",
	ErrCut: "closed by the peer during MPA start-up", ErrTimeout: "timed out", ErrKey: "no MPA frame",
	ErrRev: "MPA revision not supported", ErrPrivateData: "MPA frame with Private Data of a wrong length",
	ErrEnhanced: "wrong Enhanced word, or none where one is due", ErrOldReply: "the peer answers in MPA revision 1",
	ErrIRD: "the peer's ORD exceeds the IRD of this side", ErrEarly: "unexpected octets right after the MPA frame",
	ErrCutFPDU: "closed by the peer in the middle of an FPDU", ErrNotStreaming: "wrong phase of the Stream",
}

// Error returns a few words.
func (e StreamError) Error() string { return "rnicsim: " + streamTexts[e] }

// Ending returns how this side stops sending, once AppendTransmit returns nothing more.
func (s *Stream) Ending() mpa.Ending {
	if s.ending == mpa.EndsFIN && s.sent < len(s.out) {
		return mpa.GoesOn
	}
	return s.ending
}

// Close sends a FIN after queued octets; receiving continues. The connection is over when the peer has sent its own
// FIN; if that does not arrive in time, it is reset. Close aborts an unfinished start-up.
func (s *Stream) Close() {
	switch {
	case s.ending != mpa.GoesOn || s.phase == Closed:
	case s.phase != Streaming && s.phase != Established:
		s.fail(ErrAborted)
	case s.finished:
		s.ending = mpa.EndsFIN
		s.end(nil)
	default:
		s.ending = mpa.EndsFIN
		s.linger()
	}
}

// linger limits the time of a close.
func (s *Stream) linger() { s.deadline = s.now + s.config.Timeout }

// Abort resets the connection.
func (s *Stream) Abort() {
	if s.phase != Closed {
		s.ending = mpa.EndsReset
		s.end(ErrAborted)
	}
}

// fail ends a connection whose MPA start-up has failed: MPA closes it (RFC 5044, section 8). If the frame is wrong, a
// quirk may replace that.
func (s *Stream) fail(err StreamError) {
	s.ending = mpa.EndsFIN
	if r, replaced := s.quirks.Reaction(rules.MPAFrame); replaced && slices.Contains(wrongFrames, err) {
		s.react(r)
	}
	s.end(err)
}

// wrongFrames are the errors of the frame itself.
var wrongFrames = []StreamError{ErrKey, ErrPrivateData, ErrEnhanced, ErrOldReply}

// react applies a Reaction: a reset, or a Terminate of the Initiator before the end.
func (s *Stream) react(r quirk.Reaction) {
	switch {
	case r.Reset:
		s.ending = mpa.EndsReset
	case s.phase == AwaitReply:
		h := rdmap.Header{
			Untagged: ddp.Untagged{L: true, DV: 1, QN: rdmap.QNTerminate, MSN: 1},
			Control:  rdmap.Control{RV: 1, Opcode: rdmap.OpTerminate},
		}
		head, _ := h.AppendBinary(nil)
		body, _ := (&rdmap.Terminate{Code: r.Code}).AppendBinary(nil)
		f := mpa.Framer{Options: mpa.Options{CRC: s.config.CRC}}
		s.out, _ = f.Append(s.out, head, body)
	}
}

// InputFIN reports a FIN of the peer.
func (s *Stream) InputFIN() {
	if s.finished || s.phase == Closed {
		return
	}
	s.finished = true
	switch {
	case s.phase != Streaming && s.phase != Established:
		s.fail(ErrCut)
	case s.ending == mpa.EndsFIN:
		s.end(nil)
	case s.truncated():
		s.fail(ErrCutFPDU)
	case s.carried != nil:
		s.carried.fin()
	}
}

// truncated reports whether the peer sent its FIN within an FPDU. It is false if framing is lost.
func (s *Stream) truncated() bool {
	_, begun := s.deframer.InProgress()
	return s.phase == Established && s.carried != nil && begun && !s.deframer.Lost()
}

// InputReset reports that the peer has reset the connection.
func (s *Stream) InputReset() {
	if s.phase != Closed {
		s.end(ErrReset)
	}
}

// Lost reports that TCP gave up: the peer no longer answers.
func (s *Stream) Lost() {
	if s.phase != Closed {
		s.end(ErrLost)
	}
}

// end ends the connection. err is nil after a FIN of both sides.
func (s *Stream) end(err error) {
	s.phase, s.err, s.deadline, s.in = Closed, err, 0, nil
	if s.carried != nil {
		s.carried.closed(err)
	}
}

// Advance sets the time, on a clock of the caller that never goes back.
func (s *Stream) Advance(now time.Duration) {
	s.now = now
	if s.deadline == 0 || now < s.deadline {
		return
	}
	if s.phase == AwaitReply || s.phase == AwaitRequest {
		s.fail(ErrTimeout)
		return
	}
	s.ending = mpa.EndsReset
	s.end(ErrTimeout)
}

// NextDeadline returns the time at which to call Advance; ok is false if there is none.
func (s *Stream) NextDeadline() (at time.Duration, ok bool) { return s.deadline, s.deadline != 0 }
