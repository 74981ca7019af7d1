package rpc

// Names of RPCs and of the messages that carry them.

import (
	"slices"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// unnamed is the name of an RPC whose Call could not be read.
const unnamed = "RPC"

// names makes and keeps names; a capture has few different ones.
type names struct {
	known index[*name] // by the hash of their parts, the latest
	none  name         // of what is not known
	buf   []byte
}

// Limits of the names kept: of RPCs, and of messages with the same RPC.
const (
	maxNames    = 4096
	maxCarriers = 16
)

// A name is the name of an RPC, with its parts and the names of the messages that carry it.
type name struct {
	rpc      string
	task     uint64
	carriers []carrier

	procedure  oncrpc.Procedure
	compound   bool
	minor      uint32
	operations []nfs.Op
	callbacks  []nfs.CBOp
}

// fits reports whether n is the name of an Exchange.
func (n *name) fits(x *Exchange) bool {
	return n.procedure == x.Procedure && n.compound == x.compound && n.minor == x.Minor &&
		slices.Equal(n.operations, x.Operations) && slices.Equal(n.callbacks, x.Callbacks)
}

// A carrier is a kind of message and its name.
type carrier struct {
	kind messageKind
	name string
}

// A messageKind is what the name of a message says in addition to its RPC.
type messageKind struct {
	dialect rpcrdma.Dialect
	kind    uint32
	form    rpcrdma.Form
	role    rpcrdma.Role
	err     rpcrdma.ErrCode2
}

// call returns the name of an RPC: its procedure, and the operations of a COMPOUND.
func (n *names) call(x *Exchange) *name {
	task := x.task()
	hash := uint32(task ^ task>>32)
	if known := n.known.get(hash); known != nil && known.fits(x) {
		return known
	}
	if n.known.n >= maxNames {
		n.known.reset()
	}
	n.buf = x.appendName(n.buf[:0])
	made := &name{
		rpc: string(n.buf), task: task, procedure: x.Procedure, compound: x.compound, minor: x.Minor,
		operations: slices.Clone(x.Operations), callbacks: slices.Clone(x.Callbacks),
	}
	n.known.set(hash, made)
	return made
}

// task is a number for the procedure and the operations of a COMPOUND: a hash of them.
func (x *Exchange) task() uint64 {
	const prime = 0x00000100000001b3
	p := &x.Procedure
	h := (uint64(p.Program)*prime^uint64(p.Version))*prime ^ uint64(p.Number)
	if !x.compound {
		return h
	}
	h = h*prime ^ uint64(x.Minor)
	for _, op := range x.Operations {
		h = h*prime ^ uint64(op)
	}
	for _, op := range x.Callbacks {
		h = h*prime ^ uint64(op)
	}
	return h
}

// appendName appends the name.
func (x *Exchange) appendName(b []byte) []byte {
	p := x.Procedure
	if !x.compound {
		return append(b, p.String()...)
	}
	b = append(strconv.AppendUint(append(b, "NFSv4."...), uint64(x.Minor), 10), ' ')
	b = append(b, p.Name()...)
	for _, op := range x.Operations {
		b = append(append(b, ' '), op.String()...)
	}
	for _, op := range x.Callbacks {
		b = append(append(b, ' '), op.String()...)
	}
	return b
}

// message returns the name of an RPC-over-RDMA message that carries an RPC with the given name, nil if that is not known.
func (n *names) message(h *rpcrdma.Message, of *name) string {
	if of == nil {
		of = &n.none
	}
	kind := messageKind{dialect: h.Dialect, kind: h.Kind, form: h.Form, role: h.Role}
	if h.Form == rpcrdma.FormError {
		kind.err = h.Error.Err
	}
	for i := range of.carriers {
		if of.carriers[i].kind == kind {
			return of.carriers[i].name
		}
	}
	made := of.carried(h)
	if len(of.carriers) < maxCarriers {
		of.carriers = append(of.carriers, carrier{kind, made})
	}
	return made
}

// carried makes the name of a message.
func (n *name) carried(h *rpcrdma.Message) string {
	s := h.KindName()
	switch {
	case h.Form == rpcrdma.FormError:
		s += " " + h.ErrorName()
	case h.Form == rpcrdma.FormGrant && h.Dialect == rpcrdma.DialectVersion2:
		s += " credit grant"
	case h.Role == rpcrdma.Requester:
		s += " Call"
	case h.Role == rpcrdma.Responder:
		s += " Reply"
	}
	if n.rpc != "" {
		s += " " + n.rpc
	}
	return s
}
