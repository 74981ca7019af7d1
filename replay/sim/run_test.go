package sim_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// parsed returns the connection of a text.
func parsed(t testing.TB, text string) *scenario.Conn {
	t.Helper()
	s, err := scenario.Parse("test", "scenario \"test\"\nconnection c0\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	return s.Conns[0]
}

// verdicts returns those of the steps of the RNIC.
func verdicts(c *outcome.Conn) (all []string) {
	for i := range c.Steps {
		if s := &c.Steps[i]; s.Side(c.Role) != c.Role {
			all = append(all, strings.TrimSuffix(s.Verdict.String()+": "+s.Reason, ": "))
		}
	}
	return all
}

// expect runs a connection with the client as the own side.
func expect(t *testing.T, text string, want ...string) *sim.Result {
	t.Helper()
	r := sim.Run(parsed(t, text), scenario.Client, sim.Options{})
	if got := verdicts(r.Outcome); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q (%s, %q)", got, want, r.Outcome.End, r.Reports)
	}
	return r
}

const begin = `
var $s stag server 0x00000100
var $t to server 0x2000 length 64 in $s
1 client MPARequest Rev=1 C
2 server after 1 MPAReply Rev=1 C $t:be64 $s:be32 00000040
`

// TestMemory reads, writes and adds to the same octets. The program of the server changes them before step 9.
func TestMemory(t *testing.T) {
	r := expect(t, begin+`
3 client after 2 AtomicRequest AOpCode=FetchAdd RequestIdentifier=1 RemoteSTag=$s RemoteTaggedOffset=$t AddData=5
4 server after 3 AtomicResponse to 3 OriginalRemoteDataValue=7
5 client after 4 ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=8 SrcSTag=$s SrcTO=$t
6 server after 5 ReadResponse to 5 0c00000000000000
7 client after 6 Write STag=$s TO=$t+4 "abcd"
8 client ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=8 SrcSTag=$s SrcTO=$t
9 server after 8 ReadResponse to 8 0c000000 "abcd"
10 client after 9 ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=8 SrcSTag=$s SrcTO=$t
11 server after 10 ReadResponse to 10 "program!"
12 client after 11 AtomicRequest AOpCode=CmpSwap RemoteSTag=$s RemoteTaggedOffset=$t+8 CompareData=1 CompareMask=0xff SwapData=2 SwapMask=0xff
13 server after 12 AtomicResponse to 12 OriginalRemoteDataValue=1
14 client after 13 ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=8 SrcSTag=$s SrcTO=$t+8
15 server after 14 ReadResponse to 14 0200000000000000
16 client after 15 FIN
17 server after 16 FIN
`, "exact", "exact", "exact", "exact", "exact", "exact", "exact", "exact")
	stores := 0
	for _, a := range r.Plan.Acts {
		if d, ok := a.Do.(*sim.Store); ok {
			stores++
			if a.After != 8 || string(d.Octets[0].Octets) != "program!" {
				t.Errorf("after step %d the program stores %v", a.After, d.Octets)
			}
		}
	}
	if want := rnicsim.RemoteRead | rnicsim.RemoteWrite; stores != 1 || r.Plan.Regions[0].Rights&want != want {
		t.Errorf("%d stores, the region allows %v", stores, r.Plan.Regions[0].Rights)
	}
}

// TestMessages lets the server send all messages that verbs can send.
func TestMessages(t *testing.T) {
	expect(t, `
var $m stag client 0x00000700
var $o to client 0x4000 length 16 in $m
1 client MPARequest Rev=1 C
2 server after 1 MPAReply Rev=1 C
3 client after 2 Send $o:be64 $m:be32 00000010
4 server after 3 Send "plain"
5 server SendSE "solicited"
6 server Write STag=$m TO=$o "written"
7 server Immediate ImmediateData=0x0102030405060708
8 server ImmediateSE ImmediateData=0x1
9 server ReadRequest SinkSTag=0x00000500 SinkTO=0x8000 RDMARDSZ=4 SrcSTag=$m SrcTO=$o
10 client after 9 ReadResponse to 9 "read"
11 server after 10 AtomicRequest AOpCode=FetchAdd RequestIdentifier=1 RemoteSTag=$m RemoteTaggedOffset=$o+8 AddData=5 CompareMask=0xffffffffffffffff
12 client after 11 AtomicResponse to 11 OriginalRemoteDataValue=7
13 server after 12 SendInvalidate InvalidateSTag=$m "done"
14 server FIN
15 client after 14 FIN
`, "exact", "exact", "exact", "exact", "exact", "exact", "exact", "exact", "exact", "exact")
}

