package rpc

// Version 2: draft 01 of RPC-over-RDMA version 2. Package rules checks the headers.

import (
	"bytes"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A version2 is a connection of version 2.
type version2 struct {
	*Responder
	law        rpcrules.Stream
	violations []rules.Violation // memory for those that package rules finds
	message    rpcrdma.Message   // the latest
	credits    credits
	peer       properties
	joining    joining
	executing  int         // Calls neither answered nor refused
	announced  bool        // the properties of this end are sent or queued
	queue      []*Outgoing // messages that wait for credits
	queued     int         // octets that the queue moves
	kept       int         // octets that messages hold until they are answered
}

// Where words of a header are, in octets.
const (
	creditOff = 8
	htypeOff  = 12
)

func newVersion2(e *Responder) version {
	v := &version2{Responder: e, credits: newCredits(&e.options, e.MaxReceives()), peer: newProperties()}
	v.law.Reset(rpcrules.Conditions{})
	return v
}

func (v *version2) number() uint32 { return rpcrdma.Vers2 }

// threshold returns the length in octets of the longest message to the peer (draft 01, section 4.2.2).
func (v *version2) threshold() int { return int(min(uint32(v.options.SendSize), v.peer.receiveSize)) }

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
	m := v.decode(message)
	if m.Form == rpcrdma.FormGrant {
		v.postReceives(1)
	} else {
		v.postReceives(v.credits.received())
	}
	if m.Dialect == rpcrdma.DialectVersion2 {
		v.credits.credited(m.Granted())
	}
	v.announce()
	switch {
	case m.Form == rpcrdma.FormError:
		v.failed(m)
	case m.Form == rpcrdma.FormProperties, v.peer.split.active && m.Form != rpcrdma.FormGrant:
		v.described(m, message)
	default:
		v.carried(m, message)
	}
	v.flush()
	v.callback()
	v.relieve()
}

// decode decodes a message of version 2. An RDMA2_ERROR may have the form of version 1 (D-13 of package rpcrdma).
func (v *version2) decode(message []byte) *rpcrdma.Message {
	m, d := &v.message, rpcrdma.DialectVersion2
	if word(message, 1) == rpcrdma.Vers2 {
		d = d.Of(message, len(message))
	}
	m.Decode(message, len(message), d)
	if m.Form == rpcrdma.FormUnknown && v.careless(BadType) {
		message = bytes.Clone(message)
		binary.BigEndian.PutUint32(message[htypeOff:], uint32(rpcrdma.HTypeMsg))
		m.Decode(message, len(message), d)
	}
	return m
}

// announce sends the properties of this end, once. They come first, whatever the peer has sent (draft 01, section
// 6.3.4).
func (v *version2) announce() {
	if v.announced {
		return
	}
	v.announced = true
	h := rpcrdma.Version2{XID: propertiesXID, Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeConnProp,
		Props: v.options.ownProperties()}
	b, _ := h.AppendBinary(nil)
	v.enqueue(&Outgoing{Message: b})
}

// propertiesXID is no XID of a Call of this end (D-12: the draft does not say what the XID of properties is).
const propertiesXID = firstReverseXID - 1

// described handles properties of the peer. It applies all of a set, or none (draft 01, section 7.2.2).
func (v *version2) described(m *rpcrdma.Message, message []byte) {
	if r := v.fault(LateProperties, v.peer.last); r != nil {
		v.object(m, message, r)
		return
	}
	var set rpcrdma.PropSet
	octets, last, r := v.peer.split.add(m, message)
	if last {
		r = checkProperties(&set, octets)
	}
	switch {
	case r != nil && !(r.Fault == BadProperty && v.careless(BadProperty)):
		v.object(m, message, r)
	case last:
		v.peer.apply(set)
		v.peer.last = m.Flags&rpcrdma.FlagTPMore == 0
	}
}

// carried handles a message that carries all or part of an RPC message, or is faulty.
func (v *version2) carried(m *rpcrdma.Message, message []byte) {
	var fate rpcrules.Fate
	fate, v.violations = v.law.Message(rpcrules.Client, m, v.violations[:0])
	if fate.Fault != nil {
		f := faultOf(m, fate.Fault)
		if !v.careless(f) || m.Err != nil {
			v.object(m, message, &refusal{Fault: f})
			return
		}
		fate = rpcrules.Fate{Use: rpcrules.Whole, First: true}
	}
	if fate.Use != rpcrules.Part && fate.Use != rpcrules.Whole {
		return
	}
	if r := v.joining.add(m, fate); r != nil {
		v.law.Refused(rpcrules.Client, m.XID)
		v.object(m, message, r)
		return
	}
	if fate.Use == rpcrules.Part {
		return
	}
	payload := v.joining.take()
	if m.Role == rpcrdma.Responder {
		v.answered(m, payload)
		return
	}
	c := v.call(m, message, payload)
	v.executing++
	if v.kept > maxKept {
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

const (
	maxKept  = 16 << 20 // octets that messages hold until they are answered; more Calls are refused
	callCost = 512      // octets that a message holds besides its own, which are held twice because of its chunks
)

// keep counts the octets that a Call holds until its answer is sent.
func (v *version2) keep(c *call) *call {
	c.kept = callCost + 2*len(c.request) + len(c.payload)
	v.kept += c.kept
	return c
}

func (v *version2) released(c *call) {
	v.kept -= c.kept
	c.kept = 0
}

// faultOf returns the Fault that package rules has found in a message.
func faultOf(m *rpcrdma.Message, fault *rpcrules.Fault) Fault {
	switch code := fault.Codes(rpcrdma.DialectVersion2)[0]; {
	case code == rpcrdma.ErrCode2Vers:
		return BadVersion
	case code == rpcrdma.ErrCode2InvalCont:
		return BadContinuation
	case code == rpcrdma.ErrCode2InvalHType && m.Form == rpcrdma.FormUnknown:
		return BadType
	case code == rpcrdma.ErrCode2InvalHType:
		return BadFlag
	case m.Err != nil:
		return BadXDR
	}
	aligned := true
	for s := range m.Reads.Segments() {
		aligned = aligned && s.Position%4 == 0
	}
	switch body := m.Form == rpcrdma.FormBody; {
	case !aligned, !body && m.Reads.Has(0):
		return BadPosition
	case body && !m.HasBody():
		return BadBody
	case body && len(m.Payload) > 0:
		return BadTrailing
	}
	return BadSegment
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

func (v *version2) callback() {
	for len(v.queue) == 0 && v.credits.enough() && len(v.reverse.open) < reverseCredits {
		xid, message := v.reverse.next()
		if message == nil {
			return
		}
		h := rpcrdma.Version2{XID: xid, Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeMsg}
		for _, b := range v.messages(&h, message) {
			v.enqueue(&Outgoing{Message: b})
		}
	}
}

// answered handles a Reply. It has no chunks, since no Call has offered any.
func (v *version2) answered(m *rpcrdma.Message, message []byte) {
	if !m.HasChunks() {
		v.reverse.replied(m.XID, message)
	}
}

// failed handles an RDMA2_ERROR. One that is incomplete, or whose code draft 01 does not define, is ignored (section
// 7).
func (v *version2) failed(m *rpcrdma.Message) {
	code := m.Error.Err
	if m.Err == nil && code.Known() && code != rpcrdma.ErrCode2VersMismatch {
		v.reverse.refusedBy(m.XID)
	}
}
