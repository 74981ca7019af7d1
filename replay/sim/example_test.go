package sim_test

import (
	"fmt"
	"os"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
)

// A client writes where it may not. The server is an RNIC, and refuses as the RFCs want it.
func Example() {
	s, err := scenario.Parse("example", `scenario "a Write that is refused"
connection c0
  var $s stag server 0x00000100
  var $t to server 0x2000 length 64 in $s
  1 client MPARequest Rev=1 C
  2 server after 1 MPAReply Rev=1 C $t:be64 $s:be32 00000040
  3 client after 2 Write STag=$s TO=$t+60 "too long"
  4 server after 3 Terminate 1/1/01 M=1 D=1 0016 c140 $s:be32 $t+60:be64
  5 server FIN
  6 client after 5 FIN
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	result := sim.Run(s.Conns[0], scenario.Client, sim.Options{})
	for _, r := range result.Plan.Regions {
		fmt.Printf("the server has %d octets at 0x%x: %v\n", r.Length, r.TO, r.Rights)
	}
	fmt.Println("its RNIC says:", result.Reports)
	outcome.WriteText(os.Stdout, &outcome.Report{Conns: []*outcome.Conn{result.Outcome}}, outcome.TextOptions{All: true})
	// Output:
	// the server has 64 octets at 0x2000: local read, local write, remote write
	// its RNIC says: [event: Remote Protection Error: base and bounds]
	// connection c0, played as the client, MPA revision 1, CRC
	//     1 client MPARequest C Rev=1: sent
	//     2 server MPAReply C Rev=1 $t:be64 $s:be32 00000040: exact
	//     3 client Write STag=$s TO=$t+60 "too long": sent
	//     4 server Terminate 1/1/01 M D 0016c140 $s:be32 $t+60:be64: exact
	//     5 server FIN: exact
	//     6 client FIN: sent
	// 1 connection, 3 steps: 3 exact, 0 accepted, 0 mismatched, 0 not reached, 0 not applicable; 3 sent, 0 not sent
}
