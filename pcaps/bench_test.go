package pcaps_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/gopacket/pcapgo"
	"github.com/iwarpkit/iwarp/pcaps"
)

// benchPackets of 1500 octets make a file of 30 MB, which no cache holds.
const benchPackets = 20_000

func benchFiles() (pcap, ng []byte) {
	data := strings.Repeat("iwarp", 300)
	pcap = pcapHeader(little, 0xa1b23c4d, 1)
	ng = append(sectionHeader(little), interfaceBlock(little, 1, 0, option(little, optTsresol, "\x09"))...)
	onePcap := pcapRecord(little, 1_700_000_000, 7, 1500, data)
	oneNg := enhancedPacket(little, 0, 1_700_000_000_000_000_007, data)
	for range benchPackets {
		pcap = append(pcap, onePcap...)
		ng = append(ng, oneNg...)
	}
	return pcap, ng
}

// BenchmarkRead reads a whole file in each round, from memory and from the page cache.
func BenchmarkRead(b *testing.B) {
	pcap, ng := benchFiles()
	run := func(name string, file []byte, read func(b *testing.B, r io.Reader)) {
		measure := func(b *testing.B, r io.ReadSeeker) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Seek(0, io.SeekStart); err != nil {
					b.Fatal(err)
				}
				// Only Read, without WriteTo and the like.
				read(b, struct{ io.Reader }{r})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchPackets, "ns/packet")
		}
		b.Run(name+"/memory", func(b *testing.B) { measure(b, bytes.NewReader(file)) })
		b.Run(name+"/file", func(b *testing.B) {
			f, err := os.Create(filepath.Join(b.TempDir(), "file"))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			if _, err := f.Write(file); err != nil {
				b.Fatal(err)
			}
			measure(b, f)
		})
	}
	reader := new(pcaps.Reader)
	ours := func(b *testing.B, r io.Reader) {
		if err := reader.Reset(r); err != nil {
			b.Fatal(err)
		}
		var rec pcaps.Record
		n := 0
		for reader.Next(&rec) == nil {
			n++
		}
		if n != benchPackets {
			b.Fatal(n)
		}
	}
	run("pcap", pcap, ours)
	run("pcapng", ng, ours)
	buffer := make([]byte, 1<<20)
	run("plain-read-loop", pcap, func(b *testing.B, r io.Reader) {
		for {
			if _, err := r.Read(buffer); err != nil {
				return
			}
		}
	})
	zeroCopy := func(b *testing.B, s interface{ next() error }) {
		n := 0
		for s.next() == nil {
			n++
		}
		if n != benchPackets {
			b.Fatal(n)
		}
	}
	run("pcapgo-pcap-zero-copy", pcap, func(b *testing.B, r io.Reader) {
		theirs, err := pcapgo.NewReader(r)
		if err != nil {
			b.Fatal(err)
		}
		zeroCopy(b, pcapgoSource{theirs})
	})
	run("pcapgo-pcapng-zero-copy", ng, func(b *testing.B, r io.Reader) {
		theirs, err := pcapgo.NewNgReader(r, pcapgo.DefaultNgReaderOptions)
		if err != nil {
			b.Fatal(err)
		}
		zeroCopy(b, pcapgoNgSource{theirs})
	})
}

type pcapgoSource struct{ *pcapgo.Reader }

func (s pcapgoSource) next() error {
	_, _, err := s.ZeroCopyReadPacketData()
	return err
}

type pcapgoNgSource struct{ *pcapgo.NgReader }

func (s pcapgoNgSource) next() error {
	_, _, err := s.ZeroCopyReadPacketData()
	return err
}

func BenchmarkWrite(b *testing.B) {
	rec := pcaps.Record{Time: 1_700_000_000_000_000_007, LinkType: 1, Data: make([]byte, 1500)}
	for _, bench := range []struct {
		name string
		w    *pcaps.Writer
	}{{"pcap", pcaps.NewPcapWriter(io.Discard, 1)}, {"pcapng", pcaps.NewPcapngWriter(io.Discard, pcaps.Section{})}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(rec.Data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := bench.w.WriteRecord(&rec); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
