package tcpip

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// Both decoders must see the same segments in the bundled captures.
func TestLikeGopacket(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			r, err := samples.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			segments := 0
			for rec := (pcaps.Record{}); ; {
				if err := r.Next(&rec); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				var s Segment
				err := s.Decode(rec.LinkType, rec.Data, rec.OrigLen)
				packet := gopacket.NewPacket(rec.Data, layers.LinkType(rec.LinkType), gopacket.NoCopy)
				tcp, isTCP := packet.TransportLayer().(*layers.TCP)
				if isTCP != (err == nil) {
					t.Fatalf("frame %d: %v, gopacket sees TCP: %v", rec.Frame, err, isTCP)
				}
				if isTCP {
					segments++
					compare(t, rec.Frame, &s, tcp, packet.NetworkLayer().NetworkFlow())
				}
			}
			if segments == 0 {
				t.Error("not a single segment")
			}
		})
	}
}

func compare(t *testing.T, frame uint64, s *Segment, tcp *layers.TCP, flow gopacket.Flow) {
	t.Helper()
	src, _ := netip.AddrFromSlice(flow.Src().Raw())
	dst, _ := netip.AddrFromSlice(flow.Dst().Raw())
	if s.Src != netip.AddrPortFrom(src, uint16(tcp.SrcPort)) || s.Dst != netip.AddrPortFrom(dst, uint16(tcp.DstPort)) {
		t.Errorf("frame %d: from %v to %v, gopacket: %v %v", frame, s.Src, s.Dst, flow, tcp.TransportFlow())
	}
	if s.Seq != tcp.Seq || s.Ack != tcp.Ack || s.Window != tcp.Window {
		t.Errorf("frame %d: Seq %d, Ack %d, Window %d; gopacket: %d, %d, %d", frame, s.Seq, s.Ack, s.Window, tcp.Seq, tcp.Ack, tcp.Window)
	}
	if s.Flags.Has(FIN) != tcp.FIN || s.Flags.Has(SYN) != tcp.SYN || s.Flags.Has(RST) != tcp.RST || s.Flags.Has(PSH) != tcp.PSH || s.Flags.Has(ACK) != tcp.ACK {
		t.Errorf("frame %d: flags %v, gopacket: %+v", frame, s.Flags, tcp)
	}
	if !bytes.Equal(s.Payload, tcp.Payload) || s.Missing != 0 {
		t.Errorf("frame %d: %d octets of payload and %d missing, gopacket: %d", frame, len(s.Payload), s.Missing, len(tcp.Payload))
	}
}

// benchPacket is Ethernet, IPv4 and TCP with 1460 octets of payload.
func benchPacket(b *testing.B) []byte {
	packet := octets(b, macs+"0800 45 00 05dc 1234 4000"+ip4Rest+tcp8)
	return append(packet, make([]byte, 1514-len(packet))...)
}

func BenchmarkDecode(b *testing.B) {
	b.Run("Segment", func(b *testing.B) {
		packet := benchPacket(b)
		b.ReportAllocs()
		var s Segment
		for b.Loop() {
			if err := s.Decode(pcaps.LinkTypeEthernet, packet, len(packet)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gopacket", func(b *testing.B) {
		packet := benchPacket(b)
		b.ReportAllocs()
		var ethernet layers.Ethernet
		var ip layers.IPv4
		var tcp layers.TCP
		var payload gopacket.Payload
		parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &ethernet, &ip, &tcp, &payload)
		decoded := make([]gopacket.LayerType, 0, 4)
		for b.Loop() {
			if err := parser.DecodeLayers(packet, &decoded); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDecodeNotTCP is the common case of a mixed capture.
func BenchmarkDecodeNotTCP(b *testing.B) {
	packet := octets(b, macs+"0800 45 00 0030 1234 4000 40 11 0000 0a000001 0a000002"+tcp8)
	b.ReportAllocs()
	var s Segment
	for b.Loop() {
		if err := s.Decode(pcaps.LinkTypeEthernet, packet, len(packet)); err != ErrNotTCP {
			b.Fatal(err)
		}
	}
}
