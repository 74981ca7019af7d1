package rpcrdma_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// names checks that the values of an enumeration have these names.
func names[T ~uint8 | ~uint32](t *testing.T, want map[T]string) {
	t.Helper()
	for v, name := range want {
		if got := fmt.Sprint(v); got != name {
			t.Errorf("%T %d is called %s, want %s", v, v, got, name)
		}
	}
}

func TestNames(t *testing.T) {
	names(t, map[rpcrdma.Proc]string{0: "RDMA_MSG", 1: "RDMA_NOMSG", 2: "RDMA_MSGP", 3: "RDMA_DONE", 4: "RDMA_ERROR", 5: "Proc5"})
	names(t, map[rpcrdma.ErrCode]string{0: "ErrCode0", 1: "ERR_VERS", 2: "ERR_CHUNK", 3: "ErrCode3"})
	names(t, map[rpcrdma.HType]string{0: "RDMA2_MSG", 1: "RDMA2_NOMSG", 2: "HType2", 4: "RDMA2_ERROR", 5: "RDMA2_CONNPROP", 1<<32 - 1: "HType4294967295"})
	names(t, map[rpcrdma.HType2022]string{3: "HType3", 4: "RDMA2_ERROR", 5: "RDMA2_GRANT", 6: "RDMA2_CONNPROP_MIDDLE",
		7: "RDMA2_CONNPROP_FINAL", 8: "RDMA2_CALL_EXTERNAL", 9: "RDMA2_CALL_MIDDLE", 10: "RDMA2_CALL_INLINE", 11: "RDMA2_REPLY_EXTERNAL",
		12: "RDMA2_REPLY_MIDDLE", 13: "RDMA2_REPLY_INLINE", 14: "HType14"})
	names(t, map[rpcrdma.ErrCode2]string{1: "RDMA2_ERR_VERS", 2: "RDMA2_ERR_BAD_XDR", 3: "RDMA2_ERR_BAD_PROPVAL",
		4: "RDMA2_ERR_INVAL_HTYPE", 5: "RDMA2_ERR_INVAL_CONT", 6: "RDMA2_ERR_READ_CHUNKS", 7: "RDMA2_ERR_WRITE_CHUNKS", 8: "RDMA2_ERR_SEGMENTS",
		9: "RDMA2_ERR_WRITE_RESOURCE", 10: "RDMA2_ERR_REPLY_RESOURCE", 11: "RDMA2_ERR_VERS_MISMATCH", 12: "ErrCode12", 100: "RDMA2_ERR_SYSTEM"})
	names(t, map[rpcrdma.PropID]string{0: "PropID0", 1: "SBSIZ", 2: "RBSIZ", 3: "RSSIZ", 4: "RCSIZ", 5: "BRS", 6: "HOSTAUTH", 7: "PropID7"})
	names(t, map[rpcrdma.ReverseSupport]string{0: "NONE", 1: "SIMPLE", 2: "CONT", 3: "GENL", 4: "ReverseSupport4"})
	names(t, map[rpcrdma.Dialect]string{0: "unknown", 1: "version1", 2: "version2", 3: "draft2022", 4: "Dialect4"})
	names(t, map[rpcrdma.Flags]string{0: "0", 1: "RDMA2_F_RESPONSE", 6: "RDMA2_F_MORE|RDMA2_F_TPMORE", 1<<31 | 1: "RDMA2_F_RESPONSE|0x80000000", 8: "0x00000008"})
}

// TestHeaderTypes compares what is said of the header types with the table of the draft.
func TestHeaderTypes(t *testing.T) {
	type properties struct{ known, payload, call, reply bool }
	for v, want := range map[rpcrdma.HType2022]properties{
		3:  {},
		4:  {known: true},
		5:  {known: true},
		6:  {known: true},
		7:  {known: true},
		8:  {known: true, call: true},
		9:  {known: true, call: true, payload: true},
		10: {known: true, call: true, payload: true},
		11: {known: true, reply: true},
		12: {known: true, reply: true, payload: true},
		13: {known: true, reply: true, payload: true},
		14: {},
	} {
		if got := (properties{v.Known(), v.HasPayload(), v.IsCall(), v.IsReply()}); got != want {
			t.Errorf("%s: %+v, want %+v", v, got, want)
		}
	}
	for _, d := range []struct {
		dialect rpcrdma.Dialect
		want    int
	}{{v1, 16}, {v2, 20}, {dr, 16}} {
		if got := d.dialect.PrefixLen(); got != d.want || got != prefixes[d.dialect].Len() {
			t.Errorf("%s: a prefix of %d octets", d.dialect, got)
		}
	}
}
