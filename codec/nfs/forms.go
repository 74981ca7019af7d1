package nfs

// The XDR forms (RFC 4506) of the arguments and results of NFSv4: RFC 7531 (minor version 0), RFC 5662 (1), RFC 7863
// (2) and RFC 8276 (extended attributes). To add an operation, add its row to operationForms or callbackForms.

import "github.com/iwarpkit/iwarp/codec/oncrpc"

// A form is a sequence of parts, followed by zeros.
type form [6]part

// A part is a number of octets below 256, and a kind. The octets precede what the kind stands for: 2*hyper + opaque is two
// hypers and an opaque. In an array or an optional they are the element: array + stateID, optional + hyper. With list, a
// part is an array whose elements vary in length.
type part uint16

const (
	integer   part = 4 // also a bool or an enum
	hyper     part = 8
	verifier  part = 8
	timestamp part = 12 // nfstime4
	stateID   part = 16
	sessionID part = 16
	deviceID  part = 16

	changeInfo    = integer + 2*hyper // change_info4
	writeResponse = hyper + integer + verifier

	octets part = 0xff   // the mask of the octets
	list   part = 0x8000 // list + opaque is an array of opaques
)

// The kinds of parts. Those of opaque and words are the octets of an element, by 256.
const (
	fixed  part = 0     // nothing follows the octets
	opaque part = 0x100 // also a string or a file handle
	words  part = 0x400 // an array of integers, such as bitmap4
)

// The kinds that have code or a form of their own.
const (
	array      part = 0x500 + iota<<8 // array + deviceID is an array of device IDs
	optional                          // optional + hyper is a bool, and a hyper if it is true
	argument                          // DDP-eligible in a Call
	result                            // DDP-eligible in a Reply
	readCount                         // how many octets the Reply may bring as a result
	replyCount                        // how many octets the Reply may bring that are not DDP-eligible
	noCount                           // nothing here; the Reply may bring a result of any length
	directory                         // dirlist4

	// The structures.
	void          // no members at all
	attributes    // fattr4, notify4
	implID        // nfs_impl_id4
	referringCall // referring_call_list4
	sattr3        // of NFSv3

	// The unions.
	createType      // createtype4
	locker          // locker4
	openHow         // openflag4
	createHow       // createhow4
	openClaim       // open_claim4
	delegClaim      // deleg_claim4
	openDelegation  // open_delegation4
	whyNone         // open_none_delegation4
	spaceLimit      // nfs_space_limit4
	callbackSecParm // callback_sec_parms4
	protect         // state_protect4_a
	protection      // state_protect4_r
	secInfo         // secinfo4
	dirDelegation   // GET_DIR_DELEGATION4res_non_fatal
	layoutReturn    // layoutreturn4
	layoutRecall    // layoutrecall4
	netLoc          // netloc4
	content         // read_plus_content
	offloadInfo     // offload_info4
	setTime         // set_atime, set_mtime of NFSv3
)

// The compounds of these.
const (
	bitmap             = words
	channelAttrs       = 6*integer + words // channel_attrs4
	attrMask, attrVals = words, opaque
	owner              = hyper + opaque               // open_owner4, lock_owner4
	ace                = 3*integer + opaque           // nfsace4
	pnfsLayout         = 2*hyper + 2*integer + opaque // layout4
)

var structures = [...]form{
	attributes >> 8:    {attrMask, attrVals},
	implID >> 8:        {opaque, opaque, timestamp},
	referringCall >> 8: {sessionID, array + 2*integer},
	sattr3 >> 8: {
		optional + integer, optional + integer, optional + integer, optional + hyper, setTime, setTime,
	},
}

