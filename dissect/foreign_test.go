package dissect_test

// TCP connections that are not iWARP, of which the start is not in the capture: nothing may be found in them, at little
// cost.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// foreign are octets of other protocols than MPA, so many as n or a few more.
var foreign = map[string]func(r *rand.Rand, n int) []byte{
	"random octets": random,
	"zeros":         func(_ *rand.Rand, n int) []byte { return make([]byte, n) },
	"ones":          func(_ *rand.Rand, n int) []byte { return bytes.Repeat([]byte{0xff}, n) },
	"HTTP": func(r *rand.Rand, n int) (b []byte) {
		for len(b) < n {
			b = fmt.Appendf(b, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nETag: \"%x\"\r\n\r\n", r.IntN(5000), r.Uint64())
			b = append(b, bytes.Repeat([]byte("<p>Markers stand in the stream every 512 octets.</p>\n"), r.IntN(90))...)
		}
		return b
	},
	"TLS": func(r *rand.Rand, n int) (b []byte) {
		for len(b) < n {
			record := random(r, r.IntN(16384))
			b = binary.BigEndian.AppendUint16(append(b, 0x17, 3, 3), uint16(len(record)))
			b = append(b, record...)
		}
		return b
	},
	"small numbers": func(r *rand.Rand, n int) (b []byte) {
		for len(b) < n {
			b = binary.BigEndian.AppendUint32(b, r.Uint32N(600))
		}
		return b
	},
	"few octets in many orders": func(r *rand.Rand, n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = []byte{0, 0, 0, 1, 0x41, 0x43, 0xc1, 0x40, 0x81, 0x42}[r.IntN(10)]
		}
		return b
	},
	"what looks like headers everywhere": func(_ *rand.Rand, n int) []byte {
		return bytes.Repeat([]byte{0x00, 0x81, 0x81, 0x40}, n/4)
	},
	"a capture of iWARP": func(r *rand.Rand, n int) (b []byte) {
		k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1})
		for len(b) < n {
			at := len(k.Records)
			k.each(client, k.send(client, random(r, r.IntN(1400)), 1400))
			for _, rec := range k.Records[at:] {
				b = append(append(b, make([]byte, 16)...), rec.Data...)
			}
		}
		return b
	},
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// strange is the packets of connections that send octets in both directions, with their start or without.
func strange(octets func(*rand.Rand, int) []byte, connections, n int, syn bool) (records []pcaps.Record) {
	for i := range connections {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		k := conversation.New(fmt.Sprintf("10.0.0.1:%d", 10000+i), "10.0.0.2:80")
		if syn {
			k.Connect()
		}
		k.Send(client, octets(r, n)[:n]).Send(server, octets(r, n)[:n])
		records = append(records, k.Records...)
	}
	return records
}

func TestForeign(t *testing.T) {
	for name, octets := range foreign {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, n := newLedger(), 150_000
			if testing.Short() {
				n = 20_000
			}
			totals := dissectInto(l, strange(octets, 20, n, false), dissect.Options{})
			if totals.Connections != 0 || l.segments != 0 || totals.TCP != 20 {
				t.Errorf("%d of %d connections are taken for iWARP, with %d segments", totals.Connections, totals.TCP, l.segments)
			}
		})
	}
}

// TestForeignWithHoles is the same where packets are lost or cut: then FPDUs are looked for after each of them.
func TestForeignWithHoles(t *testing.T) {
	for name, octets := range foreign {
		records := strange(octets, 3, 150_000, false)
		r := rand.New(rand.NewPCG(5, 6))
		l := newLedger()
		lost := lose(20)(r, slices.Clone(records))
		for i := range records {
			records[i].Data = records[i].Data[:min(len(records[i].Data), 96+r.IntN(500))]
		}
		for _, damaged := range [][]pcaps.Record{lost, records} {
			if totals := dissectInto(l, damaged, dissect.Options{}); totals.Connections != 0 {
				t.Errorf("%s: %d connections are taken for iWARP", name, totals.Connections)
			}
		}
	}
}

