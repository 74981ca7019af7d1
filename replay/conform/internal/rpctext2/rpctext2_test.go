package rpctext2_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// Octets written by hand.
func TestVersion2(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"NULL", rpctext2.Null(0x6b000004, 100003, 3), `6b000004 00000002 02000001 00000000 00000000 00000000 00000000 00000000
			00000000 6b000004 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000`},
		{"Reply", rpctext2.NullReply(0x6b000004, rpctext.Success), `6b000004 00000002 ?*4 00000000 00000001 ?*4 00000000 00000000
			00000000 6b000004 00000001 00000000 00000000 00000000 00000000`},
		{"grant", rpctext2.Grant(16), "00000000 00000002 02000010 00000001 00000000 00000000 00000000 00000000 00000000"},
		{"properties", rpctext2.ConnProp(), "70000001 00000002 02000020 00000005 00000000 00000001 00000002 00000004 00001000"},
		{"error", rpctext2.Error(0x6b0000e9, rpctext2.WriteResource, 1, 65536), "6b0000e9 00000002 ?*4 00000004 00000001 00000009 00000001 00010000"},
		{"chunks", rpctext2.Invalidating(7, 0x1100aa01, rpctext.Chunks{
			Reads: []rpctext.ReadSegment{{Position: 72, Segment: rpctext.Segment{Handle: 0x1100aa01, Length: 4096, Offset: 0x7f0010000000}}},
		}, "00000007").With(rpctext2.More).String(), `00000007 00000002 02000001 00000000 00000002 1100aa01 00000001 00000048 1100aa01 00001000
			00007f0010000000 00000000 00000000 00000000 00000007`},
	} {
		if want := strings.Join(strings.Fields(tt.want), " "); tt.got != want {
			t.Errorf("%s is\n%s\nwant\n%s", tt.name, tt.got, want)
		}
	}
}

// What is right breaks no rule.
func TestVersion2Checked(t *testing.T) {
	for _, text := range []string{
		rpctext2.Null(1, rpctext.Program, rpctext.ProgramVersion), rpctext2.ConnProp(), rpctext2.Grant(1), rpctext2.Refusing(1, rpctext2.BadXDR).String(),
		rpctext2.NoMsg(1, rpctext.Chunks{Reads: []rpctext.ReadSegment{{Segment: rpctext.Segment{Handle: 1, Length: 40}}}}).String(),
	} {
		octets, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		var m rpcrdma.Message
		m.Decode(octets, len(octets), rpcrdma.DialectVersion2)
		var law rpcrules.Stream
		law.Missed(rpcrules.Client)
		law.Missed(rpcrules.Server)
		if _, v := law.Message(rpcrules.Client, &m, nil); m.Err != nil || len(v) > 0 {
			t.Errorf("%s: %v, %v", text, m.Err, v)
		}
	}
}