// A union has a form for each value of its discriminant, and one for all others: form{void}, or an empty one if they are
// not defined.
type union struct {
	arms   []form
	others form
}

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
	createType >> 8: {[]form{3: {2 * integer}, 4: {2 * integer}, 5: {argument}}, form{void}},
	locker >> 8:     {arms: []form{{stateID + integer}, {integer + stateID + integer + owner}}},
	openHow >> 8:    {[]form{1: {createHow}}, form{void}},
	createHow >> 8:  {arms: []form{{attrMask, attrVals}, {attrMask, attrVals}, {verifier}, {verifier + attrMask, attrVals}}},
	openClaim >> 8: {arms: []form{
		claimNull: {opaque}, claimPrevious: {integer}, claimDelegateCur: {stateID + opaque}, claimDelegatePrev: {opaque},
		claimFH: {void}, claimDelegCurFH: {stateID}, claimDelegPrevFH: {void},
	}},
	delegClaim >> 8: {arms: []form{claimPrevious: {integer}, claimFH: {void}, claimDelegPrevFH: {void}}},
	openDelegation >> 8: {arms: []form{
		{void}, {stateID + integer + ace}, {stateID + integer + spaceLimit, ace}, {whyNone},
	}},
	whyNone >> 8:    {[]form{1: {integer}, 2: {integer}}, form{void}},
	spaceLimit >> 8: {arms: []form{1: {hyper}, 2: {hyper}}},
	callbackSecParm >> 8: {arms: []form{
		oncrpc.AuthNone: {void}, oncrpc.AuthSys: {integer + opaque, 2*integer + bitmap}, oncrpc.RPCSECGSS: {integer + opaque, opaque},
	}},
	protect >> 8:    {arms: []form{{void}, {bitmap, bitmap}, {bitmap, bitmap, list + opaque, list + opaque, 2 * integer}}},
	protection >> 8: {arms: []form{{void}, {bitmap, bitmap}, {bitmap, bitmap, 4 * integer, list + opaque}}},
	secInfo >> 8:    {[]form{oncrpc.RPCSECGSS: {opaque, 2 * integer}}, form{void}},
	dirDelegation >> 8: {arms: []form{
		{verifier + stateID + bitmap, bitmap, bitmap}, {integer},
	}},
	layoutReturn >> 8: {[]form{layoutFile: {2*hyper + stateID + opaque}}, form{void}},
	layoutRecall >> 8: {arms: []form{
		layoutFile: {opaque, 2*hyper + stateID}, layoutFSID: {2 * hyper}, layoutAll: {void},
	}},
	netLoc >> 8:      {arms: []form{1: {opaque}, 2: {opaque}, 3: {opaque, opaque}}},
	content >> 8:     {arms: []form{{hyper + opaque}, {2 * hyper}}},
	offloadInfo >> 8: {[]form{OK4: {array + stateID, writeResponse}}, form{hyper}},
	setTime >> 8:     {[]form{2: {hyper}}, form{void}},
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
	OpCreate:             {{createType, opaque, attrMask, attrVals}, {changeInfo + bitmap}},
	OpDelegPurge:         {{hyper}},
	OpDelegReturn:        {{stateID}},
	OpGetattr:            {{bitmap}, {attrMask, attrVals}},
	OpGetFH:              {{}, {opaque}},
	OpLink:               {{opaque}, {changeInfo}},
	OpLock:               {{2*integer + 2*hyper + locker}, {stateID}},
	OpLockT:              {{integer + 2*hyper + owner}},
	OpLockU:              {{2*integer + stateID + 2*hyper}, {stateID}},
	OpLookup:             {{opaque}},
	OpNVerify:            {{attrMask, attrVals}},
	OpOpen:               {{3*integer + owner, openHow, openClaim}, {stateID + changeInfo + integer + bitmap, openDelegation}},
	OpOpenAttr:           {{integer}},
	OpOpenConfirm:        {{stateID + integer}, {stateID}},
	OpOpenDowngrade:      {{stateID + 3*integer}, {stateID}},
	OpPutFH:              {{opaque}},
	OpRead:               {{stateID + hyper + readCount}, {integer + result}},
	OpReaddir:            {{hyper + verifier + integer + replyCount, bitmap}, {verifier + directory}},
	OpReadlink:           {{noCount}, {result}},
	OpRemove:             {{opaque}, {changeInfo}},
	OpRename:             {{opaque, opaque}, {2 * changeInfo}},
	OpRenew:              {{hyper}},
	OpSecInfo:            {{opaque}, {list + secInfo}},
	OpSetattr:            {{stateID + attrMask, attrVals}, {bitmap}},
	OpSetClientID:        {{verifier + opaque, integer + opaque, opaque, integer}, {hyper + verifier}},
	OpSetClientIDConfirm: {{hyper + verifier}},
	OpVerify:             {{attrMask, attrVals}},
	OpWrite:              {{stateID + hyper + integer + argument}, {2*integer + verifier}},
	OpReleaseLockOwner:   {{owner}},

	OpBackchannelCtl:    {{integer, list + callbackSecParm}},
	OpBindConnToSession: {{sessionID + 2*integer}, {sessionID + 2*integer}},
	OpExchangeID: {
		{verifier + opaque, integer + protect, list + implID},
		{hyper + 2*integer + protection, hyper + opaque, opaque, list + implID},
	},
	OpCreateSession: {
		{hyper + 2*integer + channelAttrs, channelAttrs, integer, list + callbackSecParm},
		{sessionID + 2*integer + channelAttrs, channelAttrs},
	},
	OpDestroySession:   {{sessionID}},
	OpFreeStateID:      {{stateID}},
	OpGetDirDelegation: {{integer + bitmap, 2*timestamp + bitmap, bitmap}, {dirDelegation}},
	OpGetDeviceInfo:    {{deviceID + 2*integer + bitmap}, {integer + opaque, bitmap}},
	OpGetDeviceList:    {{2*integer + hyper + verifier}, {hyper + verifier, array + deviceID, integer}},
	OpLayoutCommit: {
		{2*hyper + integer + stateID, optional + hyper, optional + timestamp, integer + opaque},
		{optional + hyper},
	},
	OpLayoutGet:       {{3*integer + 3*hyper + stateID + integer}, {integer + stateID, list + pnfsLayout}},
	OpLayoutReturn:    {{3*integer + layoutReturn}, {optional + stateID}},
	OpSecInfoNoName:   {{integer}, {list + secInfo}},
	OpSequence:        {{sessionID + 4*integer}, {sessionID + 5*integer}},
	OpSetSSV:          {{opaque, opaque}, {opaque}},
	OpTestStateID:     {{array + stateID}, {bitmap}},
	OpWantDelegation:  {{integer + delegClaim}, {openDelegation}},
	OpDestroyClientID: {{hyper}},
	OpReclaimComplete: {{integer}},

	OpAllocate:      {{stateID + 2*hyper}},
	OpCopy:          {{2*stateID + 3*hyper + 2*integer, list + netLoc}, {array + stateID, writeResponse + 2*integer}},
	OpCopyNotify:    {{stateID + netLoc}, {timestamp + stateID, list + netLoc}},
	OpDeallocate:    {{stateID + 2*hyper}},
	OpIOAdvise:      {{stateID + 2*hyper + bitmap}, {bitmap}},
	OpLayoutError:   {{2*hyper + stateID, array + deviceID + 2*integer}},
	OpLayoutStats:   {{2*hyper + stateID + 4*hyper + deviceID + integer + opaque}},
	OpOffloadCancel: {{stateID}},
	OpOffloadStatus: {{stateID}, {hyper + bitmap}},
	OpReadPlus:      {{stateID + hyper + integer}, {integer, list + content}},
	OpSeek:          {{stateID + hyper + integer}, {integer + hyper}},
	OpWriteSame:     {{stateID + integer + 4*hyper + integer + hyper + opaque}, {array + stateID, writeResponse}},
	OpClone:         {{2*stateID + 3*hyper}},
	OpGetXattr:      {{opaque}, {opaque}},
	OpSetXattr:      {{integer + opaque, opaque}, {changeInfo}},
	OpListXattrs:    {{hyper + integer}, {hyper, list + opaque, integer}},
	OpRemoveXattr:   {{opaque}, {changeInfo}},
}

