package rpc

// NFS on a connection.

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// nfsUse is how NFS uses a connection.
type nfsUse struct {
	callbacks  bool // the client has asked for callbacks, or may have
	port       bool // the port was judged
	unexpected bool // callbacks that the client did not ask for were reported
}

// call judges a Call to the port of a server, and appends violations to v.
func (n *nfsUse) call(c *call, server uint16, s *stream, v []rules.Violation) []rules.Violation {
	x := &c.x
	if x.Reverse {
		return n.callback(c, s, v)
	}
	for _, op := range x.Operations {
		n.callbacks = n.callbacks || op == nfs.OpCreateSession || op == nfs.OpBindConnToSession
	}
	if x.Procedure.Program == oncrpc.ProgramNFS && !n.port {
		n.port = true
		if server != rpcrdma.Port {
			v = append(v, rpcrules.Port.Breach(fmt.Sprintf("port %d", server), fmt.Sprintf("port %d", rpcrdma.Port)))
		}
	}
	return v
}

// callback judges a Call of the server. In version 2 properties say whether callbacks are allowed.
func (n *nfsUse) callback(c *call, s *stream, v []rules.Violation) []rules.Violation {
	known := c.x.Procedure.Program == oncrpc.ProgramNFSCB && s.gaps[flow.C2S] == 0
	if n.callbacks || n.unexpected || !known || c.x.Dialect != rpcrdma.DialectVersion1 {
		return v
	}
	n.unexpected = true
	return append(v, rpcrules.Reverse.Breach(c.x.Dialect,
		c.x.Name+" of the server", "CREATE_SESSION or BIND_CONN_TO_SESSION of the client first"))
}

// An nfsStatus is the status of an NFS procedure, of whichever version.
type nfsStatus interface {
	String() string
	Everyday() bool
	Passes() bool
	Recovers() bool
	Denies() bool
	Local() bool
}

// failed notes the error with which an NFS procedure ended. One that sets up a client or a session is never refused on a healthy server,
// unless that passes.
func (x *Exchange) failed(number uint32) {
	status := x.status(number)
	x.Result, x.everyday, x.local = status.String(), status.Everyday(), status.Local()
	if !x.Reverse {
		x.advice = nfsAdvice[number]
	}
	switch {
	case number == minorVersion && x.Procedure.IsCompound():
		x.passage = ulp.Versioned
	case status.Passes() && !x.has(nfs.OpDestroySession, nfs.OpDestroyClientID): // what is to be destroyed may be gone already
		x.passage = ulp.Temporary
	case status.Passes():
	case status.Recovers():
		x.passage = ulp.Repeated
	case x.has(nfs.OpExchangeID, nfs.OpCreateSession, nfs.OpSetClientID):
		x.everyday = false
	case status.Denies():
		x.everyday, x.passage = true, ulp.Denied
	case x.Reverse && number == badHandle: // the client has returned or forgotten meanwhile what is recalled
		x.everyday = true
	}
}

// NFS4ERR_BADHANDLE and NFS4ERR_MINOR_VERS_MISMATCH.
const (
	badHandle    = 10001
	minorVersion = 10021
)

// preparing are the operations that do no work themselves.
var preparing = []nfs.Op{
	nfs.OpSequence, nfs.OpPutRootFH, nfs.OpPutPubFH, nfs.OpGetFH, nfs.OpGetattr, nfs.OpExchangeID, nfs.OpCreateSession, nfs.OpDestroySession,
	nfs.OpDestroyClientID, nfs.OpBindConnToSession, nfs.OpBackchannelCtl, nfs.OpReclaimComplete, nfs.OpSetClientID, nfs.OpSetClientIDConfirm,
	nfs.OpRenew, nfs.OpSecInfo, nfs.OpSecInfoNoName, nfs.OpTestStateID, nfs.OpFreeStateID,
}

// Prepares implements ulp.Preparing: it asks nothing, about a file system as a whole, for a session, or about the root.
func (x *Exchange) Prepares() bool {
	const fsinfo, pathconf = 19, 20 // of NFSv3
	p := x.Procedure
	switch {
	case p.IsCompound():
		return !slices.ContainsFunc(x.Operations, func(op nfs.Op) bool { return !slices.Contains(preparing, op) })
	case p.Program == oncrpc.ProgramNFS && p.Version == 3 && (p.Number == fsinfo || p.Number == pathconf):
		return true
	}
	return p.Number == 0
}

// has reports whether a COMPOUND has one of some operations.
func (x *Exchange) has(ops ...nfs.Op) bool {
	return slices.ContainsFunc(x.Operations, func(op nfs.Op) bool { return slices.Contains(ops, op) })
}

// nfsError returns the number of the error with which the results of an NFS procedure begin; 0 if they begin with none.
func nfsError(x *Exchange, results []byte) uint32 {
	body, _, plain := x.Protection.Unwrap(results)
	p := x.Procedure
	begins := p.Program == oncrpc.ProgramNFS && p.Version <= 4 && p.Number > 0 || p.IsCBCompound()
	if !plain || !begins || len(body) < 4 || p.Version == 2 && (p.Number == 3 || p.Number == 7) {
		return 0 // ROOT and WRITECACHE of NFSv2 have no results
	}
	return binary.BigEndian.Uint32(body)
}

// status is the status of an NFS procedure with a number.
func (x *Exchange) status(number uint32) nfsStatus {
	if x.Procedure.Program == oncrpc.ProgramNFS && x.Procedure.Version < 4 {
		return nfs.Stat3(number)
	}
	return nfs.Stat4(number)
}
