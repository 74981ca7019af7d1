package rpcprivate_test

import (
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

func TestData(t *testing.T) {
	for wire, want := range map[string]rpcprivate.Data{
		"f6ab0e18 01 01 03 03": {Version: 1, R: true, SendSize: 3, ReceiveSize: 3}, // Linux client with inline thresholds of 4096
		"f6ab0e18 01 00 03 03": {Version: 1, SendSize: 3, ReceiveSize: 3},          // Linux server
		"f6ab0e18 02 ff ff 00": {Version: 2, Reserved: 127, R: true, SendSize: 255},
		"f6ab0e18 01 fe 00 ff": {Version: 1, Reserved: 127, ReceiveSize: 255},
	} {
		var got rpcprivate.Data
		if n, err := got.Decode(codectest.Octets(t, wire+"aa")); n != 8 || err != nil || got != want {
			t.Errorf("%s: n = %d, %v, %+v", wire, n, err, got)
		}
	}
	var p rpcprivate.Data
	if n, err := p.Decode(codectest.Octets(t, "f6ab0e19 01010303")); n != 0 || !errors.Is(err, field.ErrValue) {
		t.Errorf("another identifier: n = %d, %v", n, err)
	}
	if n, err := p.Decode(codectest.Octets(t, "f6ab0e18 0101")); n != 6 || err == nil || err.Error() != "RPC-over-RDMA Private Data: Send Size: header ends early" || !p.R {
		t.Errorf("cut: n = %d, %v", n, err)
	}
	if b, err := (&rpcprivate.Data{Reserved: 128}).AppendBinary([]byte("kept")); !errors.Is(err, field.ErrRange) || string(b) != "kept" {
		t.Errorf("%q, %v", b, err)
	}
	codectest.Laws(t, func() codectest.Header { return new(rpcprivate.Data) }, rpcprivate.Fields, codectest.Octets(t, "f6ab0e18 01010303"))
}

func TestFind(t *testing.T) {
	for _, tc := range []struct {
		private string
		off     int // -1 for none
	}{
		{"f6ab0e18 01010303", 0},
		{"80200020 f6ab0e18 01010303", 4}, // behind the words of RFC 6581
		{"f6 f6ab0e18 01010303 ff", 1},    // at an odd offset
		{"f6ab0e18 010103", -1},           // cut
		{"f6ab0e18 02010303", -1},         // another version
		{"180eabf6 01010303", -1},
		{"f6ab0e18", -1},
		{"", -1},
	} {
		if off, ok := rpcprivate.Find(codectest.Octets(t, tc.private)); ok != (tc.off >= 0) || ok && off != tc.off {
			t.Errorf("%s: %d, %v", tc.private, off, ok)
		}
	}
}

func TestSizes(t *testing.T) {
	for octets, size := range map[int]uint8{-1: 0, 0: 0, 1023: 0, 1024: 0, 2047: 0, 2048: 1, 4096: 3, 5000: 3, 262143: 254, 262144: 255, 1 << 30: 255} {
		if got := rpcprivate.EncodeSize(octets); got != size {
			t.Errorf("%d octets are %d, want %d", octets, got, size)
		}
	}
	for size, octets := range map[uint8]int{0: 1024, 3: 4096, 255: 262144} {
		if got := rpcprivate.DecodeSize(size); got != octets {
			t.Errorf("%d is %d octets, want %d", size, got, octets)
		}
	}
}

func TestAgree(t *testing.T) {
	client := &rpcprivate.Data{Version: 1, R: true, SendSize: 3, ReceiveSize: 3}
	server := &rpcprivate.Data{Version: 1, R: true, SendSize: 15, ReceiveSize: 1}
	for _, tc := range []struct {
		client, server *rpcprivate.Data
		want           rpcprivate.Agreed
	}{
		{client, server, rpcprivate.Agreed{ClientToServer: 2048, ServerToClient: 4096, R: true}},
		{server, client, rpcprivate.Agreed{ClientToServer: 4096, ServerToClient: 2048, R: true}},
		{client, nil, rpcprivate.Agreed{ClientToServer: 1024, ServerToClient: 1024}},
		{nil, server, rpcprivate.Agreed{ClientToServer: 1024, ServerToClient: 1024}},
		{client, &rpcprivate.Data{SendSize: 3, ReceiveSize: 3}, rpcprivate.Agreed{ClientToServer: 4096, ServerToClient: 4096}},
	} {
		if got := rpcprivate.Agree(tc.client, tc.server); got != tc.want {
			t.Errorf("%+v and %+v: %+v, want %+v", tc.client, tc.server, got, tc.want)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	private := append(make([]byte, 504), codectest.Octets(b, "f6ab0e1801010303")...)
	for b.Loop() {
		rpcprivate.Find(private)
	}
}
