package rpc

// The Calls of a Responder, in the reverse direction (RFC 8167): what both versions share.

import "github.com/iwarpkit/iwarp/codec/oncrpc"

// nextCall returns the RPC message of the next Call, which is then open; nil if none is due.
func (e *Responder) nextCall() (xid uint32, message []byte) {
	for message = e.program.Next(); len(message) >= oncrpc.MinCallLen; message = e.program.Next() {
		if xid = word(message, 0); len(message) <= e.version.reverseRoom() && !e.calls[xid] {
			e.calls[xid] = true
			return xid, message
		}
		e.program.Replied(xid, nil)
	}
	return 0, nil
}

// replied handles a message that may be the RPC Reply to an open Call, and reports whether it is.
func (e *Responder) replied(xid uint32, message []byte) bool {
	var h oncrpc.Reply
	if _, err := h.Decode(message); err != nil || h.XID != xid {
		return false
	}
	return e.callOver(xid, message)
}

// callOver gives the Program the Reply to a Call, or nil if it was refused. It returns false if the Call is not open.
func (e *Responder) callOver(xid uint32, reply []byte) bool {
	if !e.calls[xid] {
		return false
	}
	delete(e.calls, xid)
	e.program.Replied(xid, reply)
	return true
}
