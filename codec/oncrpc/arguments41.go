package oncrpc

// The arguments of the operations that minor versions 1 and 2 add: RFC 5662, RFC 7863 and RFC 8276.

// arguments1 is arguments for the operations new in minor version 1.
func (c *cursor) arguments1(op Op) {
	switch op {
	case OpBackchannelCtl:
		c.word()
		c.callbackSecParms()
	case OpBindConnToSession:
		c.sessionID()
		c.words(2)
	case OpExchangeID:
		c.verifier()
		c.opaque()
		c.word()
		c.stateProtect()
		for n := c.word(); c.more(n); n-- { // nfs_impl_id4
			c.opaque()
			c.opaque()
			c.time()
		}
	case OpCreateSession:
		c.hypers(1)
		c.words(2)
		c.channelAttrs()
		c.channelAttrs()
		c.word()
		c.callbackSecParms()
	case OpDestroySession:
		c.sessionID()
	case OpFreeStateID:
		c.stateID()
	case OpSecInfoNoName, OpReclaimComplete:
		c.word()
	case OpSequence:
		c.sessionID()
		c.words(4)
	case OpSetSSV:
		c.opaque()
		c.opaque()
	case OpTestStateID:
		c.array(16)
	case OpWantDelegation:
		c.word()
		c.delegClaim()
	case OpDestroyClientID:
		c.hypers(1)
	default:
		c.layoutArguments(op)
	}
}

// layoutArguments is arguments1 for delegations of directories, devices and layouts.
func (c *cursor) layoutArguments(op Op) {
	switch op {
	case OpGetDirDelegation:
		c.word()
		c.bitmap()
		c.time()
		c.time()
		c.bitmap()
		c.bitmap()
	case OpGetDeviceInfo:
		c.deviceID()
		c.words(2)
		c.bitmap()
	case OpGetDeviceList:
		c.words(2)
		c.hypers(1)
		c.verifier()
	case OpLayoutCommit:
		c.hypers(2)
		c.word()
		c.stateID()
		c.optional(8)
		c.optional(12)
		c.layoutUpdate()
	case OpLayoutGet:
		c.words(3)
		c.hypers(3)
		c.stateID()
		c.word()
	case OpLayoutReturn:
		c.words(3)
		c.layoutReturn()
	}
}

// stateProtect is state_protect4_a.
func (c *cursor) stateProtect() {
	const none, machCred, ssv = 0, 1, 2
	switch c.word() {
	case none:
	case machCred:
		c.protectOps()
	case ssv:
		c.protectOps()
		c.opaques()
		c.opaques()
		c.words(2)
	default:
		c.undefined = true
	}
}

// optional is a union of a bool with n octets if it is true.
func (c *cursor) optional(n uint64) {
	switch c.word() {
	case 0:
	case 1:
		c.skip(n)
	default:
		c.undefined = true
	}
}

// The values of layoutreturn_type4 and layoutrecall_type4.
const (
	layoutFile = 1
	layoutFSID = 2
	layoutAll  = 3
)

// layoutReturn is layoutreturn4.
func (c *cursor) layoutReturn() {
	if c.word() == layoutFile {
		c.hypers(2)
		c.stateID()
		c.opaque()
	}
}

// delegClaim is deleg_claim4.
func (c *cursor) delegClaim() {
	switch c.word() {
	case claimPrevious:
		c.word()
	case claimFH, claimDelegPrevFH:
	default:
		c.undefined = true
	}
}

// arguments2 is arguments for the operations new in minor version 2, and for ILLEGAL, which has none.
func (c *cursor) arguments2(op Op) {
	switch op {
	case OpAllocate, OpDeallocate:
		c.stateID()
		c.hypers(2)
	case OpCopy:
		c.stateID()
		c.stateID()
		c.hypers(3)
		c.words(2)
		c.netLocs()
	case OpCopyNotify:
		c.stateID()
		c.netLoc()
	case OpIOAdvise:
		c.stateID()
		c.hypers(2)
		c.bitmap()
	case OpLayoutError:
		c.hypers(2)
		c.stateID()
		c.array(24) // device_error4
	case OpLayoutStats:
		c.hypers(2)
		c.stateID()
		c.hypers(4)
		c.deviceID()
		c.layoutUpdate()
	case OpOffloadCancel, OpOffloadStatus:
		c.stateID()
	case OpReadPlus, OpSeek:
		c.stateID()
		c.hypers(1)
		c.word()
	case OpWriteSame:
		c.stateID()
		c.word()
		c.hypers(4)
		c.word()
		c.hypers(1)
		c.opaque()
	case OpClone:
		c.stateID()
		c.stateID()
		c.hypers(3)
	case OpGetXattr, OpRemoveXattr:
		c.opaque()
	case OpSetXattr:
		c.word()
		c.opaque()
		c.opaque()
	case OpListXattrs:
		c.hypers(1)
		c.word()
	}
}
