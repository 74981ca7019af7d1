package nfs

import "github.com/iwarpkit/iwarp/codec/field"

// Stat4 is the status of an NFSv4 operation or COMPOUND (nfsstat4: RFC 7531, RFC 5662, RFC 7863, RFC 8276).
type Stat4 uint32

// OK4 is the status of what succeeded.
const OK4 Stat4 = 0

var stats4 = &field.Enum{Kind: "NFSStat4_", Values: []field.Value{
	{0, "NFS4_OK"}, {1, "NFS4ERR_PERM"}, {2, "NFS4ERR_NOENT"}, {5, "NFS4ERR_IO"}, {6, "NFS4ERR_NXIO"},
	{13, "NFS4ERR_ACCESS"}, {17, "NFS4ERR_EXIST"}, {18, "NFS4ERR_XDEV"}, {20, "NFS4ERR_NOTDIR"},
	{21, "NFS4ERR_ISDIR"}, {22, "NFS4ERR_INVAL"}, {27, "NFS4ERR_FBIG"}, {28, "NFS4ERR_NOSPC"}, {30, "NFS4ERR_ROFS"},
	{31, "NFS4ERR_MLINK"}, {63, "NFS4ERR_NAMETOOLONG"}, {66, "NFS4ERR_NOTEMPTY"}, {69, "NFS4ERR_DQUOT"},
	{70, "NFS4ERR_STALE"}, {10001, "NFS4ERR_BADHANDLE"}, {10003, "NFS4ERR_BAD_COOKIE"}, {10004, "NFS4ERR_NOTSUPP"},
	{10005, "NFS4ERR_TOOSMALL"}, {10006, "NFS4ERR_SERVERFAULT"}, {10007, "NFS4ERR_BADTYPE"},
	{10008, "NFS4ERR_DELAY"}, {10009, "NFS4ERR_SAME"}, {10010, "NFS4ERR_DENIED"}, {10011, "NFS4ERR_EXPIRED"},
	{10012, "NFS4ERR_LOCKED"}, {10013, "NFS4ERR_GRACE"}, {10014, "NFS4ERR_FHEXPIRED"},
	{10015, "NFS4ERR_SHARE_DENIED"}, {10016, "NFS4ERR_WRONGSEC"}, {10017, "NFS4ERR_CLID_INUSE"},
	{10018, "NFS4ERR_RESOURCE"}, {10019, "NFS4ERR_MOVED"}, {10020, "NFS4ERR_NOFILEHANDLE"},
	{10021, "NFS4ERR_MINOR_VERS_MISMATCH"}, {10022, "NFS4ERR_STALE_CLIENTID"}, {10023, "NFS4ERR_STALE_STATEID"},
	{10024, "NFS4ERR_OLD_STATEID"}, {10025, "NFS4ERR_BAD_STATEID"}, {10026, "NFS4ERR_BAD_SEQID"},
	{10027, "NFS4ERR_NOT_SAME"}, {10028, "NFS4ERR_LOCK_RANGE"}, {10029, "NFS4ERR_SYMLINK"},
	{10030, "NFS4ERR_RESTOREFH"}, {10031, "NFS4ERR_LEASE_MOVED"}, {10032, "NFS4ERR_ATTRNOTSUPP"},
	{10033, "NFS4ERR_NO_GRACE"}, {10034, "NFS4ERR_RECLAIM_BAD"}, {10035, "NFS4ERR_RECLAIM_CONFLICT"},
	{10036, "NFS4ERR_BADXDR"}, {10037, "NFS4ERR_LOCKS_HELD"}, {10038, "NFS4ERR_OPENMODE"},
	{10039, "NFS4ERR_BADOWNER"}, {10040, "NFS4ERR_BADCHAR"}, {10041, "NFS4ERR_BADNAME"},
	{10042, "NFS4ERR_BAD_RANGE"}, {10043, "NFS4ERR_LOCK_NOTSUPP"}, {10044, "NFS4ERR_OP_ILLEGAL"},
	{10045, "NFS4ERR_DEADLOCK"}, {10046, "NFS4ERR_FILE_OPEN"}, {10047, "NFS4ERR_ADMIN_REVOKED"},
	{10048, "NFS4ERR_CB_PATH_DOWN"}, {10049, "NFS4ERR_BADIOMODE"}, {10050, "NFS4ERR_BADLAYOUT"},
	{10051, "NFS4ERR_BAD_SESSION_DIGEST"}, {10052, "NFS4ERR_BADSESSION"}, {10053, "NFS4ERR_BADSLOT"},
	{10054, "NFS4ERR_COMPLETE_ALREADY"}, {10055, "NFS4ERR_CONN_NOT_BOUND_TO_SESSION"},
	{10056, "NFS4ERR_DELEG_ALREADY_WANTED"}, {10057, "NFS4ERR_BACK_CHAN_BUSY"}, {10058, "NFS4ERR_LAYOUTTRYLATER"},
	{10059, "NFS4ERR_LAYOUTUNAVAILABLE"}, {10060, "NFS4ERR_NOMATCHING_LAYOUT"}, {10061, "NFS4ERR_RECALLCONFLICT"},
	{10062, "NFS4ERR_UNKNOWN_LAYOUTTYPE"}, {10063, "NFS4ERR_SEQ_MISORDERED"}, {10064, "NFS4ERR_SEQUENCE_POS"},
	{10065, "NFS4ERR_REQ_TOO_BIG"}, {10066, "NFS4ERR_REP_TOO_BIG"}, {10067, "NFS4ERR_REP_TOO_BIG_TO_CACHE"},
	{10068, "NFS4ERR_RETRY_UNCACHED_REP"}, {10069, "NFS4ERR_UNSAFE_COMPOUND"}, {10070, "NFS4ERR_TOO_MANY_OPS"},
	{10071, "NFS4ERR_OP_NOT_IN_SESSION"}, {10072, "NFS4ERR_HASH_ALG_UNSUPP"}, {10074, "NFS4ERR_CLIENTID_BUSY"},
	{10075, "NFS4ERR_PNFS_IO_HOLE"}, {10076, "NFS4ERR_SEQ_FALSE_RETRY"}, {10077, "NFS4ERR_BAD_HIGH_SLOT"},
	{10078, "NFS4ERR_DEADSESSION"}, {10079, "NFS4ERR_ENCR_ALG_UNSUPP"}, {10080, "NFS4ERR_PNFS_NO_LAYOUT"},
	{10081, "NFS4ERR_NOT_ONLY_OP"}, {10082, "NFS4ERR_WRONG_CRED"}, {10083, "NFS4ERR_WRONG_TYPE"},
	{10084, "NFS4ERR_DIRDELEG_UNAVAIL"}, {10085, "NFS4ERR_REJECT_DELEG"}, {10086, "NFS4ERR_RETURNCONFLICT"},
	{10087, "NFS4ERR_DELEG_REVOKED"}, {10088, "NFS4ERR_PARTNER_NOTSUPP"}, {10089, "NFS4ERR_PARTNER_NO_AUTH"},
	{10090, "NFS4ERR_UNION_NOTSUPP"}, {10091, "NFS4ERR_OFFLOAD_DENIED"}, {10092, "NFS4ERR_WRONG_LFS"},
	{10093, "NFS4ERR_BADLABEL"}, {10094, "NFS4ERR_OFFLOAD_NO_REQS"}, {10095, "NFS4ERR_NOXATTR"},
	{10096, "NFS4ERR_XATTR2BIG"},
}}

