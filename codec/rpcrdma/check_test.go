package rpcrdma_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

func TestCheckRPC(t *testing.T) {
	for _, tc := range []struct {
		rpc   string
		reply bool
		want  string
	}{
		{"00000007 00000000", false, ""},
		{"00000007 00000001 00", true, ""},
		{"00000007 00000001", false, "RPC message: msg_type: value is not allowed: contradicts the transport header (draft 01, section 6.2.2.1)"},
		{"00000007 00000000", true, "RPC message: msg_type: value is not allowed: contradicts the transport header (draft 01, section 6.2.2.1)"},
		{"00000008 00000000", false, "RPC message: xid: value is not allowed: must be rdma_xid (RFC 8166, section 4.2.1)"},
		{"00000007", false, "RPC message: msg_type: header ends early"},
	} {
		err := rpcrdma.CheckRPC(octets(t, tc.rpc), 7, tc.reply)
		if err == nil && tc.want != "" || err != nil && err.Error() != tc.want {
			t.Errorf("%s: %v, want %q", tc.rpc, err, tc.want)
		}
	}
}

func TestIsReply(t *testing.T) {
	zero := rpcrdma.ReadList(nil).Append(0, a)
	reply := rpcrdma.WriteChunk(nil).Append(b)
	for name, tc := range map[string]struct {
		header    rpcrdma.Version1
		payload   string
		reply, ok bool
	}{
		"MSG Call":    {rpcrdma.Version1{}, "00000001 00000000", false, true},
		"MSG Reply":   {rpcrdma.Version1{}, "00000001 00000001", true, true},
		"MSG neither": {rpcrdma.Version1{}, "00000001 00000002", false, false},
		"MSG cut":     {rpcrdma.Version1{}, "00000001", false, false},
		"MSGP Reply":  {rpcrdma.Version1{Proc: rpcrdma.ProcMsgP}, "00000001 00000001", true, true},
		"NOMSG Call":  {rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg, Reads: zero, Reply: reply}, "", false, true},
		"NOMSG Reply": {rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg, Reply: reply}, "", true, true},
		"NOMSG empty": {rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg}, "", false, false},
		"ERROR":       {rpcrdma.Version1{Proc: rpcrdma.ProcError}, "", true, true},
	} {
		if reply, ok := tc.header.IsReply(octets(t, tc.payload)); ok != tc.ok || ok && reply != tc.reply {
			t.Errorf("%s: %v, %v", name, reply, ok)
		}
	}
	if _, ok := (&rpcrdma.Version1{Proc: rpcrdma.ProcDone}).IsReply(nil); ok {
		t.Error("an RDMA_DONE has a direction")
	}
}

func TestCreditGrant(t *testing.T) {
	for name, v := range vectors {
		if h, ok := v.want.(*rpcrdma.Version2); ok && h.IsCreditGrant() != (name == "credit grant") {
			t.Errorf("%s: %v", name, h.IsCreditGrant())
		}
	}
}
