package rpcrdma_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// TestDetect checks that every vector is recognised, whole and cut, by its own words.
func TestDetect(t *testing.T) {
	incomplete := map[string]bool{"DONE": true} // shorter than what may be believed
	for name, v := range vectors {
		message := v.message(t)
		want := v.dialect
		if got := rpcrdma.DetectDialect(message, len(message)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if d, ok := rpcrdma.Recognize(message, len(message)); d != want || ok == incomplete[name] {
			t.Errorf("%s: recognised %s, %v", name, d, ok)
		}
		if cut := message[:len(message)-4]; len(cut) > 28 {
			if d, ok := rpcrdma.Recognize(cut, len(message)); d != want || !ok {
				t.Errorf("%s, cut: recognised %s, %v", name, d, ok)
			}
		}
		if got := want.Of(message, len(message)); got != want {
			t.Errorf("%s: on its own connection it is %s", name, got)
		}
		if got := rpcrdma.DialectUnknown.Of(message, len(message)); got != want {
			t.Errorf("%s: on a new connection it is %s", name, got)
		}
		for cut := range 16 {
			if got := rpcrdma.DetectDialect(message[:cut], len(message)); got != rpcrdma.DialectUnknown {
				t.Errorf("%s: %d octets are %s", name, cut, got)
			}
		}
	}
}

// TestDetectErrors goes through the forms of an error, and through messages that are of no dialect.
func TestDetectErrors(t *testing.T) {
	const prefix = "c0000001 00000002 00000020 00000004"
	for _, tc := range []struct {
		wire string
		want rpcrdma.Dialect
	}{
		{prefix + "00000001 00000001 00000002 00000002", v2}, // VERS 2 to 2
		{prefix + "00000001 00000009 00000001 00010000", v2}, // WRITE_RESOURCE
		{prefix + "00000001 00000006 00000000", v2},
		{prefix + "00000001 00000007 00000000", v2},
		{prefix + "00000001 00000008 00000000", v2},
		{prefix + "00000001 0000000a 00000000", v2},
		{prefix + "00000001 00000001 00000001", v1}, // VERS 1 to 1
		{prefix + "00000001 00000001 00000002", v1},
		{prefix + "00000001 00000002", v2}, // BAD_XDR
		{prefix + "00000002", dr},          // BAD_XDR
		{prefix + "00000006 00000003", dr},
		{prefix + "00000009 00000001 00010000", dr},
		{prefix + "00000001", rpcrdma.DialectUnknown}, // VERS without a range
		{prefix + "00000002 00", rpcrdma.DialectUnknown},
		{prefix, rpcrdma.DialectUnknown},
		{"c0000001 00000007 00000020 00000004 00000001 00000001 00000001", v1},
		{"c0000001 00000007 00000020 00000004 00000001 00000006 00000007", v1}, // not READ_CHUNKS: the version is unknown
		{"c0000001 00000007 00000020 00000004 00000001 00000001 00000001 00000002", v2},
		{"c0000001 00000007 00000020 00000004 00000001 00000009 00000001 00000002", rpcrdma.DialectUnknown},
		{"c0000001 00000007 00000020 00000004 00000002", v1},
		{"c0000001 00000007 00000020 00000004 0000000b", dr}, // VERS_MISMATCH: the version is that of the message at fault
		{"c0000001 00000001 00000020 00000004 0000000b", dr},
		{"c0000001 00000001 00000020 00000004 00000001 00000001 00000002 00000002", v2}, // VERS, to a message of version 1
		{"c0000001 00000001 00000020 00000004 00000001 00000002 00000002", v1},
		{"c0000001 00000001 00000020 00000004 00000002", v1},
		{"c0000001 00000001 00000020 00000004 00000003", v1},
		{"c0000001 00000001 00000020 00000004", v1},
		{"c0000001 00000007 00000020 00000000 00000000 00000000 00000000", rpcrdma.DialectUnknown},
		{"c0000001 00000002 00000020 00000002 00000000 00000000 00000000", rpcrdma.DialectUnknown},
		{"c0000001 00000002 00000020 0000000e 00000000 00000000 00000000", rpcrdma.DialectUnknown},
		{"c0000001 00000002 00000020 00000005 00000000", rpcrdma.DialectUnknown}, // neither GRANT nor CONNPROP
	} {
		b := octets(t, tc.wire)
		if got := rpcrdma.DetectDialect(b, len(b)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.wire, got, tc.want)
		}
	}
}

// TestOf looks how a known connection decides about messages that could be of several dialects.
func TestOf(t *testing.T) {
	for _, tc := range []struct {
		on     rpcrdma.Dialect
		vector string
		want   rpcrdma.Dialect
	}{
		{v2, "ERR_VERS to version 2", v1}, // the classic: read as Version2 its body would be cut
		{dr, "ERR_VERS to version 2", dr}, // which has the same layout
		{v1, "ERR_VERS to version 2", v1},
		{v2, "kernel Call", v1}, // the peers have gone back to version 1
		{v1, "CONNPROP", v2},    // or begin anew
		{v2, "2022 GRANT", v2},  // a connection keeps to its dialect
		{dr, "BAD_XDR", dr},
	} {
		v := vectors[tc.vector]
		message := v.message(t)
		if got := tc.on.Of(message, len(message)); got != tc.want {
			t.Errorf("%s on a connection of %s: %s, want %s", tc.vector, tc.on, got, tc.want)
		}
	}
}

// TestNotRecognized checks that octets of other protocols, and broken messages, are not taken for RPC-over-RDMA.
func TestNotRecognized(t *testing.T) {
	for name, wire := range map[string]string{
		"nothing":            "",
		"an RPC Call on TCP": "80000028 5a000001 00000000 00000002 000186a3 00000003 00000000 00000000",
		"other XID":          vectors["kernel Call"].header + "41218ef9 00000000",
		"no payload":         vectors["kernel Call"].header,
		"Proc 5":             "5a000001 00000001 00000020 00000005 00000000 00000000 00000000",
		"payload of NOMSG":   vectors["Long Call"].header + "00000000",
		"bad word":           "5a000001 00000001 00000020 00000000 00000002 00000000 00000000",
		"Read list cut":      "5a000001 00000001 00000020 00000000 00000001 00000000 00000000",
		"27 octets":          "5a000001 00000001 00000020 00000000 00000000 00000000 000000",
		"properties cut":     "c0000001 00000002 00080004 00000005 00000000 00000001",
	} {
		b := octets(t, wire)
		if d, ok := rpcrdma.Recognize(b, len(b)); ok {
			t.Errorf("%s: recognised as %s", name, d)
		}
	}
}
