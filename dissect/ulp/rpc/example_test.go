package rpc_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A reads prints the READs of NFS, and how their data came.
type reads struct {
	n int
}

// Record implements record.Sink.
func (r *reads) Record(rec *record.Record) {
	for _, t := range rec.Over {
		r.transaction(t)
	}
}

func (r *reads) transaction(t *record.Transaction) {
	x, ok := t.Upper.(*rpc.Exchange)
	if !ok || !strings.HasSuffix(x.Name, " READ") {
		return
	}
	if r.n++; r.n > 2 {
		return
	}
	fmt.Printf("frame %d: %s, answered in frame %d: %s\n", t.Request.Frame, x.Name, t.Response.Frame, x.Result)
	for _, chunk := range x.Writes {
		for _, s := range chunk.Segments {
			fmt.Printf("  STag %#08x: %d octets of %d, in %d RDMA Write\n", s.Handle, s.Returned, s.Length, len(s.Moves))
		}
	}
}

func Example() {
	c, err := pcaps.Open("../../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	messages := 0
	u := rpc.New(rpc.Options{OnMessage: func(m *rpc.Message) {
		if m.Whole {
			messages++
		}
	}})
	a := judge.New(&reads{}, judge.Options{ULPs: []*ulp.Layer{u}})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(context.Background(), c); err != nil {
		fmt.Println(err)
	}
	fmt.Println(messages, "whole RPC messages")
	// Output:
	// frame 680: NFSv4.1 COMPOUND SEQUENCE PUTFH READ, answered in frame 682: SUCCESS
	//   STag 0xca363101: 1 octets of 4096, in 1 RDMA Write
	// frame 690: NFSv4.1 COMPOUND SEQUENCE PUTFH READ, answered in frame 692: SUCCESS
	//   STag 0x35603a01: 3 octets of 4096, in 1 RDMA Write
	// 1110 whole RPC messages
}
