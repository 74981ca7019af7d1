package rpc

// What to do about Calls that are refused.

import "github.com/iwarpkit/iwarp/codec/oncrpc"

// dialectAdvice is what to do about ERR_VERS.
const dialectAdvice = "The responder does not speak this version of RPC-over-RDMA: let the requester use one that the error names, or update the side " +
	"that is older."

// chunkAdvice is what to do about ERR_CHUNK.
const chunkAdvice = "The responder found the chunks wrong, or none or too little of them for what it has to return: compare the chunks of the Call with " +
	"the arguments and with how long the results may be, and the inline thresholds of both sides (see iwarp decode -V)."

// callbackAdvice is what to do if the client does not have what the server called.
const callbackAdvice = "The client has no such callback program, version or procedure on this connection: compare it with what the client asked for in " +
	"CREATE_SESSION, and see whether its callback service runs. Without callbacks the server gives no delegations, or cannot recall them."

// contextsAdvice is what to do if the server does not take the token with which the client begins a context of RPCSEC_GSS.
const contextsAdvice = "The server does not accept the client's ticket: see its keytab (klist -k: the name nfs/HOST by which the client knows the server), the log of " +
	"rpc.svcgssd or gssproxy, and the clocks of both."

// acceptAdvice is what to do if the server accepted a Call and did not execute it.
var acceptAdvice = map[oncrpc.AcceptStat]string{
	oncrpc.ProgUnavail: "The server has no such RPC program at this port: see whether its daemon runs and is registered for RDMA, and whether the " +
		"client connects to the right port.",
	oncrpc.ProgMismatch: "The server has the RPC program in other versions: let the client ask for one that the Reply names (vers= of an NFS mount), or " +
		"enable this one on the server.",
	oncrpc.GarbageArgs: "The server could not read the arguments: compare them with the definition of the procedure (iwarp decode -V), and the versions of both sides.",
	oncrpc.SystemErr:   "The server failed for a reason of its own, such as a lack of memory: see its log.",
	oncrpc.ProcUnavail: "The server has the RPC program and its version, but not this procedure: let the client do without it, or update the server.",
}

// authAdvice is what to do if the server does not accept the credentials of a Call.
var authAdvice = map[oncrpc.AuthStat]string{
	oncrpc.AuthBadCred: "The server does not accept the credentials, or does not admit the client: compare its address with the exports (exportfs -v, and " +
		"showmount -e SERVER at the client). Else see which security flavors it offers, and which the client uses (sec= of a mount).",
	oncrpc.AuthRejectedCred:     "The server wants the client to begin a new security context: see why that does not, and compare the clocks of both.",
	oncrpc.AuthTooWeak:          "The server demands another security flavor, or a port below 1024: compare sec= and secure in its exports with sec= and resvport of the mount.",
	oncrpc.RPCSECGSSCredProblem: "The server does not know the client's security context: see its keytab, rpc.svcgssd or gssproxy, and the clocks of both.",
	oncrpc.RPCSECGSSCtxProblem:  "The server no longer has the client's security context: see why the client does not get a new one, such as a ticket that has expired.",
}

// nfsAdvice is what to do about the status of an NFS procedure, by its number, which is the same in all versions.
var nfsAdvice = map[uint32]string{
	2:  "The server has no such path for this client: compare that of the mount with its exports (exportfs -v), and see whether what they export is mounted there.",
	5:  "The server could not read or write its storage: see its log, its disks, and whether its own file system has errors.",
	27: "The file would be larger than the server or its file system allows.",
	28: "The file system of the server is full: see df and df -i there.",
	69: "The quota of the user is used up: see it on the server (quota, repquota).",
	13: rightsAdvice,
	1:  rightsAdvice,
	30: "The server exports the file system read-only: see its options (ro, rw) and how it is mounted there.",
	70: "The file no longer exists on the server, or that exports another file system in its place, or none to this client: see what it exports, and whether " +
		"that was restored, moved or given another fsid (exportfs -v), and mount again.",
	10001: "The server does not know this file handle: see whether it was started with other exports (fsid of exportfs), and mount again.",
	10008: "The server is busy with what the Call needs: a recall of a delegation, a slow or hierarchical storage. See what it waits for, and whether a client " +
		"owes it an answer to a callback.",
	10010: lockAdvice,
	10012: lockAdvice,
	10015: lockAdvice,
	10046: lockAdvice,
	10011: "The client has not renewed its lease in time, and lost its state: see why, such as a network that was cut or a host that was suspended.",
	10013: "The server was restarted and waits for clients to reclaim their state. See how long its grace period lasts (/proc/fs/nfsd/nfsv4gracetime), and " +
		"whether a client keeps it from ending.",
	10016: "The server demands another security flavor here: compare sec= of the export and of the mount.",
	10017: "Another client uses the same name: give each host a name of its own (nfs4_unique_id of module nfs, or the hostname).",
	10021: "The server does not have this minor version: mount with another (vers=4.1, vers=4.0), or enable it on the server (nfsd's versions).",
	10022: restartAdvice,
	10023: restartAdvice,
	10025: "The server does not know the stateid: it was restarted, has revoked the state, or the client mixes up two. See the logs of both.",
	10047: "An administrator of the server has taken the state away: see its log.",
	10052: sessionAdvice,
	10053: "The client uses a slot that the session does not have: see its log, and how many slots CREATE_SESSION has agreed on.",
	10063: "Client and server disagree about the sequence of a slot: see whether Calls were cut off or the server answers from an old cache. A new session " +
		"mends it.",
	10065: sizeAdvice,
	10066: sizeAdvice,
	10070: sizeAdvice,
	10078: sessionAdvice,
	10087: "The server has revoked the delegation, since the client did not return it in time: see whether callbacks reach the client.",
}

const (
	rightsAdvice  = "The user has no right to this: see the permissions on the server, and how it maps users (root_squash, all_squash, idmapd)."
	lockAdvice    = "Another client, or a program on the server, has the file open or locked: see which (/proc/fs/nfsd/clients/*/states there), and why it keeps that."
	restartAdvice = "The server was restarted, or has forgotten the client: see why that does not begin anew, and whether both use the same name for it."
	sessionAdvice = "The server no longer has the session: it was restarted, or ended it. See why the client does not get another one that lasts, and whether " +
		"two clients use the same name (nfs4_unique_id)."
	sizeAdvice = "The Call or its Reply is larger than CREATE_SESSION has agreed on: compare ca_maxrequestsize, ca_maxresponsesize and ca_maxoperations there."
)

// Advice implements ulp.Advising.
func (x *Exchange) Advice() string { return x.advice }
