package rpc

// The Responder of version 2.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

// A version2 is a connection of version 2 of a Responder.
type version2 struct {
	*Responder
	link2
	executing int // Calls neither answered nor refused
	kept      int // octets that messages hold until they are answered
}

func newVersion2(e *Responder) version {
	v := &version2{Responder: e}
	v.reset(&e.end, rpcrules.Client, 1) // a client may send one message before it knows of credits (draft 01, section 4.2.3)
	return v
}

func (v *version2) number() uint32 { return rpcrdma.Vers2 }

func (v *version2) passed() {
	v.postReceives(v.credits.received())
	v.relieve()
}

// mismatched refuses a message of another version: the draft has no other error for a change of versions.
func (v *version2) mismatched(message []byte) {
	if v.careless(BadVersion) {
		v.received(message)
		return
	}
	v.postReceives(v.credits.received())
	if len(message) < rpcrdma.Version2Len {
		return
	}
	if b := versionError(message, 0, rpcrdma.Vers2, rpcrdma.Vers2); b != nil {
		c := v.keep(&call{request: bytes.Clone(message)})
		v.enqueue(&Outgoing{Request: c.request, Message: b, call: c})
	}
}

func (v *version2) received(message []byte) {
	if len(message) < rpcrdma.Version2Len {
		v.passed()
		return
	}
	m := v.accept(message)
	switch {
	case m.Form == rpcrdma.FormError:
		v.failed(m)
	case m.Form == rpcrdma.FormProperties, v.peer.split.active && m.Form != rpcrdma.FormGrant:
		v.object(m, message, v.described(m, message))
	default:
		v.carried(m, message)
	}
	v.flush()
	v.callback()
	v.relieve()
}

// carried handles a message that carries all or part of an RPC message, or is faulty.
func (v *version2) carried(m *rpcrdma.Message, message []byte) {
	payload, whole, r := v.join(m)
	v.object(m, message, r)
	if !whole {
		return
	}
	if m.Role == rpcrdma.Responder {
		v.answered(m, payload)
		return
	}
	c := v.call(m, message, payload)
	v.executing++
	if v.kept > MaxKept {
		v.refuse(c, &refusal{Fault: TooLong})
		return
	}
	v.called(c)
}

// call returns the Call that a message is or ends. payload is its inline octets.
func (v *version2) call(m *rpcrdma.Message, message, payload []byte) *call {
	c := &call{request: bytes.Clone(message), xid: m.XID, payload: payload, body: m.Form == rpcrdma.FormBody}
	c.reads, c.writes, c.reply = bytes.Clone(m.Reads), bytes.Clone(m.Writes), bytes.Clone(m.Reply)
	if m.HasHandle(m.InvHandle) { // else the Reply is a plain Send (draft 01, section 6.2.4)
		c.invalidate = m.InvHandle
	}
	return v.keep(c)
}

// callCost is how many octets a message holds besides its own, which are held twice because of its chunks, as is its payload.
const callCost = 512

// keep counts the octets that a Call holds until its answer is sent.
func (v *version2) keep(c *call) *call {
	c.kept = callCost + 2*(len(c.request)+len(c.payload))
	v.kept += c.kept
	return c
}

func (v *version2) released(c *call) {
	v.kept -= c.kept
	c.kept = 0
}

// check returns which of the limits in its own properties a Call exceeds (draft 01, sections 5.2.3 and 5.2.4).
func (v *version2) check(c *call) *refusal {
	count, long := 0, false
	for s := range segments(c.reads, c.writes, c.reply) {
		count++
		long = long || s.Length > uint32(v.options.SegmentSize)
	}
	r := v.fault(TooManySegments, long || count > v.options.Segments)
	if r != nil {
		r.Max = uint32(v.options.Segments)
	}
	return r
}

// reverseParts limits the messages of a Call of this end, if the peer accepts more than one.
const reverseParts = 16

// reverseRoom follows the peer's Reverse-Direction Support (draft 01, section 5.2.5). Calls have no chunks, whatever
// the peer accepts.
func (v *version2) reverseRoom() int {
	var h rpcrdma.Version2
	room := (v.threshold() - h.Len()) &^ 3
	switch v.peer.reverse {
	case rpcrdma.ReverseNone:
		return 0
	case rpcrdma.ReverseSimple:
		return room
	}
	return reverseParts * room
}

func (v *version2) mayCall() bool {
	return len(v.queue) == 0 && v.credits.enough() && len(v.calls) < reverseCredits
}

func (v *version2) transmit(xid uint32, message []byte) {
	h := rpcrdma.Version2{XID: xid, Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeMsg}
	for _, b := range v.messages(&h, message) {
		v.enqueue(&Outgoing{Message: b})
	}
}

// answered handles a Reply. It has no chunks, since no Call has offered any.
func (v *version2) answered(m *rpcrdma.Message, message []byte) {
	if !m.HasChunks() {
		v.replied(m.XID, message)
	}
}

// failed handles an RDMA2_ERROR. One that is incomplete, or whose code draft 01 does not define, is ignored (section
// 7).
func (v *version2) failed(m *rpcrdma.Message) {
	code := m.Error.Err
	if m.Err == nil && code.Known() && code != rpcrdma.ErrCode2VersMismatch {
		v.callOver(m.XID, nil)
	}
}
