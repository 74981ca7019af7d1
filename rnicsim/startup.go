package rnicsim

// MPA start-up: Request, Reply, and what follows from them (RFC 5044, section 7.1 and appendix C; RFC 6581).

import (
	"fmt"

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

// Listen starts MPA as the Responder: it awaits a Request, after the octets that the upper layer has read. It fails
// with ErrNotStreaming.
func (s *Stream) Listen() error {
	if s.phase != Streaming || s.ending != mpa.GoesOn {
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
	s.mute = !s.quirks.Permits(rules.RuleResponderFirst)
	return nil
}

// Reject answers the Request with a rejection. The Stream is then in the Streaming phase again, since TCP stays open:
// both sides may use it for something else, or try again. It fails like Accept.
func (s *Stream) Reject(private []byte) error {
	if err := s.answer(private, true); err != nil {
		return err
	}
	s.phase = Streaming
	return nil
}

// send queues an MPA frame.
func (s *Stream) send(f *mpa.Frame, e *mpa.Enhanced, private []byte) error {
	if s.ending != mpa.GoesOn {
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
	s.quirks.Frame(s.out[begin:], f)
	return nil
}

// await enters a phase in which the peer's MPA frame is due. Buffered octets may be the beginning of it.
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
	switch wrong := s.checkFrame(&f, s.in); wrong {
	case 0:
	case ErrRev:
		s.refuseRev(&f)
		return len(b)
	default:
		s.fail(wrong)
		return len(b)
	}
	if err != nil { // it is not complete
		return len(s.in) - had
	}
	s.in = nil // f keeps it
	s.deadline = 0
	switch {
	case !f.Reply:
		s.request, s.phase = f, Deciding
	case f.R:
		s.reply, s.phase = f, Streaming
	default:
		s.reply = f
		s.establish()
	}
	return n - had
}

// establish enters full operation as negotiated by both frames.
func (s *Stream) establish() {
	s.agree()
	s.framer.Reset(s.agreement.Framing(s.initiator))
	s.deframer.Reset(s.agreement.Framing(!s.initiator))
	s.phase = Established
}

// refuseRev ends the connection because of the revision of a frame. For an RDMAC Request, it first sends a Reply with this side's
// revision (RFC 5044, appendix C.2.1).
func (s *Stream) refuseRev(f *mpa.Frame) {
	if !f.Reply && f.Rev == mpa.RevRDMAC {
		s.send(&mpa.Frame{Reply: true, M: s.config.Markers, C: s.config.CRC, Rev: s.config.Rev}, nil, nil)
	}
	s.fail(ErrRev)
	s.err = fmt.Errorf("%w: the peer sent %d, this side has %d", ErrRev, f.Rev, s.config.Rev)
}

// answer sends the Reply. If the Request asks for CRCs, so does the Reply: they are on either way (RFC 5044, section
// 7.1), and some Initiators that demand them accept no Reply without.
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
		offer = new(s.offer(&asked, reject))
	}
	if err := s.send(&f, offer, private); err != nil {
		return err
	}
	s.reply = f
	return nil
}
