package words

import "github.com/iwarpkit/iwarp/codec/peers"

func init() { add(&cxgb4) }

var cxgb4 = Peer{
	Peer:    &peers.CXGB4,
	Aka:     []string{"iw_cxgb4", "Chelsio", "T5", "T6", "c4iw"},
	Title:   "the Linux driver of Chelsio's RNICs",
	Text:    "It serves the Terminator adapters T4 to T6, which have Markers and CRC in hardware.",
	See:     []string{"HdrCt", "0/1/00"},
	Sources: []string{"its source in Linux, drivers/infiniband/hw/cxgb4"},
	Remarks: []Remark{
		{About: "Private Data", Notes: []string{"drivers of the cxgb family take 256 octets at most"}},
		{About: "cxgb4", Notes: []string{"sends Terminates of 4 octets, without headers",
			"sends 0/1/00 for a Write with an invalid STag, 0/1/03 for one of another Protection Domain",
			"sends 1/2/03 for Read Requests beyond IRD"}},
		{About: "HdrCt", Notes: []string{"sets none"}},
		{About: "access rights", Notes: []string{"answers a Write without right with 0/1/02"}},
		{About: "Terminate", Notes: []string{"never encloses headers"}},
	},
}
