package rpc

// Names of RPCs and of the messages that carry them.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// unnamed is the name of an RPC whose Call could not be read.
const unnamed = "RPC"

// names makes names, and keeps them: those of a capture are few.
type names struct {
	known map[string]string
	buf   []byte
}

// maxNames is how many names are kept.
const maxNames = 4096

// keep is the text in n.buf as a string.
func (n *names) keep() string {
	if s, ok := n.known[string(n.buf)]; ok {
		return s
	}
	if n.known == nil || len(n.known) >= maxNames {
		n.known = make(map[string]string)
	}
	s := string(n.buf)
	n.known[s] = s
	return s
}

// call is the name of an RPC: its procedure, and the operations of a COMPOUND.
func (n *names) call(x *Exchange) string {
	p := x.Procedure
	if !x.compound {
		n.buf = appendProcedure(n.buf[:0], p)
		return n.keep()
	}
	n.buf = append(strconv.AppendUint(append(n.buf[:0], "NFSv4."...), uint64(x.Minor), 10), ' ')
	n.buf = append(n.buf, p.Name()...)
	for _, op := range x.Operations {
		n.buf = append(append(n.buf, ' '), op.String()...)
	}
	for _, op := range x.Callbacks {
		n.buf = append(append(n.buf, ' '), op.String()...)
	}
	return n.keep()
}

// appendProcedure appends what Procedure.String returns, which allocates.
func appendProcedure(b []byte, p oncrpc.Procedure) []byte {
	b = append(append(b, p.Program.String()...), 'v')
	b = strconv.AppendUint(b, uint64(p.Version), 10)
	return append(append(b, ' '), p.Name()...)
}

// message is the name of an RPC-over-RDMA message. rpc is that of its RPC, empty if it is not known.
func (n *names) message(h *rpcrdma.Message, rpc string) string {
	n.buf = append(n.buf[:0], h.KindName()...)
	switch {
	case h.Form == rpcrdma.FormError:
		n.buf = append(append(n.buf, ' '), h.ErrorName()...)
	case h.Form == rpcrdma.FormGrant && h.Dialect == rpcrdma.DialectVersion2:
		n.buf = append(n.buf, " credit grant"...)
	case h.Role == rpcrdma.Requester:
		n.buf = append(n.buf, " Call"...)
	case h.Role == rpcrdma.Responder:
		n.buf = append(n.buf, " Reply"...)
	}
	if rpc != "" && rpc != unnamed {
		n.buf = append(append(n.buf, ' '), rpc...)
	}
	return n.keep()
}