// Known reports whether the status has a name here.
func (s Stat4) Known() bool { return stats4.Has(uint64(s)) }

// Everyday reports whether clients of a healthy server meet the status every day, for example that a
// file does not exist, that a SEEK finds no more data, that a path is served elsewhere, or that the server was started anew and they have to
// begin a new session. All other errors, and what has no name here, mean trouble. Success is not one of them.
func (s Stat4) Everyday() bool {
	switch s {
	case 2, 6, 17, 18, 20, 21, 22, 31, 63, 66, 10003, 10004, 10005, 10007, 10008, 10009, 10010, 10012, 10013, 10015, 10019,
		10021, 10022, 10023, 10024, 10025, 10027, 10029, 10031, 10032, 10033, 10034, 10037, 10038, 10040, 10041, 10043, 10046, 10052, 10054,
		10055, 10056, 10057, 10058, 10059, 10060, 10061, 10062, 10074, 10078, 10084, 10085, 10086, 10088, 10090, 10094, 10095:
		return true
	}
	return false
}

// Passes reports whether the status tells the client to ask again later, in a new session or in another minor version: so it passes on a
// healthy server.
func (s Stat4) Passes() bool {
	switch s {
	case 10008, 10013, 10021, 10022, 10023, 10052, 10055, 10078:
		return true
	}
	return false
}

// Forgets reports whether the status says that the server knows the client or its session no longer.
func (s Stat4) Forgets() bool {
	switch s {
	case 10011, 10022, 10052, 10078:
		return true
	}
	return false
}

// Recovers reports whether the status tells the client that it has an old stateid, or a wrong one: it gets another by itself.
func (s Stat4) Recovers() bool { return s == 10024 || s == 10025 }

// IsHeld reports whether the status says that another client has the file or a lock on it: programs ask again, or go without.
func (s Stat4) IsHeld() bool { return s == 10010 || s == 10012 || s == 10015 || s == 10046 }

// LosesData reports whether the status says that the client may not write to the file, or that there is no such file: what a WRITE should have
// stored is lost.
func (s Stat4) LosesData() bool { return Stat3(s).LosesData() }

// Denies reports whether the status says that the client may not do this: programs try, and live with it.
func (s Stat4) Denies() bool { return Stat3(s).Denies() }

