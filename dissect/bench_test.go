package dissect_test

import (
	"bytes"
	"context"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// counter is a Sink that looks at every event.
type counter struct {
	segments, messages, octets uint64
}

func (c *counter) Record(r *record.Record) {
	switch r.Kind {
	case record.KindSegment:
		c.segments++
	case record.KindMessage:
		c.messages++
		c.octets += r.Message.Len
	}
}

// traffic is packets of one connection with CRCs: Writes of 64 KiB in both directions, and Sends between them, until
// there are so many octets.
func traffic(octets int) []pcaps.Record {
	k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1})
	block := make([]byte, 64<<10)
	for sum := 0; sum < octets; {
		n := len(k.Records)
		k.each(client, k.write(client, 1, 0, block, 1428))
		k.each(client, k.send(client, block[:100], 1424))
		k.each(server, k.write(server, 2, 0, block, 1428))
		for _, r := range k.Records[n:] {
			sum += len(r.Data)
		}
	}
	for i := range k.Records {
		k.Records[i].Frame = uint64(i + 1)
	}
	return k.Records
}

// TestNoAllocationPerPacket runs the same traffic through an Engine again and again, as if more of it came, and looks
// that nothing is allocated once buffers have their size: neither when FPDUs are aligned to packets nor when not, nor
// for lost and reordered packets.
func TestNoAllocationPerPacket(t *testing.T) {
	for _, tc := range []struct {
		name    string
		request mpa.Frame
		mss     int
		swap    bool
	}{
		{"aligned", mpa.Frame{Rev: 1, C: true}, 1448, false},
		{"not aligned", mpa.Frame{Rev: 1, C: true}, 1000, false},
		{"Markers", mpa.Frame{Rev: 1, C: true, M: true}, 1000, false},
		{"reordered", mpa.Frame{Rev: 1, C: true}, 1000, true},
	} {
		k := startTalk(tc.request, mpa.Frame{Rev: 1})
		k.MSS = tc.mss
		const rounds, perRound = 120, 40 // packets
		var round [][]pcaps.Record
		for range rounds {
			n := len(k.Records)
			var all []byte
			for len(all) < perRound*tc.mss {
				for _, f := range append(k.write(server, 1, 0, payload, 1400), k.send(server, payload, 900)...) {
					all = append(all, f...)
				}
			}
			k.Send(server, all)
			r := k.Records[n:]
			if tc.swap {
				for i := 1; i+1 < len(r); i += 4 {
					r[i], r[i+1] = r[i+1], r[i]
				}
			}
			round = append(round, r)
		}
		c := &counter{}
		e := dissect.NewEngine(c, dissect.Options{})
		for i := range k.Records[:5] {
			e.Packet(&k.Records[i])
		}
		next := 0
		feed := func() {
			for i := range round[next] {
				e.Packet(&round[next][i])
			}
			next++
		}
		for range 10 {
			feed()
		}
		if allocs := testing.AllocsPerRun(rounds-12, feed); allocs != 0 {
			t.Errorf("%s: %v allocations in some 45 packets", tc.name, allocs)
		}
		if c.messages == 0 || e.Totals().Connections != 1 {
			t.Errorf("%s: %d messages", tc.name, c.messages)
		}
	}
}

