package rnicsim

// MPA start-up: Request, Reply, and what follows from them (RFC 5044, section 7.1 and appendix C; RFC 6581).

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Connect starts MPA as the Initiator: it sends the Request, with Private Data of the upper layer. It fails with
// ErrNotStreaming, with ErrPrivateData if there is too much of it, or with ErrEnhanced if the configured Enhanced word
// is illegal.
func (s *Stream) Connect(private []byte) error {
	f := mpa.Frame{M: s.config.Markers, C: s.config.CRC, Rev: s.config.Rev}
	if f.Rev == mpa.RevRDMAC {
		f.M, f.C = true, true
	}
	e := s.config.Enhanced
	if f.Rev < mpa.Rev2 {
		e = nil
	}
	if s.phase != Streaming {
		return ErrNotStreaming
	}
	if err := s.send(&f, e, private); err != nil {
		return err
	}
	s.initiator, s.request, s.reply = true, f, mpa.Frame{}
	s.await(AwaitReply)
	return nil
}

// Listen starts MPA as the Responder: it awaits a Request, behind what the upper layer has read. It fails with
// ErrNotStreaming.
func (s *Stream) Listen() error {
	if s.phase != Streaming || s.ending != GoesOn {
		return ErrNotStreaming
	}
	s.initiator, s.request, s.reply = false, mpa.Frame{}, mpa.Frame{}
	s.await(AwaitRequest)
	return nil
}

// Accept answers the Request, with Private Data of the upper layer. The Stream is then Established. It fails with
// ErrNotStreaming if there is no Request, with ErrPrivateData, or with ErrEnhanced if the configured Enhanced word is
// illegal. If it fails with ErrIRD, it has rejected the Request for want of resources, without Private Data.
func (s *Stream) Accept(private []byte) error {
	if s.phase == Deciding && s.lacksIRD() {
		if err := s.Reject(nil); err != nil {
			return err
		}
		return ErrIRD
	}
	if err := s.answer(private, false); err != nil {
		return err
	}
	s.establish()
	s.mute = !s.quirks.permits(rules.RuleResponderFirst)
	return nil
}

// lacksIRD reports whether the ORD of the Request exceeds the IRD of this side. The connection then fails: the
// Responder's IRD must be at least the Initiator's ORD (RFC 6581, section 9.1).
func (s *Stream) lacksIRD() bool {
	var asked mpa.Enhanced
	own := s.config.Enhanced
	if own == nil || !s.request.Enhanced(&asked) || s.quirks.permits(rules.RuleIRDUnderORD) {
		return false
	}
	return asked.ORD != mpa.NotNegotiated && own.IRD != mpa.NotNegotiated && s.offer(&asked, false).IRD < asked.ORD
}

// Reject answers the Request with a rejection. The Stream is then in the Streaming phase again, since TCP stays open:
// both sides may use it for something else, or try again. It fails as Accept does.
func (s *Stream) Reject(private []byte) error {
	if err := s.answer(private, true); err != nil {
		return err
	}
	s.phase = Streaming
	return nil
}

// send queues an MPA frame.
func (s *Stream) send(f *mpa.Frame, e *mpa.Enhanced, private []byte) error {
	if s.ending != GoesOn {
		return ErrNotStreaming
	}
	if e != nil {
		word, err := e.AppendBinary(nil)
		if err != nil || e.Check() != nil {
			return ErrEnhanced
		}
		f.S, f.PrivateData = true, word
	}
	f.PrivateData = append(f.PrivateData, private...)
	if len(f.PrivateData) > mpa.MaxPrivateData {
		return ErrPrivateData
	}
	f.PDLength = uint16(len(f.PrivateData))
	begin := len(s.out)
	s.out, _ = f.AppendBinary(s.out)
	s.quirks.rewriteFrame(s.out[begin:], f)
	return nil
}

// await enters a phase in which the peer's MPA frame is due. Octets that wait may be the beginning of it.
func (s *Stream) await(p Phase) {
	waiting := s.in
	s.phase, s.in = p, nil
	s.linger()
	s.Input(waiting)
	if s.finished && s.phase != Closed {
		s.fail(ErrCut)
	}
}

// receiveFrame takes octets of the peer's MPA frame from b and returns how many.
func (s *Stream) receiveFrame(b []byte) int {
	had := len(s.in)
	s.in = append(s.in, b[:min(len(b), s.longestFrame()-had)]...)
	var f mpa.Frame
	n, err := f.Decode(s.in)
	if wrong := s.checkFrame(&f); wrong != 0 {
		s.fail(wrong)
		return len(b)
	}
	if err != nil { // it is not complete
		return len(s.in) - had
	}
	s.in = nil // f keeps it
	s.deadline = 0
	if f.Reply {
		s.receiveReply(&f)
	} else {
		s.request, s.phase = f, Deciding
	}
	return n - had
}

// longestFrame returns how many octets a frame of the peer may have.
func (s *Stream) longestFrame() int {
	if s.quirks.permits(rules.RulePrivateData) {
		return mpa.FrameLen + 1<<16
	}
	return mpa.FrameLen + mpa.MaxPrivateData
}

