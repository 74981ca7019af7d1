package pcaps_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// plain returns a sample's reader's file, uncompressed by gopacket's own means.
func pcapgoReader(t *testing.T, name string) *pcapgo.Reader {
	t.Helper()
	for _, suffix := range []string{".pcap", ".pcap.gz"} {
		if b, err := samples.Files.ReadFile(name + suffix); err == nil {
			r, err := pcapgo.NewReader(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("no sample %s", name)
	return nil
}

// pcapgo, the reader of gopacket, sees the same in all samples.
func TestSamplesAgainstPcapgo(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			theirs := pcapgoReader(t, name)
			ours, err := samples.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if uint16(ours.LinkType()) != uint16(theirs.LinkType()) {
				t.Errorf("link type %v, pcapgo has %v", ours.LinkType(), theirs.LinkType())
			}
			compareSources(t, ours, theirs)
		})
	}
}

// The samples written as pcapng are the same to pcapgo's pcapng reader.
func TestPcapngAgainstPcapgo(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			r, err := samples.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			w := pcaps.NewPcapngWriter(&file, pcaps.Section{})
			var rec pcaps.Record
			for r.Next(&rec) == nil {
				if err := w.WriteRecord(&rec); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			theirs, err := pcapgo.NewNgReader(bytes.NewReader(file.Bytes()), pcapgo.DefaultNgReaderOptions)
			if err != nil {
				t.Fatal(err)
			}
			ours, err := pcaps.NewReader(&file)
			if err != nil {
				t.Fatal(err)
			}
			compareSources(t, ours, theirs)
		})
	}
}

func compareSources(t *testing.T, ours, theirs gopacket.PacketDataSource) {
	t.Helper()
	for frame := 1; ; frame++ {
		ourData, ourInfo, ourErr := ours.ReadPacketData()
		theirData, theirInfo, theirErr := theirs.ReadPacketData()
		if ourErr != theirErr {
			t.Fatalf("frame %d: error %v, pcapgo has %v", frame, ourErr, theirErr)
		}
		if ourErr == io.EOF {
			return
		}
		if !ourInfo.Timestamp.Equal(theirInfo.Timestamp) {
			t.Fatalf("frame %d: time %v, pcapgo has %v", frame, ourInfo.Timestamp, theirInfo.Timestamp)
		}
		if ourInfo.CaptureLength != theirInfo.CaptureLength || ourInfo.Length != theirInfo.Length || ourInfo.InterfaceIndex != theirInfo.InterfaceIndex {
			t.Fatalf("frame %d: %+v, pcapgo has %+v", frame, ourInfo, theirInfo)
		}
		if !bytes.Equal(ourData, theirData) {
			t.Fatalf("frame %d: % x, pcapgo has % x", frame, ourData, theirData)
		}
	}
}

func TestPacketDataSource(t *testing.T) {
	file := slices.Concat(
		sectionHeader(little),
		interfaceBlock(little, 1, 0),
		interfaceBlock(little, 1, 0),
		enhancedPacket(little, 1, 1_700_000_000_123_456, "first"),
		simplePacket(little, 60, pad60),
	)
	want := gopacket.CaptureInfo{Timestamp: time.Unix(1_700_000_000, 123_456_000).UTC(), CaptureLength: 5, Length: 5, InterfaceIndex: 1}
	type both interface {
		gopacket.PacketDataSource
		gopacket.ZeroCopyPacketDataSource
	}
	open := map[string]func() both{
		"Reader": func() both {
			r, err := pcaps.NewReader(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			return r
		},
		"Capture": func() both { return mustOpen(t, writeFiles(t, file)...) },
	}
	for name, open := range open {
		t.Run(name, func(t *testing.T) {
			s := open()
			first, info, err := s.ReadPacketData()
			if err != nil || info.Timestamp != want.Timestamp || info.CaptureLength != want.CaptureLength ||
				info.Length != want.Length || info.InterfaceIndex != want.InterfaceIndex {
				t.Errorf("%+v, %v; want %+v", info, err, want)
			}
			second, info, err := s.ZeroCopyReadPacketData()
			if err != nil || string(second) != pad60 || info.Length != 60 {
				t.Errorf("second packet %q, %v", second, err)
			}
			if string(first) != "first" {
				t.Errorf("the copy of the first packet became %q", first)
			}
			if _, _, err := s.ReadPacketData(); err != io.EOF {
				t.Errorf("error %v, want io.EOF", err)
			}
		})
	}
}

const pad60 = "sixty octets of a simple packet, in a block without padding."

// gopacket's PacketSource tries again after errors that it does not know.
func TestPacketSourceEndsAtDamage(t *testing.T) {
	r, err := pcaps.NewReader(bytes.NewReader(damagedFiles()[3].file))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range gopacket.NewPacketSource(r, layers.LinkType(r.LinkType())).Packets() {
		n++
	}
	if n != 1 {
		t.Errorf("%d packets, want 1", n)
	}
}

func TestZeroCopyDoesNotAllocate(t *testing.T) {
	file := pcapHeader(little, 0xa1b2c3d4, 1)
	for range 2000 {
		file = append(file, pcapRecord(little, 1, 2, 60, pad60)...)
	}
	r, err := pcaps.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(1000, func() {
		if _, _, err := r.ZeroCopyReadPacketData(); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations per packet, want none", allocs)
	}
}

func ExampleFromGopacket() {
	file, err := samples.Files.Open("refused.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	theirs, err := pcapgo.NewReader(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	for frame := uint64(1); ; frame++ {
		data, info, err := theirs.ReadPacketData()
		if err != nil {
			break
		}
		rec := pcaps.FromGopacket(frame, pcaps.LinkType(theirs.LinkType()), info, data)
		fmt.Printf("frame %d: %v, %d octets\n", rec.Frame, rec.LinkType, rec.OrigLen)
	}
	// Output:
	// frame 1: Ethernet, 74 octets
	// frame 2: Ethernet, 54 octets
}
