package flow_test

import (
	"fmt"
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// Widen a Span by the packet that carried the rest of an FPDU.
func Example() {
	var s flow.Span
	s.Include(flow.At(7, 1_000))
	s.Include(flow.At(9, 5_000))
	fmt.Println(flow.Frames(nil).Text(s), flow.C2S, s.LastTime-s.Time)
	// Output: frames 7-9 c2s 4000
}

// Name a connection.
func ExampleConn() {
	c := &flow.Conn{ID: 3, Client: netip.MustParseAddrPort("10.0.0.1:44600"), Server: netip.MustParseAddrPort("10.0.0.2:20049")}
	fmt.Println(c)
	c.Association = &flow.Association{Stream: 1}
	fmt.Println(c)
	// Output:
	// 3: 10.0.0.1:44600 > 10.0.0.2:20049
	// 3: 10.0.0.1:44600 > 10.0.0.2:20049, SCTP stream 1
}
