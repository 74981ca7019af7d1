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
	Remarks: []Remark{
		{About: "irdma", Notes: []string{"sends 0/2/FF for unknown opcodes, and for Read Requests beyond IRD",
			"sends 0/1/02 for a Write without right, 0/1/04 for one that wraps",
			"encloses headers whenever it has the frame", "answers a malformed Terminate with a Terminate"}},
		{About: "HdrCt", Notes: []string{"encloses whatever part of the frame it has, MPA errors included"}},
		{About: "RFC 7306", Notes: []string{"answers with the Terminate 0/2/FF"}},
		{About: "access rights", Notes: []string{"answers a Write without right with 0/1/02"}},
		{About: "Terminate", Notes: []string{"answers a malformed Terminate with a Terminate"}},
		{About: "Immediate", Notes: []string{"answers with the Terminate 0/2/FF"}},
		{About: "ImmediateSE", Notes: []string{"answers with the Terminate 0/2/FF"}},
		{About: "AtomicRequest", Notes: []string{"answers with the Terminate 0/2/FF"}},
		{About: "AtomicResponse", Notes: []string{"answers with the Terminate 0/2/FF"}},
	},
}
