package oncrpc_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

func TestReply(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int // octets of the header
		want oncrpc.Reply
		stat string
	}{
		{"v3 NULL reply", 24, oncrpc.Reply{XID: 0x0f0b97fd}, "SUCCESS"},
		{"v4.0 LOOKUP reply", 24, oncrpc.Reply{XID: 0x00e58651}, "SUCCESS"},
		{"PROG_UNAVAIL", 24, oncrpc.Reply{XID: 5, AcceptStat: oncrpc.ProgUnavail}, "PROG_UNAVAIL"},
		{"PROG_MISMATCH", 32, oncrpc.Reply{XID: 5, AcceptStat: oncrpc.ProgMismatch, Low: 2, High: 4}, "PROG_MISMATCH"},
		{"PROC_UNAVAIL", 24, oncrpc.Reply{XID: 5, AcceptStat: oncrpc.ProcUnavail}, "PROC_UNAVAIL"},
		{"GARBAGE_ARGS", 24, oncrpc.Reply{XID: 5, AcceptStat: oncrpc.GarbageArgs}, "GARBAGE_ARGS"},
		{"SYSTEM_ERR", 24, oncrpc.Reply{XID: 5, AcceptStat: oncrpc.SystemErr}, "SYSTEM_ERR"},
		{"AcceptStat6", 24, oncrpc.Reply{XID: 5, AcceptStat: 6}, "AcceptStat6"},
		{"short verifier", 28, oncrpc.Reply{XID: 5, Verf: oncrpc.OpaqueAuth{Flavor: oncrpc.AuthShort, Body: opaque("abc")}}, "SUCCESS"},
		{"RPC_MISMATCH", 24, oncrpc.Reply{XID: 5, ReplyStat: oncrpc.Denied, RejectStat: oncrpc.RPCMismatch, Low: 2, High: 2}, "RPC_MISMATCH"},
		{"AUTH_TOOWEAK", 20, oncrpc.Reply{XID: 5, ReplyStat: oncrpc.Denied, RejectStat: oncrpc.AuthError, AuthStat: oncrpc.AuthTooWeak}, "AUTH_TOOWEAK"},
	} {
		b := message(t, tc.name)
		var got oncrpc.Reply
		if n, err := got.Decode(b); n != tc.n || err != nil {
			t.Errorf("%s: n = %d, want %d, %v", tc.name, n, tc.n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		if got.Stat() != tc.stat || got.Succeeded() != (tc.stat == "SUCCESS") {
			t.Errorf("%s: %s, succeeded %v", tc.name, got.Stat(), got.Succeeded())
		}
		if back, err := got.AppendBinary([]byte("kept")); err != nil || !bytes.Equal(back, append([]byte("kept"), b[:tc.n]...)) || got.Len() != tc.n {
			t.Errorf("%s: AppendBinary: % x, %v, Len %d", tc.name, back, err, got.Len())
		}
		if !oncrpc.IsReply(b) || oncrpc.IsCall(b) {
			t.Errorf("%s: is not a Reply", tc.name)
		}
		for cut := range tc.n {
			if n, err := got.Decode(b[:cut:cut]); n != cut || !errors.Is(err, field.ErrShort) {
				t.Errorf("%s: cut at %d: n = %d, %v", tc.name, cut, n, err)
			}
		}
		if allocs := testing.AllocsPerRun(100, func() { got.Decode(b); got.Decode(b[:tc.n-1]); got.Check() }); allocs != 0 {
			t.Errorf("%s: %v allocations", tc.name, allocs)
		}
	}
	codectest.Laws(t, func() codectest.Header { return new(oncrpc.Reply) }, oncrpc.ReplyFields, message(t, "v3 NULL reply"))
}

func TestReplyCut(t *testing.T) {
	for _, tc := range []struct {
		name string
		cut  int
		want string
	}{
		{"PROG_MISMATCH", 3, "RPC Reply header: xid"},
		{"PROG_MISMATCH", 11, "RPC Reply header: reply_stat"},
		{"PROG_MISMATCH", 12, "RPC verifier: flavor"},
		{"PROG_MISMATCH", 19, "RPC verifier: body length"},
		{"PROG_MISMATCH", 20, "RPC accepted Reply: accept_stat"},
		{"PROG_MISMATCH", 24, "RPC program mismatch: low"},
		{"PROG_MISMATCH", 28, "RPC program mismatch: high"},
		{"RPC_MISMATCH", 12, "RPC denied Reply: reject_stat"},
		{"RPC_MISMATCH", 16, "RPC version mismatch: low"},
		{"RPC_MISMATCH", 23, "RPC version mismatch: high"},
		{"AUTH_TOOWEAK", 16, "RPC authentication error: auth_stat"},
	} {
		var h oncrpc.Reply
		if n, err := h.Decode(message(t, tc.name)[:tc.cut]); n != tc.cut || err == nil || err.Error() != tc.want+": header ends early" {
			t.Errorf("%s cut at %d: n = %d, %v, want %s", tc.name, tc.cut, n, err, tc.want)
		}
		if tc.cut == 28 && h.Low != 2 {
			t.Errorf("%s cut at %d: %+v", tc.name, tc.cut, h)
		}
	}
}

// TestReplyUndefined checks that Decode stops where what follows is not known, and says where.
func TestReplyUndefined(t *testing.T) {
	for _, tc := range []struct {
		wire  string
		n     int
		field string
	}{
		{"00000005 00000000 00000000 00000000 00000000 00000000", 4, "mtype"},
		{"00000005 00000000", 4, "mtype"},
		{"00000005 00000001 00000002 00000000 00000000 00000000", 8, "reply_stat"},
		{"00000005 00000001 00000001 00000002 00000000 00000000", 12, "reject_stat"},
	} {
		var h oncrpc.Reply
		var e *field.Error
		n, err := h.Decode(octets(t, tc.wire))
		if n != tc.n || !errors.As(err, &e) || e.Field != tc.field || e.Reason != field.ErrValue || h.XID != 5 {
			t.Errorf("%s: n = %d, %v", tc.wire, n, err)
		}
	}
	h := oncrpc.Reply{XID: 5, ReplyStat: 7}
	if b, _ := h.AppendBinary(nil); len(b) != 12 || h.Len() != 12 || h.Stat() != "ReplyStat7" {
		t.Errorf("% x, Len %d, %s", b, h.Len(), h.Stat())
	}
}

func TestNotOffered(t *testing.T) {
	for stat, want := range map[oncrpc.AcceptStat]bool{
		oncrpc.Success: false, oncrpc.ProgUnavail: true, oncrpc.ProgMismatch: true, oncrpc.ProcUnavail: true,
		oncrpc.GarbageArgs: false, oncrpc.SystemErr: false, 6: false,
	} {
		if stat.NotOffered() != want {
			t.Errorf("%v: not offered %v", stat, !want)
		}
	}
}
