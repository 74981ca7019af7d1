package ends_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// begun is how the connections of the scenarios begin: MPA with CRC, and an NFS call with its reply.
const begun = `port 20049
c2s hex "MPA ID Req Frame" 40 01 0000
s2c hex "MPA ID Rep Frame" 40 01 0000
c2s 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000020 00000000 00000000 00000000 00000000 5a000001 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000
s2c 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000020 00000000 00000000 00000000 00000000 5a000001 00000001 00000000 00000000 00000000 00000000
c2s 4143 00000000 00000000 00000002 00000000 5a000002 00000001 00000020 00000000 00000000 00000000 00000000 5a000002 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000
`

const reply = "s2c 4143 00000000 00000000 00000002 00000000 5a000002 00000001 00000020 00000000 00000000 00000000 00000000 5a000002 00000001 00000000 00000000 00000000 00000000\n"

// The indices of packets, from 0: three of the handshake, two of MPA.
const (
	secondCall = 7
	afterThat  = 8
)

// headers is how many octets of a packet stand before its payload.
const headers = 54

// changeMSN changes the MSN of the Send in a packet, and computes the CRC again if healed.
func changeMSN(healed bool) func([]byte) {
	return func(packet []byte) {
		const msn = 2 + 10
		fpdu := packet[headers:]
		fpdu[msn+3] ^= 0x80
		if healed {
			n := len(fpdu) - 4
			crc := crc32.Checksum(fpdu[:n], crc32.MakeTable(crc32.Castagnoli))
			copy(fpdu[n:], []byte{byte(crc), byte(crc >> 8), byte(crc >> 16), byte(crc >> 24)})
		}
	}
}

// lost are packets that do not arrive.
func lost(indices ...int) map[int]bool {
	m := map[int]bool{}
	for _, i := range indices {
		m[i] = true
	}
	return m
}

// TestVerdicts judges both captures of connections of which is known what happened to them on the way.
func TestVerdicts(t *testing.T) {
	again := "wait 1s\nagain\nwait 2s\nagain\nwait 4s\n"
	var out bytes.Buffer
	seen := map[string]bool{}
	for _, test := range []struct {
		name, lines string
		path        conversation.Path
		cause, side string
	}{
		{name: "healthy", lines: reply + "c2s fin\ns2c fin\n"},
		{"call never arrives", again, conversation.Path{Lost: lost(secondCall, afterThat, afterThat+1)}, "lost-on-path", "nobody"},
		{"reply never arrives", reply + again, conversation.Path{Lost: lost(afterThat, afterThat+1, afterThat+2)}, "lost-on-path", "nobody"},
		{"call is changed", "s2c 4147 00000000 00000002 00000001 00000000 20020000\ns2c fin\nc2s fin\n",
			conversation.Path{Change: map[int]func([]byte){secondCall: changeMSN(false)}}, "changed-on-path", "nobody"},
		{"call is changed and its CRC too", "s2c 4147 00000000 00000002 00000001 00000000 12030000\ns2c fin\nc2s fin\n",
			conversation.Path{Change: map[int]func([]byte){secondCall: changeMSN(true)}}, "changed-on-path", "nobody"},
		{"call is changed, and neither capture has the SYN", "s2c 4147 00000000 00000002 00000001 00000000 20020000\ns2c fin\nc2s fin\n",
			conversation.Path{
				Missing: [2]map[int]bool{lost(0, 1, 2, 3, 4, 5, 6), lost(0, 1, 2)},
				Change:  map[int]func([]byte){secondCall: changeMSN(false)},
			}, "changed-on-path", "nobody"},
		{"call is changed at many places", "s2c 4147 00000000 00000002 00000001 00000000 20020000\ns2c fin\nc2s fin\n",
			conversation.Path{Change: map[int]func([]byte){secondCall: func(packet []byte) {
				for i := range 20 {
					packet[headers+20+i] ^= 0xff
				}
			}}}, "changed-on-path", "nobody"},
		{"reply is changed", reply + "c2s 4147 00000000 00000002 00000001 00000000 20020000\nc2s fin\ns2c fin\n",
			conversation.Path{Change: map[int]func([]byte){afterThat: changeMSN(false)}}, "changed-on-path", "nobody"},
		{"reset is forged", "s2c rst\nwait 1s\n", conversation.Path{Missing: [2]map[int]bool{1: lost(afterThat)}}, "forged-reset", "nobody"},
		{"reset is not heard", "s2c rst\nwait 5s\n", conversation.Path{Lost: lost(afterThat)}, "unheard-reset", "nobody"},
		{"server is silent", "s2c ack\nwait 60s\nc2s ack\n", conversation.Path{}, "unanswered-upper", "server"},
		{"capture of the client lost the reply", reply + "wait 1s\nc2s fin\ns2c fin\n", conversation.Path{Missing: [2]map[int]bool{lost(afterThat)}}, "", ""},
		{"call is damaged and sent again", "wait 1s\nagain\n" + reply + "c2s fin\ns2c fin\n",
			conversation.Path{Change: map[int]func([]byte){secondCall: changeMSN(false)}}, "", ""},
		{"call arrives at the second try", "wait 1s\nagain\n" + reply + "c2s fin\ns2c fin\n", conversation.Path{Lost: lost(secondCall)}, "", ""},
	} {
		for _, base := range []int{0, 1} {
			test.path.Delay, test.path.Ahead = [2]time.Duration{60 * us, 60 * us}, 3*time.Hour
			v := judged(t, begun+test.lines+"end\n", &test.path, base, seen)
			fmt.Fprintf(&out, "== %s, by the capture of the %v\n%s\n\n", test.name, flow.Party(base+1), v.Text)
			cause, side := "", ""
			if v.Cause != nil {
				cause, side = v.Cause.Name, v.Culprit.String()
			}
			if cause != test.cause || side != test.side {
				t.Errorf("%s, by %d: %s %s instead of %s %s: %s", test.name, base, cause, side, test.cause, test.side, v.Text)
			}
			if v.Ends == nil {
				t.Errorf("%s, by %d: not judged by both captures: %s", test.name, base, v.Text)
				continue
			}
			if off := v.Ends.Ahead - int64(3*time.Hour); max(off, -off) > v.Ends.Within {
				t.Errorf("%s: the clock is %v wrong", test.name, time.Duration(off))
			}
		}
	}
	for o := range judge.Observations() {
		if o.TwoCaptures() && !seen[o.Name] {
			t.Errorf("nothing proves %s", o.Name)
		}
	}
	golden.File(t, "testdata/verdicts.txt", out.String())
}

