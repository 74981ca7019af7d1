package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addUpper(&NVMeT) }

// NVMeT is nvmet, the Linux NVMe over RDMA target, as seen in captures of Linux 6.1.
var NVMeT = rules.Peer{
	Name:    "nvmet",
	Title:   "nvmet, the Linux NVMe target",
	Private: rules.Signature{Reply: true, Len: 32, Octets: []byte{0, 0}}, // RECFMT
}
