package compile_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
)

func Example() {
	c, err := pcaps.Open("../../pcaps/samples/rping.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	s, report, err := compile.Capture(context.Background(), c, compile.Options{Title: "rping"})
	if err != nil {
		fmt.Println(err)
		return
	}
	lines := strings.Split(s.String(), "\n")
	fmt.Println(strings.Join(lines[:11], "\n"))
	fmt.Println(len(report.Conns[0].Vars), "variables, complete:", report.Conns[0].Complete())
	// Output:
	// scenario "rping"
	//
	// connection c0 10.0.0.1:43140 -> 10.0.0.2:7174
	//    1 client @0.021566 frame 12 MPARequest S Rev=2 enhanced IRD=1 ORD=1
	//    2 server @0.035413 frame 14 after 1 MPAReply S Rev=2 enhanced IRD=1 ORD=1
	//   var $s1 stag client 0x9996e800
	//   var $t1 to client 0x5634372b8f90 length 64 in $s1
	//    3 client @0.038148 frame 16 after 2 Send $t1:be64 $s1:be32 00000040
	//    4 server @0.040310 frame 17 after 3 ReadRequest SinkSTag=0xb562f300 SinkTO=0x00005588e0703940 RDMARDSZ=64 SrcSTag=$s1 SrcTO=$t1
	//    5 client @0.041270 frame 18 after 4 ReadResponse to 4
	//      | "rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqr" 00
	// 4 variables, complete: true
}
