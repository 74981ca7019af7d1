package tcpip_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A packet on a BSD loopback interface, cut after two octets of its payload.
func ExampleSegment_Decode() {
	packet := []byte("\x02\x00\x00\x00" + // AF_INET
		"\x45\x00\x00\x30\x00\x00\x40\x00\x40\x06\x00\x00\x7f\x00\x00\x01\x7f\x00\x00\x01" +
		"\xc0\x00\x1c\x06\x00\x00\x03\xe8\x00\x00\x07\xd0\x50\x18\xff\xff\x00\x00\x00\x00" +
		"MP")

	var s tcpip.Segment
	if err := s.Decode(pcaps.LinkTypeNull, packet, 52); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v > %v [%v] Seq %d, Ack %d\n", s.Src, s.Dst, s.Flags, s.Seq, s.Ack)
	fmt.Printf("payload %q and %d octets that were not captured\n", s.Payload, s.Missing)
	// Output:
	// 127.0.0.1:49152 > 127.0.0.1:7174 [PSH,ACK] Seq 1000, Ack 2000
	// payload "MP" and 6 octets that were not captured
}