// TestStreaming has octets before MPA begins, and a connection that is rejected at first.
func TestStreaming(t *testing.T) {
	expect(t, `
1 client Octets "may I?"
2 server after 1 Octets "go on"
3 client after 2 MPARequest Rev=1 C "first"
4 server after 3 MPAReply Rev=1 C R "no"
5 client after 4 MPARequest Rev=1 C "second"
6 server after 5 MPAReply Rev=1 C "yes"
7 client after 6 Send "x"
8 client FIN
9 server after 8 FIN
`, "exact", "exact", "exact", "exact")
}

// TestUnplayable has a step that no verb can do. Neither it nor later steps are exact, even if they would be otherwise.
func TestUnplayable(t *testing.T) {
	for _, illegal := range []string{`FPDU CRC=bad Send "x"`, `Segment Send MSN=7 "x"`, `Octets "x"`} {
		r := sim.Run(parsed(t, begin+`
3 client after 2 Send "ask"
4 server after 3 Send "answer"
5 server `+illegal+`
6 client after 5 Send "more"
7 server after 6 Send "last"
`), scenario.Client, sim.Options{})
		got := verdicts(r.Outcome)
		if len(got) != 4 || got[0] != "exact" || got[1] != "exact" ||
			!strings.HasPrefix(got[2], "not_applicable: ") || !strings.HasPrefix(got[3], "not_applicable: it follows a step") {
			t.Errorf("%s: %q", illegal, got)
		}
		if s := r.Outcome.Summary(); s.Mismatched+s.NotReached > 0 || r.Plan.Unplayable.Step != 5 {
			t.Errorf("%s: %v", illegal, &s)
		}
	}
}

// TestRefusals has Terminates that the RNIC would not send.
func TestRefusals(t *testing.T) {
	r := sim.Run(parsed(t, begin+`
3 client after 2 Write STag=0x00000300 TO=0x2000 "x"
4 server after 3 Terminate 1/1/01 M=1 D=1 0000 00 ?*
`), scenario.Client, sim.Options{})
	if s := r.Outcome.Summary(); s.Mismatched != 1 {
		t.Errorf("a wrong code of a Terminate: %v, %q", &s, verdicts(r.Outcome))
	}
	if len(r.Reports) != 1 || !strings.Contains(r.Reports[0], "STag") {
		t.Errorf("the RNIC told %q", r.Reports)
	}
}

// TestTooManyReads sends more Read Requests than the server accepts before it has answered the first.
func TestTooManyReads(t *testing.T) {
	r := expect(t, `
var $s stag server 0x00000100
var $t to server 0x2000 length 64 in $s
1 client MPARequest C S Rev=2 enhanced IRD=1 ORD=1
2 server after 1 MPAReply C S Rev=2 enhanced IRD=1 ORD=1 $t:be64 $s:be32 00000040
3 client after 2 ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=8 SrcSTag=$s SrcTO=$t
4 server after 3 ReadResponse to 3 "answered"
5 client after 4 ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=8 SrcSTag=$s SrcTO=$t
6 client ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=8 SrcSTag=$s SrcTO=$t
7 server after 6 Terminate 1/2/02 M D ?*
8 server FIN
9 client after 8 FIN
`, "exact", "exact", "exact", "exact")
	if want := rnicsim.LocalRead | rnicsim.LocalWrite | rnicsim.RemoteRead; r.Plan.Regions[0].Rights != want {
		t.Errorf("the region allows %v, want %v", r.Plan.Regions[0].Rights, want)
	}
}

// TestInvalidated has a Write to a region that the client has invalidated.
func TestInvalidated(t *testing.T) {
	expect(t, begin+`
3 client after 2 Write STag=$s TO=$t "before"
4 client SendInvalidate InvalidateSTag=$s
5 client Write STag=$s TO=$t "behind"
6 server after 5 Terminate 1/1/00 M D ?*
7 server FIN
8 client after 7 FIN
`, "exact", "exact", "exact")
}

// TestTooMuchMemory has a region that is too large.
func TestTooMuchMemory(t *testing.T) {
	r := sim.Run(parsed(t, begin+`
3 client after 2 Write STag=$s TO=$t+0x100000000000 "x"
`), scenario.Client, sim.Options{})
	if !strings.Contains(r.Outcome.NotApplicable, "memory limit") {
		t.Errorf("%q", r.Outcome.NotApplicable)
	}
}

