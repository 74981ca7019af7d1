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
	entered    bool // a program has used a file system, which the client has mounted by then
}

// call judges a Call to the port of a server, and appends violations to v.
func (n *nfsUse) call(c *call, server uint16, s *stream, v []rules.Violation) []rules.Violation {
	x := &c.x
	if x.Reverse {
		return n.callback(c, s, v)
	}
	n.callbacks = n.callbacks || x.has(nfs.OpCreateSession, nfs.OpBindConnToSession)
	n.entered = n.entered || !x.Prepares()
	x.mounts = x.path != "" && !n.entered
	if x.Procedure.Program == oncrpc.ProgramNFS && !n.port {
		n.port = true
		if server != rpcrdma.Port {
			v = append(v, rpcrules.Port.Breach(fmt.Sprintf("port %d", server), fmt.Sprintf("port %d", rpcrdma.Port)))
		}
	}
	return v
}

// seek keeps the name that a client looks up while it mounts.
func (x *Exchange) seek(ops *nfs.Operations, n *nfsUse) {
	if ops.Op == nfs.OpLookup && !n.entered && len(ops.Args) > 4 {
		name := ops.Args[4:]
		x.path = string(name[:min(binary.BigEndian.Uint32(ops.Args), uint32(len(name)), maxPath)])
	}
}

// maxPath is how many octets of a name are kept.
const maxPath = 64

// sought names what a client looked up and did not get when it mounted: ` ("export")`.
func (x *Exchange) sought() string {
	if !x.mounts || x.passage != ulp.Denied && x.passage != ulp.Missing {
		return ""
	}
	return fmt.Sprintf(" (%q)", x.path)
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
	IsHeld() bool
	LosesData() bool
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
	case status.Passes() && !x.Leaves(): // what is to be destroyed may be gone already
		x.passage = ulp.Temporary
	case status.Passes():
	case status.Recovers(), status.IsHeld():
		x.passage = ulp.Repeated
	case x.mounts && number == noEntry:
		x.passage = ulp.Missing
	case x.stores() && status.LosesData(), x.reads() && (number == stale || number == badHandle):
		x.everyday, x.local = false, true
	case x.has(nfs.OpExchangeID, nfs.OpCreateSession, nfs.OpSetClientID):
		x.everyday = false
	case status.Denies():
		x.everyday, x.passage = true, ulp.Denied
	case x.Reverse && number == badHandle: // the client has returned or forgotten meanwhile what is recalled
		x.everyday = true
	}
}

// NFS4ERR_NOENT, NFS4ERR_STALE, NFS4ERR_BADHANDLE and NFS4ERR_MINOR_VERS_MISMATCH.
const (
	noEntry      = 2
	stale        = 70
	badHandle    = 10001
	minorVersion = 10021
)

// stores reports whether it stores data in a file.
func (x *Exchange) stores() bool {
	const write, commit = 7, 21 // of NFSv3
	return x.has(nfs.OpWrite, nfs.OpCommit) || x.isNFS3(write, commit)
}

// reads reports whether it reads data of a file.
func (x *Exchange) reads() bool {
	const read = 6 // of NFSv3
	return x.has(nfs.OpRead, nfs.OpReadPlus) || x.isNFS3(read)
}

// isNFS3 reports whether it is one of some procedures of NFSv3.
func (x *Exchange) isNFS3(procedures ...uint32) bool {
	p := x.Procedure
	return p.Program == oncrpc.ProgramNFS && p.Version == 3 && slices.Contains(procedures, p.Number)
}

// preparing are the operations that do no work themselves.
var preparing = []nfs.Op{
	nfs.OpSequence, nfs.OpPutFH, nfs.OpPutRootFH, nfs.OpPutPubFH, nfs.OpGetFH, nfs.OpSaveFH, nfs.OpRestoreFH, nfs.OpLookup, nfs.OpLookupP, nfs.OpGetattr,
	nfs.OpAccess, nfs.OpExchangeID, nfs.OpCreateSession, nfs.OpDestroySession, nfs.OpDestroyClientID, nfs.OpBindConnToSession, nfs.OpBackchannelCtl, nfs.OpReclaimComplete, nfs.OpSetClientID, nfs.OpSetClientIDConfirm,
	nfs.OpRenew, nfs.OpSecInfo, nfs.OpSecInfoNoName, nfs.OpTestStateID, nfs.OpFreeStateID,
}

// preparing3 are the procedures of NFSv3 that do no work themselves: GETATTR, LOOKUP, ACCESS, FSSTAT, FSINFO and PATHCONF.
var preparing3 = []uint32{1, 3, 4, 18, 19, 20}

// getACL is the procedure of NFSACL with which a client looks at the rights to a file.
const getACL = 1

// Prepares implements ulp.Preparing: it asks nothing, for a session, or whether there is a file and what one may do with that.
func (x *Exchange) Prepares() bool {
	p := x.Procedure
	switch {
	case p.IsCompound():
		return !x.partial && !slices.ContainsFunc(x.Operations, func(op nfs.Op) bool { return !slices.Contains(preparing, op) })
	case p.Program == oncrpc.ProgramNFS && p.Version == 3 && slices.Contains(preparing3, p.Number),
		p.Program == oncrpc.ProgramNFSACL && p.Number == getACL:
		return true
	}
	return p.Number == 0
}

// Leaves implements ulp.Leaving.
func (x *Exchange) Leaves() bool { return x.has(nfs.OpDestroySession, nfs.OpDestroyClientID) }

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
