package oncrpc

// NFSStat3 is the status of a procedure of NFSv3 (nfsstat3: RFC 1813, section 2.6) or NFSv2 (stat: RFC 1094, section
// 2.3.1), whose values are the same but for one.
type NFSStat3 uint32

// NFS3OK is the status of what succeeded.
const NFS3OK NFSStat3 = 0

var nfsStats3 = newEnum("NFSStat3_", nfsEveryday3, map[uint32]string{
	0: "NFS3_OK", 1: "NFS3ERR_PERM", 5: "NFS3ERR_IO", 6: "NFS3ERR_NXIO", 13: "NFS3ERR_ACCES", 19: "NFS3ERR_NODEV",
	27: "NFS3ERR_FBIG", 28: "NFS3ERR_NOSPC", 30: "NFS3ERR_ROFS", 69: "NFS3ERR_DQUOT", 70: "NFS3ERR_STALE",
	71: "NFS3ERR_REMOTE", 99: "NFSERR_WFLUSH", // of NFSv2
	10001: "NFS3ERR_BADHANDLE", 10006: "NFS3ERR_SERVERFAULT",
})

// nfsEveryday3 are those that clients of a healthy server meet every day: what they ask for is not there, is not
// offered, or has to wait.
var nfsEveryday3 = map[uint32]string{
	2: "NFS3ERR_NOENT", 17: "NFS3ERR_EXIST", 18: "NFS3ERR_XDEV", 20: "NFS3ERR_NOTDIR", 21: "NFS3ERR_ISDIR",
	22: "NFS3ERR_INVAL", 31: "NFS3ERR_MLINK", 63: "NFS3ERR_NAMETOOLONG", 66: "NFS3ERR_NOTEMPTY",
	10002: "NFS3ERR_NOT_SYNC", 10003: "NFS3ERR_BAD_COOKIE", 10004: "NFS3ERR_NOTSUPP", 10005: "NFS3ERR_TOOSMALL",
	10007: "NFS3ERR_BADTYPE", 10008: "NFS3ERR_JUKEBOX",
}

// Known says whether the status has a name here.
func (s NFSStat3) Known() bool { return nfsStats3.has(uint32(s)) }

// Everyday tells whether clients of a healthy server meet the status every day, be it that a file does not exist; all
// other errors, and what has no name here, tell of trouble. Success is not one of them.
func (s NFSStat3) Everyday() bool {
	_, ok := nfsEveryday3[uint32(s)]
	return ok
}

// String is "NFS3ERR_JUKEBOX", or for an unknown status its number, "NFSStat3_99999".
func (s NFSStat3) String() string { return nfsStats3.name(uint32(s)) }

// ParseNFSStat3 reads what [NFSStat3.String] writes.
func ParseNFSStat3(s string) (NFSStat3, error) { return parse[NFSStat3](nfsStats3, s) }
