package dissect_test

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// The lengths of headers.
const ethernet, ipv4 = 14, 20

// checksums sets the TCP checksums of packets.
func checksums(records []pcaps.Record) {
	for _, r := range records {
		ip, tcp := r.Data[ethernet:], r.Data[ethernet+ipv4:]
		src, dst := netip.AddrFrom4([4]byte(ip[12:])), netip.AddrFrom4([4]byte(ip[16:]))
		binary.BigEndian.PutUint16(tcp[16:], pcaps.Sum(0).Add(src.AsSlice()).Add(dst.AsSlice()).PseudoHeader(len(tcp)).Checksum(tcp))
	}
}

// TestDamagedPackets puts before every fifth packet a copy with a flipped bit: the receiver discards it, and so does the Engine.
// Where the copy comes alone and is acknowledged, the receiver has taken it.
func TestDamagedPackets(t *testing.T) {
	k := mixture(modes[0], 300)
	checksums(k.Records)
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

// TestManyDamagedPackets sends damaged packets that nobody acknowledges, far beyond what came: few wait, however many there are.
func TestManyDamagedPackets(t *testing.T) {
	k := mixture(modes[0], 20)
	checksums(k.Records)
	e := dissect.NewEngine(newLedger(), dissect.Options{})
	var bad pcaps.Record
	var s tcpip.Segment
	for _, r := range k.Records {
		if s.Decode(r.LinkType, r.Data, r.OrigLen) == nil && s.Len() > 0 {
			bad = r
		}
		if !s.Flags.Has(tcpip.FIN) { // it goes on
			e.Packet(&r)
		}
	}
	before := e.Held()
	for i := range uint32(100_000) {
		bad.Data = bytes.Clone(bad.Data)
		binary.BigEndian.PutUint32(bad.Data[ethernet+ipv4+4:], 1<<30+2*i)
		e.Packet(&bad)
	}
	if more := e.Held() - before; more == 0 || more > 1<<20 {
		t.Errorf("%d octets of memory are held", more)
	}
	e.Close()
}
