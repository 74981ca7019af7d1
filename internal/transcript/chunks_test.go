package transcript_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/transcript"
)

// TestChunks looks at the octets after the SCTP common header of each packet of a stream over SCTP.
func TestChunks(t *testing.T) {
	s, err := transcript.Parse("test", `sctp client=1,2,3 server=4,5,-
		midstream
		stream 2
		ssn 9
		c2s 41
		c2s control 0001 "ab"
		s2c ordered ppid 46 ff
		split 2
		s2c 4243
		c2s ack
		end`)
	if err != nil {
		t.Fatal(err)
	}
	const (
		tsn0 = "000003e8"
		sack = "00010000 00000000"
	)
	want := []string{
		"0007 0013" + tsn0 + "0002 0000 00000010 0009 41 00",
		"0007 0016 000003e9 0002 0000 00000011 000a 0001 6162 0000",
		"0003 0011 fffffff0 0002 0000 0000002e ff 000000",
		"0006 0012 fffffff1 0002 0000 00000010 0000 0000",
		"0005 0012 fffffff2 0002 0000 00000010 4243 0000",
		"0300 0010 fffffff2" + sack,
	}
	if len(s.Records) != len(want) {
		t.Fatalf("%d packets, want %d", len(s.Records), len(want))
	}
	for i, r := range s.Records {
		octets, err := hex.DecodeString(strings.ReplaceAll(want[i], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		const headers = 14 + 20 + 12
		if !bytes.Equal(r.Data[headers:], octets) {
			t.Errorf("packet %d: % x, want % x", i+1, r.Data[headers:], octets)
		}
	}
	for _, wrong := range []string{"sctp who=1,2,3", "sctp client=1,2", "sctp client=x,2,3", "sctp client=1,2,x", "ssn 1", "stream x"} {
		if _, err := transcript.Parse("test", wrong+"\nend"); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}
