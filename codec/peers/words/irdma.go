package words

import "github.com/iwarpkit/iwarp/codec/peers"

func init() { add(&irdma) }

var irdma = Peer{
	Peer:  &peers.IRDMA,
	Aka:   []string{"i40iw", "nes", "Intel RDMA", "E810", "X722"},
	Title: "the Linux driver of Intel's RNICs",
	Text: "It serves E810 and X722, and follows i40iw and nes. It chooses Terminate codes by events of the " +
		"hardware; those that it does not list become 0/2/FF.",
	See:     []string{"0/2/FF", "HdrCt"},
	Sources: []string{"its source in Linux, drivers/infiniband/hw/irdma"},
}