// runAll runs all connections of a Scenario, each against an RNIC of its own.
func runAll(s *scenario.Scenario, role scenario.Side, o sim.Options) *outcome.Report {
	report := &outcome.Report{Title: s.Title}
	for _, c := range s.Conns {
		report.Conns = append(report.Conns, sim.Run(c, role, o).Outcome)
	}
	return report
}

// TestFreshTO plays with other TOs than the recorded ones. What was exact stays exact.
func TestFreshTO(t *testing.T) {
	for _, name := range []string{
		"rping", "mpav1-crc", "perf-ib_read_lat-64", "perf-ib_write_bw-1", "smbdirect", "term-write-oob-multi",
	} {
		s, _ := compiled(t, find(t, name))
		for _, role := range []scenario.Side{scenario.Client, scenario.Server} {
			o := sim.Options{Profile: peers.LookupProfile("siw"), Seed: [32]byte{7}}
			recorded := runAll(s, role, o).Summary()
			o.FreshTO = true
			if fresh := runAll(s, role, o).Summary(); fresh != recorded {
				t.Errorf("%s, %v: %v, with the recorded TOs %v", name, role, &fresh, &recorded)
			}
		}
	}
}

// TestProfiles plays legal traffic with all Profiles.
func TestProfiles(t *testing.T) {
	s, _ := compiled(t, find(t, "rping"))
	for i := range peers.Profiles {
		profile := peers.Profiles[i]
		for _, role := range []scenario.Side{scenario.Client, scenario.Server} {
			if got := runAll(s, role, sim.Options{Profile: profile}).Summary(); !got.Passed() {
				t.Errorf("%s, %v: %v", profile.Name, role, &got)
			}
		}
	}
}

// TestDeterminism plays twice.
func TestDeterminism(t *testing.T) {
	s, _ := compiled(t, find(t, "iser-start"))
	first := runAll(s, scenario.Client, sim.Options{})
	if again := runAll(s, scenario.Client, sim.Options{}); !reflect.DeepEqual(first, again) {
		t.Error("it does not come out the same way")
	}
}

// FuzzRun runs any Scenario in both roles.
func FuzzRun(f *testing.F) {
	f.Add(begin + "3 client after 2 Write STag=$s TO=$t \"x\"\n4 server after 3 FIN\n")
	for _, name := range []string{
		"rping", "p2p-crc", "mpav1-crc", "term-send-nobuf", "term-local-badlkey-read", "pd-c255-s16",
	} {
		c, err := pcaps.Open("../../dissect/testdata/captures/" + name + ".pcap.gz")
		if err != nil {
			c, err = pcaps.Open("../../pcaps/samples/" + name + ".pcap")
		}
		if err != nil {
			f.Fatal(err)
		}
		s, _, err := compile.Capture(f.Context(), c, compile.Options{})
		c.Close()
		if err != nil {
			f.Fatal(err)
		}
		_, text, _ := strings.Cut(s.String(), "connection c0")
		_, text, _ = strings.Cut(text, "\n")
		f.Add(strings.ReplaceAll(text, "length 1048576", "length 65536")) // no message goes beyond, and most of the time went into clearing it
	}
	f.Add("1 server Octets \"x\"\n2 client Segment ReadResponse L=0 STag=0x1 TO=0x2 \"y\"\n3 server Reset\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		s, err := scenario.Parse("fuzz", "scenario \"fuzz\"\nconnection c0\n"+text)
		if err != nil {
			return
		}
		for _, c := range s.Conns {
			octets := 0
			for _, step := range c.Steps {
				if m, ok := step.Do.(*scenario.Message); ok {
					octets += m.Payload.Len()
				}
			}
			if octets > 1<<16 {
				return
			}
		}
		siw := sim.Options{Profile: peers.LookupProfile("siw")}
		for _, c := range s.Conns {
			sim.Run(c, scenario.Client, sim.Options{})
			// What Run says of the recording depends on neither the side nor the Profile.
			sim.Play(c, sim.NewPlan(c, scenario.Server), siw)
			server := sim.NewPlan(c, scenario.Client)
			sim.Play(c, server, sim.Options{})
			sim.Play(c, server, siw)
		}
	})
}
