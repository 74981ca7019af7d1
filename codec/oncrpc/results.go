package oncrpc

// The walk along the results of a COMPOUND or CB_COMPOUND. A result has no length: where the next one begins is known
// only by measuring those before it. RFC 7531 (minor version 0); results41.go has the rest.

import "github.com/iwarpkit/iwarp/codec/field"

// Results walks along the results of the operations of a COMPOUND or CB_COMPOUND:
//
//	for results.Reset(message, n, &res, false); results.Next(); {
//		fmt.Println(results.Op, results.Status)
//	}
//
// The first result can always be named. The walk goes as far as results can be measured, which are those of all
// operations of minor versions 0 to 2 and of RFC 8276; it never guesses.
type Results struct {
	// Returned is what RPC-over-RDMA took out of the message: the octets in each chunk of the Write list of the Reply
	// (RFC 8166, section 4.3.2). It is to be set before Reset, which keeps it. The first chunk is for the first READ or
	// READLINK, and so on (RFC 8267, section 6.4.1); if nothing is in it, the data is in the message.
	Returned []uint64

	// The result that Next found. When Next returned false, Index is the number of results that were found, and Off is
	// where the octets begin that were not understood, or are left.
	Index  int      // 0 for the first
	Op     Op       // the operation; in a CB_COMPOUND, CBOp(Op) is
	Status NFSStat4 // of the operation
	Off    int      // octets from the begin of the message to its opcode

	c        cursor
	found    uint32
	numRes   uint32
	callback bool
	stop     Stop
}

// Reset begins a walk along the results of a COMPOUND, or of a CB_COMPOUND if callback says so, that begin off octets
// behind the begin of message.
func (r *Results) Reset(message []byte, off int, res *CompoundRes, callback bool) {
	off = min(off, len(message))
	*r = Results{
		Returned: r.Returned, Off: off,
		c:      cursor{b: message, at: off, returned: r.Returned},
		numRes: res.NumRes, callback: callback, stop: noStop,
	}
}

// Next goes to the next result. It returns false when there is none or it cannot be reached; [Results.Stop] says which.
func (r *Results) Next() bool {
	switch {
	case r.stop != noStop:
	case r.found == r.numRes:
		r.stop = StopEnd
	case len(r.c.b)-r.c.at < ResultLen:
		r.stop = StopShort
	default:
		r.Index, r.Off = int(r.found), r.c.at
		r.found++
		r.Op, r.Status = Op(r.c.word()), NFSStat4(r.c.word())
		r.stop = r.measure()
		return true
	}
	r.Index, r.Off, r.Op, r.Status = int(r.found), r.c.at, 0, 0
	return false
}

// Name is the name of the operation whose result Next found: "PUTFH", "CB_RECALL", or for an unknown one its number.
func (r *Results) Name() string {
	if r.callback {
		return CBOp(r.Op).String()
	}
	return r.Op.String()
}

// Part is the result that Next found, as far as it was measured, as a part of its message.
func (r *Results) Part() field.Part {
	table := ResultFields
	if r.callback {
		table = CBResultFields
	}
	end := max(min(r.c.at, len(r.c.b)), r.Off)
	return field.Part{Table: table, Octets: r.c.b[r.Off:end], Off: r.Off, Depth: 1, Index: r.Index}
}

// Stop says why Next returned false.
func (r *Results) Stop() Stop { return r.stop }

// measure goes behind the result, and says whether the walk must end with it.
func (r *Results) measure() Stop {
	ok := r.Status == NFS4OK
	switch {
	case r.callback && !CBOp(r.Op).Known(), !r.callback && !r.Op.Known():
		return StopOp
	case r.callback && ok:
		r.c.cbResults(CBOp(r.Op))
	case r.callback:
	case !ok:
		r.c.failure(r.Op, r.Status)
	case r.Op < OpBackchannelCtl:
		r.c.results0(r.Op)
	default:
		r.c.results1(r.Op)
	}
	switch {
	case r.c.short:
		return StopShort
	case r.c.undefined:
		return StopUnion
	}
	return noStop
}

// failure goes behind what follows another status than NFS4_OK: nothing, but for a few operations.
func (c *cursor) failure(op Op, status NFSStat4) {
	const tooSmall, denied, clientIDInUse, tryLater, noRequirements = 10005, 10010, 10017, 10058, 10094
	switch {
	case op == OpSetattr:
		c.bitmap()
	case op == OpRead, op == OpReadlink:
		c.results++ // its Write chunk stays empty
	case (op == OpLock || op == OpLockT) && status == denied:
		c.hypers(2)
		c.word()
		c.owner()
	case op == OpSetClientID && status == clientIDInUse:
		c.opaque()
		c.opaque()
	case op == OpGetDeviceInfo && status == tooSmall, op == OpLayoutGet && status == tryLater:
		c.word()
	case op == OpCopy && status == noRequirements:
		c.words(2)
	}
}

// results0 goes behind what follows NFS4_OK, for the operations of minor version 0.
func (c *cursor) results0(op Op) {
	switch op {
	case OpAccess:
		c.words(2)
	case OpClose, OpLock, OpLockU, OpOpenConfirm, OpOpenDowngrade:
		c.stateID()
	case OpCommit:
		c.verifier()
	case OpCreate:
		c.changeInfo()
		c.bitmap()
	case OpGetattr:
		c.attributes()
	case OpGetFH:
		c.fileHandle()
	case OpLink, OpRemove:
		c.changeInfo()
	case OpOpen:
		c.stateID()
		c.changeInfo()
		c.word()
		c.bitmap()
		c.openDelegation()
	case OpRead:
		c.word()
		c.result()
	case OpReaddir:
		c.verifier()
		c.directory()
	case OpReadlink:
		c.result()
	case OpRename:
		c.changeInfo()
		c.changeInfo()
	case OpSecInfo:
		c.secInfo()
	case OpSetattr:
		c.bitmap()
	case OpSetClientID:
		c.hypers(1)
		c.verifier()
	case OpWrite:
		c.words(2)
		c.verifier()
	case OpDelegPurge, OpDelegReturn, OpLockT, OpLookup, OpLookupP, OpNVerify, OpOpenAttr, OpPutFH, OpPutPubFH,
		OpPutRootFH, OpReleaseLockOwner, OpRenew, OpRestoreFH, OpSaveFH, OpSetClientIDConfirm, OpVerify:
	}
}

// changeInfo is change_info4.
func (c *cursor) changeInfo() {
	c.word()
	c.hypers(2)
}

// directory is dirlist4.
func (c *cursor) directory() {
	for c.word() == 1 && !c.stuck() {
		c.hypers(1)
		c.opaque()
		c.attributes()
	}
	c.word()
}

// secInfo is an array of secinfo4.
func (c *cursor) secInfo() {
	for n := c.word(); c.more(n); n-- {
		if Flavor(c.word()) == RPCSECGSS {
			c.opaque()
			c.words(2)
		}
	}
}
