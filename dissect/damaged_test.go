package dissect_test

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestDamagedPackets puts before every fifth packet a copy with a flipped bit: the receiver discards it, and so does the Engine.
// Where the copy comes alone and is acknowledged, the receiver has taken it.
func TestDamagedPackets(t *testing.T) {
	k := mixture(modes[0], 300)
	const ip, tcp = 14, 34 // where the headers begin
	for i := range k.Records {
		b, src, dst := k.Records[i].Data, netip.AddrFrom4([4]byte(k.Records[i].Data[ip+12:])), netip.AddrFrom4([4]byte(k.Records[i].Data[ip+16:]))
		binary.BigEndian.PutUint16(b[tcp+16:], pcaps.TCPChecksum(src, dst, len(b)-tcp, b[tcp:]))
	}
	whole := keep(k.Records)
	for _, again := range []bool{true, false} {
		var damaged []pcaps.Record
		var s tcpip.Segment
		changed := 0
		for i, r := range k.Records {
			if s.Decode(r.LinkType, r.Data, r.OrigLen) == nil && s.Len() > 40 && i > 20 && i%5 == 0 && (again || changed == 0) {
				bad := r
				bad.Data = bytes.Clone(r.Data)
				bad.Data[len(bad.Data)-30] ^= 4
				damaged, changed = append(damaged, bad), changed+1
				if !again {
					continue
				}
			}
			damaged = append(damaged, r)
		}
		for i := range damaged {
			damaged[i].Frame = uint64(i + 1)
		}
		l, differ := keep(damaged), 0
		for d, spans := range whole.whole {
			if len(l.whole[d]) != len(spans) {
				differ++
			}
		}
		if changed == 0 || again && differ > 0 || !again && differ == 0 {
			t.Errorf("%d packets damaged, sent again: %v: %d messages differ", changed, again, differ)
		}
	}
}
