package conform

// How a connection of the RPCService begins behind MPA, and how it ends.

import "github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"

// endXID is that of the Call with which a connection ends.
const endXID = 0xe0000001

// startRPC begins version 2: both tell each other their properties.
func (w *writer) startRPC() {
	if w.begin.RPC == 2 && !w.begin.NoProperties {
		w.we("Send " + rpctext.ConnProp())
		w.they("Send " + rpctext.AnyConnProp())
	}
}

// null is a Call of NULL and its Reply.
func (w *writer) null() {
	call, reply := w.Null(endXID), w.NullReply(endXID)
	if w.begin.RPC == 2 {
		p := &w.Peer.RPC
		call = rpctext.Null2(endXID, rpctext.Word(p.Program), rpctext.Word(p.ProgramVersion))
		reply = rpctext.NullReply2(endXID, rpctext.Word(p.Stat))
	}
	w.we("Send " + call)
	w.they("Send " + reply)
}
