package compile_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

const request, reply = `c2s hex "MPA ID Req Frame" 4001 0000` + "\n", `s2c hex "MPA ID Rep Frame" 4001 0000` + "\n"

// compiledTranscript returns the Scenario of a transcript.
func compiledTranscript(t *testing.T, text string) (*scenario.Scenario, *compile.Report) {
	t.Helper()
	tr, err := transcript.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	compiler := compile.New(compile.Options{})
	engine := dissect.NewEngine(compiler, dissect.Options{Streaming: true})
	for i := range tr.Records {
		engine.Packet(&tr.Records[i])
	}
	engine.Close()
	s, report := compiler.Scenario()
	if problems := scenario.Check(s); problems != nil {
		t.Fatal(problems[0])
	}
	return s, report
}

// when matches the time and packet of a step in a line.
var when = regexp.MustCompile(` @\d+\.\d+| frame \d+`)

// steps returns the lines of the only connection, without times and packets, after the first few.
func steps(s *scenario.Scenario, behind int) string {
	var lines []string
	for _, line := range strings.Split(s.String(), "\n")[3+behind:] {
		lines = append(lines, strings.TrimSpace(when.ReplaceAllString(line, "")))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// TestSteps compiles traffic written by hand. The lines after the handshake are compared.
func TestSteps(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"a message in several segments is one step", `
			c2s 0143 00000000 00000000 00000001 00000000 "abcd"
			c2s 0143 00000000 00000000 00000001 00000004 "ef"
			c2s 4143 00000000 00000000 00000001 00000006 "gh"
			s2c 8140 00000007 0000000000001000 "ab"
			s2c c140 00000007 0000000000001002`,
			`3 client after 2 Send "abcdefgh"
			4 server after 3 Write STag=0x00000007 TO=0x0000000000001000 6162`},
		{"rules of headers are broken", `
			c2s 4143 00000000 00000000 00000003 00000000 "MSN 1 and 2 are left out"
			c2s 4143 00000000 00000000 00000004 00000000 "it goes on from there"
			c2s 4143 00000000 00000000 00000005 00000008 "MO"
			c2s 4d43 00000000 00000000 00000006 00000000 "reserved bits"
			c2s 4143 00000009 00000000 00000007 00000000 "more of them"
			c2s 4143 00000000 00000001 00000001 00000000 "QN"
			c2s c143 00000007 0000000000000000 "T"
			c2s 414e 00000000 00000000 00000008 00000000 "an unknown opcode"
			c2s 4141 00000000 00000001 00000002 00000000 "short"
			c2s 4143 0000`,
			`3 client after 2 Segment Send MSN=3 "MSN 1 and 2 are left out"
			4 client Send "it goes on from there"
			5 client Segment Send MO=8 4d4f
			6 client Segment Send Rsvd=0x3 "reserved bits"
			7 client Segment Send InvalidateSTag=0x00000009 "more of them"
			8 client Segment Send QN=1 MSN=1 514e
			9 client Segment Send T STag=0x00000007 54
			10 client Segment Opcode14 "an unknown opcode"
			11 client Segment ReadRequest "short"
			12 client Segment 41430000`},
		{"a bad CRC, and the messages around it", `
			c2s 0143 00000000 00000000 00000001 00000000 "abcd"
			c2s badcrc 0143 00000000 00000000 00000001 00000004 "efgh"
			c2s 4143 00000000 00000000 00000001 00000008 "ijkl"
			c2s 4143 00000000 00000000 00000002 00000000 "mnop"`,
			`3 client after 2 Segment Send L=0 "abcd"
			# The CRC is wrong.
			4 client FPDU CRC=0x` + `CRC Send L=0 "efgh"
			5 client Segment Send "ijkl"
			6 client Send "mnop"`},
		{"messages that interleave", `
			c2s 0143 00000000 00000000 00000001 00000000 "abcd"
			c2s c140 00000007 0000000000001000 "Write"
			c2s 4143 00000000 00000000 00000001 00000004 "efgh"
			c2s 4143 00000000 00000000 00000002 00000000 "next"`,
			`3 client after 2 Segment Send L=0 "abcd"
			4 client Write STag=0x00000007 TO=0x0000000000001000 "Write"
			5 client Segment Send "efgh"
			6 client Send "next"`},
		{"the end comes within a message", `
			c2s 0143 00000000 00000000 00000001 00000000 "abcd"
			c2s 0143 00000000 00000000 00000001 00000004 "efgh"
			c2s fin
			s2c rst`,
			`3 client after 2 Segment Send L=0 "abcd"
			4 client Segment Send L=0 "efgh"
			5 client FIN
			6 server after 5 Reset`},
		{"requests, and what answers them", `
			c2s 4141 00000000 00000001 00000001 00000000 00000007 0000000000001000 00000002 00000100 0000000000000010
			c2s 4141 00000000 00000001 00000002 00000000 00000007 0000000000002000 00000002 00000100 0000000000000010
			s2c c142 00000007 0000000000001000 "ab"
			s2c c142 00000008 0000000000002000 "cd"
			c2s 414a 00000000 00000001 00000003 00000000 00000000 00000005 00000100 0000000000000000 0000000000000001 0000000000000000 0000000000000000 ffffffffffffffff
			s2c 414b 00000000 00000003 00000001 00000000 00000005 0000000000000009`,
			`3 client after 2 ReadRequest SinkSTag=0x00000007 SinkTO=0x0000000000001000 RDMARDSZ=2 SrcSTag=0x00000100 SrcTO=0x0000000000000010
			4 client ReadRequest SinkSTag=0x00000007 SinkTO=0x0000000000002000 RDMARDSZ=2 SrcSTag=0x00000100 SrcTO=0x0000000000000010
			5 server after 4 ReadResponse to 3 6162
			6 server ReadResponse STag=0x00000008 TO=0x0000000000002000 6364
			7 client after 6 AtomicRequest AOpCode=FetchAdd RequestIdentifier=5 RemoteSTag=0x00000100 RemoteTaggedOffset=0x0000000000000000 AddData=0x0000000000000001 AddMask=0x0000000000000000 CompareData=0x0000000000000000 CompareMask=0xffffffffffffffff
			8 server after 7 AtomicResponse to 7 OriginalRemoteDataValue=0x0000000000000009`},
		{"a Terminate", `
			c2s c140 00000007 0000000000001000 "ab"
			s2c 4147 00000000 00000002 00000001 00000000 1100c000 0010 c1400000000700000000000010 00`,
			`3 client after 2 Write STag=0x00000007 TO=0x0000000000001000 6162
			# DDP Tagged Buffer Error: Invalid STag.
			4 server after 3 Terminate 1/1/00 M D 0010c140 00000007 00000000 00001000`},
	} {
		s, report := compiledTranscript(t, request+reply+tc.text+"\nend")
		got := steps(s, 2)
		got = regexp.MustCompile(`CRC=0x[0-9a-f]{8}`).ReplaceAllString(got, "CRC=0xCRC")
		if want := strings.ReplaceAll(tc.want, "\t", ""); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want)
		}
		if !report.Conns[0].Complete() {
			t.Errorf("%s: it is not complete: %v", tc.name, report.Conns[0].Gaps)
		}
	}
}

