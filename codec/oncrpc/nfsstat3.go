package oncrpc

import "github.com/iwarpkit/iwarp/codec/field"

// NFSStat3 is the status of a procedure of NFSv3 (nfsstat3: RFC 1813, section 2.6) or NFSv2 (stat: RFC 1094, section
// 2.3.1), whose values are the same but for one.
type NFSStat3 uint32

// NFS3OK is the status of what succeeded.
const NFS3OK NFSStat3 = 0

var nfsStats3 = &field.Enum{Kind: "NFSStat3_", Values: []field.Value{
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
func (s NFSStat3) Known() bool { return nfsStats3.Has(uint64(s)) }

// Everyday reports whether clients of a healthy server meet the status every day, for example
// that a file does not exist; all
// other errors, and what has no name here, tell of trouble. Success is not one of them.
func (s NFSStat3) Everyday() bool {
	switch s {
	case 2, 17, 18, 20, 21, 22, 31, 63, 66, 10002, 10003, 10004, 10005, 10007, 10008:
		return true
	}
	return false
}

// String is "NFS3ERR_JUKEBOX", or for an unknown status its number, "NFSStat3_99999".
func (s NFSStat3) String() string { return nfsStats3.Name(uint64(s)) }
