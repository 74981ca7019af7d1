package layers_test

// What decoding costs, and that parsers allocate nothing.

import (
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	iwarp "github.com/iwarpkit/iwarp/dissect/layers"
)

// TestParserDoesNotAllocate lets a parser decode every message, whole and cut in its payload, frames, and other octets.
func TestParserDoesNotAllocate(t *testing.T) {
	parser := gopacket.NewDecodingLayerParser(iwarp.LayerTypeMPA, append(parts(), new(iwarp.MPA))...)
	decoded := make([]gopacket.LayerType, 0, 8)
	segments := [][]byte{[]byte("MPA ID Req Frame\x40\x01\x00\x02pd"), []byte("something else, long enough for an FPDU")}
	for _, tc := range opcodes {
		wire := octets(t, tc.wire)
		segments = append(segments, wire, wire[:len(wire)-1])
	}
	for _, segment := range segments {
		var err error
		allocs := testing.AllocsPerRun(100, func() {
			err = parser.DecodeLayers(segment, &decoded)
			iwarp.Rest(segment)
		})
		if err != nil || allocs != 0 {
			t.Errorf("% x: %v allocations, %v", segment, allocs, err)
		}
	}
}

// segmentsOf are packets of a sample whose TCP payload begins with an FPDU.
func segmentsOf(b *testing.B, sample string) (frames [][]byte) {
	packets(b, sample, func(_ int, data []byte, tcp *layers.TCP) {
		if iwarp.TypeOf(tcp.Payload) == iwarp.LayerTypeFPDU {
			frames = append(frames, data)
		}
	})
	if len(frames) == 0 {
		b.Fatal("no FPDUs")
	}
	return frames
}

// BenchmarkParser decodes a packet from Ethernet on: up to TCP, as gopacket does, and up to RDMAP and its headers.
func BenchmarkParser(b *testing.B) {
	frames := segmentsOf(b, "perf-ib_read_bw-4096-o16")
	run := func(name string, more ...gopacket.DecodingLayer) {
		all := append([]gopacket.DecodingLayer{new(layers.Ethernet), new(layers.IPv4)}, more...)
		var array gopacket.DecodingLayerContainer = gopacket.DecodingLayerArray(nil)
		var sparse gopacket.DecodingLayerContainer = gopacket.DecodingLayerSparse(nil)
		var hashed gopacket.DecodingLayerContainer = gopacket.DecodingLayerMap(nil)
		for _, l := range all {
			array, sparse, hashed = array.Put(l), sparse.Put(l), hashed.Put(l)
		}
		for _, c := range []struct {
			name      string
			container gopacket.DecodingLayerContainer
		}{{"map", hashed}, {"array", array}, {"sparse", sparse}} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet)
				parser.SetDecodingLayerContainer(c.container)
				parser.IgnoreUnsupported = true
				decoded := make([]gopacket.LayerType, 0, 8)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					if err := parser.DecodeLayers(frames[i], &decoded); err != nil {
						b.Fatal(err)
					}
					if i++; i == len(frames) {
						i = 0
					}
				}
			})
		}
	}
	run("TCP", new(layers.TCP))
	run("RDMAP", append(parts(), new(iwarp.TCP))...)
}

// BenchmarkNewPacket decodes the payload of a TCP segment into a packet.
func BenchmarkNewPacket(b *testing.B) {
	var segments [][]byte
	packets(b, "perf-ib_read_bw-4096-o16", func(_ int, _ []byte, tcp *layers.TCP) {
		if iwarp.TypeOf(tcp.Payload) == iwarp.LayerTypeFPDU {
			segments = append(segments, tcp.Payload)
		}
	})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		gopacket.NewPacket(segments[i], iwarp.LayerTypeMPA, gopacket.NoCopy)
		if i++; i == len(segments) {
			i = 0
		}
	}
}