// TestStrangeCaptures takes the start off captures of connections that are not MPA.
func TestStrangeCaptures(t *testing.T) {
	for _, file := range []string{"../pcaps/samples/perf-nocm.pcap", "testdata/captures/rc_pingpong.pcap.gz"} {
		records := recorded.Packets(pcaps.Open(file))
		for n := range records {
			if l := keep(records[n:]); len(l.conns) != 0 {
				t.Errorf("%s: without the first %d packets a connection is taken for iWARP", file, n)
			}
		}
	}
}

// TestNestedFPDU checks that one FPDU in the middle of other octets is not enough, even if the octets known end with it.
func TestNestedFPDU(t *testing.T) {
	h := ddp.Untagged{L: true, DV: 1, RsvdULP: 0x43 << 32, MSN: 1}
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	fpdu, err := framer.Append(nil, encode(&h), payload[:100])
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name          string
		before, after int
		found         int
	}{
		{"in the middle", 50, 50, 0},
		{"at the end of a packet", 50, 0, 0},
		{"at the beginning of a packet", 0, 50, 0},
		{"alone", 0, 0, 1},
	} {
		k := conversation.New("10.0.0.1:40000", "10.0.0.2:80")
		k.Send(client, slices.Concat(payload[:tc.before], fpdu, payload[:tc.after]))
		if l := keep(k.Records); len(l.conns) != tc.found {
			t.Errorf("%s: %d connections, want %d", tc.name, len(l.conns), tc.found)
		}
	}
}

// TestNestedWrites checks that some FPDUs without CRCs are not enough, if they do not begin where a packet does and have
// nothing to do with each other, and that many are.
func TestNestedWrites(t *testing.T) {
	for n, found := range map[int]int{4: 0, 7: 1} {
		var framer mpa.Framer
		var fpdus []byte
		for i := range n {
			h := ddp.Tagged{L: true, DV: 1, RsvdULP: 0x40, STag: uint32(1000 * i), TO: 77}
			fpdus, _ = framer.Append(fpdus, encode(&h), payload[i:i+200])
		}
		k := conversation.New("10.0.0.1:40000", "10.0.0.2:80").Send(client, payload[:50])
		k.Send(client, append(payload[:50:50], fpdus[:len(fpdus)-1]...))
		if l := keep(k.Records); len(l.conns) != found {
			t.Errorf("%d FPDUs: %d connections, want %d", n, len(l.conns), found)
		}
	}
}

// TestForeignMemory listens to thousands of connections at a time, each of which may still turn out to be iWARP.
func TestForeignMemory(t *testing.T) {
	e := dissect.NewEngine(recordtest.Discard, dissect.Options{})
	r := rand.New(rand.NewPCG(1, 2))
	k := conversation.New("10.0.0.1:40000", "10.0.0.2:80").Send(client, random(r, 50_000)).Send(server, random(r, 50_000))
	for i := range 3000 {
		for j := range k.Records {
			b := k.Records[j].Data
			at := 26 + 4*int(b[33]&1) // of the client's address: the source, or the destination if that ends with .1
			b[at+1], b[at+2] = byte(i>>8), byte(i)
			e.Packet(&k.Records[j])
		}
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 64e6 || e.Totals().TCP != 3000 {
		t.Errorf("%d octets in use, %d connections", m.HeapAlloc, e.Totals().TCP)
	}
	runtime.KeepAlive(e)
}

// BenchmarkForeign is what connections cost that are not iWARP: those whose begin is in the capture, and those whose
// begin is not, which are listened to for a while.
func BenchmarkForeign(b *testing.B) {
	for _, syn := range []bool{true, false} {
		for _, name := range []string{"TLS", "HTTP"} {
			for _, n := range []int{100_000, 1_000_000} {
				b.Run(fmt.Sprintf("%s-SYN=%v-%d", name, syn, n), func(b *testing.B) {
					records := strange(foreign[name], 10, n, syn)
					octets := 0
					for i := range records {
						octets += len(records[i].Data)
					}
					b.SetBytes(int64(octets))
					b.ReportAllocs()
					for b.Loop() {
						dissectInto(recordtest.Discard, records, dissect.Options{})
					}
				})
			}
		}
	}
}
