package fuzz

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// FuzzScenario parses texts. What Parse takes is free of contradictions, is parsed the same when it was printed, and
// prints the same text again. Steps that can be sent are sent, and a Payload matches its own octets.
func FuzzScenario(f *testing.F) {
	everything, err := os.ReadFile(filepath.Join("..", "replay", "scenario", "testdata", "everything.scenario"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(everything))
	for _, name := range []string{"rping.pcap", "term-read-badkey.pcap", "p2p-crc.pcap", "reject-pd32.pcap"} {
		r, err := samples.Files.Open(name)
		if err != nil {
			f.Fatal(err)
		}
		c, err := pcaps.NewCapture(name, r)
		if err != nil {
			f.Fatal(err)
		}
		s, _, err := compile.Capture(f.Context(), c, compile.Options{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := scenario.Parse("fuzz", text)
		if err != nil {
			_ = err.Error()
			return
		}
		if problems := scenario.Check(s); problems != nil {
			t.Fatalf("Parse took what Check does not: %v", problems[0])
		}
		printed := s.String()
		again, err := scenario.Parse("printed", printed)
		if err != nil {
			t.Fatalf("what was printed is not parsed: %v\n%s", err, printed)
		}
		if !reflect.DeepEqual(s, again) {
			t.Fatalf("what was printed is another Scenario:\n%s", printed)
		}
		if reprinted := again.String(); reprinted != printed {
			t.Fatalf("the text is not canonical:\n%s\n%s", printed, reprinted)
		}
		for _, c := range s.Conns {
			send(t, c)
		}
	})
}

// maxSent is how many octets of a step are sent here.
const maxSent = 1 << 16

// send makes the octets of the Messages and Segments of a connection.
func send(t *testing.T, c *scenario.Conn) {
	values := c.Recorded()
	senders := [2]*scenario.Sender{scenario.NewSender(1), scenario.NewSender(1)}
	for _, step := range c.Steps {
		switch do := step.Do.(type) {
		case *scenario.Message:
			if do.Payload.Len() > maxSent {
				continue
			}
			octets, err := do.Payload.AppendOctets(nil, values)
			if err != nil {
				t.Fatal(err)
			}
			if at, ok := do.Payload.Match(octets, values); !ok {
				t.Fatalf("a Payload differs from itself at %d: %v", at, do.Payload)
			}
			out, err := senders[step.Side].Message(do, nil, values)
			if err != nil {
				continue // a variable is too long for its field
			}
			for ok := true; ok; {
				_, ok = out.Next(nil, 1024)
			}
		case *scenario.Segment:
			if ulpdu, err := senders[step.Side].Segment(nil, do, values); err == nil {
				senders[step.Side].Describe(ulpdu)
			}
		}
	}
}

// FuzzScenarioDescribe describes ULPDUs as Segments. Sent again they are what they were.
func FuzzScenarioDescribe(f *testing.F) {
	f.Add([]byte{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 'a'}, []byte{0xc1, 0x40, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8})
	f.Add([]byte{0x01, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 'a'}, []byte{0x41, 0x4e})
	f.Fuzz(func(t *testing.T, one, two []byte) {
		describing, sending := scenario.NewSender(1), scenario.NewSender(1)
		c := &scenario.Conn{Name: "c0"}
		for i, ulpdu := range [][]byte{one, two, one} {
			if len(ulpdu) > 0xffff {
				return
			}
			segment := describing.Describe(ulpdu)
			got, err := sending.Segment(nil, segment, nil)
			if err != nil || string(got) != string(ulpdu) {
				t.Fatalf("%x is described as one that is sent as %x: %v", ulpdu, got, err)
			}
			c.Steps = append(c.Steps, &scenario.Step{Number: i + 1, Do: segment})
		}
		s := &scenario.Scenario{Conns: []*scenario.Conn{c}}
		if problems := scenario.Check(s); problems != nil {
			t.Fatal(problems[0])
		}
		again, err := scenario.Parse("printed", s.String())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s, again) {
			t.Fatalf("what was printed is another Scenario:\n%s", s)
		}
	})
}