// Local reports whether the status says that data could not be read or stored: that others succeed does not mend it.
func (s Stat4) Local() bool { return Stat3(s).Local() }

// String returns "NFS4ERR_DELAY", or the number of an unknown status, "NFSStat4_99999".
func (s Stat4) String() string { return stats4.Name(uint64(s)) }

// Stat3 is the status of a procedure of NFSv3 (nfsstat3: RFC 1813, section 2.6) or NFSv2 (stat: RFC 1094, section
// 2.3.1), whose values are the same except for one.
type Stat3 uint32

// OK3 is the status of what succeeded.
const OK3 Stat3 = 0

var stats3 = &field.Enum{Kind: "NFSStat3_", Values: []field.Value{
	{0, "NFS3_OK"}, {1, "NFS3ERR_PERM"}, {2, "NFS3ERR_NOENT"}, {5, "NFS3ERR_IO"}, {6, "NFS3ERR_NXIO"},
	{13, "NFS3ERR_ACCES"}, {17, "NFS3ERR_EXIST"}, {18, "NFS3ERR_XDEV"}, {19, "NFS3ERR_NODEV"},
	{20, "NFS3ERR_NOTDIR"}, {21, "NFS3ERR_ISDIR"}, {22, "NFS3ERR_INVAL"}, {27, "NFS3ERR_FBIG"},
	{28, "NFS3ERR_NOSPC"}, {30, "NFS3ERR_ROFS"}, {31, "NFS3ERR_MLINK"}, {63, "NFS3ERR_NAMETOOLONG"},
	{66, "NFS3ERR_NOTEMPTY"}, {69, "NFS3ERR_DQUOT"}, {70, "NFS3ERR_STALE"}, {71, "NFS3ERR_REMOTE"},
	{99, "NFSERR_WFLUSH"}, {10001, "NFS3ERR_BADHANDLE"}, {10002, "NFS3ERR_NOT_SYNC"}, {10003, "NFS3ERR_BAD_COOKIE"},
	{10004, "NFS3ERR_NOTSUPP"}, {10005, "NFS3ERR_TOOSMALL"}, {10006, "NFS3ERR_SERVERFAULT"},
	{10007, "NFS3ERR_BADTYPE"}, {10008, "NFS3ERR_JUKEBOX"},
}}

// Known reports whether the status has a name here.
func (s Stat3) Known() bool { return stats3.Has(uint64(s)) }

// Everyday reports whether clients of a healthy server meet the status every day, for example that a
// file does not exist, or that a SEEK finds no more data. All other errors, and what has no name here, mean trouble. Success is not one of them.
func (s Stat3) Everyday() bool {
	switch s {
	case 2, 6, 17, 18, 20, 21, 22, 31, 63, 66, 10002, 10003, 10004, 10005, 10007, 10008:
		return true
	}
	return false
}

// Passes reports whether the status tells the client to ask again later.
func (s Stat3) Passes() bool { return s == 10008 }

// Recovers reports false: NFSv3 has no stateids.
func (s Stat3) Recovers() bool { return false }

// IsHeld reports false: NFSv3 has no locks.
func (s Stat3) IsHeld() bool { return false }

// LosesData reports whether the status says that the client may not write to the file, or that there is no such file: what a WRITE should have
// stored is lost.
func (s Stat3) LosesData() bool {
	return s.Denies() || s == 6 || s == 22 || s == 30 || s == 70 || s == 10001
}

// Denies reports whether the status says that the client may not do this.
func (s Stat3) Denies() bool { return s == 1 || s == 13 }

// Local reports whether the status says that data could not be read or stored: that others succeed does not mend it.
func (s Stat3) Local() bool {
	switch s {
	case 5, 27, 28, 30, 69, 10006:
		return true
	}
	return false
}

// String returns "NFS3ERR_JUKEBOX", or the number of an unknown status, "NFSStat3_99999".
func (s Stat3) String() string { return stats3.Name(uint64(s)) }

// MountStat3 is the status of MOUNT, the protocol with which a client of NFSv3 gets its first file handle (mountstat3: RFC 1813, appendix I).
type MountStat3 uint32

var mountStats3 = &field.Enum{Kind: "mountstat3 ", Values: []field.Value{
	{0, "MNT3_OK"}, {1, "MNT3ERR_PERM"}, {2, "MNT3ERR_NOENT"}, {5, "MNT3ERR_IO"}, {13, "MNT3ERR_ACCES"}, {20, "MNT3ERR_NOTDIR"},
	{22, "MNT3ERR_INVAL"}, {63, "MNT3ERR_NAMETOOLONG"}, {10004, "MNT3ERR_NOTSUPP"}, {10006, "MNT3ERR_SERVERFAULT"},
}}

// String returns "MNT3ERR_ACCES", or the number of an unknown status, "mountstat3 99999".
func (s MountStat3) String() string { return mountStats3.Name(uint64(s)) }
