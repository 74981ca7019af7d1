package rpc

// What both ends of version 2 have: draft 01 of RPC-over-RDMA version 2. Package rules checks the headers.

import (
	"bytes"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A link2 is one end of a connection of version 2.
type link2 struct {
	end        *end
	from       rpcrules.Side // the peer
	law        rpcrules.Stream
	violations []rules.Violation // memory for those that package rules finds
	message    rpcrdma.Message   // the latest
	credits    credits
	peer       properties
	joining    joining
	announced  bool        // the properties of this end are sent or queued
	queue      []*Outgoing // messages that wait for credits
	queued     int         // octets that the queue moves
}

// reset begins a connection. granted is the number of messages that the peer may send.
func (l *link2) reset(e *end, from rpcrules.Side, granted int) {
	*l = link2{end: e, from: from, peer: newProperties()}
	l.credits = credits{granted: granted, most: e.MaxReceives() - reservedReceives, usual: e.options.Credits}
	l.law.Reset(rpcrules.Conditions{})
}

// Where words of a header are, in octets.
const (
	creditOff = 8
	htypeOff  = 12
)

// threshold returns the length in octets of the longest message to the peer (draft 01, section 4.2.2).
func (l *link2) threshold() int { return int(min(uint32(l.end.options.SendSize), l.peer.receiveSize)) }

// accept decodes a message of at least the length of a header, counts its credits, and announces the properties of
// this end.
func (l *link2) accept(message []byte) *rpcrdma.Message {
	m := l.decode(message)
	if m.Form == rpcrdma.FormGrant {
		l.end.postReceives(1)
	} else {
		l.end.postReceives(l.credits.received())
	}
	if m.Dialect == rpcrdma.DialectVersion2 && m.Vers == rpcrdma.Vers2 {
		l.credits.credited(m.Granted())
	}
	l.announce()
	return m
}

// decode decodes a message of version 2. An RDMA2_ERROR may have the form of version 1 (D-13 of package rpcrdma).
func (l *link2) decode(message []byte) *rpcrdma.Message {
	m, d := &l.message, rpcrdma.DialectVersion2
	if word(message, 1) == rpcrdma.Vers2 {
		d = d.Of(message, len(message))
	}
	m.Decode(message, len(message), d)
	if m.Form == rpcrdma.FormUnknown && l.end.careless(BadType) {
		message = bytes.Clone(message)
		binary.BigEndian.PutUint32(message[htypeOff:], uint32(rpcrdma.HTypeMsg))
		m.Decode(message, len(message), d)
	}
	return m
}

// announce sends the properties of this end, once. They come first, whatever the peer has sent (draft 01, section
// 6.3.4).
func (l *link2) announce() {
	if l.announced {
		return
	}
	l.announced = true
	h := rpcrdma.Version2{XID: propertiesXID, Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeConnProp,
		Props: l.end.options.ownProperties(l.from == rpcrules.Client)}
	b, _ := h.AppendBinary(nil)
	l.enqueue(&Outgoing{Message: b})
}

// propertiesXID is the XID of properties, which answer nothing (D-12: the draft does not say what it is).
const propertiesXID = firstReverseXID - 1

// described handles properties of the peer. It applies all of a set, or none (draft 01, section 7.2.2).
func (l *link2) described(m *rpcrdma.Message, message []byte) *refusal {
	if r := l.end.fault(LateProperties, l.peer.last); r != nil {
		return r
	}
	var set rpcrdma.PropSet
	octets, last, r := l.peer.split.add(m, message)
	if last {
		r = checkProperties(&set, octets)
	}
	switch {
	case r != nil && !(r.Fault == BadProperty && l.end.careless(BadProperty)):
		return r
	case last:
		l.peer.apply(set)
		l.peer.last = m.Flags&rpcrdma.FlagTPMore == 0
	}
	return nil
}

// join follows a message that carries all or part of an RPC message, or is faulty. When an RPC message is complete, it
// returns its octets, if they are inline. A refusal is about the message, which belongs to no complete RPC message then.
func (l *link2) join(m *rpcrdma.Message) (payload []byte, whole bool, _ *refusal) {
	var fate rpcrules.Fate
	fate, l.violations = l.law.Message(l.from, m, l.violations[:0])
	if fate.Fault != nil {
		f := faultOf(m, fate.Fault)
		if !l.end.careless(f) || m.Err != nil {
			return nil, false, &refusal{Fault: f}
		}
		fate = rpcrules.Fate{Use: rpcrules.Whole, First: true}
	}
	if fate.Use != rpcrules.Part && fate.Use != rpcrules.Whole {
		return nil, false, nil
	}
	if r := l.joining.add(m, fate); r != nil {
		l.law.Refused(l.from, m.XID)
		return nil, false, r
	}
	if fate.Use == rpcrules.Part {
		return nil, false, nil
	}
	return l.joining.take(), true, nil
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
