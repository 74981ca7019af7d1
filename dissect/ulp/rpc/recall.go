package rpc

// Delegations that a server recalls and a client does not return (RFC 8881, sections 10.4.5 and 20.2).

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A recall is a CB_RECALL whose delegation the client has not returned.
type recall struct {
	record.Origin
	xid   uint32
	other [stateIDOther]byte // of the stateid
}

// Lengths in octets of what the arguments begin with: of a stateid, its seqid and the rest; of a SEQUENCE, its session ID.
const (
	stateIDSeq   = 4
	stateIDOther = 12
	sessionID    = 16
)

// Limits of what is remembered.
const (
	maxRecalls = 64
	maxSlots   = 64
)

// recalls are those of a connection. A client may return a delegation on another connection of its session.
type recalls struct {
	sole bool // the client created the session on this connection, and uses it on no other one, as far as its slots tell
	open []recall
	next [maxSlots]uint32 // by slot: the sequence ID that comes next; 0 if that is not known
}

// take takes an operation of a Call.
func (r *recalls) take(c *call, op uint32, args []byte) {
	switch {
	case c.x.Reverse:
		if nfs.CBOp(op) == nfs.OpCBRecall && r.sole {
			r.recalled(c, args)
		}
	case nfs.Op(op) == nfs.OpCreateSession:
		*r = recalls{sole: true}
	case nfs.Op(op) == nfs.OpBindConnToSession, nfs.Op(op) == nfs.OpDestroySession, nfs.Op(op) == nfs.OpDestroyClientID:
		*r = recalls{}
	case nfs.Op(op) == nfs.OpSequence:
		r.sequence(args)
	case (nfs.Op(op) == nfs.OpDelegReturn || nfs.Op(op) == nfs.OpFreeStateID) && len(args) >= stateIDSeq+stateIDOther:
		other := args[stateIDSeq:][:stateIDOther]
		r.open = slices.DeleteFunc(r.open, func(o recall) bool { return string(o.other[:]) == string(other) })
	}
}

// recalled takes a CB_RECALL.
func (r *recalls) recalled(c *call, args []byte) {
	if len(args) < stateIDSeq+stateIDOther || len(r.open) == maxRecalls {
		*r = recalls{}
		return
	}
	o := recall{Origin: *c.origin(), xid: c.x.XID}
	copy(o.other[:], args[stateIDSeq:])
	r.open = append(r.open, o)
}

// sequence takes the arguments of a SEQUENCE. A sequence ID that is missing was used on another connection.
func (r *recalls) sequence(args []byte) {
	if len(args) < sessionID+8 {
		*r = recalls{}
		return
	}
	id, slot := binary.BigEndian.Uint32(args[sessionID:]), binary.BigEndian.Uint32(args[sessionID+4:])
	if slot >= maxSlots {
		*r = recalls{}
		return
	}
	next := r.next[slot]
	if again := id+1 == next; next != 0 && id != next && !again {
		*r = recalls{}
		return
	}
	r.next[slot] = id + 1
}

// refused says that the client has not taken a callback.
func (r *recalls) refused(xid uint32) {
	r.open = slices.DeleteFunc(r.open, func(o recall) bool { return o.xid == xid })
}

// unreturned is the first delegation that the client has not returned for as long as a side may leave the other waiting.
func (r *recalls) unreturned(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	if len(r.open) == 0 || e.At-r.open[0].LastTime < int64(e.MaxWait) {
		return c, false
	}
	first := &r.open[0]
	says := fmt.Sprintf("The client has not returned the delegation that the server recalled in %s (CB_RECALL, XID 0x%08x), for %s",
		first.Conn.Frames.Text(first.Span), first.xid, quantity.Duration(e.At-first.LastTime))
	return ulp.Conclusion{Origin: first.Origin, Name: record.Unreturned, Says: says}, true
}
