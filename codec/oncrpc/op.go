package oncrpc

// The operations of NFSv4: RFC 7530 and 7531 (minor version 0), RFC 8881 and 5662 (1), RFC 7862 and 7863 (2), and
// RFC 8276 (extended attributes, 2).

// Op is the number of an operation in a COMPOUND (nfs_opnum4).
type Op uint32

// The operations.
const (
	OpAccess             Op = 3
	OpClose              Op = 4
	OpCommit             Op = 5
	OpCreate             Op = 6
	OpDelegPurge         Op = 7
	OpDelegReturn        Op = 8
	OpGetattr            Op = 9
	OpGetFH              Op = 10
	OpLink               Op = 11
	OpLock               Op = 12
	OpLockT              Op = 13
	OpLockU              Op = 14
	OpLookup             Op = 15
	OpLookupP            Op = 16
	OpNVerify            Op = 17
	OpOpen               Op = 18
	OpOpenAttr           Op = 19
	OpOpenConfirm        Op = 20
	OpOpenDowngrade      Op = 21
	OpPutFH              Op = 22
	OpPutPubFH           Op = 23
	OpPutRootFH          Op = 24
	OpRead               Op = 25
	OpReaddir            Op = 26
	OpReadlink           Op = 27
	OpRemove             Op = 28
	OpRename             Op = 29
	OpRenew              Op = 30
	OpRestoreFH          Op = 31
	OpSaveFH             Op = 32
	OpSecInfo            Op = 33
	OpSetattr            Op = 34
	OpSetClientID        Op = 35
	OpSetClientIDConfirm Op = 36
	OpVerify             Op = 37
	OpWrite              Op = 38
	OpReleaseLockOwner   Op = 39
	OpBackchannelCtl     Op = 40 // the first of minor version 1
	OpBindConnToSession  Op = 41
	OpExchangeID         Op = 42
	OpCreateSession      Op = 43
	OpDestroySession     Op = 44
	OpFreeStateID        Op = 45
	OpGetDirDelegation   Op = 46
	OpGetDeviceInfo      Op = 47
	OpGetDeviceList      Op = 48
	OpLayoutCommit       Op = 49
	OpLayoutGet          Op = 50
	OpLayoutReturn       Op = 51
	OpSecInfoNoName      Op = 52
	OpSequence           Op = 53
	OpSetSSV             Op = 54
	OpTestStateID        Op = 55
	OpWantDelegation     Op = 56
	OpDestroyClientID    Op = 57
	OpReclaimComplete    Op = 58
	OpAllocate           Op = 59 // the first of minor version 2
	OpCopy               Op = 60
	OpCopyNotify         Op = 61
	OpDeallocate         Op = 62
	OpIOAdvise           Op = 63
	OpLayoutError        Op = 64
	OpLayoutStats        Op = 65
	OpOffloadCancel      Op = 66
	OpOffloadStatus      Op = 67
	OpReadPlus           Op = 68
	OpSeek               Op = 69
	OpWriteSame          Op = 70
	OpClone              Op = 71
	OpGetXattr           Op = 72
	OpSetXattr           Op = 73
	OpListXattrs         Op = 74
	OpRemoveXattr        Op = 75
	OpIllegal            Op = 10044
)

var ops = newEnum("Op", numbered(3, map[uint32]string{10044: "ILLEGAL"},
	"ACCESS", "CLOSE", "COMMIT", "CREATE", "DELEGPURGE", "DELEGRETURN", "GETATTR", "GETFH", "LINK", "LOCK", "LOCKT", "LOCKU",
	"LOOKUP", "LOOKUPP", "NVERIFY", "OPEN", "OPENATTR", "OPEN_CONFIRM", "OPEN_DOWNGRADE", "PUTFH", "PUTPUBFH", "PUTROOTFH",
	"READ", "READDIR", "READLINK", "REMOVE", "RENAME", "RENEW", "RESTOREFH", "SAVEFH", "SECINFO", "SETATTR", "SETCLIENTID",
	"SETCLIENTID_CONFIRM", "VERIFY", "WRITE", "RELEASE_LOCKOWNER", "BACKCHANNEL_CTL", "BIND_CONN_TO_SESSION",
	"EXCHANGE_ID", "CREATE_SESSION", "DESTROY_SESSION", "FREE_STATEID", "GET_DIR_DELEGATION", "GETDEVICEINFO",
	"GETDEVICELIST", "LAYOUTCOMMIT", "LAYOUTGET", "LAYOUTRETURN", "SECINFO_NO_NAME", "SEQUENCE", "SET_SSV", "TEST_STATEID",
	"WANT_DELEGATION", "DESTROY_CLIENTID", "RECLAIM_COMPLETE", "ALLOCATE", "COPY", "COPY_NOTIFY", "DEALLOCATE",
	"IO_ADVISE", "LAYOUTERROR", "LAYOUTSTATS", "OFFLOAD_CANCEL", "OFFLOAD_STATUS", "READ_PLUS", "SEEK", "WRITE_SAME",
	"CLONE", "GETXATTR", "SETXATTR", "LISTXATTRS", "REMOVEXATTR"))

