package oncrpc

// The arguments of the operations of NFSv4: RFC 7531 (minor version 0). The
// order is that of the numbers; what is skipped together stands together in the arguments.

// arguments goes behind the arguments of an operation, which must be known.
func (c *cursor) arguments(op Op) {
	switch {
	case op < OpBackchannelCtl:
		c.arguments0(op)
	case op < OpAllocate:
		c.arguments1(op)
	default:
		c.arguments2(op)
	}
}

// arguments0 is arguments for the operations of minor version 0.
func (c *cursor) arguments0(op Op) {
	switch op {
	case OpAccess, OpOpenAttr:
		c.word()
	case OpCommit:
		c.hypers(1)
		c.word()
	case OpCreate:
		c.createType()
		c.opaque()
		c.attributes()
	case OpGetattr:
		c.bitmap()
	case OpLink, OpLookup, OpRemove, OpSecInfo:
		c.opaque()
	case OpNVerify, OpVerify:
		c.attributes()
	case OpPutFH:
		c.fileHandle()
	case OpRead:
		c.stateID()
		c.hypers(1)
		c.wanted(c.word())
	case OpReadlink:
		c.wanted(0)
	case OpReaddir:
		c.hypers(1)
		c.verifier()
		c.words(2)
		c.bitmap()
	case OpRename:
		c.opaque()
		c.opaque()
	case OpSetattr:
		c.stateID()
		c.attributes()
	case OpWrite:
		c.stateID()
		c.hypers(1)
		c.word()
		c.argument()
	case OpGetFH, OpLookupP, OpPutPubFH, OpPutRootFH, OpRestoreFH, OpSaveFH:
	default:
		c.stateArguments(op)
	}
}

// stateArguments is arguments0 for the operations that make and end what a client holds: opens, locks, delegations.
func (c *cursor) stateArguments(op Op) {
	switch op {
	case OpClose:
		c.word()
		c.stateID()
	case OpDelegPurge, OpRenew:
		c.hypers(1)
	case OpDelegReturn:
		c.stateID()
	case OpLock:
		c.words(2)
		c.hypers(2)
		c.locker()
	case OpLockT:
		c.word()
		c.hypers(2)
		c.owner()
	case OpLockU:
		c.words(2)
		c.stateID()
		c.hypers(2)
	case OpOpen:
		c.words(3)
		c.owner()
		c.openHow()
		c.openClaim()
	case OpOpenConfirm:
		c.stateID()
		c.word()
	case OpOpenDowngrade:
		c.stateID()
		c.words(3)
	case OpSetClientID:
		c.verifier()
		c.opaque()
		c.word()
		c.opaque()
		c.opaque()
		c.word()
	case OpSetClientIDConfirm:
		c.hypers(1)
		c.verifier()
	case OpReleaseLockOwner:
		c.owner()
	}
}

// createType is createtype4.
func (c *cursor) createType() {
	const block, character, link = 3, 4, 5
	switch c.word() {
	case block, character:
		c.words(2)
	case link:
		c.argument()
	}
}

// locker is locker4.
func (c *cursor) locker() {
	const old, fresh = 0, 1
	switch c.word() {
	case fresh:
		c.word()
		c.stateID()
		c.word()
		c.owner()
	case old:
		c.stateID()
		c.word()
	default:
		c.undefined = true
	}
}

// openHow is openflag4.
func (c *cursor) openHow() {
	const create = 1
	const unchecked, guarded, exclusive, exclusive41 = 0, 1, 2, 3
	if c.word() != create {
		return
	}
	switch c.word() {
	case unchecked, guarded:
		c.attributes()
	case exclusive:
		c.verifier()
	case exclusive41:
		c.verifier()
		c.attributes()
	default:
		c.undefined = true
	}
}

// openClaim is open_claim4.
func (c *cursor) openClaim() {
	switch c.word() {
	case claimNull, claimDelegatePrev:
		c.opaque()
	case claimPrevious:
		c.word()
	case claimDelegateCur:
		c.stateID()
		c.opaque()
	case claimDelegCurFH:
		c.stateID()
	case claimFH, claimDelegPrevFH:
	default:
		c.undefined = true
	}
}

// The values of open_claim_type4.
const (
	claimNull         = 0
	claimPrevious     = 1
	claimDelegateCur  = 2
	claimDelegatePrev = 3
	claimFH           = 4
	claimDelegCurFH   = 5
	claimDelegPrevFH  = 6
)