// TestNoAllocationFromReaderToMessage dissects a capture file and one three times as long, and checks that the longer one
// costs no more allocations.
func TestNoAllocationFromReaderToMessage(t *testing.T) {
	file := func(octets int) []byte {
		var b bytes.Buffer
		w := pcaps.NewPcapWriter(&b, pcaps.LinkTypeEthernet)
		for _, r := range traffic(octets) {
			if err := w.WriteRecord(&r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	allocations := func(file []byte) float64 {
		return testing.AllocsPerRun(3, func() {
			c, err := pcaps.NewCapture("memory", bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			sink := &counter{}
			if err := dissect.NewEngine(sink, dissect.Options{}).Run(context.Background(), c); err != nil || sink.messages == 0 {
				t.Fatal(err, sink.messages)
			}
		})
	}
	short, long := allocations(file(1<<20)), allocations(file(3<<20))
	if long > short {
		t.Errorf("%v allocations for 1 MiB, %v for 3 MiB", short, long)
	}
}

// largeFile writes a capture of so many MiB into the test's folder.
func largeFile(b *testing.B, mib int, packets func(octets int, each func(*pcaps.Record))) (name string, size int64) {
	b.Helper()
	name = filepath.Join(b.TempDir(), "large.pcap")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := pcaps.NewPcapWriter(f, pcaps.LinkTypeEthernet)
	packets(mib<<20, func(r *pcaps.Record) {
		if err := w.WriteRecord(r); err != nil {
			b.Fatal(err)
		}
	})
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return name, info.Size()
}

// fullSize is traffic whose packets are as long as Ethernet allows, without a single pure ACK.
func fullSize(octets int, each func(*pcaps.Record)) {
	records := traffic(octets)
	for i := range records {
		each(&records[i])
	}
}

// kernelTraffic is what the kernel's NVMe, iSER, NFS and rsockets sent, again and again, each time from other addresses. Its
// packets have 460 octets in the mean; more than half carry no payload.
func kernelTraffic(octets int, each func(*pcaps.Record)) {
	for round := 0; octets > 0; round++ {
		for _, name := range []string{"nvme-rdma", "iser", "nfs-small-v3-inl1024-crc1", "nfs-small-v4.0-inl4096-crc1", "rstream", "term-die-midstream"} {
			c, err := pcaps.Open("testdata/captures/" + name + ".pcap.gz")
			if err != nil {
				panic(err)
			}
			var rec pcaps.Record
			for c.Next(&rec) == nil {
				b := rec.Data
				if len(b) > 34 && b[12] == 0x08 && b[13] == 0x00 {
					at := 26 // of the address 10.0.0.1
					if b[at+3] != 1 {
						at = 30
					}
					b[at+1], b[at+2] = byte(round>>8), byte(round)
				}
				each(&rec)
				octets -= len(b)
			}
			c.Close()
		}
	}
}

// BenchmarkPipeline compares the way from a file to messages, CRCs verified, with the least that it can cost: reading the file, and
// reading it and computing one CRC32c over it.
func BenchmarkPipeline(b *testing.B) {
	b.Run("full-size", func(b *testing.B) { benchmarkPipeline(b, fullSize) })
	b.Run("recorded", func(b *testing.B) { benchmarkPipeline(b, kernelTraffic) })
}

func benchmarkPipeline(b *testing.B, packets func(octets int, each func(*pcaps.Record))) {
	name, size := largeFile(b, 192, packets)
	table := crc32.MakeTable(crc32.Castagnoli)
	buf := make([]byte, 1<<20)
	read := func(b *testing.B, use func([]byte)) {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for {
			n, err := f.Read(buf)
			use(buf[:n])
			if err == io.EOF {
				return
			}
		}
	}
	b.Run("floor1-read", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			read(b, func([]byte) {})
		}
	})
	b.Run("floor2-read+crc32c", func(b *testing.B) {
		b.SetBytes(size)
		var crc uint32
		for b.Loop() {
			read(b, func(p []byte) { crc = crc32.Update(crc, table, p) })
		}
	})
	b.Run("capture-reader", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			c, err := pcaps.Open(name)
			if err != nil {
				b.Fatal(err)
			}
			var rec pcaps.Record
			for c.Next(&rec) == nil {
			}
			c.Close()
		}
	})
	b.Run("messages", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		var packets uint64
		for b.Loop() {
			c, err := pcaps.Open(name)
			if err != nil {
				b.Fatal(err)
			}
			sink := &counter{}
			e := dissect.NewEngine(sink, dissect.Options{})
			if err := e.Run(context.Background(), c); err != nil || sink.messages == 0 {
				b.Fatal(err, sink)
			}
			c.Close()
			packets = e.Totals().Packets
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(packets), "ns/packet")
	})
}

// BenchmarkAgainstTshark compares with tshark printing three fields of every FPDU of the same file.
func BenchmarkAgainstTshark(b *testing.B) {
	name, size := largeFile(b, 64, kernelTraffic)
	b.Run("iwarp", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			c, err := pcaps.Open(name)
			if err != nil {
				b.Fatal(err)
			}
			if err := dissect.NewEngine(&counter{}, dissect.Options{}).Run(context.Background(), c); err != nil {
				b.Fatal(err)
			}
			c.Close()
		}
	})
	b.Run("tshark", func(b *testing.B) {
		if _, err := exec.LookPath("tshark"); err != nil {
			b.Skip("tshark is not installed")
		}
		b.SetBytes(size)
		for b.Loop() {
			cmd := exec.Command("tshark", "-r", name, "-o", "tcp.try_heuristic_first:TRUE", "-T", "fields", "-e", "iwarp_rdma.opcode", "-e", "iwarp_ddp.stag", "-e", "iwarp_mpa.ulpdulength")
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
