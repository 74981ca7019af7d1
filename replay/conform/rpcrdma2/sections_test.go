package rpcrdma2

import (
	"testing"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// Peers of all sizes pass the cases that apply to them. A peer of version 1 is asked how it answers version 2.
func TestSections(t *testing.T) {
	var others []reference.Config
	for _, o := range []rpc.Options{
		{Versions: []uint32{1}},
		{Versions: []uint32{2}, Chunks: 2, Segments: 4, SegmentSize: 4096, ReceiveSize: 64 << 10, SendSize: 64 << 10},
		{Credits: 1}, {Credits: 2}, {Credits: 3, SendSize: 1024}, {Credits: 200, ReceiveSize: 1024},
	} {
		others = append(others, reference.Config{Service: conform.RPCService, RPC: o})
	}
	reference.Check(t, Sections, others...)
}
