package transcript

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

// TestBothFramers compares this Framer with that of codec/mpa, which was written apart.
func TestBothFramers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, markers := range []bool{false, true} {
		reply := mpa.Frame{Reply: true, M: markers, Rev: 1}
		start, err := reply.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var ours Framer
		ours.Raw(conversation.Server, start)
		ours.Raw(conversation.Client, []byte("MPA ID Req Frame\x00\x01\x00\x00"))
		var theirs mpa.Framer
		theirs.Reset(mpa.Options{Markers: markers, CRC: true})
		for range 500 {
			ulpdu := make([]byte, 1+r.IntN(1500))
			want, err := theirs.Append(nil, ulpdu, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := ours.FPDU(conversation.Client, ulpdu); !bytes.Equal(got, want) {
				t.Fatalf("Markers %v, ULPDU of %d octets:\n got % x\nwant % x", markers, len(ulpdu), got, want)
			}
		}
	}
}