// numbered adds names to m, by their numbers from first on.
func numbered(first uint32, m map[uint32]string, names ...string) map[uint32]string {
	for i, name := range names {
		m[first+uint32(i)] = name
	}
	return m
}

// Known says whether the operation is assigned in any minor version.
func (o Op) Known() bool { return ops.has(uint32(o)) }

// String is "PUTFH", or for an unknown operation its number, "Op99".
func (o Op) String() string { return ops.name(uint32(o)) }

// ParseOp reads what [Op.String] writes.
func ParseOp(s string) (Op, error) { return parse[Op](ops, s) }

// In says whether the minor version, 0 to 2, has the operation. Minor version 1 keeps the operations that it does not
// want any more.
func (o Op) In(minor uint32) bool {
	return assigned(o, minor, [...]Op{OpAccess, OpBackchannelCtl, OpAllocate, OpRemoveXattr + 1}, OpIllegal)
}

// assigned says whether a minor version has an operation: illegal, or one from the first on and before those that the
// next minor version has added.
func assigned[T Op | CBOp](o T, minor uint32, added [4]T, illegal T) bool {
	return minor <= 2 && (o >= added[0] && o < added[minor+1] || o == illegal)
}

// CBOp is the number of an operation in a CB_COMPOUND (nfs_cb_opnum4).
type CBOp uint32

// The callback operations.
const (
	OpCBGetattr            CBOp = 3
	OpCBRecall             CBOp = 4
	OpCBLayoutRecall       CBOp = 5 // the first of minor version 1
	OpCBNotify             CBOp = 6
	OpCBPushDeleg          CBOp = 7
	OpCBRecallAny          CBOp = 8
	OpCBRecallableObjAvail CBOp = 9
	OpCBRecallSlot         CBOp = 10
	OpCBSequence           CBOp = 11
	OpCBWantsCancelled     CBOp = 12
	OpCBNotifyLock         CBOp = 13
	OpCBNotifyDeviceID     CBOp = 14
	OpCBOffload            CBOp = 15 // the first of minor version 2
	OpCBIllegal            CBOp = 10044
)

var cbOps = newEnum("CBOp", numbered(3, map[uint32]string{10044: "CB_ILLEGAL"},
	"CB_GETATTR", "CB_RECALL", "CB_LAYOUTRECALL", "CB_NOTIFY", "CB_PUSH_DELEG", "CB_RECALL_ANY", "CB_RECALLABLE_OBJ_AVAIL",
	"CB_RECALL_SLOT", "CB_SEQUENCE", "CB_WANTS_CANCELLED", "CB_NOTIFY_LOCK", "CB_NOTIFY_DEVICEID", "CB_OFFLOAD"))

// Known says whether the operation is assigned in any minor version.
func (o CBOp) Known() bool { return cbOps.has(uint32(o)) }

// String is "CB_RECALL", or for an unknown operation its number, "CBOp99".
func (o CBOp) String() string { return cbOps.name(uint32(o)) }

// ParseCBOp reads what [CBOp.String] writes.
func ParseCBOp(s string) (CBOp, error) { return parse[CBOp](cbOps, s) }

// In says whether the minor version, 0 to 2, has the operation.
func (o CBOp) In(minor uint32) bool {
	return assigned(o, minor, [...]CBOp{OpCBGetattr, OpCBLayoutRecall, OpCBOffload, OpCBOffload + 1}, OpCBIllegal)
}
