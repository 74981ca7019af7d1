package rpc

// Sending in version 2: Replies, and other messages that wait for credits.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// mostParts limits the messages of an RPC message. Each of them must grant a credit, which needs a Receive.
const mostParts = 64

// enqueue queues a message until credits allow it, after those before it.
func (v *version2) enqueue(o *Outgoing) {
	v.queue = append(v.queue, o)
	v.queued += o.len()
	v.flush()
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
func (v *version2) flush() {
	for len(v.queue) > 0 && v.credits.enough() {
		o := v.queue[0]
		v.queue[0] = nil
		v.queue = v.queue[1:]
		v.queued -= o.len()
		if v.grant(o) {
			v.credits.left--
		}
	}
}

// grant sends a message with the credits that it grants. It returns false if Tamper has dropped the message. It closes
// the connection if the peer has no Receive that is long enough (draft 01, section 7.4); properties are sent
// nevertheless.
func (v *version2) grant(o *Outgoing) bool {
	n, before := v.credits.grant(), v.credits.granted
	binary.BigEndian.PutUint32(o.Message[creditOff:], v.credits.word(n))
	v.postReceives(v.credits.give(n))
	if word(o.Message, 3) != uint32(rpcrdma.HTypeConnProp) && len(o.Message) > v.threshold() {
		o.Drop, o.Close = true, true
	}
	if v.send(o); o.Drop {
		v.credits.granted = before
	}
	return !o.Drop
}

// relieve grants credits to a peer that has none left, if no answer is about to do so (draft 01, section 4.2.1.2), or
// if the peer is in the middle of an RPC message, since it may be unable to grant credits for that answer. A peer that
// lets Calls or answers accumulate gets none.
func (v *version2) relieve() {
	busy := v.executing > 0 || len(v.queue) > 0
	switch {
	case !v.credits.starved(), v.queued > maxOctets, v.kept > maxKept, busy && v.joining.octets == nil:
		return
	}
	h := rpcrdma.Version2{Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeNoMsg}
	b, _ := h.AppendBinary(nil)
	v.grant(&Outgoing{Message: b})
}

// answer sends a Reply in one message if that fits, else in the Reply chunk if that is large enough, else in several
// messages (draft 01, sections 4.4.3 and 6.4).
func (v *version2) answer(c *call, a *answer) *refusal {
	h := rpcrdma.Version2{
		XID: c.xid, Vers: rpcrdma.Vers2, HType: rpcrdma.HTypeMsg, Flags: rpcrdma.FlagResponse,
		Writes: a.writes, Reply: unused(c.reply),
	}
	messages, pushes := v.messages(&h, a.payload), a.pushes
	if len(messages) != 1 && h.Len() <= v.threshold() {
		if filled, long, ok := v.long(c, a); ok {
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

// messages returns the messages that carry an RPC message, the last of which has the header h; nil if there would be
// too many, or if the peer has no room for the header.
func (v *version2) messages(h *rpcrdma.Version2, payload []byte) (messages [][]byte) {
	middle := rpcrdma.Version2{XID: h.XID, Vers: h.Vers, HType: h.HType, Flags: h.Flags | rpcrdma.FlagMore}
	parts := cut(payload, v.threshold()-middle.Len(), v.threshold()-h.Len(), mostParts)
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

// object refuses a message that is not a complete Call. It ignores a faulty Reply, since an error would be about a Call
// of the peer with the same XID (draft 01, section 6.2.2.1).
func (v *version2) object(m *rpcrdma.Message, message []byte, r *refusal) {
	if m.Flags&rpcrdma.FlagResponse == 0 || m.Form == rpcrdma.FormProperties {
		v.sendError(v.call(m, message, nil), r)
	}
}

func (v *version2) refuse(c *call, r *refusal) {
	v.executing--
	v.sendError(c, r)
}

// sendError sends an RDMA2_ERROR about a message (draft 01, section 7).
func (v *version2) sendError(c *call, r *refusal) {
	h := rpcrdma.Version2{
		XID: c.xid, Vers: word(c.request, 1), HType: rpcrdma.HTypeError, Flags: rpcrdma.FlagResponse, Error: r.error2(),
	}
	b, _ := h.AppendBinary(nil)
	v.enqueue(&Outgoing{Request: c.request, Message: b, call: c})
}

// error2 returns the error of version 2 for a refusal (draft 01, sections 7.1 to 7.4).
func (r *refusal) error2() rpcrdma.Error2 {
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

func newCredits(o *Options, receives int) credits {
	return credits{
		granted: 1, // a client may send one message before it knows of credits (draft 01, section 4.2.3)
		most:    receives - reservedReceives,
		usual:   o.Credits,
	}
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
