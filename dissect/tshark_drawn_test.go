package dissect_test

// tshark's opinion about what nobody has captured: drawn values in every field.

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestTsharkOfDrawn draws batches of a thousand FPDUs, on connections with and without CRCs: tshark finds the same in every field of MPA, DDP
// and RDMAP. There are no Markers: tshark takes octets of them for padding, and loses the next FPDU.
func TestTsharkOfDrawn(t *testing.T) {
	tools.Require(t, "tshark")
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 5))
			var records []pcaps.Record
			for port := range 50 {
				records = append(records, drawnConnection(r, 40000+port, 20)...)
			}
			file := filepath.Join(t.TempDir(), "drawn.pcapng")
			f, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			w := pcaps.NewPcapngWriter(f, pcaps.Section{})
			got := &witness{fields: testimony{}}
			e := dissect.NewEngine(got, dissect.Options{})
			for i := range records {
				records[i].Frame = uint64(i + 1)
				if err := w.WriteRecord(&records[i]); err != nil {
					t.Fatal(err)
				}
				e.Packet(&records[i])
			}
			e.Close()
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			want, good, bad := tsharkSays(t, file)
			if n := len(got.fields["all iwarp_rdma.opcode"]); n != 1000 {
				t.Errorf("%d segments", n)
			}
			if d := cmp.Diff(want, got.fields); d != "" {
				t.Errorf("fields differ (-tshark +iwarp)\n%.4000s", d)
			}
			if good != got.good || bad != got.bad {
				t.Errorf("CRCs: tshark finds %d good, %d bad; iwarp %d good, %d bad", good, bad, got.good, got.bad)
			}
		})
	}
}

// drawnConnection is a connection with so many segments, each in a packet.
func drawnConnection(r *rand.Rand, port, segments int) []pcaps.Record {
	c := conversation.New(fmt.Sprintf("10.0.0.1:%d", port), "10.0.0.2:7174").Connect()
	framer := mpa.Framer{Options: mpa.Options{CRC: r.IntN(2) == 0}}
	for from := range 2 {
		frame := mpa.Frame{Rev: mpa.Rev1, C: framer.CRC, Reply: from == 1, PrivateData: drawnOctets(r, r.IntN(100))}
		frame.PDLength = uint16(len(frame.PrivateData))
		b, _ := frame.AppendBinary(nil)
		c.Send(conversation.Side(from), b)
	}
	for i := range segments {
		from := r.IntN(2)
		if i == 0 {
			from = 0 // the Initiator begins
		}
		b, _ := framer.Append(nil, drawnULPDU(r), nil)
		c.Send(conversation.Side(from), b)
	}
	return c.Records
}

// drawnULPDU is a segment of some opcode, whose other fields have any values.
func drawnULPDU(r *rand.Rand) []byte {
	o := rdmap.Opcode(r.IntN(int(rdmap.OpTerminate) + 1))
	h := rdmap.Header{T: o.Tagged(), Control: rdmap.Control{RV: 1, Rsv: uint8(r.IntN(4)), Opcode: o}}
	if h.T {
		h.Tagged.L, h.Tagged.DV, h.Tagged.STag, h.Tagged.TO = r.IntN(2) == 0, 1, r.Uint32(), r.Uint64()
	} else {
		h.Untagged.L, h.Untagged.DV, h.Untagged.MSN = true, 1, r.Uint32()
		h.Untagged.QN, _ = o.QN()
		h.InvalidateSTag = r.Uint32()
	}
	b, err := h.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	switch o {
	case rdmap.OpReadRequest:
		return append(b, drawnOctets(r, rdmap.ReadRequestLen)...)
	case rdmap.OpTerminate:
		return binary.BigEndian.AppendUint32(b, uint32(r.IntN(3))<<28|uint32(r.IntN(3))<<24|uint32(r.IntN(9))<<16)
	}
	return slices.Concat(b, drawnOctets(r, r.IntN(200)))
}

func drawnOctets(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