// callbackForms are those of the callback operations. CB_ILLEGAL has neither arguments nor results.
var callbackForms = [...][2]form{
	OpCBGetattr:            {{opaque, bitmap}, {attrMask, attrVals}},
	OpCBRecall:             {{stateID + integer + opaque}},
	OpCBLayoutRecall:       {{3*integer + layoutRecall}},
	OpCBNotify:             {{stateID + opaque, list + attributes}},
	OpCBPushDeleg:          {{opaque, openDelegation}},
	OpCBRecallAny:          {{integer + bitmap}},
	OpCBRecallableObjAvail: {{integer + bitmap}},
	OpCBRecallSlot:         {{integer}},
	OpCBSequence:           {{sessionID + 4*integer, list + referringCall}, {sessionID + 4*integer}},
	OpCBWantsCancelled:     {{2 * integer}},
	OpCBNotifyLock:         {{opaque, owner}},
	OpCBNotifyDeviceID:     {{list + attributes}},
	OpCBOffload:            {{opaque, stateID + offloadInfo}},
}

var noForm form

// formOf is the form of the arguments or results of an operation: op, or in a CB_COMPOUND CBOp(op).
func formOf(op Op, callback bool, column int) *form {
	switch {
	case !callback && int(op) < len(operationForms):
		return &operationForms[op][column]
	case callback && int(op) < len(callbackForms):
		return &callbackForms[op][column]
	}
	return &noForm
}

