package rpc

// The Requester of version 2: draft 01.

import (
	"math"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

// A requester2 is a connection of version 2 of a Requester.
type requester2 struct {
	*Requester
	link2
	answered bool // the server has sent a message of version 2
}

// callParts limits the messages of a Call, and of its Reply if it has no Reply chunk. Longer ones go into chunks.
const callParts = 4

// newRequester2 begins with the properties of this end. Nothing else is sent before the server grants credits (draft 01,
// section 4.2.3).
func newRequester2(r *Requester) requesterVersion {
	v := &requester2{Requester: r}
	v.reset(&r.end, rpcrules.Server, 0)
	v.credits.left = 1
	v.announce()
	return v
}

func (v *requester2) limits() limits {
	h := rpcrdma.Version2{HType: rpcrdma.HTypeMsg}
	return limits{
		header: h.Len(),
		call:   room{v.threshold(), callParts},
		reply:  room{int(min(uint32(v.options.ReceiveSize), v.peer.sendSize)), callParts},
		// A peer that has room for no octet, or no segment, gets no chunks.
		segment: int(min(max(v.peer.segmentSize, 1), math.MaxInt32)), segments: int(min(v.peer.segments, math.MaxInt32)),
	}
}

func (v *requester2) ready() bool {
	return v.answered && len(v.queue) == 0 && v.credits.enough() && v.flying < v.options.Credits
}

func (v *requester2) transmit(p *pending) {
	h := rpcrdma.Version2{
		XID: p.xid, Vers: rpcrdma.Vers2, Reads: p.parts.reads, Writes: p.parts.writes, Reply: p.parts.answer,
	}
	if !v.options.NoInvalidate && len(p.parts.stags) > 0 {
		h.InvHandle = p.parts.stags[0]
	}
	if p.parts.body {
		h.HType = rpcrdma.HTypeNoMsg
		b, _ := h.AppendBinary(nil)
		v.enqueue(&Outgoing{Message: b, of: p})
		return
	}
	for _, b := range v.messages(&h, p.parts.payload) {
		v.enqueue(&Outgoing{Message: b, of: p})
	}
}

func (v *requester2) received(message []byte) {
	if len(message) < rpcrdma.Version2Len || v.refused != nil { // a server that has refused version 2 gets no more of it
		v.postReceives(v.credits.received())
		v.relieve()
		return
	}
	m := v.accept(message)
	v.answered = v.answered || m.Form != rpcrdma.FormError && m.Vers == rpcrdma.Vers2
	switch {
	case m.Vers != rpcrdma.Vers2: // the server must not change the version
	case m.Form == rpcrdma.FormError && m.Err == nil && !v.answered && m.Error.Err == rpcrdma.ErrCode2Vers:
		v.refusedVersion(m)
		return
	case m.Form == rpcrdma.FormError:
		v.refusedBy(m)
	case m.Form == rpcrdma.FormProperties, v.peer.split.active && m.Form != rpcrdma.FormGrant:
		v.object(m, message, v.described(m, message))
	default:
		payload, whole, r := v.join(m)
		if whole {
			_, r = v.replied(m, payload)
		}
		v.object(m, message, r)
	}
	v.flush()
	v.relieve()
}

// refusedVersion handles the answer of a server that does not support version 2: this end goes on with version 1, on later connections too,
// if that is the one that both support (draft 01, sections 4.2.3.2 and 7.1.1); otherwise all Calls are refused.
func (v *requester2) refusedVersion(m *rpcrdma.Message) {
	if m.Error.VersLow <= rpcrdma.Vers1 && m.Error.VersHigh == rpcrdma.Vers1 && v.options.Versions[0] == rpcrdma.Vers1 {
		v.only1 = true
		v.version = newRequester1(v.Requester)
		return
	}
	v.refused = refusedError(m)
}

// relieve grants credits to a peer that has none left (draft 01, section 4.2.1.2), unless it takes no answers.
func (v *requester2) relieve() {
	if v.credits.starved() && v.refused == nil && v.queued <= MaxOctets {
		v.freshen()
	}
}

func (v *requester2) respond(xid uint32, reply []byte) *refusal {
	h := rpcrdma.Version2{XID: xid, Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeMsg, Flags: rpcrdma.FlagResponse}
	messages := v.messages(&h, reply)
	if messages == nil || v.queued > MaxOctets {
		return &refusal{Fault: ReplyTooSmall}
	}
	for _, b := range messages {
		v.enqueue(&Outgoing{Message: b})
	}
	return nil
}

// object refuses a message that belongs to no Reply, if there is a reason.
func (v *requester2) object(m *rpcrdma.Message, message []byte, r *refusal) {
	if r != nil && (m.Flags&rpcrdma.FlagResponse == 0 || m.Form == rpcrdma.FormProperties) {
		v.fail(m.XID, word(message, 1), r)
	}
}

func (v *requester2) refuse(xid uint32, r *refusal) { v.fail(xid, rpcrdma.Vers2, r) }

// fail sends an error, unless too much waits for credits.
func (v *requester2) fail(xid, vers uint32, r *refusal) {
	if v.queued <= MaxOctets {
		v.enqueue(&Outgoing{Message: r.failure(xid, vers)})
	}
}
