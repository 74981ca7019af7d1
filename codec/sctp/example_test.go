package sctp_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/sctp"
)

func ExampleControl() {
	word := mpa.Enhanced{IRD: 16, ORD: 8}
	private, _ := word.AppendBinary(nil)
	ask := sctp.Control{FunctionCode: sctp.EnhancedInitiate, PrivateData: append(private, "hello"...)}
	b, _ := ask.AppendBinary(nil)
	fmt.Printf("% x\n", b)

	var c sctp.Control
	c.Decode(b)
	frame, _ := c.Frame(len(c.PrivateData))
	var e mpa.Enhanced
	fmt.Println(c.FunctionCode, frame.Enhanced(&e), e.IRD, e.ORD, string(frame.ULPPrivateData()))
	// Output:
	// 00 00 00 05 00 10 00 08 68 65 6c 6c 6f
	// EnhancedInitiate true 16 8 hello
}

func ExampleSegmentChunk() {
	chunk := []byte{0x12, 0x34, 0xc1, 0x40} // and the rest of a DDP segment
	var s sctp.SegmentChunk
	n, _ := s.Decode(chunk)
	fmt.Printf("%d, segment % x...\n", s.DDPSSN, chunk[n:])
	// Output: 4660, segment c1 40...
}
