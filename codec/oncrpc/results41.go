package oncrpc

// The results of the operations that minor versions 1 and 2 add, and of callbacks: RFC 5662, RFC 7863 and RFC 8276.

// results1 goes behind what follows NFS4_OK, for the operations that are not of minor version 0.
func (c *cursor) results1(op Op) {
	if op >= OpAllocate {
		c.results2(op)
		return
	}
	switch op {
	case OpBindConnToSession:
		c.sessionID()
		c.words(2)
	case OpExchangeID:
		c.hypers(1)
		c.words(2)
		c.protection()
		c.hypers(1) // server_owner4
		c.opaque()
		c.opaque()
		for n := c.word(); c.more(n); n-- { // nfs_impl_id4
			c.opaque()
			c.opaque()
			c.time()
		}
	case OpCreateSession:
		c.sessionID()
		c.words(2)
		c.channelAttrs()
		c.channelAttrs()
	case OpGetDirDelegation:
		c.dirDelegation()
	case OpGetDeviceInfo:
		c.layoutUpdate() // device_addr4 has the same form
		c.bitmap()
	case OpGetDeviceList:
		c.hypers(1)
		c.verifier()
		c.array(16)
		c.word()
	case OpLayoutCommit:
		c.optional(8)
	case OpLayoutGet:
		c.word()
		c.stateID()
		for n := c.word(); c.more(n); n-- { // layout4
			c.hypers(2)
			c.words(2)
			c.opaque()
		}
	case OpLayoutReturn:
		c.optional(16)
	case OpSecInfoNoName:
		c.secInfo()
	case OpSequence:
		c.sessionID()
		c.words(5)
	case OpSetSSV:
		c.opaque()
	case OpTestStateID:
		c.array(4)
	case OpWantDelegation:
		c.openDelegation()
	case OpBackchannelCtl, OpDestroySession, OpFreeStateID, OpDestroyClientID, OpReclaimComplete:
	}
}

// protection is state_protect4_r.
func (c *cursor) protection() {
	const none, machCred, ssv = 0, 1, 2
	switch c.word() {
	case none:
	case machCred:
		c.protectOps()
	case ssv:
		c.protectOps()
		c.words(4)
		c.opaques()
	default:
		c.undefined = true
	}
}

// dirDelegation is GET_DIR_DELEGATION4res_non_fatal.
func (c *cursor) dirDelegation() {
	const ok, unavailable = 0, 1
	switch c.word() {
	case ok:
		c.verifier()
		c.stateID()
		c.bitmap()
		c.bitmap()
		c.bitmap()
	case unavailable:
		c.word()
	default:
		c.undefined = true
	}
}

// results2 goes behind what follows NFS4_OK, for the operations new in minor version 2, and for ILLEGAL.
func (c *cursor) results2(op Op) {
	switch op {
	case OpCopy:
		c.writeResponse()
		c.words(2)
	case OpCopyNotify:
		c.time()
		c.stateID()
		c.netLocs()
	case OpIOAdvise:
		c.bitmap()
	case OpOffloadStatus:
		c.hypers(1)
		c.array(4)
	case OpReadPlus:
		c.word()
		c.contents()
	case OpSeek:
		c.word()
		c.hypers(1)
	case OpWriteSame:
		c.writeResponse()
	case OpGetXattr:
		c.opaque()
	case OpSetXattr, OpRemoveXattr:
		c.changeInfo()
	case OpListXattrs:
		c.hypers(1)
		c.opaques()
		c.word()
	case OpAllocate, OpDeallocate, OpLayoutError, OpLayoutStats, OpOffloadCancel, OpClone, OpIllegal:
	}
}

// writeResponse is write_response4.
func (c *cursor) writeResponse() {
	c.array(16)
	c.hypers(1)
	c.word()
	c.verifier()
}

// contents is an array of read_plus_content.
func (c *cursor) contents() {
	const data, hole = 0, 1
	for n := c.word(); c.more(n); n-- {
		switch c.word() {
		case data:
			c.hypers(1)
			c.opaque()
		case hole:
			c.hypers(2)
		default:
			c.undefined = true
		}
	}
}

// cbResults goes behind what follows NFS4_OK, for callback operations. Most have nothing there.
func (c *cursor) cbResults(op CBOp) {
	switch op {
	case OpCBGetattr:
		c.attributes()
	case OpCBSequence:
		c.sessionID()
		c.words(4)
	}
}
