package oncrpc

// The XDR forms (RFC 4506) of the arguments and results of NFSv4: RFC 7531 (minor version 0), RFC 5662 (1), RFC 7863
// (2) and RFC 8276 (extended attributes). To add an operation, add its row to operationForms or callbackForms.

// A form is a sequence of parts. Neighbours of fixed size stand as one part, their sum.
type form []part

// A part is below array a number of octets, of any fixed type. From there on it is an array or an optional of that many
// octets, or a type of variable length. With list it is an array of elements of variable length.
type part uint16

const (
	integer   part = 4 // also a bool or an enum
	hyper     part = 8
	verifier  part = 8
	timestamp part = 12 // nfstime4
	stateID   part = 16
	sessionID part = 16
	deviceID  part = 16

	array    part = 0x100 // array + integer is an array of integers
	optional part = 0x200 // optional + hyper is a bool, and a hyper if it is true
	list     part = 0x800 // list + opaque is an array of opaques

	bitmap        = array + integer
	changeInfo    = integer + 2*hyper // change_info4
	writeResponse = hyper + integer + verifier
)

// The types with code of their own.
const (
	opaque    part = 0x300 + iota // also a string or a file handle
	argument                      // DDP-eligible in a Call
	result                        // DDP-eligible in a Reply
	readCount                     // how many octets the Reply may bring as a result
	noCount                       // nothing here; the Reply may bring a result of any length
	directory                     // dirlist4
)

// The structures.
const (
	attributes    part = 0x400 + iota // fattr4, notify4
	owner                             // open_owner4, lock_owner4
	ace                               // nfsace4
	channelAttrs                      // channel_attrs4
	implID                            // nfs_impl_id4
	pnfsLayout                        // layout4
	referringCall                     // referring_call_list4
	sattr3                            // of NFSv3
)

var structures = [...]form{
	attributes - attributes:    {bitmap, opaque},
	owner - attributes:         {hyper, opaque},
	ace - attributes:           {3 * integer, opaque},
	channelAttrs - attributes:  {6 * integer, array + integer},
	implID - attributes:        {opaque, opaque, timestamp},
	pnfsLayout - attributes:    {2*hyper + 2*integer, opaque},
	referringCall - attributes: {sessionID, array + 2*integer},
	sattr3 - attributes:        {optional + integer, optional + integer, optional + integer, optional + hyper, setTime, setTime},
}

// The unions.
const (
	createType      part = 0x500 + iota // createtype4
	locker                              // locker4
	openHow                             // openflag4
	createHow                           // createhow4
	openClaim                           // open_claim4
	delegClaim                          // deleg_claim4
	openDelegation                      // open_delegation4
	whyNone                             // open_none_delegation4
	spaceLimit                          // nfs_space_limit4
	callbackSecParm                     // callback_sec_parms4
	protect                             // state_protect4_a
	protection                          // state_protect4_r
	secInfo                             // secinfo4
	dirDelegation                       // GET_DIR_DELEGATION4res_non_fatal
	layoutReturn                        // layoutreturn4
	layoutRecall                        // layoutrecall4
	netLoc                              // netloc4
	content                             // read_plus_content
	offloadInfo                         // offload_info4
	setTime                             // set_atime, set_mtime of NFSv3
)

// A union has a form for each value of its discriminant, and one for all others: void, or nil if they are not defined.
type union struct {
	arms   []form
	others form
}

var void = form{}

// The values of open_claim_type4, and of layoutreturn_type4 and layoutrecall_type4.
const (
	claimNull         = 0
	claimPrevious     = 1
	claimDelegateCur  = 2
	claimDelegatePrev = 3
	claimFH           = 4
	claimDelegCurFH   = 5
	claimDelegPrevFH  = 6

	layoutFile = 1
	layoutFSID = 2
	layoutAll  = 3
)

