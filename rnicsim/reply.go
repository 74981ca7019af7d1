package rnicsim

// What follows from a Reply, for the Initiator and the Responder.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// An rtr is the Ready to Receive indications that may be the Initiator's first FPDU (RFC 6581, section 9.2).
type rtr struct{ send, write, read bool }

// any reports whether one is due.
func (r rtr) any() bool { return r.send || r.write || r.read }

// receiveReply handles the Reply to the Request of this side.
func (s *Stream) receiveReply(f *mpa.Frame) {
	s.reply = *f
	if f.R {
		s.phase = Streaming
		return
	}
	s.establish()
	s.checkReply()
}

// establish enters full operation as both frames have negotiated.
func (s *Stream) establish() {
	s.agreement = rules.Negotiate(&s.request, &s.reply)
	s.framer.Reset(s.agreement.Framing(s.initiator))
	s.deframer.Reset(s.agreement.Framing(!s.initiator))
	s.phase, s.rtr, s.objection = Established, rtr{}, rules.NoSituation
}

// checkReply finds what an Initiator objects to in an enhanced Reply: the situation whose Terminate is then its first
// and only FPDU. Otherwise it finds the Ready to Receive that is due.
func (s *Stream) checkReply() {
	var asked, offered mpa.Enhanced
	if !s.request.Enhanced(&asked) || !s.reply.Enhanced(&offered) {
		return
	}
	peers := asked.A && offered.A
	common := rtr{peers && asked.B && offered.B, peers && asked.C && offered.C, peers && asked.D && offered.D}
	s.rtr = common
	s.rtr.read = common.read && s.agreement.InitORD != 0
	switch {
	case offered.ORD != mpa.NotNegotiated && asked.IRD != mpa.NotNegotiated && offered.ORD > asked.IRD:
		s.objection = rules.MPAIRD
	case asked.A && !common.any():
		s.objection = rules.MPARTR
	case asked.A && !s.rtr.any(): // only a Read would do, and none may be outstanding
		s.objection = rules.MPALocal
	}
}

// unready reports whether the first segment of the Initiator is none of the Ready to Receive indications that both sides
// have agreed on. RFC 6581 has no Terminate for that, so it is the one for errors without one of their own (section 9.3).
// A Terminate is always accepted.
func (s *Stream) unready(k *quirks, g *rdmap.Segment, ulpduLen int) (p problem, bad bool) {
	if s.initiator || g.Control.Opcode == rdmap.OpTerminate {
		return p, false
	}
	var startup rules.Startup
	startup.Frame(&s.request, nil)
	startup.Frame(&s.reply, nil)
	for _, v := range startup.Segment(true, g, ulpduLen, nil) {
		if !k.permits(v.Rule) {
			return problem{situation: rules.MPALocal, event: RemoteOpcode}, true
		}
	}
	return p, false
}
