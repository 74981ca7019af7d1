package transit_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/transit"
)

// A packet of the client that never reached the server.
func Example() {
	way := transit.Way{Losses: 1, Octets: 1460, Lost: []transit.Loss{{
		Sent: transit.Sighting{At: flow.Client, Own: 118}, Pos: 5840, Len: 1460,
	}}}
	fmt.Printf("%v: octets %d to %d were lost", way.Lost[0].Sent, way.Lost[0].Pos, way.Lost[0].Pos+way.Lost[0].Len-1)
	// Output: client:118: octets 5840 to 7299 were lost
}