// judged is the verdict on a transcript, seen by both captures, with what base lacks filled in. It notes the names of findings.
func judged(t *testing.T, lines string, path *conversation.Path, base int, seen map[string]bool) *record.Verdict {
	t.Helper()
	views := captured(t, lines, path)
	m, err := compared(t, views).Merge(base, true)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	frames := func(frame uint64) (string, uint64) {
		view, own := m.Locate(frame)
		return flow.Party(view + 1).String(), own
	}
	var verdict *record.Verdict
	sink := m.Watch(record.SinkFunc(func(r *record.Record) {
		for _, f := range r.Findings {
			seen[f.Name] = true
		}
		if r.Verdict != nil {
			verdict = r.Verdict
		}
	}))
	e := dissect.NewEngine(sink, dissect.Options{Ports: all.Ports(), Frames: frames, Analysis: &judge.Options{ULPs: all.Layers(), Ends: m.Ends}})
	var rec pcaps.Record
	for m.Next(&rec) == nil {
		e.Packet(&rec)
	}
	e.Close()
	if verdict == nil {
		t.Fatal("no connection")
	}
	return verdict
}

// captured are both captures of a transcript.
func captured(t *testing.T, lines string, path *conversation.Path) [2][]pcaps.Record {
	t.Helper()
	tr, err := transcript.Parse("scenario", lines)
	if err != nil {
		t.Fatal(err)
	}
	records := slices.Clone(tr.Records)
	if more := strings.Count(lines, "wait"); more > 0 { // both captures go on for a while
		later := conversation.New("10.0.0.1:1", "10.0.0.2:2").Wait(5 * time.Minute).Connect()
		records = append(records, later.Records...)
	}
	return conversation.Views(records, path)
}

// TestShares measures where the time of calls goes: 0.2 ms on the way, the rest at the server.
func TestShares(t *testing.T) {
	path := &conversation.Path{Delay: [2]time.Duration{120 * us, 80 * us}, Ahead: -time.Minute}
	v := judged(t, begun+"wait 40ms\n"+reply+"c2s fin\ns2c fin\nend\n", path, 0, map[string]bool{})
	s := v.Ends.Shares[flow.C2S][record.UpperTransaction]
	if s.Count != 2 || s.Network != int64(400*us) || s.Total != int64(42*time.Millisecond+160*us) || s.Slowest.Total != int64(41*time.Millisecond+80*us) {
		t.Errorf("%+v", s)
	}
}

// TestCaptures keeps the captures of some scenarios, for documents and for tests of the commands.
func TestCaptures(t *testing.T) {
	for name, s := range map[string]struct {
		lines string
		path  conversation.Path
	}{
		"lost":    {"wait 1s\nagain\nwait 2s\nagain\nwait 4s\n", conversation.Path{Lost: lost(secondCall, afterThat, afterThat+1)}},
		"changed": {"s2c 4147 00000000 00000002 00000001 00000000 20020000\ns2c fin\nc2s fin\n", conversation.Path{Change: map[int]func([]byte){secondCall: changeMSN(false)}}},
		"slow":    {"s2c ack\nwait 900ms\n" + reply + "c2s fin\ns2c fin\n", conversation.Path{}},
	} {
		s.path.Delay, s.path.Jitter, s.path.Ahead = [2]time.Duration{60 * us, 60 * us}, 90*us, 3600*time.Millisecond
		for side, v := range captured(t, begun+s.lines+"end\n", &s.path) {
			var b bytes.Buffer
			w := pcaps.NewPcapWriter(&b, pcaps.LinkTypeEthernet)
			for i := range v {
				if err := w.WriteRecord(&v[i]); err != nil {
					t.Fatal(err)
				}
			}
			w.Close()
			golden.File(t, fmt.Sprintf("testdata/%s/%v.pcap", name, flow.Party(side+1)), b.String())
		}
	}
}
