package nfs

// The walk along the results of a COMPOUND or CB_COMPOUND. A result has no length: where the next one begins is known
// only by measuring those before it.

// Results walks along the results of the operations of a COMPOUND or CB_COMPOUND:
//
//	for results.Reset(message, n, &res, false); results.Next(); {
//		fmt.Println(results.Op, results.Status)
//	}
//
// The walk goes as far as it can measure results: those of all operations of minor versions 0 to 2 and of RFC 8276. It
// never guesses.
type Results struct {
	// Returned is what RPC-over-RDMA took out of the message: the octets in each chunk of the Write list of the Reply
	// (RFC 8166, section 4.3.2). Set it before Reset, which keeps it. The first chunk is for the first READ or
	// READLINK, and so on (RFC 8267, section 6.4.1); if it is empty, the data is in the message.
	Returned []uint64

	// The result that Next found. When Next returned false, Index is the number of results that were found, and Off is
	// where the rest begins.
	Index  int   // 0 for the first
	Op     Op    // the operation; in a CB_COMPOUND, CBOp(Op) is
	Status Stat4 // of the operation
	Off    int   // octets from the beginning of the message to its opcode

	c        cursor
	found    uint32
	numRes   uint32
	callback bool
	stop     Stop
}

// Reset begins a walk along the results of a COMPOUND, or of a CB_COMPOUND if callback says so, that begin off octets
// into message.
func (r *Results) Reset(message []byte, off int, res *CompoundRes, callback bool) {
	r.c.reset(message, off, nil, r.Returned)
	r.Index, r.Op, r.Status, r.Off = 0, 0, 0, r.c.at
	r.found, r.numRes, r.callback, r.stop = 0, res.NumRes, callback, noStop
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
		r.Op, r.Status = Op(r.c.word()), Stat4(r.c.word())
		r.stop = r.measure()
		return true
	}
	r.Index, r.Off, r.Op, r.Status = int(r.found), r.c.at, 0, 0
	return false
}

// Name is the name of the operation whose result Next found: "PUTFH", "CB_RECALL", or the number of an unknown one.
func (r *Results) Name() string {
	if r.callback {
		return CBOp(r.Op).String()
	}
	return r.Op.String()
}

// Stop returns why Next returned false.
func (r *Results) Stop() Stop { return r.stop }

// measure skips the result, and returns why the walk must end with it, or noStop.
func (r *Results) measure() Stop {
	ok := r.Status == OK4
	switch {
	case r.Op < OpAccess || r.Op > OpIllegal:
		return StopNoOp
	case r.callback && !CBOp(r.Op).Known(), !r.callback && !r.Op.Known():
		return StopOp
	case ok:
		r.c.form(formOf(r.Op, r.callback, results))
	case !r.callback:
		r.c.failure(r.Op, r.Status)
	}
	return r.c.stop()
}

// failure skips what follows a status other than NFS4_OK, which few operations have.
func (c *cursor) failure(op Op, status Stat4) {
	const tooSmall, denied, clientIDInUse, tryLater, noRequirements = 10005, 10010, 10017, 10058, 10094
	switch {
	case op == OpSetattr:
		c.form(&form{bitmap})
	case op == OpRead, op == OpReadlink:
		c.results++ // its Write chunk stays empty
	case (op == OpLock || op == OpLockT) && status == denied:
		c.form(&form{2*hyper + integer, owner})
	case op == OpSetClientID && status == clientIDInUse:
		c.form(&form{opaque, opaque})
	case op == OpGetDeviceInfo && status == tooSmall, op == OpLayoutGet && status == tryLater:
		c.word()
	case op == OpCopy && status == noRequirements:
		c.skip(8)
	}
}