// form skips a form, or as much of it as is there and precedes an undefined arm of a union.
func (c *cursor) form(f *form) {
	at, end := uint64(c.at), uint64(len(c.b))
	for i := 0; i < len(f) && f[i] != 0; i++ {
		n, kind := uint64(f[i]&octets), f[i]&^octets
		switch {
		case kind <= words:
			if at += n; kind != fixed {
				if at += 4; at <= end {
					length := uint64(order.Uint32(c.b[at-4:])) * uint64(kind>>8)
					if c.chunks && kind == opaque && length > 0 {
						at += c.inMessage(int(at), length)
					} else {
						at += length + -length&3
					}
				}
			}
			if at > end {
				c.missing, c.at = at-end, len(c.b)
				return
			}
			continue
		case kind >= createType && kind < list:
			c.at = int(at)
			c.skip(n)
			arm := c.arm(&unions[kind>>8])
			if at = uint64(c.at); arm[0] == void {
				continue
			}
			if i == len(f)-1 || f[i+1] == 0 {
				f, i = arm, -1
				continue
			}
			c.form(arm)
		default:
			c.at = int(at)
			c.part(n, kind)
		}
		if at = uint64(c.at); c.stuck() {
			return
		}
	}
	c.at = int(at)
}

// inMessage is how many octets of opaque data stand at a place, where it may be in a chunk: neither the data nor its fill then.
func (c *cursor) inMessage(at int, length uint64) uint64 {
	whole := length + -length&3
	switch {
	case c.inChunk(at):
		return c.remove(length)
	case c.mistake != Misplaced || c.results >= len(c.returned) || length < c.returned[c.results]:
		return whole
	}
	if c.suspect--; c.suspect != -1 {
		return whole
	}
	moved := c.returned[c.results]
	c.results++
	return whole - moved - -moved&3
}

// remove notes that data are in a chunk, and returns how many octets of their fill are in the message nevertheless.
func (c *cursor) remove(length uint64) uint64 {
	fill := -length & 3
	if c.mistake == Unrounded {
		c.removed += length
		return fill
	}
	c.removed += length + fill
	return 0
}

// part skips a part with code or a form of its own.
func (c *cursor) part(n uint64, kind part) {
	switch {
	case kind >= list:
		for i := c.word(); c.more(i); i-- {
			c.form(&form{kind&^list + part(n)})
		}
	case kind >= void:
		c.skip(n)
		c.form(&structures[kind>>8])
	case kind == array:
		c.skip(uint64(c.word()) * n)
	case kind == optional:
		c.optional(n)
	default:
		c.skip(n)
		c.special(kind)
	}
}

// special skips a structure or a part with code of its own.
func (c *cursor) special(kind part) {
	switch kind {
	case argument:
		c.argument()
	case result:
		c.result()
	case readCount:
		c.wanted(c.word())
	case replyCount:
		c.most += uint64(c.word())
	case noCount:
		c.wanted(0)
	case directory:
		for c.word() == 1 && !c.stuck() { // another entry4
			c.form(&form{hyper + opaque, attrMask, attrVals})
		}
		c.word()
	default:
		c.form(&structures[kind>>8])
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

// arm reads the discriminant of a union and returns the form of its arm.
func (c *cursor) arm(u *union) *form {
	if d := c.word(); uint64(d) < uint64(len(u.arms)) && u.arms[d][0] != 0 {
		return &u.arms[d]
	}
	c.undefined = u.others[0] == 0
	return &u.others
}
