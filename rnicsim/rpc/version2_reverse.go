package rpc

// The reverse direction in version 2 (draft 01, section 4.5). This end is the Requester, so it ignores faulty answers.

import "github.com/iwarpkit/iwarp/codec/rpcrdma"

// reverseParts is the most messages of a Call of this end, if the peer accepts more than one.
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
