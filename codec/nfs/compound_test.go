package nfs_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// opaque is opaque data of n octets, given with its fill.
func opaque(data string, n int) oncrpc.Opaque {
	return oncrpc.Opaque{Length: uint32(n), Data: []byte(data[:n]), Fill: []byte(data[n:])}
}

func TestCompound(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		fresh      func() codectest.Header
		table      *field.Table
		want       codectest.Header
	}{
		{"COMPOUND of minor version 1", "00000000 00000001 00000004", func() codectest.Header { return new(nfs.CompoundArgs) }, nfs.TagFields,
			&nfs.CompoundArgs{MinorVersion: 1, NumOps: 4}},
		{"COMPOUND with tag", "00000005 6d6f756e 74000000 00000000 00000002", func() codectest.Header { return new(nfs.CompoundArgs) }, nfs.TagFields,
			&nfs.CompoundArgs{Tag: opaque("mount\x00\x00\x00", 5), NumOps: 2}},
		{"CB_COMPOUND", "00000000 00000001 00000007 00000002", func() codectest.Header { return new(nfs.CBCompoundArgs) }, nfs.TagFields,
			&nfs.CBCompoundArgs{MinorVersion: 1, CallbackIdent: 7, NumOps: 2}},
		{"results", "00002718 00000001 61000000 00000003", func() codectest.Header { return new(nfs.CompoundRes) }, nfs.CompoundResFields,
			&nfs.CompoundRes{Status: 10008, Tag: opaque("a\x00\x00\x00", 1), NumRes: 3}},
		{"result", "00000035 00002724", func() codectest.Header { return new(nfs.Result) }, nfs.ResultFields,
			&nfs.Result{ResOp: nfs.OpSequence, Status: 10020}},
	} {
		b := octets(t, tc.wire)
		got := tc.fresh()
		if n, err := got.Decode(append(b, 0xaa)); n != len(b) || err != nil {
			t.Errorf("%s: n = %d, %v", tc.name, n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		if tc.name != "COMPOUND with tag" { // whose bits in the tag's length move the octets between tag and fill
			codectest.Laws(t, tc.fresh, tc.table, b)
		}
	}
}

func TestCompoundCut(t *testing.T) {
	args, cb, res := octets(t, "00000001 61000000 00000001 00000002"), octets(t, "00000001 61000000 00000001 00000003 00000002"), octets(t, "00000000 00000001 61000000 00000002")
	for _, tc := range []struct {
		header codectest.Header
		wire   []byte
		cut    int
		want   string
	}{
		{new(nfs.CompoundArgs), args, 3, "NFSv4 tag: tag length"},
		{new(nfs.CompoundArgs), args, 4, "NFSv4 tag: tag"},
		{new(nfs.CompoundArgs), args, 7, "NFSv4 tag: tag fill"},
		{new(nfs.CompoundArgs), args, 8, "NFSv4 COMPOUND arguments: minorversion"},
		{new(nfs.CompoundArgs), args, 15, "NFSv4 COMPOUND arguments: number of operations"},
		{new(nfs.CBCompoundArgs), cb, 3, "NFSv4 tag: tag length"},
		{new(nfs.CBCompoundArgs), cb, 12, "NFSv4 CB_COMPOUND arguments: callback_ident"},
		{new(nfs.CBCompoundArgs), cb, 19, "NFSv4 CB_COMPOUND arguments: number of operations"},
		{new(nfs.CompoundRes), res, 3, "NFSv4 COMPOUND results: status"},
		{new(nfs.CompoundRes), res, 4, "NFSv4 tag: tag length"},
		{new(nfs.CompoundRes), res, 12, "NFSv4 results: number of results"},
	} {
		if n, err := tc.header.Decode(tc.wire[:tc.cut]); n != tc.cut || err == nil || err.Error() != tc.want+": header ends early" {
			t.Errorf("cut at %d: n = %d, %v, want %s", tc.cut, n, err, tc.want)
		}
		if tc.cut >= 12 {
			if c, ok := tc.header.(*nfs.CompoundArgs); ok && c.MinorVersion != 1 {
				t.Errorf("cut at %d: %+v", tc.cut, c)
			}
		}
	}
}

// TestCompoundReply reads captured results to their first result.
func TestCompoundReply(t *testing.T) {
	for _, tc := range []struct {
		name   string
		want   nfs.CompoundRes
		result nfs.Result
	}{
		{"v4.0 LOOKUP reply", nfs.CompoundRes{Status: 2, NumRes: 2}, nfs.Result{ResOp: nfs.OpPutFH}},
		{"v4.1 CB_RECALL_ANY reply", nfs.CompoundRes{NumRes: 2}, nfs.Result{ResOp: nfs.Op(nfs.OpCBSequence)}},
	} {
		b := message(t, tc.name)
		var reply oncrpc.Reply
		var res nfs.CompoundRes
		var result nfs.Result
		n, _ := reply.Decode(b)
		m, err := res.Decode(b[n:])
		if err != nil || !cmp.Equal(res, tc.want) {
			t.Errorf("%s: %+v, %v", tc.name, res, err)
		}
		if _, err := result.Decode(b[n+m:]); err != nil || result != tc.result {
			t.Errorf("%s: %+v, %v", tc.name, result, err)
		}
	}
}
