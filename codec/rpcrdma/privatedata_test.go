package rpcrdma_test

import (
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

func TestPrivateData(t *testing.T) {
	for wire, want := range map[string]rpcrdma.PrivateData{
		"f6ab0e18 01 01 03 03": {Version: 1, R: true, SendSize: 3, ReceiveSize: 3}, // Linux client with inline thresholds of 4096
		"f6ab0e18 01 00 03 03": {Version: 1, SendSize: 3, ReceiveSize: 3},          // Linux server
		"f6ab0e18 02 ff ff 00": {Version: 2, Reserved: 127, R: true, SendSize: 255},
		"f6ab0e18 01 fe 00 ff": {Version: 1, Reserved: 127, ReceiveSize: 255},
	} {
		var got rpcrdma.PrivateData
		if n, err := got.Decode(octets(t, wire+"aa")); n != 8 || err != nil || got != want {
			t.Errorf("%s: n = %d, %v, %+v", wire, n, err, got)
		}
	}
	var p rpcrdma.PrivateData
	if n, err := p.Decode(octets(t, "f6ab0e19 01010303")); n != 0 || !errors.Is(err, field.ErrValue) {
		t.Errorf("another identifier: n = %d, %v", n, err)
	}
	if n, err := p.Decode(octets(t, "f6ab0e18 0101")); n != 6 || err == nil || err.Error() != "RPC-over-RDMA private data: Send Size: header ends early" || !p.R {
		t.Errorf("cut: n = %d, %v", n, err)
	}
	if b, err := (&rpcrdma.PrivateData{Reserved: 128}).AppendBinary([]byte("kept")); !errors.Is(err, field.ErrRange) || string(b) != "kept" {
		t.Errorf("%q, %v", b, err)
	}
	complains(t, "version", (&rpcrdma.PrivateData{Version: 2}).Check(), "Version")
	complains(t, "reserved", (&rpcrdma.PrivateData{Version: 1, Reserved: 1}).Check(), "Reserved")
	complains(t, "good", (&rpcrdma.PrivateData{Version: 1, R: true}).Check(), "")
}

func TestFindPrivateData(t *testing.T) {
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
		if off, ok := rpcrdma.FindPrivateData(octets(t, tc.private)); ok != (tc.off >= 0) || ok && off != tc.off {
			t.Errorf("%s: %d, %v", tc.private, off, ok)
		}
	}
}

func TestSizes(t *testing.T) {
	for octets, size := range map[int]uint8{-1: 0, 0: 0, 1023: 0, 1024: 0, 2047: 0, 2048: 1, 4096: 3, 5000: 3, 262143: 254, 262144: 255, 1 << 30: 255} {
		if got := rpcrdma.EncodeBufferSize(octets); got != size {
			t.Errorf("%d octets are %d, want %d", octets, got, size)
		}
	}
	for size, octets := range map[uint8]int{0: 1024, 3: 4096, 255: 262144} {
		if got := rpcrdma.DecodeBufferSize(size); got != octets {
			t.Errorf("%d is %d octets, want %d", size, got, octets)
		}
	}
}

func TestAgree(t *testing.T) {
	client := &rpcrdma.PrivateData{Version: 1, R: true, SendSize: 3, ReceiveSize: 3}
	server := &rpcrdma.PrivateData{Version: 1, R: true, SendSize: 15, ReceiveSize: 1}
	for _, tc := range []struct {
		client, server *rpcrdma.PrivateData
		want           rpcrdma.Agreed
	}{
		{client, server, rpcrdma.Agreed{ClientToServer: 2048, ServerToClient: 4096, R: true}},
		{server, client, rpcrdma.Agreed{ClientToServer: 4096, ServerToClient: 2048, R: true}},
		{client, nil, rpcrdma.Agreed{ClientToServer: 1024, ServerToClient: 1024}},
		{nil, server, rpcrdma.Agreed{ClientToServer: 1024, ServerToClient: 1024}},
		{client, &rpcrdma.PrivateData{SendSize: 3, ReceiveSize: 3}, rpcrdma.Agreed{ClientToServer: 4096, ServerToClient: 4096}},
	} {
		if got := rpcrdma.Agree(tc.client, tc.server); got != tc.want {
			t.Errorf("%+v and %+v: %+v, want %+v", tc.client, tc.server, got, tc.want)
		}
	}
}
