package rpc

// What findings are about, as text.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Subject implements ulp.Follower: the type, the XID and the procedure of the message in which something was found.
func (f *follower) Subject(found *record.Finding) string {
	if m := f.current; m != nil && m.Span == found.Span && m.Dir == found.Dir {
		return f.messageSubject()
	}
	for c := f.sides[found.Dir].calls.open.Latest(); c != nil; c = c.order.Earlier() {
		if c.Request == found.Span && c.x.Call.Kind != "" {
			return subject(c.x.Call.Kind+" Call", c.x.XID, c.x.Name)
		}
	}
	return ""
}

// messageSubject is the subject of the current message; empty if it is too short to have a name.
func (f *follower) messageSubject() string {
	h := &f.packet.Message
	if h.Dialect == rpcrdma.DialectUnknown || h.Len < rpcrdma.MinVersion1Error {
		return ""
	}
	return subject(f.names.message(h, nil), h.XID, f.procedure())
}

// procedure is the name of the RPC to which the current message belongs, as far as it is known by now.
func (f *follower) procedure() string {
	h, caller := &f.packet.Message, f.current.Dir
	if h.Role != rpcrdma.Requester {
		caller = 1 - caller
	}
	if c := f.sides[caller].calls.byXID.get(h.XID); c != nil && c.x.Name != unnamed {
		return c.x.Name
	}
	var call oncrpc.Call
	if _, err := call.Decode(h.Payload); err != nil || h.Role != rpcrdma.Requester || h.Form != rpcrdma.FormInline {
		return unnamed
	}
	return call.Procedure().String()
}

// subject is "RDMA_MSG Call 0x5a000003 NFSv3 READ".
func subject(message string, xid uint32, rpc string) string {
	text := fmt.Sprintf("%s 0x%08x", message, xid)
	if rpc != unnamed {
		text += " " + rpc
	}
	return text
}

// Identify implements ulp.Follower.
func (f *follower) Identify(t *record.Transaction) string { return fmt.Sprintf("XID 0x%08x", t.ID) }
