package judge_test

// Octets that are not those that were sent, or not those that the receiver got.

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// dialogueOf are the packets of a client that sends, and of a server that answers each Send, with right TCP checksums.
func dialogueOf(t *testing.T, crc string) []pcaps.Record {
	t.Helper()
	lines := fmt.Sprintf("c2s hex \"MPA ID Req Frame\" %[1]s 01 0000\ns2c hex \"MPA ID Rep Frame\" %[1]s 01 0000\n", crc)
	for msn := range 6 {
		lines += fmt.Sprintf("c2s 4143 00000000 00000000 %08x 00000000 aa*40\ns2c 4143 00000000 00000000 %08x 00000000 bb*40\n", msn+1, msn+1)
	}
	records := transcribed(t, lines+"c2s fin\ns2c fin\nend\n")
	for i := range records {
		setChecksum(records[i].Data)
	}
	return records
}

// numbered numbers the frames of packets.
func numbered(records []pcaps.Record) []pcaps.Record {
	for i := range records {
		records[i].Frame = uint64(i + 1)
	}
	return records
}

// changed is a packet with other octets: of its payload at the end, or of its header at the window. It has a right checksum, or the old one.
func changed(r pcaps.Record, payload, right bool) pcaps.Record {
	r.Data = bytes.Clone(r.Data)
	if at := len(r.Data) - 8; payload {
		r.Data[at] ^= 1
	} else {
		r.Data[tcpAt+14] ^= 1
	}
	if right {
		setChecksum(r.Data)
	}
	return r
}

// the packet of a Send of the client
const altered = 7

// TestAltered has a packet sent again, with other octets or the same.
func TestAltered(t *testing.T) {
	const altering = "something altered what the client sent: frame 9 repeats frame 8 with other octets"
	for _, crc := range []string{"00", "40"} {
		for name, tc := range map[string]struct {
			first, again func(pcaps.Record) pcaps.Record
			altered      bool
		}{
			"other octets":           {nil, func(r pcaps.Record) pcaps.Record { return changed(r, true, true) }, true},
			"other octets at first":  {func(r pcaps.Record) pcaps.Record { return changed(r, true, true) }, nil, true},
			"the same":               {nil, nil, false},
			"another window":         {nil, func(r pcaps.Record) pcaps.Record { return changed(r, false, true) }, false},
			"damaged":                {nil, func(r pcaps.Record) pcaps.Record { return changed(r, true, false) }, false},
			"damaged at first":       {func(r pcaps.Record) pcaps.Record { return changed(r, true, false) }, nil, false},
			"its header was damaged": {func(r pcaps.Record) pcaps.Record { return changed(r, false, false) }, nil, false},
		} {
			records := dialogueOf(t, crc)
			again := records[altered]
			if tc.first != nil {
				records[altered] = tc.first(again)
			}
			if tc.again != nil {
				again = tc.again(again)
			}
			again.Time += 1e5
			records = numbered(append(records[:altered+1:altered+1], append([]pcaps.Record{again}, records[altered+1:]...)...))
			if crc == "00" && tc.first == nil { // with other payload for the first packet, the same is said
				replaced := slices.Clone(records)
				replaced[altered].Data = bytes.Clone(replaced[altered].Data)
				replaced[altered].Data[len(replaced[altered].Data)-9] ^= 7
				r, first := &reporter{}, replaced[altered].Frame
				e := dissect.NewEngine(judge.New(r, judge.Options{}), dissect.Options{Replaced: func(frame uint64) bool { return frame == first }})
				for i := range replaced {
					e.Packet(&replaced[i])
				}
				e.Close()
				if v := &r.verdicts[0]; v.Cause != nil != tc.altered {
					t.Errorf("%s, with other payload: %s", name, v.Text)
				}
			}
			v := judged(records)
			if got := v.Cause != nil && v.Cause.Name == "altered" && v.Culprit == flow.Nobody && strings.Contains(v.Text, altering); got != tc.altered || v.Cause != nil != tc.altered {
				t.Errorf("CRC %s, %s: %s", crc, name, v.Text)
			}
		}
	}
}

// TestSpoiled damages a packet in the file: the server has got it whole, so nobody is blamed.
func TestSpoiled(t *testing.T) {
	const says = "The capture has other octets than the server got in frame 8 from the client"
	for _, crc := range []string{"00", "40"} {
		for at := 54; at < 54+44; at++ { // all octets of the FPDU
			records := numbered(dialogueOf(t, crc))
			records[altered].Data[at] ^= 0x15
			r := report(records, judge.Options{ULPs: ulps()})
			said := slices.ContainsFunc(r.findings, func(f record.Finding) bool { return strings.HasPrefix(f.Text, says) })
			if v := &r.verdicts[0]; v.Cause != nil || v.Errors > 0 || !said {
				t.Errorf("CRC %s, octet %d: %v, %s", crc, at, said, v.Text)
			}
		}
	}
}