// TestStartup compiles what comes before FPDUs.
func TestStartup(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"streaming octets", `
			c2s hex "hello"
			s2c hex "welcome"
			` + request + reply + `
			c2s 4143 00000000 00000000 00000001 00000000`,
			`1 client Octets "hello"
			2 server after 1 Octets "welcome"
			3 client after 2 MPARequest C Rev=1
			4 server after 3 MPAReply C Rev=1
			5 client after 4 Send`},
		{"a second handshake after a rejection", request + `
			s2c hex "MPA ID Rep Frame" 6001 0002 "no"
			` + request + reply + `
			c2s 4143 00000000 00000000 00000001 00000000`,
			`1 client MPARequest C Rev=1
			2 server after 1 MPAReply C R Rev=1 6e6f
			3 client after 2 MPARequest C Rev=1
			4 server after 3 MPAReply C Rev=1
			5 client after 4 Send`},
		{"another protocol answers", request + `
			s2c hex "HTTP/1.0 400 Bad Request"
			s2c fin`,
			`1 client MPARequest C Rev=1
			2 server after 1 Octets "HTTP/1.0 400 Bad Request"
			3 server FIN`},
		{"a Request that nobody answers", request + `
			c2s hex "is anybody there?"
			s2c fin`,
			`1 client MPARequest C Rev=1
			2 client Octets "is anybody there?"
			3 server after 2 FIN`},
	} {
		s, report := compiledTranscript(t, tc.text+"\nend")
		if got, want := steps(s, 0), strings.ReplaceAll(tc.want, "\t", ""); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want)
		}
		if !report.Conns[0].Complete() {
			t.Errorf("%s: it is not complete: %v", tc.name, report.Conns[0].Gaps)
		}
	}
}

// waits matches the step that a step waits for in a line.
var waits = regexp.MustCompile(` after \d+`)