var unions = [...]union{
	createType - createType: {[]form{3: {2 * integer}, 4: {2 * integer}, 5: {argument}}, void},
	locker - createType:     {arms: []form{{stateID + integer}, {integer + stateID + integer, owner}}},
	openHow - createType:    {[]form{1: {createHow}}, void},
	createHow - createType:  {arms: []form{{attributes}, {attributes}, {verifier}, {verifier, attributes}}},
	openClaim - createType: {arms: []form{
		claimNull: {opaque}, claimPrevious: {integer}, claimDelegateCur: {stateID, opaque}, claimDelegatePrev: {opaque},
		claimFH: {}, claimDelegCurFH: {stateID}, claimDelegPrevFH: {},
	}},
	delegClaim - createType: {arms: []form{claimPrevious: {integer}, claimFH: {}, claimDelegPrevFH: {}}},
	openDelegation - createType: {arms: []form{
		{}, {stateID + integer, ace}, {stateID + integer, spaceLimit, ace}, {whyNone},
	}},
	whyNone - createType:    {[]form{1: {integer}, 2: {integer}}, void},
	spaceLimit - createType: {arms: []form{1: {hyper}, 2: {hyper}}},
	callbackSecParm - createType: {arms: []form{
		AuthNone: {}, AuthSys: {integer, opaque, 2 * integer, array + integer}, RPCSECGSS: {integer, opaque, opaque},
	}},
	protect - createType:    {arms: []form{{}, {bitmap, bitmap}, {bitmap, bitmap, list + opaque, list + opaque, 2 * integer}}},
	protection - createType: {arms: []form{{}, {bitmap, bitmap}, {bitmap, bitmap, 4 * integer, list + opaque}}},
	secInfo - createType:    {[]form{RPCSECGSS: {opaque, 2 * integer}}, void},
	dirDelegation - createType: {arms: []form{
		{verifier + stateID, bitmap, bitmap, bitmap}, {integer},
	}},
	layoutReturn - createType: {[]form{layoutFile: {2*hyper + stateID, opaque}}, void},
	layoutRecall - createType: {arms: []form{
		layoutFile: {opaque, 2*hyper + stateID}, layoutFSID: {2 * hyper}, layoutAll: {},
	}},
	netLoc - createType:      {arms: []form{1: {opaque}, 2: {opaque}, 3: {opaque, opaque}}},
	content - createType:     {arms: []form{{hyper, opaque}, {2 * hyper}}},
	offloadInfo - createType: {[]form{NFS4OK: {array + stateID, writeResponse}}, form{hyper}},
	setTime - createType:     {[]form{2: {hyper}}, void},
}

// The columns of operationForms and callbackForms.
const (
	arguments = iota
	results   // what follows NFS4_OK
)

// operationForms are those of the operations, in the order of their numbers. ILLEGAL has neither arguments nor results.
var operationForms = [...][2]form{
	OpAccess:             {{integer}, {2 * integer}},
	OpClose:              {{integer + stateID}, {stateID}},
	OpCommit:             {{hyper + integer}, {verifier}},
	OpCreate:             {{createType, opaque, attributes}, {changeInfo, bitmap}},
	OpDelegPurge:         {{hyper}},
	OpDelegReturn:        {{stateID}},
	OpGetattr:            {{bitmap}, {attributes}},
	OpGetFH:              {{}, {opaque}},
	OpLink:               {{opaque}, {changeInfo}},
	OpLock:               {{2*integer + 2*hyper, locker}, {stateID}},
	OpLockT:              {{integer + 2*hyper, owner}},
	OpLockU:              {{2*integer + stateID + 2*hyper}, {stateID}},
	OpLookup:             {{opaque}},
	OpNVerify:            {{attributes}},
	OpOpen:               {{3 * integer, owner, openHow, openClaim}, {stateID + changeInfo + integer, bitmap, openDelegation}},
	OpOpenAttr:           {{integer}},
	OpOpenConfirm:        {{stateID + integer}, {stateID}},
	OpOpenDowngrade:      {{stateID + 3*integer}, {stateID}},
	OpPutFH:              {{opaque}},
	OpRead:               {{stateID + hyper, readCount}, {integer, result}},
	OpReaddir:            {{hyper + verifier + 2*integer, bitmap}, {verifier, directory}},
	OpReadlink:           {{noCount}, {result}},
	OpRemove:             {{opaque}, {changeInfo}},
	OpRename:             {{opaque, opaque}, {2 * changeInfo}},
	OpRenew:              {{hyper}},
	OpSecInfo:            {{opaque}, {list + secInfo}},
	OpSetattr:            {{stateID, attributes}, {bitmap}},
	OpSetClientID:        {{verifier, opaque, integer, opaque, opaque, integer}, {hyper + verifier}},
	OpSetClientIDConfirm: {{hyper + verifier}},
	OpVerify:             {{attributes}},
	OpWrite:              {{stateID + hyper + integer, argument}, {2*integer + verifier}},
	OpReleaseLockOwner:   {{owner}},

	OpBackchannelCtl:    {{integer, list + callbackSecParm}},
	OpBindConnToSession: {{sessionID + 2*integer}, {sessionID + 2*integer}},
	OpExchangeID: {
		{verifier, opaque, integer, protect, list + implID},
		{hyper + 2*integer, protection, hyper, opaque, opaque, list + implID},
	},
	OpCreateSession: {
		{hyper + 2*integer, channelAttrs, channelAttrs, integer, list + callbackSecParm},
		{sessionID + 2*integer, channelAttrs, channelAttrs},
	},
	OpDestroySession:   {{sessionID}},
	OpFreeStateID:      {{stateID}},
	OpGetDirDelegation: {{integer, bitmap, 2 * timestamp, bitmap, bitmap}, {dirDelegation}},
	OpGetDeviceInfo:    {{deviceID + 2*integer, bitmap}, {integer, opaque, bitmap}},
	OpGetDeviceList:    {{2*integer + hyper + verifier}, {hyper + verifier, array + deviceID, integer}},
	OpLayoutCommit: {
		{2*hyper + integer + stateID, optional + hyper, optional + timestamp, integer, opaque},
		{optional + hyper},
	},
	OpLayoutGet:       {{3*integer + 3*hyper + stateID + integer}, {integer + stateID, list + pnfsLayout}},
	OpLayoutReturn:    {{3 * integer, layoutReturn}, {optional + stateID}},
	OpSecInfoNoName:   {{integer}, {list + secInfo}},
	OpSequence:        {{sessionID + 4*integer}, {sessionID + 5*integer}},
	OpSetSSV:          {{opaque, opaque}, {opaque}},
	OpTestStateID:     {{array + stateID}, {array + integer}},
	OpWantDelegation:  {{integer, delegClaim}, {openDelegation}},
	OpDestroyClientID: {{hyper}},
	OpReclaimComplete: {{integer}},

	OpAllocate:      {{stateID + 2*hyper}},
	OpCopy:          {{2*stateID + 3*hyper + 2*integer, list + netLoc}, {array + stateID, writeResponse + 2*integer}},
	OpCopyNotify:    {{stateID, netLoc}, {timestamp + stateID, list + netLoc}},
	OpDeallocate:    {{stateID + 2*hyper}},
	OpIOAdvise:      {{stateID + 2*hyper, bitmap}, {bitmap}},
	OpLayoutError:   {{2*hyper + stateID, array + deviceID + 2*integer}},
	OpLayoutStats:   {{2*hyper + stateID + 4*hyper + deviceID + integer, opaque}},
	OpOffloadCancel: {{stateID}},
	OpOffloadStatus: {{stateID}, {hyper, array + integer}},
	OpReadPlus:      {{stateID + hyper + integer}, {integer, list + content}},
	OpSeek:          {{stateID + hyper + integer}, {integer + hyper}},
	OpWriteSame:     {{stateID + integer + 4*hyper + integer + hyper, opaque}, {array + stateID, writeResponse}},
	OpClone:         {{2*stateID + 3*hyper}},
	OpGetXattr:      {{opaque}, {opaque}},
	OpSetXattr:      {{integer, opaque, opaque}, {changeInfo}},
	OpListXattrs:    {{hyper + integer}, {hyper, list + opaque, integer}},
	OpRemoveXattr:   {{opaque}, {changeInfo}},
}

