package oncrpc_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// opaque is opaque data as it is decoded.
func opaque(data string) oncrpc.Opaque {
	if data == "" {
		return oncrpc.Opaque{}
	}
	o := oncrpc.Opaque{Length: uint32(len(data)), Data: []byte(data)}
	if fill := oncrpc.Fill(len(data)); fill > 0 {
		o.Fill = make([]byte, fill)
	}
	return o
}

func TestCall(t *testing.T) {
	const rig = "\x00\x00\x00\x00\x00\x00\x00\x03rig\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	for _, tc := range []struct {
		name      string
		n         int // octets of the header
		want      oncrpc.Call
		procedure string
	}{
		{"v3 NULL call", 40, oncrpc.Call{XID: 0x0f0b97fd, RPCVers: 2, Prog: 100003, Vers: 3}, "NFSv3 NULL"},
		{"v3 READ call", 64, oncrpc.Call{XID: 0x5b0b97fd, RPCVers: 2, Prog: 100003, Vers: 3, Proc: 6,
			Cred: oncrpc.OpaqueAuth{Flavor: oncrpc.AuthSys, Body: opaque(rig)}}, "NFSv3 READ"},
		{"v4.1 CB_RECALL call", 64, oncrpc.Call{XID: 0xf8086c08, RPCVers: 2, Prog: 0x40000000, Vers: 1, Proc: 1,
			Cred: oncrpc.OpaqueAuth{Flavor: oncrpc.AuthSys, Body: opaque(rig)}}, "NFSCBv1 CB_COMPOUND"},
		{"call with odd auth", 52, oncrpc.Call{XID: 1, RPCVers: 2, Prog: 100005, Vers: 3, Proc: 1,
			Cred: oncrpc.OpaqueAuth{Flavor: oncrpc.AuthShort, Body: opaque("\x01\x02\x03\x04\x05")},
			Verf: oncrpc.OpaqueAuth{Flavor: oncrpc.AuthDH, Body: opaque("\x0a\x0b")}}, "MOUNTv3 MNT"},
	} {
		b := message(t, tc.name)
		var got oncrpc.Call
		if n, err := got.Decode(b); n != tc.n || err != nil {
			t.Errorf("%s: n = %d, want %d, %v", tc.name, n, tc.n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		if err := got.Check(); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if s := got.Procedure().String(); s != tc.procedure {
			t.Errorf("%s: calls %s, want %s", tc.name, s, tc.procedure)
		}
		if !oncrpc.IsCall(b) || oncrpc.IsReply(b) {
			t.Errorf("%s: is not a Call", tc.name)
		}
		codectest.Laws(t, func() codectest.Header { return new(oncrpc.Call) }, oncrpc.CallFields, b[:tc.n])
	}
}

// TestCallCut looks which field a cut is reported in, behind those of fixed place.
func TestCallCut(t *testing.T) {
	b := message(t, "call with odd auth")
	for cut, want := range map[int]string{
		0: "RPC Call header: xid", 7: "RPC Call header: mtype", 23: "RPC Call header: proc",
		24: "RPC credential: flavor", 27: "RPC credential: flavor", 28: "RPC credential: body length", 31: "RPC credential: body length",
		32: "RPC credential: body", 36: "RPC credential: body", 37: "RPC credential: body fill", 39: "RPC credential: body fill",
		40: "RPC verifier: flavor", 44: "RPC verifier: body length", 48: "RPC verifier: body", 49: "RPC verifier: body",
		50: "RPC verifier: body fill", 51: "RPC verifier: body fill",
	} {
		var h oncrpc.Call
		n, err := h.Decode(b[:cut:cut])
		if n != cut || !errors.Is(err, field.ErrShort) || err.Error() != want+": header ends early" {
			t.Errorf("cut at %d: n = %d, %v, want %s", cut, n, err, want)
		}
		if cut >= 24 && h.Proc != 1 || cut >= 40 && len(h.Cred.Body.Fill) != 3 || cut == 36 && string(h.Cred.Body.Data) != "\x01\x02\x03\x04" {
			t.Errorf("cut at %d: %+v", cut, h)
		}
	}
	var h oncrpc.Call
	h.Decode(b)
	h.Decode(b[:10])
	if h.Proc != 0 || h.Cred.Body.Data != nil {
		t.Errorf("something stayed behind: %+v", h)
	}
}

// TestHostileLength checks that a length beyond the message is shown, and costs nothing.
func TestHostileLength(t *testing.T) {
	b := message(t, "v3 NULL call")
	copy(b[28:], "\xff\xff\xff\xff")
	var h oncrpc.Call
	n, err := h.Decode(b)
	if n != len(b) || err == nil || err.Error() != "RPC credential: body: header ends early" || h.Cred.Body.Length != 1<<32-1 || len(h.Cred.Body.Data) != 8 {
		t.Errorf("n = %d, %v, %+v", n, err, h)
	}
	if allocs := testing.AllocsPerRun(100, func() { h.Decode(b) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestCallIsNoCall(t *testing.T) {
	reply := message(t, "v3 NULL reply")
	for _, b := range [][]byte{reply, reply[:8], append(bytes.Clone(reply), reply...)} {
		var h oncrpc.Call
		n, err := h.Decode(b)
		if n != 4 || !errors.Is(err, field.ErrValue) || h.XID != 0x0f0b97fd {
			t.Errorf("a Reply was decoded as a Call: n = %d, %v", n, err)
		}
	}
	if b := reply[:7]; oncrpc.IsCall(b) || oncrpc.IsReply(b) {
		t.Error("7 octets were recognised")
	}
}

func TestCheck(t *testing.T) {
	call := func(cred, verf oncrpc.Opaque) *oncrpc.Call {
		return &oncrpc.Call{RPCVers: 2, Cred: oncrpc.OpaqueAuth{Body: cred}, Verf: oncrpc.OpaqueAuth{Body: verf}}
	}
	none, long := oncrpc.Opaque{}, opaque(strings.Repeat("x", 401))
	for _, tc := range []struct {
		header interface{ Check() error }
		field  string // the field that is wrong; empty if none is
	}{
		{call(none, none), ""},
		{call(opaque(strings.Repeat("x", 400)), opaque("abc")), ""},
		{&oncrpc.Call{RPCVers: 3}, "rpcvers"},
		{call(long, none), "body length"},
		{call(none, long), "body length"},
		{call(oncrpc.Opaque{Length: 4, Data: []byte("abc")}, none), "body length"},
		{call(oncrpc.Opaque{Length: 3, Data: []byte("abc")}, none), "body fill"},
		{call(none, oncrpc.Opaque{Length: 3, Data: []byte("abc"), Fill: []byte{1}}), "body fill"},

		{&oncrpc.Reply{}, ""},
		{&oncrpc.Reply{Verf: oncrpc.OpaqueAuth{Body: long}}, "body length"},
		{&oncrpc.Reply{AcceptStat: 5}, ""},
		{&oncrpc.Reply{AcceptStat: 6}, "accept_stat"},
		{&oncrpc.Reply{ReplyStat: 1}, ""},
		{&oncrpc.Reply{ReplyStat: 1, RejectStat: 1, AuthStat: 14}, ""},
		{&oncrpc.Reply{ReplyStat: 1, RejectStat: 1, AuthStat: 15}, "auth_stat"},
		{&oncrpc.Reply{ReplyStat: 1, RejectStat: 2}, "reject_stat"},
		{&oncrpc.Reply{ReplyStat: 2}, "reply_stat"},
	} {
		codectest.Complains(t, tc.header, tc.field)
	}
}

func TestOpaqueSet(t *testing.T) {
	for n := range 9 {
		var o oncrpc.Opaque
		o.Set([]byte("abcdefgh")[:n])
		if o.Length != uint32(n) || o.Len()%4 != 0 || o.Len() < 4+n || o.Len() > 4+n+3 {
			t.Errorf("%d octets: %+v", n, o)
		}
		h := oncrpc.Call{RPCVers: 2, Cred: oncrpc.OpaqueAuth{Body: o}}
		if err := h.Check(); err != nil {
			t.Errorf("%d octets: %v", n, err)
		}
	}
}
