package scenario_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// TestSender checks the ULPDUs of messages and segments, worked out by hand. The MULPDU is 24 octets.
func TestSender(t *testing.T) {
	const vars = "var $s stag server 0x00000100\n99 server Send $s:be32\n"
	for _, tc := range []struct{ name, text, want string }{
		{"messages are numbered and divided", `
			1 client Send "abcdefgh"
			2 client SendSE
			3 client SendInvalidate InvalidateSTag=$s 00`,
			`0143 00000000 00000000 00000001 00000000 616263646566
			4143 00000000 00000000 00000001 00000006 6768
			4145 00000000 00000000 00000002 00000000
			4144 00000100 00000000 00000003 00000000 00`},
		{"tagged messages go on at the next TO", `
			1 client Write STag=$s TO=0x00000000ffffffff "abcdefghijkl"`,
			`8140 00000100 00000000ffffffff 6162636465666768696a
			c140 00000100 0000000100000009 6b6c`},
		{"each queue has its own MSN, and headers are not divided", `
			1 client ReadRequest SinkSTag=1 SinkTO=2 RDMARDSZ=3 SrcSTag=$s SrcTO=5
			2 client Send
			3 client ReadRequest
			4 client Terminate 1/2/03 M 0012`,
			`4141 00000000 00000001 00000001 00000000 00000001 0000000000000002 00000003 00000100 0000000000000005
			4143 00000000 00000000 00000001 00000000
			4141 00000000 00000001 00000002 00000000 00000000 0000000000000000 00000000 00000000 0000000000000000
			4147 00000000 00000002 00000001 00000000 12038000 0012`},
		{"segments say what is wrong, and go on where nothing is said", `
			1 client Segment Send L=0 MSN=7 "ab"
			2 client Segment Send "cd"
			3 client Segment Send T=0 QN=9 Rsvd=0x1 RV=0
			4 client Segment Write L=0 STag=$s TO=16 00*4
			5 client Segment Write
			6 client Segment Write T=0
			7 client Segment ReadRequest 00
			8 client Segment 4143`,
			`0143 00000000 00000000 00000007 00000000 6162
			4143 00000000 00000000 00000007 00000002 6364
			4503 00000000 00000009 00000008 00000000
			8140 00000100 0000000000000010 00000000
			c140 00000100 0000000000000014
			4140 00000000 00000000 00000008 00000000
			4141 00000000 00000001 00000001 00000000 00
			4143`},
	} {
		s := parse(t, head+vars+strings.ReplaceAll(tc.text, "\t", ""))
		sender := scenario.NewSender(1)
		values := s.Conns[0].Recorded()
		var got []string
		for _, step := range s.Conns[0].Steps[1:] {
			switch do := step.Do.(type) {
			case *scenario.Message:
				out, err := sender.Message(do, nil, values)
				if err != nil {
					t.Fatal(err)
				}
				for {
					ulpdu, ok := out.Next(nil, 24)
					if !ok {
						break
					}
					got = append(got, hex.EncodeToString(ulpdu))
				}
			case *scenario.Segment:
				ulpdu, err := sender.Segment(nil, do, values)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, hex.EncodeToString(ulpdu))
			}
		}
		want := strings.ReplaceAll(strings.ReplaceAll(tc.want, "\t", ""), " ", "")
		if strings.Join(got, "\n") != want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, strings.Join(got, "\n"), want)
		}
	}
}

