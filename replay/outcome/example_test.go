package outcome_test

import (
	"fmt"
	"os"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

func Example() {
	s, err := scenario.Parse("example", `scenario "a Send is answered"
connection c0
  1 client Send "ping"
  2 server after 1 Send "pong"
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	steps := s.Conns[0].Steps
	r := &outcome.Report{Conns: []*outcome.Conn{{Name: "c0", Steps: []outcome.Step{
		{Expected: steps[0], Verdict: outcome.Sent},
		{Expected: steps[1], Verdict: outcome.Mismatched, Reason: "the payload differs at octet 3", Diff: &outcome.Diff{
			Want: outcome.NewExcerpt([]byte("pong"), nil, 3, 4), Got: outcome.NewExcerpt([]byte("ponG"), nil, 3, 4),
		}},
	}}}}
	outcome.WriteText(os.Stdout, r, outcome.TextOptions{})
	// Output:
	// connection c0, played as the client
	//     2 server Send "pong": mismatched: the payload differs at octet 3
	//       payload: expected 4 octets, got 4 octets
	//       payload expected 000000  706f6e67
	//       payload got      000000  706f6e47
	// 1 connection, 1 step: 0 exact, 0 accepted, 1 mismatched, 0 not reached, 0 not applicable; 1 sent, 0 not sent
}
