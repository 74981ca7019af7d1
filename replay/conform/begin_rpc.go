package conform

// How a connection of the RPCService begins after MPA, and how it ends.

import (
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// endXID is the XID of the Call that ends a connection.
const endXID = 0xe0000001

// startRPC begins version 2: both sides send their properties.
func (w *writer) startRPC() {
	if w.begin.RPC == 2 && !w.begin.NoProperties {
		w.we("Send " + rpctext2.ConnProp())
		w.they("Send " + rpctext2.AnyConnProp())
	}
}

func (w *writer) null() {
	call, reply := w.Null(endXID), w.NullReply(endXID)
	if w.begin.RPC == 2 {
		p := &w.Peer.RPC
		call = rpctext2.Null(endXID, rpctext.Word(p.Program), rpctext.Word(p.ProgramVersion))
		reply = rpctext2.NullReply(endXID, rpctext.Word(p.Stat))
	}
	w.we("Send " + call)
	w.they("Send " + reply)
}