// checkFrame checks a frame of the peer that begins with s.in, as soon as there are enough octets; it returns 0 if all
// is well.
func (s *Stream) checkFrame(f *mpa.Frame) StreamError {
	key := mpa.RequestKey
	if s.phase == AwaitReply {
		key = mpa.ReplyKey
	}
	switch n := min(len(s.in), len(key)); {
	case string(s.in[:n]) != key[:n]:
		return ErrKey
	case len(s.in) < mpa.FrameLen:
		return 0
	case !s.supports(f.Rev):
		s.showRev(f)
		return ErrRev
	case mpa.FrameLen+int(f.PDLength) > s.longestFrame(), f.S && f.Rev >= mpa.Rev2 && f.PDLength < mpa.EnhancedLen:
		return ErrPrivateData
	case !f.Reply || f.Rev == mpa.RevRDMAC || f.R && !f.S: // a rejection is one, enhanced or not
		return 0
	case s.request.S && f.Rev < mpa.Rev2:
		return ErrOldReply
	case (f.S && f.Rev >= mpa.Rev2) != s.request.S:
		return ErrEnhanced
	}
	return 0
}

// supports reports whether this side continues after a frame of a revision. An RDMAC Responder also accepts a Request
// of RFC 5044, and leaves it to the Initiator what to make of an RDMAC Reply (RFC 5044, appendix C.2). It does not
// know later revisions, and must close the connection for an enhanced Request (RFC 6581, section 10).
func (s *Stream) supports(rev uint8) bool {
	switch {
	case s.config.Rev == mpa.RevRDMAC:
		return rev == mpa.RevRDMAC || rev == mpa.Rev1 && s.phase == AwaitRequest || s.quirks.permits(rules.RuleMPARev)
	case rev == mpa.RevRDMAC:
		return s.config.Permissive || s.quirks.permits(rules.RuleRDMACRev)
	}
	return rev <= s.config.Rev || s.quirks.permits(rules.RuleMPARev)
}

// showRev sends a Reply with this side's revision for an RDMAC Request that is not accepted, before the connection
// closes (RFC 5044, appendix C.2.1).
func (s *Stream) showRev(f *mpa.Frame) {
	if !f.Reply && f.Rev == mpa.RevRDMAC {
		s.send(&mpa.Frame{Reply: true, M: s.config.Markers, C: s.config.CRC, Rev: s.config.Rev}, nil, nil)
	}
}

// answer sends the Reply. If the Request asks for CRCs it does too: they are on either way (RFC 5044, section 7.1), and
// some Initiators that demand them take no Reply without.
func (s *Stream) answer(private []byte, reject bool) error {
	if s.phase != Deciding {
		return ErrNotStreaming
	}
	f := mpa.Frame{Reply: true, R: reject, M: s.config.Markers, C: s.config.CRC || s.request.C, Rev: min(s.request.Rev, s.config.Rev)}
	if f.Rev == mpa.RevRDMAC {
		f.M, f.C = true, true
	}
	var offer *mpa.Enhanced
	var asked mpa.Enhanced
	if s.request.Enhanced(&asked) && f.Rev >= mpa.Rev2 {
		e := s.offer(&asked, reject)
		offer = &e
	}
	if err := s.send(&f, offer, private); err != nil {
		return err
	}
	s.reply = f
	return nil
}

// offer returns the Enhanced word of the Reply to a Request that has one (RFC 6581, sections 9.1 and 9.2). A rejection
// says what this side would have needed.
func (s *Stream) offer(asked *mpa.Enhanced, reject bool) mpa.Enhanced {
	own := mpa.Enhanced{IRD: mpa.NotNegotiated, ORD: mpa.NotNegotiated}
	if s.config.Enhanced != nil {
		own = *s.config.Enhanced
	}
	e := mpa.Enhanced{A: asked.A, IRD: own.IRD, ORD: own.ORD}
	if asked.ORD == mpa.NotNegotiated {
		e.IRD = mpa.NotNegotiated
	}
	switch {
	case asked.IRD == mpa.NotNegotiated:
		e.ORD = mpa.NotNegotiated
	case own.ORD != mpa.NotNegotiated && !reject:
		e.ORD = min(own.ORD, asked.IRD)
	}
	if asked.A {
		s.offerReady(asked, own, &e)
	}
	return e
}

// offerReady sets the kinds of Ready to Receive that this side accepts: those of its own that the Request offers, or
// if there are none all of its own, so that the Initiator knows. If none are configured it accepts any, but a Read
// only if it accepts Reads at all.
func (s *Stream) offerReady(asked *mpa.Enhanced, own mpa.Enhanced, e *mpa.Enhanced) {
	if !own.B && !own.C && !own.D {
		own.B, own.C, own.D = true, true, true
	}
	own.D = own.D && (own.IRD != 0 || !own.B && !own.C)
	e.B, e.C, e.D = own.B && asked.B, own.C && asked.C, own.D && asked.D
	if !e.B && !e.C && !e.D {
		e.B, e.C, e.D = own.B, own.C, own.D
	}
	if e.D && e.IRD == 0 {
		e.IRD = 1
	}
}
