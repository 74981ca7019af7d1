package rpc

// The reverse direction in version 1: RFC 8167. This end is the Requester, so it ignores faulty answers (RFC 8166,
// section 4.5).

import "github.com/iwarpkit/iwarp/codec/rpcrdma"

// reverseRoom returns the room of a message without chunks: this end offers none (RFC 8167, section 5.3).
func (v *version1) reverseRoom() int { return v.threshold() - rpcrdma.MinVersion1 }

// callback makes Calls: one until the peer has granted more (RFC 8166, section 3.3.3).
func (v *version1) callback() {
	for len(v.reverse.open) < min(v.granted, reverseCredits) {
		xid, message := v.reverse.next()
		if message == nil {
			return
		}
		h := rpcrdma.Version1{XID: xid, Vers: rpcrdma.Vers1, Credit: reverseCredits, Proc: rpcrdma.ProcMsg}
		b, _ := h.AppendBinary(nil)
		v.send(&Outgoing{Message: append(b, message...)})
	}
}

// answered handles a Reply. It has no chunks, since no Call has offered any.
func (v *version1) answered(h *rpcrdma.Version1, payload []byte) {
	chunks := len(h.Reads) > 0 || len(h.Writes) > 0 || h.Reply.Present()
	if h.Proc == rpcrdma.ProcMsg && !chunks && v.reverse.replied(h.XID, payload) {
		v.grant(h.Credit)
	}
}

// refused handles an RDMA_ERROR. err is why it could not be decoded.
func (v *version1) refused(h *rpcrdma.Version1, err error) {
	if err == nil && h.Err.Known() && v.reverse.refusedBy(h.XID) {
		v.grant(h.Credit)
	}
}

// grant applies the credits that the peer grants. Zero counts as one, since it must not be zero (RFC 8166, section
// 3.3.1).
func (v *version1) grant(credit uint32) {
	v.granted = int(min(max(credit, 1), reverseCredits))
	v.callback()
}
