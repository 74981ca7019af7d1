package pcaps

import "math"

// MaxPacket is the greatest number of captured octets of a packet, as in Wireshark and tcpdump. A file that states more
// is damaged.
const MaxPacket = 262144

// Record is one captured packet.
type Record struct {
	Frame     uint64   // number of the packet in the capture, from 1, across all files of a Capture
	Time      int64    // nanoseconds since 1970-01-01 UTC; 0 in a Simple Packet Block; saturates
	LinkType  LinkType // how Data begins
	Interface uint32   // pcapng: index of the interface within its section; pcap: 0
	Data      []byte   // captured octets, at most MaxPacket; valid until the next call of Next
	OrigLen   int      // octets on the wire, never less than len(Data)
	Offset    int64    // of the record or block in the uncompressed file
	Comments  []string // as stored, perhaps not UTF-8; nil without comments; may be kept
}

// originalLen returns OrigLen for the two lengths that a file states. It saturates on 32-bit machines.
func originalLen(stated, captured uint32) int {
	return int(min(uint64(max(stated, captured)), math.MaxInt))
}
