package smbdirect

// What to do about commands that a server refuses.

import "cmp"

// advice is that by status.
var advice = map[Status]string{
	0xc000005e:   "The server reaches no domain controller: see its network and its DNS.",
	0xc0000064:   logonAdvice,
	0xc000006a:   logonAdvice,
	0xc000006d:   logonAdvice,
	0xc000006e:   "The account may not log on from here, at this time or without a password: see its restrictions in the domain.",
	0xc0000071:   "The password has expired: change it.",
	0xc0000072:   "The account is disabled: see it in the domain or on the server.",
	0xc0000234:   "The account is locked, most often after too many wrong passwords: unlock it, and see which client still sends an old one.",
	0xc00000cc:   "The server has no share of this name: compare it with the shares of the server, and see whether their service runs.",
	0xc00000c9:   sessionAdvice,
	0xc0000203:   sessionAdvice,
	0xc000035c:   sessionAdvice,
	0xc0000044:   fullAdvice,
	0xc000007f:   fullAdvice,
	0xc0000133:   "The clocks of client, server and domain controller differ by more than Kerberos allows: set them.",
	0xc00000ce:   limitAdvice,
	0xc00000d0:   limitAdvice,
	0xc000003e:   storageAdvice,
	0xc0000102:   storageAdvice,
	0xc0000008:   handleAdvice,
	0xc0000128:   handleAdvice,
	0xc000009c:   storageAdvice,
	0xc00000e9:   storageAdvice,
	0xc0000185:   storageAdvice,
	accessDenied: "The user has no right to this: see the permissions of the share and of the file, and whether the share demands encryption or signing.",
}

// negotiateAdvice is that about a NEGOTIATE whose status says no more.
const negotiateAdvice = "Client and server have no dialect of SMB2, or no cipher, in common: compare the versions that both allow (vers= of a mount; server min protocol and " +
	"server max protocol of its configuration). SMB Direct needs SMB 3."

const (
	fullAdvice    = "The disk or the quota of the share is full: see df, df -i and quota on the server."
	storageAdvice = "The server could not read or write its storage: see its log, its disks, and whether its own file system has errors."
	limitAdvice   = "The server takes no more sessions or connections: see its limits, and whether old ones are left."
	handleAdvice  = "The server does not have the file open any more, or could not write it for a reason that it does not tell: see " +
		"its log, and whether it closed the file with the session of the client."
	logonAdvice = "The server does not know this user, or the password is wrong: compare user, domain and password with those of the account, and the clocks of " +
		"both if Kerberos is used."
	sessionAdvice = "The server has ended the session or the connection to the share: see why the client does not begin another one, and the log of the " +
		"server for that time."
)

// Advice implements ulp.Advising.
func (x *Exchange) Advice() string {
	if x.Code == cmdNegotiate && !x.direct && x.Status.Failed() {
		return cmp.Or(advice[x.Status], negotiateAdvice)
	}
	return advice[x.Status]
}
