package oncrpc_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

func TestAuthSys(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		want       oncrpc.AuthSysParms
		groups     []uint32
	}{
		{"root of Linux", "00000000 00000003 72696700 00000000 00000000 00000000",
			oncrpc.AuthSysParms{MachineName: opaque("rig")}, nil},
		{"three groups", "12345678 00000004 686f7374 000003e8 00000064 00000003 00000064 0000001b ffffffff",
			oncrpc.AuthSysParms{Stamp: 0x12345678, MachineName: opaque("host"), UID: 1000, GID: 100, NumGIDs: 3,
				GIDs: []byte{0, 0, 0, 100, 0, 0, 0, 27, 255, 255, 255, 255}}, []uint32{100, 27, 1<<32 - 1}},
		{"no name", "00000000 00000000 00000001 00000002 00000000", oncrpc.AuthSysParms{UID: 1, GID: 2}, nil},
	} {
		b := octets(t, tc.wire)
		var got oncrpc.AuthSysParms
		if n, err := got.Decode(append(b, 0xaa)); n != len(b) || err != nil {
			t.Errorf("%s: n = %d, %v", tc.name, n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		if groups := slices.Collect(got.Groups()); !slices.Equal(groups, tc.groups) {
			t.Errorf("%s: groups %v", tc.name, groups)
		}
		codectest.Laws(t, func() codectest.Header { return new(oncrpc.AuthSysParms) }, oncrpc.AuthSysFields, b)
	}
	var a oncrpc.AuthSysParms
	wire := octets(t, "00000000 00000003 72696700 00000005 00000006 00000002 00000064 0000001b")
	for cut, want := range map[int]string{2: "AUTH_SYS credential: stamp", 9: "AUTH_SYS credential: machinename", 11: "AUTH_SYS credential: machinename fill",
		12: "AUTH_SYS identity: uid", 16: "AUTH_SYS identity: gid", 20: "AUTH_SYS identity: number of gids", 24: "AUTH_SYS identity: gids", 31: "AUTH_SYS identity: gids"} {
		if n, err := a.Decode(wire[:cut]); n != cut || err == nil || err.Error() != want+": header ends early" {
			t.Errorf("cut at %d: n = %d, %v, want %s", cut, n, err, want)
		}
		if cut >= 16 && a.UID != 5 || cut == 31 && len(a.GIDs) != 7 {
			t.Errorf("cut at %d: %+v", cut, a)
		}
	}
	for gid := range a.Groups() {
		if gid != 100 {
			t.Errorf("gid %d", gid)
		}
		break
	}
}

func TestGSSCred(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		want       oncrpc.GSSCred
		protection oncrpc.Protection
	}{
		{"context", "00000001 00000001 00000000 00000001 00000000",
			oncrpc.GSSCred{Version: 1, GSSProc: oncrpc.GSSInit, Service: oncrpc.GSSNone}, oncrpc.Context},
		{"none", "00000001 00000000 00000009 00000001 00000003 616263 00",
			oncrpc.GSSCred{Version: 1, SeqNum: 9, Service: oncrpc.GSSNone, Handle: opaque("abc")}, oncrpc.Plain},
		{"integrity", "00000002 00000000 00000009 00000002 00000000",
			oncrpc.GSSCred{Version: 2, SeqNum: 9, Service: oncrpc.GSSIntegrity}, oncrpc.Integrity},
		{"privacy", "00000003 00000000 00000009 00000003 00000000",
			oncrpc.GSSCred{Version: 3, SeqNum: 9, Service: oncrpc.GSSPrivacy}, oncrpc.Encrypted},
		{"channel", "00000002 00000000 00000009 00000004 00000000",
			oncrpc.GSSCred{Version: 2, SeqNum: 9, Service: oncrpc.GSSChannelProt}, oncrpc.Unknown},
	} {
		b := octets(t, tc.wire)
		var got oncrpc.GSSCred
		if n, err := got.Decode(append(b, 0xaa)); n != len(b) || err != nil {
			t.Errorf("%s: n = %d, %v", tc.name, n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		if got.Protection() != tc.protection {
			t.Errorf("%s: %s", tc.name, got.Protection())
		}
		codectest.Laws(t, func() codectest.Header { return new(oncrpc.GSSCred) }, oncrpc.GSSCredFields, b)
	}
	var c oncrpc.GSSCred
	if n, err := c.Decode(octets(t, "00000004 00000000")); n != 0 || !errors.Is(err, field.ErrValue) || c.Version != 4 {
		t.Errorf("version 4: n = %d, %v, %+v", n, err, c)
	}
}

// TestInitMajor reads what a server says of the token of a context.
func TestInitMajor(t *testing.T) {
	for _, tc := range []struct {
		wire, want string
		failed, ok bool
	}{
		{"00000001 61000000 00000000 00000000 00000080 00000000", "GSS_S_COMPLETE", false, true},
		{"00000001 61000000 00000001 00000000", "GSS_S_COMPLETE", false, true}, // GSS_S_CONTINUE_NEEDED
		{"00000000 000d0000 96c73a07 00000080 00000000", "GSS_S_FAILURE", true, true},
		{"00000000 00630000", "GSSMajor99", true, true},
		{"00000000 000d00", "GSS_S_COMPLETE", false, false},
		{"00000008 000d0000", "GSS_S_COMPLETE", false, false},
		{"", "GSS_S_COMPLETE", false, false},
	} {
		got, ok := oncrpc.InitMajor(octets(t, tc.wire))
		if got.String() != tc.want || got.Failed() != tc.failed || ok != tc.ok {
			t.Errorf("%s: %v, failed %v, ok %v", tc.wire, got, got.Failed(), ok)
		}
	}
}

// TestInitsContext has Calls that begin a context, and such that do not.
func TestInitsContext(t *testing.T) {
	for name, want := range map[string]bool{"v3 NULL call": false, "call with GSS context": true, "call with integrity": false} {
		var h oncrpc.Call
		h.Decode(message(t, name))
		if h.InitsContext() != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestProtection(t *testing.T) {
	for name, want := range map[string]oncrpc.Protection{
		"v3 NULL call": oncrpc.Plain, "v3 READ call": oncrpc.Plain, "call with GSS context": oncrpc.Context,
		"call with integrity": oncrpc.Integrity, "call with privacy": oncrpc.Encrypted,
	} {
		var h oncrpc.Call
		h.Decode(message(t, name))
		if got := h.Exchange(); got.Protection != want || got.Procedure != h.Procedure() {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if allocs := testing.AllocsPerRun(100, func() { h.Exchange() }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
	h := oncrpc.Call{Cred: oncrpc.OpaqueAuth{Flavor: oncrpc.RPCSECGSS, Body: opaque("\x00")}}
	if got := h.Protection(); got != oncrpc.Unknown {
		t.Errorf("a credential that is cut: %v", got)
	}
	if s := oncrpc.Protection(9).String(); s != "unknown" || oncrpc.Encrypted.String() != "encrypted" {
		t.Errorf("names: %s, %s", s, oncrpc.Encrypted)
	}
}

func TestUnwrap(t *testing.T) {
	for _, tc := range []struct {
		protection oncrpc.Protection
		body, want string
		off        int
		ok         bool
	}{
		{oncrpc.Plain, "abcd", "abcd", 0, true},
		{oncrpc.Integrity, "\x00\x00\x00\x06\x00\x00\x00\x01abcdefgh", "ab", 8, true},
		{oncrpc.Integrity, "\x00\x00\x00\x20\x00\x00\x00\x01abcdefgh", "abcdefgh", 8, true}, // cut
		{oncrpc.Integrity, "\xff\xff\xff\xff\x00\x00\x00\x01abcd", "abcd", 8, true},
		{oncrpc.Integrity, "\x00\x00\x00\x03\x00\x00\x00\x01abcd", "", 0, false}, // no room for seq_num
		{oncrpc.Integrity, "\x00\x00\x00\x06\x00\x00\x00", "", 0, false},
		{oncrpc.Encrypted, "\x00\x00\x00\x04abcd", "", 0, false},
		{oncrpc.Context, "\x00\x00\x00\x04abcd", "", 0, false},
		{oncrpc.Unknown, "abcd", "", 0, false},
	} {
		if b, off, ok := tc.protection.Unwrap([]byte(tc.body)); string(b) != tc.want || off != tc.off || ok != tc.ok {
			t.Errorf("%s %q: %q, %d, %v", tc.protection, tc.body, b, off, ok)
		}
	}
}