// TestResponse checks what a response takes from the request that it answers.
func TestResponse(t *testing.T) {
	s := parse(t, head+`1 client ReadRequest SinkSTag=0x00000007 SinkTO=0x0000000000000008 RDMARDSZ=1
		2 server ReadResponse to 1 "a"
		3 client AtomicRequest AOpCode=CmpSwap RequestIdentifier=9
		4 server AtomicResponse to 3 OriginalRemoteDataValue=1`)
	steps := s.Conns[0].Steps
	sender := scenario.NewSender(1)
	for i, want := range []string{
		"c142000000070000000000000008" + "61", "414b0000000000000003000000010000000000000009" + "0000000000000001",
	} {
		request := steps[2*i].Do.(*scenario.Message).Request(nil)
		out, err := sender.Message(steps[2*i+1].Do.(*scenario.Message), request, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ulpdu, _ := out.Next(nil, 1000); hex.EncodeToString(ulpdu) != want {
			t.Errorf("%x, want %s", ulpdu, want)
		}
	}
}

// TestFPDU checks FPDUs with wrong framing. The CRCs were worked out bit by bit, without any code of this module.
func TestFPDU(t *testing.T) {
	for text, want := range map[string]string{
		"FPDU 4143":                   "00024143" + "f1a996b9",
		"FPDU ULPDU_Length=0":         "0000" + "0000" + "c74b6748",
		"FPDU PAD=0102 4143":          "000241430102a7fe398e",
		"FPDU PAD= 41":                "000141",
		"FPDU CRC=0x01020304 4143":    "00024143" + "04030201",
		"FPDU ULPDU_Length=7 41 CRC=": "",
	} {
		s, err := scenario.Parse("test", head+"1 client "+text)
		if want == "" {
			if err == nil {
				t.Errorf("%s was taken", text)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		framer := new(mpa.Framer)
		framer.Reset(mpa.Options{CRC: true})
		got, err := scenario.NewSender(1).FPDU(nil, s.Conns[0].Steps[0].Do.(*scenario.FPDU), framer, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(hex.EncodeToString(got), want) {
			t.Errorf("%s: %x, want %s", text, got, want)
		}
	}
}

// TestMarkers checks the Markers of an FPDU that must be wrong. They are at octets 0, 512 and 1024 of the stream, and
// the ULPDU_Length to which FPDUPTR has to point follows the first. The CRC is that of what is sent.
func TestMarkers(t *testing.T) {
	for fault, want := range map[string]string{
		"bad": "00000004 00000200 00000400", "reserved": "ffff0000 ffff01fc ffff03fc", "low": "00000003 000001ff 000003ff",
	} {
		s := parse(t, head+"1 client FPDU Markers="+fault+" Send 00*1000")
		framer := new(mpa.Framer)
		framer.Reset(mpa.Options{CRC: true, Markers: true})
		octets, err := scenario.NewSender(1).FPDU(nil, s.Conns[0].Steps[0].Do.(*scenario.FPDU), framer, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x %x %x", octets[:4], octets[512:516], octets[1024:1028]); got != want {
			t.Errorf("%s: the Markers are %s, want %s", fault, got, want)
		}
		var d mpa.Deframer
		d.Reset(mpa.Options{CRC: true, Markers: true})
		d.Push(octets)
		var f mpa.Deframed
		if !d.Next(&f) || f.Markers != 3 || f.Verdict != mpa.Good {
			t.Errorf("%s: %d Markers, CRC %v", fault, f.Markers, f.Verdict)
		}
	}
}

func Example() {
	s, err := scenario.Parse("ping.scenario", `
scenario "a Send is answered"
connection c0
  1 client MPARequest Rev=1 C
  2 server after 1 MPAReply Rev=1 C
  3 client after 2 Send "ping" 00 00 00 00
  4 server after 3 Send "pong" ?*
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	ping := s.Conns[0].Steps[2]
	fmt.Println(ping)
	out, err := scenario.NewSender(1).Message(ping.Do.(*scenario.Message), nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ulpdu, _ := out.Next(nil, 1440)
	fmt.Printf("% x\n", ulpdu)
	_, err = scenario.Parse("ping.scenario", "scenario \"\"\nconnection c0\n  1 client Pong")
	fmt.Println(err)
	// Output:
	//   3 client after 2 Send "ping" 00000000
	// 41 43 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 70 69 6e 67 00 00 00 00
	// ping.scenario:3:12: "Pong" is nothing that a step does
	//       1 client Pong
	//                ^
}

func ExampleSegmentFields() {
	fmt.Println(scenario.MessageFields(rdmap.OpReadRequest))
	fmt.Println(scenario.SegmentFields(rdmap.OpReadRequest, false))
	// Output:
	// [SinkSTag SinkTO RDMARDSZ SrcSTag SrcTO]
	// [T L Rsvd DV QN MSN MO RV Rsv Opcode InvalidateSTag SinkSTag SinkTO RDMARDSZ SrcSTag SrcTO]
}
