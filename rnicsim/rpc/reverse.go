package rpc

// The Calls of a Responder, in the reverse direction (RFC 8167): what both versions share.

import "github.com/iwarpkit/iwarp/codec/oncrpc"

// callback sends Calls of the Program, as many as credits allow. A Program that answers Requests meanwhile does not begin it anew, and one
// whose Calls cannot be sent is asked again later.
func (e *Responder) callback() {
	if e.calling || e.version == nil {
		return
	}
	e.calling = true
	for failed := 0; failed < reverseCredits && e.version.mayCall(); {
		message := e.program.Next()
		if len(message) == 0 {
			break
		}
		var xid uint32
		if len(message) >= 4 {
			xid = word(message, 0)
		}
		if len(message) < oncrpc.MinCallLen || len(message) > e.version.reverseRoom() || e.calls[xid] {
			failed++
			e.program.Replied(xid, nil)
			continue
		}
		e.calls[xid] = true
		e.version.transmit(xid, message)
	}
	e.calling = false
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
