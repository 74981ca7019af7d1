package rpc

// The Calls of this end, in the reverse direction (RFC 8167): what both versions share.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

const (
	firstReverseXID = 0x69776301
	maxReverse      = 16 * maxCallbacks // Calls that may be due
	reverseFill     = 0x5a              // octets of the echoed item
)

// A reverse holds the Calls of this end.
type reverse struct {
	batches []batch // that are due
	due     int     // Calls in them
	open    map[uint32]bool

	sent, answered, refused uint32
}

// A batch is equal Calls: NULL, or ECHO of an item of octets octets.
type batch struct{ count, octets uint32 }

// ask makes Calls due. It returns false if their RPC messages exceed room octets, or too many are due already.
func (r *reverse) ask(count, octets uint32, room int) bool {
	if uint64(r.due)+uint64(count) > maxReverse || uint64(reverseLen(octets)) > uint64(max(room, 0)) {
		return false
	}
	if count > 0 {
		r.batches = append(r.batches, batch{count, octets})
		r.due += int(count)
	}
	return true
}

// reverseLen returns the length in octets of the RPC message of a Call.
func reverseLen(octets uint32) uint64 {
	if octets == 0 {
		return oncrpc.MinCallLen
	}
	return oncrpc.MinCallLen + 3*4 + (uint64(octets)+3)&^3
}

// next returns the RPC message of the next Call, which is then open; nil if none is due.
func (r *reverse) next() (xid uint32, message []byte) {
	if r.due == 0 {
		return 0, nil
	}
	b := &r.batches[0]
	octets := b.octets
	if b.count--; b.count == 0 {
		r.batches = r.batches[1:]
	}
	r.due--
	xid = firstReverseXID + r.sent
	r.sent++
	if r.open == nil {
		r.open = make(map[uint32]bool)
	}
	r.open[xid] = true
	h := oncrpc.Call{XID: xid, RPCVers: oncrpc.Version, Prog: Program, Vers: ProgramVersion, Proc: ProcNull}
	if octets == 0 {
		message, _ = h.AppendBinary(nil)
		return xid, message
	}
	h.Proc = ProcEcho
	head, _ := h.AppendBinary(nil)
	s := results{message: head}
	s.word(1)
	s.item(bytes.Repeat([]byte{reverseFill}, int(octets)), false)
	return xid, s.message
}

// replied handles a message that may be the RPC Reply to an open Call, and reports whether it is.
func (r *reverse) replied(xid uint32, message []byte) bool {
	var h oncrpc.Reply
	if _, err := h.Decode(message); err != nil || h.XID != xid || !r.open[xid] {
		return false
	}
	delete(r.open, xid)
	r.answered++
	return true
}

// refusedBy handles an error instead of the Reply to a Call. It returns false if the Call is not open.
func (r *reverse) refusedBy(xid uint32) bool {
	if !r.open[xid] {
		return false
	}
	delete(r.open, xid)
	r.refused++
	return true
}
