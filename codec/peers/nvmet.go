package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addUpper(&NVMeT) }

// NVMeT is nvmet, the NVMe over RDMA target of Linux, as seen in captures of Linux 6.1.
var NVMeT = rules.Peer{
	Name:    "nvmet",
	Title:   "nvmet, the NVMe target of Linux",
	Private: rules.Signature{Reply: true, Len: 32, Octets: []byte{0, 0}}, // RECFMT
}
