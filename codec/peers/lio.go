package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addUpper(&LIO) }

// LIO is the Linux iSER target, as seen in captures of Linux 6.1.
var LIO = rules.Peer{
	Name:    "lio",
	Title:   "LIO, the Linux iSCSI target",
	Private: rules.Signature{Reply: true, Len: 4, Octets: []byte{0x80, 0, 0, 0}}, // no ZBVA, as of Annex A12
}
