package rnicsim

// What both sides agree on: acceptable MPA frames, the offer of a Reply, and the result (RFC 5044, section 7.1 and
// appendix C; RFC 6581, section 9).

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A negotiation is the start-up of one end, without its octets and timers.
type negotiation struct {
	config    StreamConfig
	quirks    *quirk.Set // nil for none
	initiator bool
	request   mpa.Frame // Private Data is its own
	reply     mpa.Frame
	agreement rules.Agreement
	rtr       rtr             // Initiator: the Ready to Receive that is due
	objection rules.Situation // Initiator: the error of the Reply that only a Terminate answers
}

// An rtr is the Ready to Receive indications that may be the Initiator's first FPDU (RFC 6581, section 9.2).
type rtr struct{ send, write, read bool }

// any reports whether one is due.
func (r rtr) any() bool { return r.send || r.write || r.read }

// longestFrame returns how many octets a frame of the peer may have.
func (n *negotiation) longestFrame() int {
	if n.quirks.Permits(rules.RulePrivateData) {
		return mpa.FrameLen + 1<<16
	}
	return mpa.FrameLen + mpa.MaxPrivateData
}

// checkFrame checks a frame of the peer, of which the first octets have arrived. It returns 0 if all is well so far.
func (n *negotiation) checkFrame(f *mpa.Frame, octets []byte) StreamError {
	key := mpa.RequestKey
	if n.initiator {
		key = mpa.ReplyKey
	}
	switch known := min(len(octets), len(key)); {
	case string(octets[:known]) != key[:known]:
		return ErrKey
	case len(octets) < mpa.FrameLen:
		return 0
	case !n.supports(f.Rev):
		return ErrRev
	case mpa.FrameLen+int(f.PDLength) > n.longestFrame(), f.S && f.Rev >= mpa.Rev2 && f.PDLength < mpa.EnhancedLen:
		return ErrPrivateData
	case !f.Reply || f.Rev == mpa.RevRDMAC || f.R && !f.S: // a rejection is one, enhanced or not
		return 0
	case n.request.S && f.Rev < mpa.Rev2:
		return ErrOldReply
	case (f.S && f.Rev >= mpa.Rev2) != n.request.S:
		return ErrEnhanced
	}
	return 0
}

// supports reports whether this side continues after a frame of a revision. An RDMAC Responder also accepts a Request
// of RFC 5044, and leaves the handling of an RDMAC Reply to the Initiator (RFC 5044, appendix C.2). It does not know
// later revisions, and must close the connection for an enhanced Request (RFC 6581, section 10).
func (n *negotiation) supports(rev uint8) bool {
	switch {
	case n.config.Rev == mpa.RevRDMAC:
		return rev == mpa.RevRDMAC || rev == mpa.Rev1 && !n.initiator || n.quirks.Permits(rules.RuleMPARev)
	case rev == mpa.RevRDMAC:
		return n.config.Permissive || n.quirks.Permits(rules.RuleRDMACRev)
	}
	return rev <= n.config.Rev || n.quirks.Permits(rules.RuleMPARev)
}

// lacksIRD reports whether the ORD of the Request exceeds the IRD of this side. The connection then fails: the
// Responder's IRD must be at least the Initiator's ORD (RFC 6581, section 9.1).
func (n *negotiation) lacksIRD() bool {
	var asked mpa.Enhanced
	own := n.config.Enhanced
	if own == nil || !n.request.Enhanced(&asked) || n.quirks.Permits(rules.RuleIRDUnderORD) {
		return false
	}
	return asked.ORD != mpa.NotNegotiated && own.IRD != mpa.NotNegotiated && n.offer(&asked, false).IRD < asked.ORD
}

// offer returns the Enhanced word of the Reply to a Request that has one (RFC 6581, sections 9.1 and 9.2). A rejection
// states what this side would have needed.
func (n *negotiation) offer(asked *mpa.Enhanced, reject bool) mpa.Enhanced {
	own := mpa.Enhanced{IRD: mpa.NotNegotiated, ORD: mpa.NotNegotiated}
	if n.config.Enhanced != nil {
		own = *n.config.Enhanced
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
		n.offerReady(asked, own, &e)
	}
	return e
}

// offerReady sets the kinds of Ready to Receive that this side accepts: those of its own that the Request offers, or if
// there are none all of its own, so that the Initiator learns them. If none are configured it accepts any, but a Read
// only if it accepts Reads at all.
func (n *negotiation) offerReady(asked *mpa.Enhanced, own mpa.Enhanced, e *mpa.Enhanced) {
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

// agree finds what both frames have negotiated.
func (n *negotiation) agree() {
	n.agreement = rules.Negotiate(&n.request, &n.reply)
	n.rtr, n.objection = rtr{}, rules.NoSituation
	if n.initiator {
		n.checkReply()
	}
}

// checkReply finds an error in an enhanced Reply: the situation whose Terminate is then the Initiator's first and only
// FPDU. Otherwise it finds the Ready to Receive that is due.
func (n *negotiation) checkReply() {
	var asked, offered mpa.Enhanced
	if !n.request.Enhanced(&asked) || !n.reply.Enhanced(&offered) {
		return
	}
	peers := asked.A && offered.A
	common := rtr{peers && asked.B && offered.B, peers && asked.C && offered.C, peers && asked.D && offered.D}
	n.rtr = common
	n.rtr.read = common.read && n.agreement.InitORD != 0
	switch {
	case offered.ORD != mpa.NotNegotiated && asked.IRD != mpa.NotNegotiated && offered.ORD > asked.IRD:
		n.objection = rules.MPAIRD
	case asked.A && !common.any():
		n.objection = rules.MPARTR
	case asked.A && !n.rtr.any(): // only a Read would do, and none may be outstanding
		n.objection = rules.MPALocal
	}
}

// unready reports whether the first segment of the Initiator is not an agreed Ready to Receive. RFC 6581 has no
// Terminate for that, so it is the one for errors without one of their own (section 9.3). A Terminate is always
// accepted.
func (n *negotiation) unready(k *quirk.Set, g *rdmap.Segment, ulpduLen int) (p problem, bad bool) {
	if n.initiator || g.Control.Opcode == rdmap.OpTerminate {
		return p, false
	}
	var startup rules.Startup
	startup.Frame(&n.request, nil)
	startup.Frame(&n.reply, nil)
	for _, v := range startup.Segment(true, g, ulpduLen, nil) {
		if !k.Permits(v.Rule) {
			return problem{situation: rules.MPALocal, event: RemoteOpcode}, true
		}
	}
	return p, false
}
