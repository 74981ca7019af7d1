package dissect_test

// How much is still decoded when the capture has lost packets.

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// modes are the four ways to frame.
var modes = []mpa.Frame{{Rev: 1, C: true}, {Rev: 1}, {Rev: 1, C: true, M: true}, {Rev: 1, M: true}}

func modeName(f *mpa.Frame) string {
	onOff := map[bool]string{false: "off", true: "on"}
	return fmt.Sprintf("CRC %s, Markers %s", onOff[f.C], onOff[f.M])
}

// mixture is traffic of all sorts: short and long messages of either side, one FPDU a packet, or as they come, several to a packet
// and cut anywhere.
func mixture(mode mpa.Frame, messages int) *talk {
	r := rand.New(rand.NewPCG(1, 2))
	k := startTalk(mode, mode)
	block := make([]byte, 64<<10)
	for i := range block {
		block[i] = byte(r.Uint32())
	}
	for range messages {
		from := conversation.Side(r.IntN(2))
		var fpdus [][]byte
		for range 1 + r.IntN(4) {
			content := block[r.IntN(1000):]
			content = content[:r.IntN([]int{50, 400, 3000, 20000}[r.IntN(4)])]
			if r.IntN(2) == 0 {
				fpdus = append(fpdus, k.send(from, content, 1300)...)
			} else {
				fpdus = append(fpdus, k.write(from, r.Uint32N(4), uint64(r.Uint32()), content, 1300)...)
			}
		}
		if r.IntN(2) == 0 {
			k.each(from, fpdus)
		} else {
			var all []byte
			for _, f := range fpdus {
				all = append(all, f...)
			}
			k.Send(from, all)
		}
		k.Ack(1 - from)
	}
	k.Close(client)
	return k
}

// survivors are the messages of which no octet was in a packet that is missing in damaged.
func (l *ledger) survivors(records, damaged []pcaps.Record) map[deed]int {
	kept := make([]bool, len(records)+1)
	for i := range damaged {
		kept[damaged[i].Frame] = true
	}
	missing := map[netip.AddrPort][]int{} // how many packets of a sender are missing up to a frame
	for d := range l.whole {
		if missing[d.from] == nil {
			missing[d.from] = missingOf(d.from, records, kept)
		}
	}
	survivors := map[deed]int{}
	for d, spans := range l.whole {
		for _, s := range spans {
			if n := missing[d.from]; n[s.LastFrame] == n[s.Frame-1] {
				survivors[d]++
			}
		}
	}
	return survivors
}

// missingOf counts the packets of a sender that are not kept, up to each frame.
func missingOf(from netip.AddrPort, records []pcaps.Record, kept []bool) []int {
	n := make([]int, len(records)+1)
	var s tcpip.Segment
	for i := range records {
		n[i+1] = n[i]
		if s.Decode(records[i].LinkType, records[i].Data, records[i].OrigLen) == nil && s.Src == from && !kept[i+1] {
			n[i+1]++
		}
	}
	return n
}

// TestLossRates looks how many of the messages of which the capture has every octet are still decoded when it has lost
// others: at least 95 %. A tagged message after a hole may have begun before it: it is there, but not known to be whole. The
// short form reads only streams without Markers and with CRCs.
func TestLossRates(t *testing.T) {
	for i, mode := range modes {
		if testing.Short() && i > 0 {
			break
		}
		k := mixture(mode, 3000)
		undamaged := keep(k.Records)
		for _, tc := range []struct {
			name string
			skip int
			lose bool
		}{{"1 % of packets lost", 0, true}, {"the first 1000 packets lost", 1000, false}, {"both", 1000, true}} {
			damaged := k.Records[tc.skip:]
			if tc.lose {
				damaged = lose(100)(rand.New(rand.NewPCG(3, 4)), damaged)
			}
			l := keep(damaged)
			l.audit(t, damaged)
			l.rightly(t, undamaged)
			survivors, found, whole := 0, 0, 0
			for d, n := range undamaged.survivors(k.Records, damaged) {
				survivors += n
				found += min(n, len(l.whole[d])+len(l.partly[d]))
				whole += min(n, len(l.whole[d]))
			}
			decoded, known := 100*float64(found)/float64(survivors), 100*float64(whole)/float64(survivors)
			t.Logf("%s, %s: %d messages are undamaged, %.2f %% of them are decoded, %.2f %% are known to be whole",
				modeName(&mode), tc.name, survivors, decoded, known)
			if decoded < 95 || known < 95 || survivors < 6000 {
				t.Error("that is too little")
			}
		}
	}
}
