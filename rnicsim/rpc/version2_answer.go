package rpc

// The answers of the Responder of version 2.

import "github.com/iwarpkit/iwarp/codec/rpcrdma"

// relieve grants credits to a peer that has none left, if no answer is about to do so (draft 01, section 4.2.1.2), or
// if the peer is in the middle of an RPC message, since it may be unable to grant credits for that answer. A peer that
// lets Calls or answers accumulate gets none.
func (v *version2) relieve() {
	busy := v.executing > 0 || len(v.queue) > 0
	switch {
	case !v.credits.starved(), v.queued > MaxOctets, v.kept > MaxKept, busy && v.joining.octets == nil:
		return
	}
	v.freshen()
}

// answer sends a Reply in one message if that fits, else in the Reply chunk if that is large enough, else in several
// messages (draft 01, sections 4.4.3 and 6.4).
func (v *version2) answer(c *call) *refusal {
	a := &c.answer
	h := rpcrdma.Version2{
		XID: c.xid, Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeMsg, Flags: rpcrdma.FlagResponse,
		Writes: a.writes, Reply: unused(c.reply),
	}
	messages, pushes := v.messages(&h, a.payload), a.pushes
	if len(messages) != 1 && h.Len() <= v.threshold() {
		if filled, long, ok := v.long(c); ok {
			h.HType, h.Reply = rpcrdma.HTypeNoMsg, filled
			b, _ := h.AppendBinary(nil)
			messages, pushes = [][]byte{b}, long
		}
	}
	switch {
	case messages != nil:
	case h.Len() > v.threshold(): // no Reply chunk would help
		return &refusal{Fault: ReplyTooSmall}
	default:
		return &refusal{Fault: ReplyTooSmall, Needed: uint32(len(a.payload))}
	}
	v.executing--
	last := len(messages) - 1
	for i, b := range messages {
		o := &Outgoing{Request: c.request, Message: b}
		if i == 0 {
			o.Writes = pushes
		}
		if i == last { // only then the Requester has all
			o.Invalidate, o.call = c.invalidate, c
		}
		v.enqueue(o)
	}
	return nil
}

// longest assumes that Requesters expect as many messages as this end does, and one if there are Write chunks for the rest: the draft sets no
// limit.
func (v *version2) longest(c *call) int {
	h := rpcrdma.Version2{HType: rpcrdma.HTypeMsg, Writes: c.writes, Reply: c.reply}
	parts := callParts
	if len(c.writes) > 0 {
		parts = 1
	}
	return parts * ((v.threshold() - h.Len()) &^ 3)
}

// object refuses a message that is not a complete Call, if there is a reason. It ignores a faulty Reply, since an error
// would be about a Call of the peer with the same XID (draft 01, section 6.2.2.1).
func (v *version2) object(m *rpcrdma.Message, message []byte, r *refusal) {
	if r != nil && (m.Flags&rpcrdma.FlagResponse == 0 || m.Form == rpcrdma.FormProperties) {
		v.sendError(v.call(m, message, nil), r)
	}
}

func (v *version2) refuse(c *call, r *refusal) {
	v.executing--
	v.sendError(c, r)
}

// sendError sends an RDMA2_ERROR about a message.
func (v *version2) sendError(c *call, r *refusal) {
	v.enqueue(&Outgoing{Request: c.request, Message: r.failure(c.xid, word(c.request, 1)), call: c})
}
