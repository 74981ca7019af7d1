package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// send is a segment of a Send with 10 octets of payload, write one of a Write to STag 7.
func send(msn, mo uint32, last bool) []byte {
	return octets(&ddp.Untagged{L: last, DV: 1, RsvdULP: uint64(0x40|rdmap.OpSend) << 32, MSN: msn, MO: mo})
}

func write(to uint64, last bool) []byte {
	return octets(&ddp.Tagged{L: last, DV: 1, RsvdULP: uint8(0x40 | rdmap.OpWrite), STag: 7, TO: to})
}

func octets(h interface{ AppendBinary([]byte) ([]byte, error) }) []byte {
	b, err := h.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return append(b, make([]byte, 10)...)
}

// TestAssembler feeds segments to an assembler. A message is told by its length, "!" if it is incomplete.
func TestAssembler(t *testing.T) {
	gap, doubt := []byte("gap"), []byte("doubt")
	for _, tc := range []struct {
		name string
		fed  [][]byte
		want string
	}{
		{"one segment", [][]byte{send(1, 0, true)}, "Send 10"},
		{"three segments", [][]byte{send(1, 0, false), send(1, 10, false), send(1, 20, true)}, "Send 30"},
		{"interleaved", [][]byte{send(1, 0, false), write(0, false), send(1, 10, true), write(10, true)}, "Send 20, Write 20"},
		{"begin lost", [][]byte{gap, send(1, 10, true)}, "Send 10!"},
		{"middle lost", [][]byte{send(1, 0, false), gap, send(1, 20, true)}, "Send 20!"},
		{"end lost", [][]byte{send(1, 0, false), gap, send(2, 0, true)}, "Send 10!, Send 10"},
		{"a hole", [][]byte{write(0, false), write(100, true), write(0, true)}, "Write 20!, Write 10"},
		{"the last two of a Write swapped", [][]byte{write(0, false), write(20, true), write(10, false), write(0, true)}, "Write 30, Write 10"},
		{"a Write backwards", [][]byte{write(20, false), write(10, false), write(0, true)}, "Write 30"},
		{"begin of a Write lost", [][]byte{gap, write(10, true)}, "Write 10!"},
		{"continued behind another", [][]byte{write(0, false), write(100, true), write(10, true)}, "Write 20!, Write 10"},
		{"begin of a Write in doubt", [][]byte{write(0, true), doubt, write(10, true)}, "Write 10, Write 10!"},
		{"last first", [][]byte{send(1, 20, true), send(1, 0, false), send(1, 10, false), send(2, 0, true)}, "Send 30, Send 10"},
		{"last first, and a hole", [][]byte{send(1, 20, true), send(1, 0, false), send(2, 0, true)}, "Send 20!, Send 10"},
		{"last first behind a gap", [][]byte{gap, send(1, 10, true), send(1, 0, false)}, "Send 10!"},
		{"twice", [][]byte{send(1, 10, false), send(1, 10, false), send(1, 0, true)}, "Send 30!"},
		{"unfinished", [][]byte{send(1, 0, false)}, ""},
	} {
		var a assembler
		var spare *assembly
		var got []string
		end := func(m *assembly, complete bool) {
			mark := map[bool]string{false: "!"}[a.end(m, complete).Complete]
			got = append(got, fmt.Sprint(m.msg.Opcode, " ", m.msg.Len, mark))
		}
		for _, b := range tc.fed {
			switch string(b) {
			case "gap":
				a.gap()
				continue
			case "doubt":
				a.doubt()
				continue
			}
			ev := &record.Segment{FPDU: mpa.Deframed{FPDU: mpa.FPDU{ULPDULength: uint16(len(b)), ULPDU: b}}}
			ev.RDMAP.Decode(b)
			own, cut := a.add(ev, &spare)
			if cut != nil {
				end(cut, false)
				spare = cut
			}
			if own.over {
				end(own, own.whole)
			}
		}
		if s := strings.Join(got, ", "); s != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, s, tc.want)
		}
	}
}
