package oncrpc

// The arguments of the callback operations: RFC 7531, RFC 5662 and RFC 7863.

// cbArguments goes behind the arguments of a callback operation, which must be known. CB_ILLEGAL has none.
func (c *cursor) cbArguments(op CBOp) {
	switch op {
	case OpCBGetattr:
		c.fileHandle()
		c.bitmap()
	case OpCBRecall:
		c.stateID()
		c.word()
		c.fileHandle()
	case OpCBLayoutRecall:
		c.words(3)
		c.layoutRecall()
	case OpCBNotify:
		c.stateID()
		c.fileHandle()
		c.notifications()
	case OpCBPushDeleg:
		c.fileHandle()
		c.openDelegation()
	case OpCBRecallAny, OpCBRecallableObjAvail:
		c.word()
		c.bitmap()
	case OpCBRecallSlot:
		c.word()
	case OpCBSequence:
		c.sessionID()
		c.words(4)
		for n := c.word(); c.more(n); n-- { // referring_call_list4
			c.sessionID()
			c.array(8)
		}
	case OpCBWantsCancelled:
		c.words(2)
	case OpCBNotifyLock:
		c.fileHandle()
		c.owner()
	case OpCBNotifyDeviceID:
		c.notifications()
	case OpCBOffload:
		c.fileHandle()
		c.stateID()
		c.offloadInfo()
	}
}

// layoutRecall is layoutrecall4.
func (c *cursor) layoutRecall() {
	switch c.word() {
	case layoutFile:
		c.fileHandle()
		c.hypers(2)
		c.stateID()
	case layoutFSID:
		c.hypers(2)
	case layoutAll:
	default:
		c.undefined = true
	}
}

// offloadInfo is offload_info4.
func (c *cursor) offloadInfo() {
	if NFSStat4(c.word()) != NFS4OK {
		c.hypers(1)
		return
	}
	c.array(16) // write_response4
	c.hypers(1)
	c.word()
	c.verifier()
}

// openDelegation is open_delegation4.
func (c *cursor) openDelegation() {
	const none, read, write, noneExt = 0, 1, 2, 3
	switch c.word() {
	case none:
	case read:
		c.stateID()
		c.word()
		c.ace()
	case write:
		c.stateID()
		c.word()
		c.spaceLimit()
		c.ace()
	case noneExt:
		const contention, resource = 1, 2
		if why := c.word(); why == contention || why == resource {
			c.word()
		}
	default:
		c.undefined = true
	}
}

// spaceLimit is nfs_space_limit4.
func (c *cursor) spaceLimit() {
	const size, blocks = 1, 2
	switch c.word() {
	case size, blocks:
		c.hypers(1)
	default:
		c.undefined = true
	}
}

// ace is nfsace4.
func (c *cursor) ace() {
	c.words(3)
	c.opaque()
}
