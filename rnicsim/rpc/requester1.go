package rpc

// The Requester of version 1: RFC 8166.

import (
	"bytes"
	"math"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

// A requester1 is a connection of version 1.
type requester1 struct {
	*Requester
	granted int // Calls that may be open
}

func newRequester1(r *Requester) requesterVersion { return &requester1{Requester: r, granted: 1} }

func (v *requester1) ready() bool { return v.flying < v.granted }

func (v *requester1) limits() limits {
	return limits{
		header: rpcrdma.MinVersion1,
		call:   room{v.agreed.ClientToServer, 1}, reply: room{v.agreed.ServerToClient, 1},
		segment: math.MaxInt32, segments: math.MaxInt32,
	}
}

func (v *requester1) transmit(p *pending) {
	h := rpcrdma.Version1{
		XID: p.xid, Vers: rpcrdma.Vers1, Credit: uint32(v.options.Credits),
		Reads: p.parts.reads, Writes: p.parts.writes, Reply: p.parts.answer,
	}
	if p.parts.body {
		h.Proc = rpcrdma.ProcNoMsg
		v.write(&h, nil)
	} else {
		v.write(&h, p.parts.payload)
	}
}

// queues reports nothing: version 1 sends Calls whole.
func (v *requester1) queues(*pending) bool { return false }

// write sends a message.
func (v *requester1) write(h *rpcrdma.Version1, payload []byte) {
	b, _ := h.AppendBinary(make([]byte, 0, h.Len()+len(payload)))
	v.send(&Outgoing{Message: append(b, payload...)})
}

func (v *requester1) received(message []byte) {
	v.postReceives(1)
	var m rpcrdma.Message
	m.Decode(message, len(message), rpcrdma.DialectVersion1)
	if m.Vers != rpcrdma.Vers1 || len(message) < rpcrdma.MinVersion1 && m.Form != rpcrdma.FormError {
		return
	}
	known := false
	if m.Form == rpcrdma.FormError {
		known = v.refusedBy(&m)
		if e := m.Error; known && e.Err == rpcrdma.ErrCode2Vers && e.VersLow <= e.VersHigh && (e.VersLow > rpcrdma.Vers1 || e.VersHigh < rpcrdma.Vers1) {
			v.refused = refusedError(&m)
		}
	} else {
		known = v.carried(&m)
	}
	if known {
		v.granted = int(min(max(m.Credit, 1), uint32(v.options.Credits))) // 0 must not be granted (RFC 8166, section 3.3.1)
	}
}

// carried handles a message that carries an RPC message, or is faulty, and reports whether it answers a Call.
func (v *requester1) carried(m *rpcrdma.Message) (known bool) {
	var law rpcrules.Stream
	fate, _ := law.Message(rpcrules.Server, m, nil)
	faulty := fate.Fault != nil && len(fate.Fault.Codes(m.Dialect)) > 0
	if fate.Use == rpcrules.Whole {
		var r *refusal
		known, r = v.replied(m, bytes.Clone(m.Payload))
		faulty = r != nil
	}
	if faulty && m.Role == rpcrdma.Requester { // nothing else is refused (RFC 8166, section 4.2.4)
		v.refuse(m.XID, nil)
	}
	return known
}

func (v *requester1) respond(xid uint32, reply []byte) *refusal {
	h := rpcrdma.Version1{XID: xid, Vers: rpcrdma.Vers1, Credit: reverseCredits}
	if h.Len()+len(reply) > v.agreed.ClientToServer {
		return &refusal{Fault: ReplyTooSmall}
	}
	v.write(&h, reply)
	return nil
}

// refuse sends ERR_CHUNK about a Call of the peer (RFC 8167, section 5.3).
func (v *requester1) refuse(xid uint32, _ *refusal) {
	v.write(&rpcrdma.Version1{
		XID: xid, Vers: rpcrdma.Vers1, Credit: reverseCredits, Proc: rpcrdma.ProcError, Err: rpcrdma.ErrCodeChunk,
	}, nil)
}
