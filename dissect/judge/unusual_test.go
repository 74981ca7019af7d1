package judge_test

// Captures of the same packets, taken in unusual ways: what is said of them has to be the same.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// vlan puts a VLAN tag into an Ethernet frame.
func vlan(b []byte) []byte { return slices.Concat(b[:12], []byte{0x81, 0, 0, 5}, b[12:]) }

// cooked puts the header of "tcpdump -i any" in the place of the Ethernet header.
func cooked(b []byte) []byte {
	return slices.Concat(b[12:14], []byte{0, 0, 0, 0, 0, 2, 0, 1, 0, 6}, b[6:12], []byte{0, 0}, b[14:])
}

// padded gives an Ethernet frame the least length, and a Frame Check Sequence.
func padded(b []byte) []byte {
	return append(slices.Concat(b, make([]byte, max(0, 60-len(b)))), 1, 2, 3, 4)
}

// routed is an Ethernet frame behind a router.
func routed(b []byte) []byte {
	const ttl4, ttl6 = 14 + 8, 14 + 7
	b = slices.Clone(b)
	b[0], b[5], b[6], b[11] = 2, 7, 2, 8
	if b[14]>>4 == 4 {
		b[ttl4]--
	} else {
		b[ttl6]--
	}
	return b
}

// linked shows packets as they are on another link.
func linked(link pcaps.LinkType, change func([]byte) []byte) func([]pcaps.Record) []pcaps.Record {
	return func(records []pcaps.Record) []pcaps.Record {
		all := slices.Clone(records)
		for i := range all {
			r := &all[i]
			more := change(r.Data)
			r.LinkType, r.OrigLen, r.Data = link, r.OrigLen+len(more)-len(r.Data), more
		}
		return all
	}
}

// seenTwice shows each packet again, so many nanoseconds later.
func seenTwice(later int64, change func([]byte) []byte) func([]pcaps.Record) []pcaps.Record {
	return func(records []pcaps.Record) []pcaps.Record {
		again := linked(pcaps.LinkTypeEthernet, change)(records)
		for i := range again {
			again[i].Time += later
		}
		all := append(slices.Clone(records), again...)
		slices.SortStableFunc(all, func(a, b pcaps.Record) int { return cmp.Compare(a.Time, b.Time) })
		return all
	}
}

// unsummed leaves the TCP checksums of one host to the hardware: the field has the sum of the pseudo-header.
func unsummed(client bool) func([]pcaps.Record) []pcaps.Record {
	return func(records []pcaps.Record) []pcaps.Record {
		all, of := slices.Clone(records), ofClient(records)
		for i := range all {
			var s tcpip.Segment
			r := &all[i]
			if of[i] != client || s.Decode(r.LinkType, r.Data, r.OrigLen) != nil {
				continue
			}
			at := s.PayloadOff(r.Data) - len(s.Options()) - 20
			r.Data = slices.Clone(r.Data)
			sum := pcaps.Sum(0).Add(s.Src.Addr().AsSlice()).Add(s.Dst.Addr().AsSlice()).PseudoHeader(20 + len(s.Options()) + s.Len())
			binary.BigEndian.PutUint16(r.Data[at+16:], ^sum.Checksum(nil))
		}
		return all
	}
}

// identified gives packets over IPv4 the Identifications that Linux gives them, if they have none: a SYN with ACK and a reset have 0.
func identified(records []pcaps.Record) []pcaps.Record {
	all := slices.Clone(records)
	for i := range all {
		var s tcpip.Segment
		r := &all[i]
		if s.Decode(r.LinkType, r.Data, r.OrigLen) != nil || s.ID != 0 || r.Data[14]>>4 != 4 ||
			s.Flags.Has(tcpip.RST) || s.Flags.Has(tcpip.SYN|tcpip.ACK) {
			continue
		}
		r.Data = slices.Clone(r.Data)
		binary.BigEndian.PutUint16(r.Data[14+4:], uint16(i+1))
	}
	return all
}

// unusual are the ways in which packets are captured.
var unusual = map[string]func([]pcaps.Record) []pcaps.Record{
	"on any interface":             linked(pcaps.LinkTypeLinuxSLL2, cooked),
	"with a VLAN tag":              linked(pcaps.LinkTypeEthernet, vlan),
	"with padding":                 linked(pcaps.LinkTypeEthernet, padded),
	"before a bridge and behind":   seenTwice(5e3, slices.Clone[[]byte]),
	"of a VLAN and its interface":  seenTwice(2e3, vlan),
	"before a router and behind":   seenTwice(20e3, routed),
	"before a slow one and behind": seenTwice(400e3, routed),
	"client without checksums":     unsummed(true),
	"server without checksums":     unsummed(false),
}

// causes are the causes of all failures in a capture.
func causes(records []pcaps.Record) string {
	r := reportOn(records)
	var all []string
	for _, v := range r.verdicts {
		if v.Cause != nil {
			all = append(all, fmt.Sprintf("%s %v", v.Cause.Name, v.Culprit))
		}
	}
	return strings.Join(all, ", ")
}

// talks are the captures of kernels in testdata, and the troubles and their twins. healthy says that nothing may fail.
func talks(t *testing.T, run func(name string, records []pcaps.Record, healthy bool)) {
	t.Helper()
	all, err := transcript.Troubles("testdata/troubles.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		for _, twin := range []bool{false, true} {
			records, err := all[i].Records(twin)
			if err != nil {
				t.Fatal(err)
			}
			run(fmt.Sprintf("%s, twin %v", all[i].Name, twin), records, twin)
		}
	}
	for name, want := range kernelTroubles {
		run(name, recorded.Packets(pcaps.Open("testdata/kernel/"+name+".pcap.gz")), want == "")
	}
}

// TestUnusual captures the same in unusual ways.
func TestUnusual(t *testing.T) {
	talks(t, func(name string, records []pcaps.Record, _ bool) {
		records = identified(records)
		want := causes(records)
		for way, change := range unusual {
			if got := causes(change(records)); got != want {
				t.Errorf("%s, %s: got %q, want %q", name, way, got, want)
			}
		}
	})
}

// TestFirstPackets shows the first packets of connections only, each twice: the capture ends before anybody could answer.
func TestFirstPackets(t *testing.T) {
	talks(t, func(name string, records []pcaps.Record, _ bool) {
		records = identified(records)
		for n := 1; n <= min(3, len(records)); n++ {
			if want, got := causes(slices.Clone(records[:n])), causes(unusual["before a bridge and behind"](records[:n])); got != want {
				t.Errorf("%s, %d packets: got %q, want %q", name, n, got, want)
			}
		}
	})
}

// TestLess shows less of healthy connections: one direction, or packets cut to all lengths that are used, and others. Nothing fails for that.
func TestLess(t *testing.T) {
	talks(t, func(name string, records []pcaps.Record, healthy bool) {
		if !healthy {
			return
		}
		for _, client := range []bool{true, false} {
			if got := causes(oneDirection(client)(nil, records)); got != "" {
				t.Errorf("%s, client alone %v: %s", name, client, got)
			}
		}
		for n := 54; n <= 260; n += 6 {
			cut := slices.Clone(records)
			for i := range cut {
				cut[i].Data = cut[i].Data[:min(n, len(cut[i].Data))]
			}
			if got := causes(cut); got != "" {
				t.Errorf("%s, cut to %d octets: %s", name, n, got)
			}
		}
	})
}
