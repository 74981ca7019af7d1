package rpcrules

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// TestProperties tests which properties a receiver accepts, and with which error it refuses the others.
func TestProperties(t *testing.T) {
	const start = "c0000001 00000002 02000020 00000005 00000000 "
	for octets, want := range map[string]string{
		"00000001 00000002 00000004 00001000":                   "other:",
		"00000001 00000002 00000000":                            "other:",
		"00000001 00000002 00000001 01000000":                   "drop BAD_PROPVAL:rpc2-property",
		"00000001 00000002 00000008 00000000":                   "drop BAD_PROPVAL:rpc2-property",
		"00000001 00000002":                                     "drop BAD_XDR:rpc2-xdr",
		"00000001 00000005 00000004 00000004":                   "other:rpc2-property", // a number like any other
		"00000001 00000063 00000001 010000ff":                   "other:rpc2-property", // unknown: skipped
		"00000001 00000006 0000000c 00000005 61616161 610000ff": "other:rpc2-property",
	} {
		k := newTalk(t, Conditions{})
		_, fate, broken := k.send(Client, hexOctets(t, start+octets))
		if got := k.describe(fate) + ":" + broken; got != want {
			t.Errorf("%s: %s, want %s", octets, got, want)
		}
	}
}

// TestRefused checks that the rest of a refused RPC message is ignored.
func TestRefused(t *testing.T) {
	k := newTalk(t, Conditions{})
	for _, s := range []struct {
		refused uint32 // XID of what is refused first
		octets  []byte
		want    string
	}{
		{0, message2(1, rpcrdma.HTypeMsg, rpcrdma.FlagMore, "abcd"), "part first"},
		{2, message2(1, rpcrdma.HTypeMsg, rpcrdma.FlagMore, "abcd"), "part"},
		{1, message2(1, rpcrdma.HTypeMsg, rpcrdma.FlagMore, "abcd"), "drop"},
		{0, message2(1, rpcrdma.HTypeMsg, 0, "abcd"), "drop"},
		{1, message2(1, rpcrdma.HTypeMsg, 0, "abcd"), "whole"},
	} {
		k.stream.Refused(Client, s.refused)
		if _, fate, _ := k.send(Client, s.octets); k.describe(fate) != s.want {
			t.Errorf("%s, want %s", k.describe(fate), s.want)
		}
	}
}

// TestSegmentsError tests the limit in RDMA2_ERR_SEGMENTS: the Call exceeds it, unless one of its segments is too long.
func TestSegmentsError(t *testing.T) {
	for _, tc := range []struct {
		segments, length int
		broken           string
	}{
		{17, 8, ""}, {16, 8, "rpc2-error-limit"}, {1, 1 << 20, "rpc2-error-limit"}, {1, 1<<20 + 1, ""},
	} {
		var s Stream
		s.Reset(Conditions{})
		call := rpcrdma.Message{Dialect: rpcrdma.DialectVersion2, Vers: rpcrdma.Vers2}
		for range tc.segments {
			call.Reads = call.Reads.Append(40, rpcrdma.Segment{Handle: 1, Length: uint32(tc.length)})
		}
		var c Call
		c.Keep(&call, 1, nil, 1<<20)
		refusal := rpcrdma.Message{
			Dialect: rpcrdma.DialectVersion2, Vers: rpcrdma.Vers2, Form: rpcrdma.FormError,
			Error: rpcrdma.Error2{Err: rpcrdma.ErrCode2Segments, MaxSegments: 16},
		}
		if got := violated(s.Answered(Server, &c, &refusal, 1, 0, nil)); got != tc.broken {
			t.Errorf("%d segments of %d octets: %q", tc.segments, tc.length, got)
		}
	}
}

// TestErrorForCutCall refuses Calls of which only the XID was captured: whether that is right is not known.
func TestErrorForCutCall(t *testing.T) {
	for _, d := range []rpcrdma.Dialect{rpcrdma.DialectVersion1, rpcrdma.DialectVersion2} {
		for err := range rpcrdma.ErrCode2(20) {
			var s Stream
			s.Reset(Conditions{})
			var c Call
			c.Keep(&rpcrdma.Message{XID: 1}, 1, nil, 1<<20)
			c.Lose()
			refusal := rpcrdma.Message{Dialect: d, XID: 1, Vers: uint32(d), Form: rpcrdma.FormError, Error: rpcrdma.Error2{Err: err, VersHigh: 9}}
			if got := violated(s.Answered(Server, &c, &refusal, 1, 0, nil)); got != "" {
				t.Errorf("%v, error %d: %q", d, err, got)
			}
		}
	}
}

// TestSequenceUnfinished tests the end of a connection within an RPC message: the side that had credits left is to
// blame.
func TestSequenceUnfinished(t *testing.T) {
	for _, tc := range []struct {
		parts  int // 31 credits are left when the first one is sent
		broken string
	}{{1, "rpc2-sequence-end"}, {30, "rpc2-sequence-end"}, {31, ""}} {
		k := newTalk(t, Conditions{})
		k.send(Client, message2(0xc1, rpcrdma.HTypeConnProp, 0, ""))
		opening := message2(0xd1, rpcrdma.HTypeConnProp, 0, "")
		opening[11] = 31
		k.send(Server, opening)
		for range tc.parts {
			k.send(Client, message2(1, rpcrdma.HTypeMsg, rpcrdma.FlagMore, "abcd"))
		}
		if got := violated(k.stream.End(Client, nil)); got != tc.broken {
			t.Errorf("%d parts: %q", tc.parts, got)
		}
	}
}
