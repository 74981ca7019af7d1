package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addUpper(&KSMBD) }

// KSMBD is ksmbd, the SMB server in the Linux kernel, as seen in captures of Linux 6.1.
var KSMBD = rules.Peer{
	Name:    "ksmbd",
	Title:   "ksmbd, the Linux SMB server",
	Private: rules.Signature{Reply: true, Len: 8, Octets: []byte{0, 0, 0}}, // IRD and ORD, in network order
}
