// Package codec_test compares, in one run, what a header of each protocol costs with two ways that Go programs read
// headers otherwise: encoding/binary by reflection, and a layer of gopacket.
package codec_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// headers is one of every kind, as it may be on the wire.
var headers = []struct {
	name   string
	header codectest.Header
	wire   string
}{
	{"mpa.Frame", new(mpa.Frame), "4D504120494420526571204672616D65 50 02 0004 8020 c010"},
	{"mpa.Enhanced", new(mpa.Enhanced), "8020c010"},
	{"mpa.FPDU", new(mpa.FPDU), "000e c140 00000000 0000000000000000 a30572ab"},
	{"ddp.Tagged", new(ddp.Tagged), "c140 00000a2c 0000000000004000"},
	{"ddp.Untagged", new(ddp.Untagged), "4143 00000000 00000000 00000001 00000000"},
	{"rdmap.Segment", new(rdmap.Segment), "4143 00000000 00000000 00000001 00000000 6162636465666768"},
	{"rdmap.ReadRequest", new(rdmap.ReadRequest), "cafe0001 0000000000002000 00001800 beef0002 00007f0000004000"},
	{"rdmap.AtomicRequest", new(rdmap.AtomicRequest), "00000000 00000007 beef0002 00007f0000004008 0000000000000005 0000000000000000 0000000000000000 ffffffffffffffff"},
	{"rdmap.AtomicResponse", new(rdmap.AtomicResponse), "00000007 0123456789abcdef"},
	{"rdmap.Immediate", new(rdmap.Immediate), "0011223344556677"},
	{"rdmap.Terminate", new(rdmap.Terminate), "0100e000 002e 4141 00000000 00000001 00000001 00000000 cafe0001 0000000000002000 00001800 beef0002 00007f0000004000"},
	{"rpcrdma.Version1", new(rpcrdma.Version1), "6f9e2c1a 00000001 00000020 00000000 00000000 00000000 00000000"},
	{"rpcrdma.Version2", new(rpcrdma.Version2), "6f9e2c1a 00000002 00200010 00000000 00000000 00000000 00000000 00000000 00000000 6f9e2c1a 00000000"},
	{"rpcprivate.Data", new(rpcprivate.Data), "f6ab0e18 01 01 03 03"},
	{"oncrpc.Call", new(oncrpc.Call), "6f9e2c1a 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000"},
	{"oncrpc.Reply", new(oncrpc.Reply), "6f9e2c1a 00000001 00000000 00000000 00000000 00000000"},
}

var octets = codectest.Octets

// TestHeaders checks that what is measured is what it should be: whole headers, which come back when encoded.
func TestHeaders(t *testing.T) {
	for _, h := range headers {
		wire := octets(t, h.wire)
		n, err := h.header.Decode(wire)
		if err != nil {
			t.Errorf("%s: %v at %d", h.name, err, n)
			continue
		}
		if out, err := h.header.AppendBinary(nil); err != nil || !bytes.HasPrefix(wire, out) || len(out) != n && len(out) != len(wire) {
			t.Errorf("%s: % x, %v", h.name, out, err)
		}
		buf := make([]byte, 0, 256)
		if allocs := testing.AllocsPerRun(100, func() { h.header.Decode(wire); h.header.AppendBinary(buf) }); allocs != 0 {
			t.Errorf("%s: %v allocations", h.name, allocs)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, h := range headers {
		b.Run(h.name, func(b *testing.B) {
			wire := octets(b, h.wire)
			b.ReportAllocs()
			for b.Loop() {
				h.header.Decode(wire)
			}
		})
	}
	// The tagged DDP header, as encoding/binary would read it.
	var tagged struct {
		Control, RsvdULP uint8
		STag             uint32
		TO               uint64
	}
	wire := octets(b, "c140 00000a2c 0000000000004000")
	b.Run("other/encoding-binary.Read", func(b *testing.B) {
		b.ReportAllocs()
		var r bytes.Reader
		for b.Loop() {
			r.Reset(wire)
			if err := binary.Read(&r, binary.BigEndian, &tagged); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("other/encoding-binary.Decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := binary.Decode(wire, binary.BigEndian, &tagged); err != nil {
				b.Fatal(err)
			}
		}
	})
	tcp := octets(b, "9c40 1c06 00000001 00000002 5010 ffff 0000 0000")
	b.Run("other/gopacket-TCP", func(b *testing.B) {
		b.ReportAllocs()
		var layer layers.TCP
		for b.Loop() {
			if err := layer.DecodeFromBytes(tcp, gopacket.NilDecodeFeedback); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAppendBinary(b *testing.B) {
	buf := make([]byte, 0, 256)
	for _, h := range headers {
		h.header.Decode(octets(b, h.wire))
		b.Run(h.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h.header.AppendBinary(buf)
			}
		})
	}
}
