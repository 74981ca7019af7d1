package nfs

// The operations of NFSv4: RFC 7530 and 7531 (minor version 0), RFC 8881 and 5662 (1), RFC 7862 and 7863 (2), and
// RFC 8276 (extended attributes, 2).

import "github.com/iwarpkit/iwarp/codec/field"

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

var ops = &field.Enum{Kind: "Op", Values: []field.Value{
	{3, "ACCESS"}, {4, "CLOSE"}, {5, "COMMIT"}, {6, "CREATE"}, {7, "DELEGPURGE"}, {8, "DELEGRETURN"}, {9, "GETATTR"},
	{10, "GETFH"}, {11, "LINK"}, {12, "LOCK"}, {13, "LOCKT"}, {14, "LOCKU"}, {15, "LOOKUP"}, {16, "LOOKUPP"},
	{17, "NVERIFY"}, {18, "OPEN"}, {19, "OPENATTR"}, {20, "OPEN_CONFIRM"}, {21, "OPEN_DOWNGRADE"}, {22, "PUTFH"},
	{23, "PUTPUBFH"}, {24, "PUTROOTFH"}, {25, "READ"}, {26, "READDIR"}, {27, "READLINK"}, {28, "REMOVE"},
	{29, "RENAME"}, {30, "RENEW"}, {31, "RESTOREFH"}, {32, "SAVEFH"}, {33, "SECINFO"}, {34, "SETATTR"},
	{35, "SETCLIENTID"}, {36, "SETCLIENTID_CONFIRM"}, {37, "VERIFY"}, {38, "WRITE"}, {39, "RELEASE_LOCKOWNER"},
	{40, "BACKCHANNEL_CTL"}, {41, "BIND_CONN_TO_SESSION"}, {42, "EXCHANGE_ID"}, {43, "CREATE_SESSION"},
	{44, "DESTROY_SESSION"}, {45, "FREE_STATEID"}, {46, "GET_DIR_DELEGATION"}, {47, "GETDEVICEINFO"},
	{48, "GETDEVICELIST"}, {49, "LAYOUTCOMMIT"}, {50, "LAYOUTGET"}, {51, "LAYOUTRETURN"}, {52, "SECINFO_NO_NAME"},
	{53, "SEQUENCE"}, {54, "SET_SSV"}, {55, "TEST_STATEID"}, {56, "WANT_DELEGATION"}, {57, "DESTROY_CLIENTID"},
	{58, "RECLAIM_COMPLETE"}, {59, "ALLOCATE"}, {60, "COPY"}, {61, "COPY_NOTIFY"}, {62, "DEALLOCATE"},
	{63, "IO_ADVISE"}, {64, "LAYOUTERROR"}, {65, "LAYOUTSTATS"}, {66, "OFFLOAD_CANCEL"}, {67, "OFFLOAD_STATUS"},
	{68, "READ_PLUS"}, {69, "SEEK"}, {70, "WRITE_SAME"}, {71, "CLONE"}, {72, "GETXATTR"}, {73, "SETXATTR"},
	{74, "LISTXATTRS"}, {75, "REMOVEXATTR"}, {10044, "ILLEGAL"},
}}

// Known reports whether the operation is assigned in any minor version.
func (o Op) Known() bool { return ops.Has(uint64(o)) }

// String returns "PUTFH", or the number of an unknown operation, "Op99".
func (o Op) String() string { return ops.Name(uint64(o)) }

// In reports whether the minor version, 0 to 2, has the operation. Minor version 1 still has the operations that it
// abolishes.
func (o Op) In(minor uint32) bool {
	return minor < uint32(len(endOfOps)) && (o >= OpAccess && o < endOfOps[minor] || o == OpIllegal)
}

// endOfOps and endOfCBOps are the first numbers beyond those that each minor version has.
var (
	endOfOps   = [...]Op{OpBackchannelCtl, OpAllocate, OpRemoveXattr + 1}
	endOfCBOps = [...]CBOp{OpCBLayoutRecall, OpCBOffload, OpCBOffload + 1}
)

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

var cbOps = &field.Enum{Kind: "CBOp", Values: []field.Value{
	{3, "CB_GETATTR"}, {4, "CB_RECALL"}, {5, "CB_LAYOUTRECALL"}, {6, "CB_NOTIFY"}, {7, "CB_PUSH_DELEG"},
	{8, "CB_RECALL_ANY"}, {9, "CB_RECALLABLE_OBJ_AVAIL"}, {10, "CB_RECALL_SLOT"}, {11, "CB_SEQUENCE"},
	{12, "CB_WANTS_CANCELLED"}, {13, "CB_NOTIFY_LOCK"}, {14, "CB_NOTIFY_DEVICEID"}, {15, "CB_OFFLOAD"},
	{10044, "CB_ILLEGAL"},
}}

// Known reports whether the operation is assigned in any minor version.
func (o CBOp) Known() bool { return cbOps.Has(uint64(o)) }

// String returns "CB_RECALL", or the number of an unknown operation, "CBOp99".
func (o CBOp) String() string { return cbOps.Name(uint64(o)) }

// In reports whether the minor version, 0 to 2, has the operation.
func (o CBOp) In(minor uint32) bool {
	return minor < uint32(len(endOfCBOps)) && (o >= OpCBGetattr && o < endOfCBOps[minor] || o == OpCBIllegal)
}
