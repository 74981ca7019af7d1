package rpc

// Version 1: RFC 8166.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A version1 is a connection of version 1.
type version1 struct {
	*Responder
	granted int // Calls of this end that may be open
}

func newVersion1(e *Responder) version { return &version1{Responder: e, granted: 1} }

func (v *version1) number() uint32 { return rpcrdma.Vers1 }

// threshold returns the length in octets of the longest message to the peer.
func (v *version1) threshold() int { return v.agreed.ServerToClient }

// check finds nothing: version 1 has no limits of its own.
func (v *version1) check(*call) *refusal { return nil }

// released does nothing: the Receive of a Call is posted again with its answer, which limits how many there are.
func (v *version1) released(*call) {}

func (v *version1) passed() { v.postReceives(1) }

func (v *version1) mismatched(message []byte) {
	if v.careless(BadVersion) {
		v.received(message)
		return
	}
	v.postReceives(1)
	if len(message) < rpcrdma.MinVersion1 {
		return
	}
	if b := versionError(message, uint32(v.options.Credits), rpcrdma.Vers1, rpcrdma.Vers1); b != nil {
		v.send(&Outgoing{Request: message, Message: b})
	}
}

func (v *version1) received(message []byte) {
	var h rpcrdma.Version1
	n, err := h.Decode(message)
	if !h.Proc.Known() && v.careless(BadType) {
		message = bytes.Clone(message)
		clear(message[rpcrdma.Version1Len-4 : rpcrdma.Version1Len])
		n, err = h.Decode(message)
	}
	switch {
	case h.Proc == rpcrdma.ProcError:
		v.postReceives(1)
		v.refused(&h, err)
	case len(message) < rpcrdma.MinVersion1, h.Proc == rpcrdma.ProcDone:
		v.postReceives(1)
	default:
		v.carried(message, &h, message[n:], err)
	}
	v.callback()
}

// carried handles a message that carries an RPC message, or is faulty.
func (v *version1) carried(message []byte, h *rpcrdma.Version1, payload []byte, err error) {
	known := h.Proc == rpcrdma.ProcMsg || h.Proc == rpcrdma.ProcNoMsg
	if reply, ok := h.IsReply(payload); err == nil && known && ok && reply {
		v.postReceives(1)
		v.answered(h, payload)
		return
	}
	c := &call{request: bytes.Clone(message), xid: h.XID}
	h.Decode(c.request) // whose octets its lists are
	c.reads, c.writes, c.reply = h.Reads, h.Writes, h.Reply
	r := v.judge(h, payload, err)
	if c.body = h.Proc == rpcrdma.ProcNoMsg && h.Reads.Has(0); !c.body {
		c.payload = c.request[len(message)-len(payload):]
		if r == nil {
			r = v.checkPayload(c)
		}
	}
	switch {
	case r == nil:
		c.invalidate = v.invalidates(c)
		v.called(c)
	case v.calls[h.XID]: // it may be the Reply to a Call of this end
		v.postReceives(1)
	default:
		v.refuse(c, r)
	}
}

// judge checks the header of a Call (RFC 8166, sections 4.5.2 and 4.6.1).
func (v *version1) judge(h *rpcrdma.Version1, payload []byte, err error) *refusal {
	msg, noMsg := h.Proc == rpcrdma.ProcMsg, h.Proc == rpcrdma.ProcNoMsg
	body := h.Reads.Has(0)
	aligned, ends := true, true
	for s := range h.Reads.Segments() {
		aligned = aligned && s.Position%4 == 0
	}
	for s := range segments(h.Reads, h.Writes, h.Reply) {
		ends = ends && s.Check() == nil
	}
	for _, f := range [...]struct {
		Fault
		met bool
	}{
		{BadType, !msg && !noMsg},
		{BadXDR, err != nil},
		{BadPosition, !aligned || msg && body},
		{BadSegment, !ends},
		{BadBody, noMsg && !body},
		{BadTrailing, noMsg && len(payload) > 0},
	} {
		if r := v.fault(f.Fault, f.met); r != nil {
			return r
		}
	}
	return nil
}

