package conversation

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Way is one direction of a TCP connection: its sender and its receiver.
type Way [2]netip.AddrPort

// Lengths returns the length in octets of each stream in records, captured or not: from the SYN or the first octet seen, to
// the last octet seen or the FIN. It is for streams below 1 GiB.
func Lengths(records []pcaps.Record) map[Way]uint64 {
	begin, length := map[Way]uint32{}, map[Way]uint64{}
	var s tcpip.Segment
	for i := range records {
		r := &records[i]
		if s.Decode(r.LinkType, r.Data, r.OrigLen) != nil || s.Flags&tcpip.RST != 0 || s.Len() == 0 && s.Flags&(tcpip.SYN|tcpip.FIN) == 0 {
			continue
		}
		way := Way{s.Src, s.Dst}
		if s.Flags&tcpip.SYN != 0 {
			s.Seq++
		}
		if _, ok := begin[way]; !ok {
			begin[way] = s.Seq
		}
		if end := int32(s.Seq-begin[way]) + int32(s.Len()); end > 0 {
			length[way] = max(length[way], uint64(end))
		}
	}
	return length
}
