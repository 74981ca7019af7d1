package conform

// What a survey finds out about a peer with an RPC server.

import (
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

// An RPCPeer is the result of surveying a peer with the RPCService.
type RPCPeer struct {
	// What each RPC server has: the procedure NULL of some program, and its answer to such a Call.
	Program        oncrpc.Program
	ProgramVersion uint32
	Stat           oncrpc.AcceptStat

	Conform            bool   // it has the program of docs/conform-rpc.md
	Version1, Version2 bool   // the versions of RPC-over-RDMA that it accepts
	Low, High          uint32 // their range, as in its errors

	Private    *rpcprivate.Data // of its MPA Reply (RFC 8797); nil if it sends none
	Credits    uint32           // granted by its first message of version 1; 0 without version 1
	Granted    uint32           // newly granted by its first properties of version 2; 0 without version 2
	Properties rpcrdma.PropSet  // of version 2, with defaults for numbers that it does not send
}

// Null returns a Call of NULL in version 1 that the peer knows, as octets of a Scenario.
func (s *Setup) Null(xid uint32) string {
	p := &s.Peer.RPC
	return rpctext.Null(rpctext.Word(xid), rpctext.Word(p.Program), rpctext.Word(p.ProgramVersion))
}

// NullReply returns the Reply to Null, as octets of a Scenario.
func (s *Setup) NullReply(xid uint32) string {
	return rpctext.NullReply(rpctext.Word(xid), rpctext.Word(s.Peer.RPC.Stat))
}