// invalidates returns the STag that the Reply to a Call invalidates: that of its first segment, if both ends support
// it (RFC 8797, section 4.1).
func (v *version1) invalidates(c *call) uint32 {
	if !v.agreed.R {
		return 0
	}
	for s := range segments(c.reads, c.writes, c.reply) {
		return s.Handle
	}
	return 0
}

// answer sends a Short Reply if that fits, else a Long Reply in the Reply chunk (RFC 8166, section 3.5.3).
func (v *version1) answer(c *call) *refusal {
	a := &c.answer
	h := v.header(c.xid, rpcrdma.ProcMsg)
	h.Writes, h.Reply = a.writes, unused(c.reply)
	o := &Outgoing{Writes: a.pushes, Invalidate: c.invalidate}
	if h.Len()+len(a.payload) > v.threshold() {
		filled, pushes, ok := v.long(c)
		if !ok || h.Len() > v.threshold() {
			return &refusal{Fault: ReplyTooSmall, Needed: uint32(len(a.payload))}
		}
		h.Proc, h.Reply, o.Writes = rpcrdma.ProcNoMsg, filled, pushes
	}
	payload := a.payload
	if h.Proc == rpcrdma.ProcNoMsg {
		payload = nil
	}
	o.Message, _ = h.AppendBinary(make([]byte, 0, h.Len()+len(payload)))
	o.Message = append(o.Message, payload...)
	v.postReceives(1)
	v.reply(c, o)
	return nil
}

func (v *version1) longest(c *call) int {
	h := rpcrdma.Version1{Writes: c.writes, Reply: c.reply}
	return v.threshold() - h.Len()
}

// refuse sends ERR_CHUNK (RFC 8166, section 4.5.2).
func (v *version1) refuse(c *call, _ *refusal) {
	h := v.header(c.xid, rpcrdma.ProcError)
	h.Err = rpcrdma.ErrCodeChunk
	b, _ := h.AppendBinary(nil)
	v.postReceives(1)
	v.reply(c, &Outgoing{Message: b})
}

func (v *version1) header(xid uint32, proc rpcrdma.Proc) rpcrdma.Version1 {
	return rpcrdma.Version1{XID: xid, Vers: rpcrdma.Vers1, Credit: uint32(v.options.Credits), Proc: proc}
}

// reverseRoom returns the room of a message without chunks: this end offers none (RFC 8167, section 5.3).
func (v *version1) reverseRoom() int { return v.threshold() - rpcrdma.MinVersion1 }

// mayCall allows one Call until the peer has granted more (RFC 8166, section 3.3.3).
func (v *version1) mayCall() bool { return len(v.calls) < min(v.granted, reverseCredits) }

func (v *version1) transmit(xid uint32, message []byte) {
	h := rpcrdma.Version1{XID: xid, Vers: rpcrdma.Vers1, Credit: reverseCredits, Proc: rpcrdma.ProcMsg}
	b, _ := h.AppendBinary(nil)
	v.send(&Outgoing{Message: append(b, message...)})
}

// answered handles a Reply. It has no chunks, since no Call has offered any.
func (v *version1) answered(h *rpcrdma.Version1, payload []byte) {
	chunks := len(h.Reads) > 0 || len(h.Writes) > 0 || h.Reply.Present()
	if h.Proc == rpcrdma.ProcMsg && !chunks && v.replied(h.XID, payload) {
		v.grant(h.Credit)
	}
}

// refused handles an RDMA_ERROR. err is why it could not be decoded.
func (v *version1) refused(h *rpcrdma.Version1, err error) {
	if err == nil && h.Err.Known() && v.callOver(h.XID, nil) {
		v.grant(h.Credit)
	}
}

// grant applies the credits that the peer grants. Zero counts as one, since it must not be zero (RFC 8166, section
// 3.3.1).
func (v *version1) grant(credit uint32) {
	v.granted = int(min(max(credit, 1), reverseCredits))
}
