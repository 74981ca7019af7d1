package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addUpper(&KSMBD) }

// KSMBD is ksmbd, the SMB server in the Linux kernel, as seen in captures of Linux 6.1.
var KSMBD = rules.Peer{
	Name:  "ksmbd",
	Title: "ksmbd, the Linux SMB server",
	Remarks: []rules.Remark{
		{About: about{"unanswered-upper"}, Notes: []string{"depends on the daemon ksmbd.mountd"}},
		{About: about{"STATUS_INVALID_HANDLE", "STATUS_FILE_CLOSED"}, Notes: []string{"also says so of a quota or a disk error"}},
	},
	Private: rules.Signature{Reply: true, Len: 8, Octets: []byte{0, 0, 0}}, // IRD and ORD, in network order
}