// callbackForms are those of the callback operations. CB_ILLEGAL has neither arguments nor results.
var callbackForms = [...][2]form{
	OpCBGetattr:            {{opaque, bitmap}, {attributes}},
	OpCBRecall:             {{stateID + integer, opaque}},
	OpCBLayoutRecall:       {{3 * integer, layoutRecall}},
	OpCBNotify:             {{stateID, opaque, list + attributes}},
	OpCBPushDeleg:          {{opaque, openDelegation}},
	OpCBRecallAny:          {{integer, bitmap}},
	OpCBRecallableObjAvail: {{integer, bitmap}},
	OpCBRecallSlot:         {{integer}},
	OpCBSequence:           {{sessionID + 4*integer, list + referringCall}, {sessionID + 4*integer}},
	OpCBWantsCancelled:     {{2 * integer}},
	OpCBNotifyLock:         {{opaque, owner}},
	OpCBNotifyDeviceID:     {{list + attributes}},
	OpCBOffload:            {{opaque, stateID, offloadInfo}},
}

// operation skips the arguments or results of an operation: op, or in a CB_COMPOUND CBOp(op).
func (c *cursor) operation(op Op, callback bool, column int) {
	switch {
	case callback && int(op) < len(callbackForms):
		c.form(callbackForms[op][column])
	case !callback && int(op) < len(operationForms):
		c.form(operationForms[op][column])
	}
}

// form skips a form.
func (c *cursor) form(f form) {
	for _, p := range f {
		switch {
		case p < array:
			c.skip(uint64(p))
		case p < optional:
			c.skip(uint64(c.word()) * uint64(p-array))
		case p == opaque:
			c.opaque()
		default:
			c.part(p)
		}
	}
}

// part skips a part of the kinds that form leaves to it, the rarer ones.
func (c *cursor) part(p part) {
	switch {
	case p >= list:
		for n := c.word(); c.more(n); n-- {
			c.form(form{p &^ list})
		}
	case p < opaque:
		c.optional(uint64(p - optional))
	case p >= createType:
		c.union(&unions[p-createType])
	case p >= attributes:
		c.form(structures[p-attributes])
	case p == argument:
		c.argument()
	case p == result:
		c.result()
	case p == readCount:
		c.wanted(c.word())
	case p == noCount:
		c.wanted(0)
	case p == directory:
		for c.word() == 1 && !c.stuck() { // another entry4
			c.form(form{hyper, opaque, attributes})
		}
		c.word()
	}
}

// optional skips a bool, and n octets if it is true.
func (c *cursor) optional(n uint64) {
	switch c.word() {
	case 0:
	case 1:
		c.skip(n)
	default:
		c.undefined = true
	}
}

// union skips a discriminant and its arm.
func (c *cursor) union(u *union) {
	arm := u.others
	if d := c.word(); uint64(d) < uint64(len(u.arms)) && u.arms[d] != nil {
		arm = u.arms[d]
	}
	if arm == nil {
		c.undefined = true
	}
	c.form(arm)
}
