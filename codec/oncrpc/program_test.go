package oncrpc_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

func TestProcedure(t *testing.T) {
	for _, tc := range []struct {
		program         oncrpc.Program
		version, number uint32
		want            string
		known           bool
	}{
		{100000, 2, 3, "RPCBINDv2 GETPORT", true},
		{100000, 3, 3, "RPCBINDv3 GETADDR", true},
		{100000, 4, 5, "RPCBINDv4 BCAST", true},
		{100000, 4, 12, "RPCBINDv4 GETSTAT", true},
		{100003, 2, 8, "NFSv2 WRITE", true},
		{100003, 2, 17, "NFSv2 STATFS", true},
		{100003, 3, 7, "NFSv3 WRITE", true},
		{100003, 3, 21, "NFSv3 COMMIT", true},
		{100003, 3, 22, "NFSv3 Procedure22", false},
		{100003, 4, 1, "NFSv4 COMPOUND", true},
		{100003, 5, 1, "NFSv5 Procedure1", false},
		{100005, 1, 6, "MOUNTv1 EXPORTALL", true},
		{100005, 2, 7, "MOUNTv2 PATHCONF", true},
		{100005, 3, 5, "MOUNTv3 EXPORT", true},
		{100021, 1, 15, "NLMv1 GRANTED_RES", true},
		{100021, 4, 2, "NLMv4 LOCK", true},
		{100021, 4, 16, "NLMv4 Procedure16", false},
		{100021, 3, 23, "NLMv3 FREE_ALL", true},
		{100024, 1, 6, "NSMv1 NOTIFY", true},
		{100227, 3, 1, "NFSACLv3 GETACL", true},
		{0x40000000, 1, 1, "NFSCBv1 CB_COMPOUND", true},
		{0x40000000, 4, 0, "NFSCBv4 CB_NULL", true},
		{0x40000001, 1, 1, "Program1073741825v1 Procedure1", false},
		{200000, 1<<32 - 1, 1<<32 - 1, "Program200000v4294967295 Procedure4294967295", false},
	} {
		p := oncrpc.Procedure{Program: tc.program, Version: tc.version, Number: tc.number}
		if p.String() != tc.want || p.Known() != tc.known {
			t.Errorf("%d/%d/%d is %s, known %v, want %s", tc.program, tc.version, tc.number, p, p.Known(), tc.want)
		}
		names := p.Fields().Lookup("rpc.procedure").Names
		if tc.known && (names == nil || names(uint64(tc.number)) != p.Name()) {
			t.Errorf("%s: the field table has another name", p)
		}
	}
}

func TestProcedures(t *testing.T) {
	n := 0
	for p := range oncrpc.Procedures() {
		if !p.Known() {
			t.Errorf("%s is not known", p)
		}
		n++
	}
	// portmap 6, rpcbind 9 and 13, NFS 18, 22 and 2, MOUNT 7, 8 and 6, NLM 16, 16, 20 and 20, NSM 7, NFSACL 6 and 4, callbacks 2 and 2
	if want := 6 + 9 + 13 + 18 + 22 + 2 + 7 + 8 + 6 + 16 + 16 + 20 + 20 + 7 + 6 + 4 + 2 + 2; n != want {
		t.Errorf("%d procedures, want %d", n, want)
	}
	for range oncrpc.Procedures() {
		break
	}
}

func TestCallback(t *testing.T) {
	dynamic := oncrpc.Procedure{Program: 0x40001234, Version: 1, Number: 1}
	if dynamic.IsCBCompound() || dynamic.Program.Known() || !dynamic.Program.Transient() {
		t.Errorf("%s: guessed to be a callback", dynamic)
	}
	if p, ok := dynamic.AsCallback(); !ok || p.String() != "NFSCBv1 CB_COMPOUND" || !p.IsCBCompound() || p.IsCompound() {
		t.Errorf("%s is %s, %v", dynamic, p, ok)
	}
	for _, p := range []oncrpc.Procedure{{oncrpc.ProgramNFS, 4, 1}, {0x40001234, 2, 1}, {0x3fffffff, 1, 1}, {0x60000000, 1, 1}} {
		if back, ok := p.AsCallback(); ok || back != p {
			t.Errorf("%s is a callback: %s", p, back)
		}
	}
	if p := (oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: 4, Number: 1}); !p.IsCompound() || p.IsCBCompound() {
		t.Errorf("%s is not a COMPOUND", p)
	}
}

// TestEnums checks the names of known and unknown values.
func TestEnums(t *testing.T) {
	codectest.Names(t, "MsgType", oncrpc.MsgType.String, map[oncrpc.MsgType]string{0: "CALL", 1: "REPLY", 2: "MsgType2"})
	codectest.Names(t, "Flavor", oncrpc.Flavor.String, map[oncrpc.Flavor]string{
		0: "AUTH_NONE", 1: "AUTH_SYS", 2: "AUTH_SHORT", 3: "AUTH_DH", 6: "RPCSEC_GSS", 7: "AUTH_TLS", 300001: "AUTH_GSSAPI", 8: "Flavor8"})
	codectest.Names(t, "ReplyStat", oncrpc.ReplyStat.String, map[oncrpc.ReplyStat]string{0: "MSG_ACCEPTED", 1: "MSG_DENIED", 9: "ReplyStat9"})
	codectest.Names(t, "AcceptStat", oncrpc.AcceptStat.String, map[oncrpc.AcceptStat]string{4: "GARBAGE_ARGS", 6: "AcceptStat6"})
	codectest.Names(t, "RejectStat", oncrpc.RejectStat.String, map[oncrpc.RejectStat]string{1: "AUTH_ERROR", 2: "RejectStat2"})
	codectest.Names(t, "AuthStat", oncrpc.AuthStat.String, map[oncrpc.AuthStat]string{
		5: "AUTH_TOOWEAK", 13: "RPCSEC_GSS_CREDPROBLEM", 14: "RPCSEC_GSS_CTXPROBLEM", 15: "AuthStat15"})
	codectest.Names(t, "GSSProc", oncrpc.GSSProc.String, map[oncrpc.GSSProc]string{2: "RPCSEC_GSS_CONTINUE_INIT", 7: "GSSProc7"})
	codectest.Names(t, "GSSService", oncrpc.GSSService.String, map[oncrpc.GSSService]string{3: "rpc_gss_svc_privacy", 0: "GSSService0"})
	codectest.Names(t, "Program", oncrpc.Program.String, map[oncrpc.Program]string{100005: "MOUNT", 100099: "Program100099"})

	if !oncrpc.Flavor(1).Known() || oncrpc.Flavor(8).Known() {
		t.Error("Known is wrong")
	}
}