// TestWrite writes Scenarios as captures. These compile to the same steps except for what they wait for: each side of such
// a capture acknowledges at once.
func TestWrite(t *testing.T) {
	text := `scenario "broken"

connection c0 192.0.2.1:49152 -> 192.0.2.2:7174
1 client Octets "hello"
2 client MPARequest M C Rev=1 "private"
3 server MPAReply M C Rev=1
4 client Segment Send MSN=3 "MSN 1 and 2 are left out" 00*2000
5 client Send "it goes on" 00*4000
6 server Write STag=0x00000007 TO=0x0000000000001000 01*5000
7 client Segment Send L=0 "abc"
# The CRC is wrong.
8 client FPDU CRC=0x12345678 Send "the CRC"
9 client Segment Opcode14 "unknown"
10 client Segment 4143000000
11 client Send
12 client FIN
13 server Reset`
	s, err := scenario.Parse("broken", text)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := compile.Write(&b, s, compile.WriteOptions{EMSS: 600}); err != nil {
		t.Fatal(err)
	}
	c, err := pcaps.NewCapture("written", &b)
	if err != nil {
		t.Fatal(err)
	}
	again, report, err := compile.Capture(t.Context(), c, compile.Options{Title: "broken"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := waits.ReplaceAllString(steps(again, 0), ""), steps(s, 0); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if !report.Conns[0].Complete() {
		t.Error(report.Conns[0].Gaps)
	}
}

// TestCausality checks a capture in which both sides send at the same time: a side waits
// neither for what it had not acknowledged nor twice for the same.
func TestCausality(t *testing.T) {
	s, _ := compiled(t, "../../dissect/testdata/captures/perf-ib_send_bw-4096-bidir.pcap.gz")
	c := s.Conns[1]
	var got []string
	for _, step := range c.Steps[:18] {
		got = append(got, fmt.Sprint(step.Number, " ", step.Side, " ", step.After))
	}
	want := "1 client 0, 2 server 1, 3 client 2, 4 server 3, 5 client 0, 6 client 0, 7 client 0, 8 client 0, 9 client 0, " +
		"10 client 0, 11 client 0, 12 client 0, 13 client 0, 14 client 0, 15 client 0, 16 client 4, 17 server 15, 18 client 0"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, ", "), want)
	}
}

// TestGaps compiles captures that lack something. The Report names the step.
func TestGaps(t *testing.T) {
	for _, tc := range []struct{ name, text, want, gap string }{
		{"a message in the middle", `
			c2s 4143 00000000 00000000 00000001 00000000 "one"
			c2s 4143 00000000 00000000 00000002 00000000 "two"
			drop
			c2s 4143 00000000 00000000 00000003 00000000 "three"`,
			`3 client after 2 Send "one"
			4 client Send "three"`,
			"step 3: "},
		{"the end of a message", `
			c2s 0143 00000000 00000000 00000001 00000000 "one"
			c2s 4143 00000000 00000000 00000001 00000003 "two"
			drop
			c2s fin`,
			`3 client after 2 Send "one" ?*
			4 client FIN`,
			"step 3: "},
	} {
		s, report := compiledTranscript(t, request+reply+tc.text+"\nend")
		if got, want := steps(s, 2), strings.ReplaceAll(tc.want, "\t", ""); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want)
		}
		gaps := report.Conns[0].Gaps
		if len(gaps) == 0 || !strings.HasPrefix(fmt.Sprintf("step %d: ", gaps[0].Step), tc.gap) {
			t.Errorf("%s: %v", tc.name, gaps)
		}
	}
}

// TestLimit compiles with little room: octets without room may be anything, steps are left out, then connections.
func TestLimit(t *testing.T) {
	tr, err := transcript.Parse("test", request+reply+`
		c2s 4143 00000000 00000000 00000001 00000000 "four" 00*28
		c2s 4143 00000000 00000000 00000002 00000000 00*1200
		c2s 4143 00000000 00000000 00000003 00000000 "none"
		end`)
	if err != nil {
		t.Fatal(err)
	}
	compiler := compile.New(compile.Options{Memory: 4600})
	for range 2 {
		engine := dissect.NewEngine(compiler, dissect.Options{Streaming: true})
		for i := range tr.Records {
			engine.Packet(&tr.Records[i])
		}
		engine.Close()
	}
	s, report := compiler.Scenario()
	want := "3 client after 2 Send \"four\" 00*28\n4 client Send ?*1200"
	if got := steps(s, 2); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if c := report.Conns[0]; c.Complete() || c.Gaps[len(c.Gaps)-2].Text != "there is no room for the steps behind it" || report.Left != 1 {
		t.Errorf("the report has %+v, and %d connections left out", c.Gaps, report.Left)
	}
}

// TestLimitOfUnfinished has a message whose last segment is missing, and for whose octets there is no room.
func TestLimitOfUnfinished(t *testing.T) {
	text := request + reply
	for at := range 5 {
		text += fmt.Sprintf("\n\t\tc2s 0143 00000000 00000000 00000001 %08x 5a*40000", 40_000*at)
	}
	tr, err := transcript.Parse("test", text+"\n\t\tend")
	if err != nil {
		t.Fatal(err)
	}
	for _, memory := range []int{5000, 30_000, 50_000} {
		compiler := compile.New(compile.Options{Memory: memory})
		engine := dissect.NewEngine(compiler, dissect.Options{Streaming: true})
		for i := range tr.Records {
			engine.Packet(&tr.Records[i])
		}
		engine.Close()
		if s, report := compiler.Scenario(); report.Left == 0 && report.Conns[0].Complete() {
			t.Errorf("%d octets: %s", memory, steps(s, 2))
		}
	}
}
