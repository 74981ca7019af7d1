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
}
