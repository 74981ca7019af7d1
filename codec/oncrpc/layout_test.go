package oncrpc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

func TestLayout(t *testing.T) {
	const rig = "0+24 RPC Call header, 24+32 RPC credential, 32+11 AUTH_SYS credential, 43+1 XDR fill, 44+12 AUTH_SYS identity, 56+8 RPC verifier"
	messages := codectest.Messages(t, "testdata/messages.txt")
	for name, want := range map[string]string{
		"v3 NULL call":          "0+24 RPC Call header, 24+8 RPC credential, 32+8 RPC verifier",
		"v3 READ call":          rig,
		"call with odd auth":    "0+24 RPC Call header, 24+13 RPC credential, 37+3 XDR fill, 40+10 RPC verifier, 50+2 XDR fill",
		"call with GSS context": "0+24 RPC Call header, 24+28 RPC credential, 32+20 RPCSEC_GSS credential, 52+8 RPC verifier",
		"call with privacy":     "0+24 RPC Call header, 24+32 RPC credential, 32+24 RPCSEC_GSS credential, 56+12 RPC verifier, 68+12 RPCSEC_GSS privacy data",

		"short verifier": "0+12 RPC Reply header, 12+11 RPC verifier, 23+1 XDR fill, 24+4 RPC accepted Reply",
		"SYSTEM_ERR":     "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply",
		"PROG_MISMATCH":  "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply, 24+8 RPC program mismatch",
		"RPC_MISMATCH":   "0+12 RPC Reply header, 12+4 RPC denied Reply, 16+8 RPC version mismatch",
		"AUTH_TOOWEAK":   "0+12 RPC Reply header, 12+4 RPC denied Reply, 16+4 RPC authentication error",
	} {
		checkLayout(t, messages[name], want)
	}
	for wire, want := range map[string]string{
		"":                           "",
		"00000001 00":                "0+5 RPC Call header",
		"00000001 00000002 00000000": "0+12 RPC Call header",
		"00000001 00000002 00000002 000186a3 00000003 00000000 00000000 00000000": "0+24 RPC Call header",
		"00000001 00000001 00000002 00000000":                                     "0+12 RPC Reply header",
		"00000001 00000001 00000001 00000002 00000000":                            "0+12 RPC Reply header, 12+4 RPC denied Reply",
		// a credential of AUTH_SYS with octets behind its gids
		"00000001 00000000 00000002 000186a3 00000003 00000000 00000001 0000001a 00000000 00000000 00000000 00000000 00000000 aabbccddeeff 0000": "0+24 RPC Call header, 24+34 RPC credential, 32+8 AUTH_SYS credential, 40+12 AUTH_SYS identity, 52+6 RPC credential trailing octets, 58+2 XDR fill",
		// a credential of RPCSEC_GSS of version 9
		"00000001 00000000 00000002 000186a3 00000003 00000000 00000006 00000008 00000009 00000000": "0+24 RPC Call header, 24+16 RPC credential, 32+8 RPCSEC_GSS credential",
	} {
		checkLayout(t, octets(t, wire), want)
	}
}

// checkLayout compares the parts of a message, as "offset+length table".
func checkLayout(t *testing.T, message []byte, want string) {
	t.Helper()
	var call oncrpc.Call
	call.Decode(message)
	room := make([]field.Part, 0, oncrpc.MaxParts)
	var got []string
	parts, _ := oncrpc.AppendLayout(room, message, call.Exchange())
	for _, p := range parts {
		got = append(got, fmt.Sprintf("%d+%d %s", p.Off, len(p.Octets), p.Table.Name))
	}
	if d := cmp.Diff(want, strings.Join(got, ", ")); d != "" {
		t.Errorf("% x: (-want +got)\n%s", message, d)
	}
	if allocs := testing.AllocsPerRun(100, func() { oncrpc.AppendLayout(room, message, call.Exchange()) }); allocs != 0 {
		t.Errorf("% x: %v allocations", message, allocs)
	}
}
