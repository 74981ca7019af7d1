package rpc

// Sending in version 2, by either end: messages that wait for credits, and what these are.

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// mostParts limits the messages of an RPC message. Each of them must grant a credit, which needs a Receive.
const mostParts = 64

// enqueue queues a message until credits allow it, after those before it.
func (l *link2) enqueue(o *Outgoing) {
	l.queue = append(l.queue, o)
	l.queued += o.len()
	l.flush()
}

// len returns the number of octets that a message moves.
func (o *Outgoing) len() int {
	n := len(o.Message)
	for _, w := range o.Writes {
		n += len(w.Octets)
	}
	return n
}

// flush sends what credits allow.
func (l *link2) flush() {
	for len(l.queue) > 0 && l.credits.enough() {
		o := l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		l.queued -= o.len()
		if l.grant(o) {
			l.credits.left--
		}
	}
}

// grant sends a message with the credits that it grants. It returns false if Tamper has dropped the message. It closes
// the connection if the peer has no Receive that is long enough (draft 01, section 7.4); properties are sent
// nevertheless.
func (l *link2) grant(o *Outgoing) bool {
	n, before := l.credits.grant(), l.credits.granted
	binary.BigEndian.PutUint32(o.Message[creditOff:], l.credits.word(n))
	l.end.postReceives(l.credits.give(n))
	if word(o.Message, 3) != uint32(rpcrdma.HTypeConnProp) && len(o.Message) > l.threshold() {
		o.Drop, o.Close, o.why = true, true, ErrNoRoom
	}
	if l.end.send(o); o.Drop {
		l.credits.granted = before
	}
	return !o.Drop
}

// queues reports whether a part of a Call waits for credits.
func (l *link2) queues(p *pending) bool {
	return slices.ContainsFunc(l.queue, func(o *Outgoing) bool { return o.of == p })
}

// freshen grants credits by a message of its own.
func (l *link2) freshen() {
	h := rpcrdma.Version2{Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeNoMsg}
	b, _ := h.AppendBinary(nil)
	l.grant(&Outgoing{Message: b})
}

// messages returns the messages that carry an RPC message, the last of which has the header h; nil if there would be
// too many, or if the peer has no room for the header.
func (l *link2) messages(h *rpcrdma.Version2, payload []byte) (messages [][]byte) {
	middle := rpcrdma.Version2{XID: h.XID, Vers: h.Vers, HType: h.HType, Flags: h.Flags | rpcrdma.FlagMore}
	parts := cut(payload, l.threshold()-middle.Len(), l.threshold()-h.Len(), mostParts)
	for i, part := range parts {
		head := &middle
		if i == len(parts)-1 {
			head = h
		}
		b, _ := head.AppendBinary(make([]byte, 0, head.Len()+len(part)))
		messages = append(messages, append(b, part...))
	}
	return messages
}

// failure returns an RDMA2_ERROR about a message (draft 01, section 7).
func (r *refusal) failure(xid, vers uint32) []byte {
	h := rpcrdma.Version2{
		XID: xid, Vers: vers, HType: rpcrdma.HTypeError, Flags: rpcrdma.FlagResponse, Error: r.error2(),
	}
	b, _ := h.AppendBinary(nil)
	return b
}

// error2 returns the error of version 2 for a refusal (draft 01, sections 7.1 to 7.4).
func (r *refusal) error2() rpcrdma.Error2 {
	if r.Report.Err != 0 {
		return r.Report
	}
	switch r.Fault {
	case BadType, BadFlag, LateProperties:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2InvalHType}
	case BadXDR, BadPosition, BadSegment, BadBody, BadTrailing, BadXID, BadMsgType, NotEligible:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2BadXDR}
	case BadContinuation:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2InvalCont}
	case BadProperty:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2BadPropval}
	case TooManyReads:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2ReadChunks, MaxChunks: r.Max}
	case TooManyWrites:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2WriteChunks, MaxChunks: r.Max}
	case TooManySegments:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2Segments, MaxSegments: r.Max}
	case WriteTooSmall:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2WriteResource, ChunkIndex: r.Index, LengthNeeded: r.Needed}
	case ReplyTooSmall:
		return rpcrdma.Error2{Err: rpcrdma.ErrCode2ReplyResource, LengthNeeded: r.Needed}
	}
	return rpcrdma.Error2{Err: rpcrdma.ErrCode2System}
}

// reservedReceives is for a credit grant, which may come at any time (draft 01, section 4.2.1.2).
const reservedReceives = 1

// A credits counts those of both directions of a connection of version 2.
type credits struct {
	left    int // messages that may be sent
	granted int // messages that the peer may send
	owed    int // Receives that are not posted again, because the peer has sent more than it was granted
	most    int // messages that have Receives
	usual   int // messages that the peer is granted unless it asks for more
	peer    int // credits that the peer says it can hold; 0 if unknown
}

// received counts a message that came, and returns the number of Receives to post in its place: none for those beyond
// the grant.
func (c *credits) received() (receives int) {
	if c.granted == 0 {
		c.owed++
		return 0
	}
	c.granted--
	return 1
}

// credited applies the credits that a message grants.
func (c *credits) credited(limit, grant uint32) {
	c.left += int(grant)
	c.peer = int(limit)
}

// enough reports whether a message may be sent: there is a credit for it, and it can grant one.
func (c *credits) enough() bool {
	return c.left > 0 && (c.granted < c.most || c.peer != 0 && c.peer <= c.most)
}

// grant returns the credits that the next message grants. It is never zero.
func (c *credits) grant() int {
	usual := c.usual
	if c.peer != 0 {
		usual = min(usual, c.peer)
	}
	return max(usual-c.granted, 1)
}

// word returns the rdma_credit of a grant: both halves (draft 01, section 4.2.1.1).
func (c *credits) word(grant int) uint32 { return uint32(c.most)<<16 | uint32(grant) }

// give counts a grant that is sent, and returns the number of Receives to post before.
func (c *credits) give(grant int) (receives int) {
	c.granted = min(c.granted+grant, c.most)
	receives = min(c.owed, grant)
	c.owed -= receives
	return receives
}

// starved reports whether the peer can send no more.
func (c *credits) starved() bool { return c.granted == 0 }
