package player_test

import (
	"fmt"
	"os"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Both sides of a connection, in memory. The server sends another answer than the client expects.
func Example() {
	const text = `scenario "a Send is answered"
connection c0
  1 client MPARequest C Rev=1
  2 server after 1 MPAReply C Rev=1
  3 client after 2 Send "ping"
  4 server after 3 Send %q
`
	var conns [2]*scenario.Conn
	for i, answer := range []string{"pong", "what?"} {
		s, err := scenario.Parse("example", fmt.Sprintf(text, answer))
		if err != nil {
			fmt.Println(err)
			return
		}
		conns[i] = s.Conns[0]
	}
	client := player.New(conns[0], scenario.Client, player.Options{})
	server := player.New(conns[1], scenario.Server, player.Options{})
	for !client.Done() || !server.Done() {
		server.Input(client.AppendTransmit(nil, 1460))
		client.Input(server.AppendTransmit(nil, 1460))
	}
	outcome.WriteText(os.Stdout, &outcome.Report{Conns: []*outcome.Conn{client.Outcome()}}, outcome.TextOptions{})
	// Output:
	// connection c0, played as the client, MPA revision 1, CRC
	//     4 server Send "pong": mismatched: the payload has 5 octets, expected 4
	//       headers both     000000  41430000 00000000 00000000 00010000 0000
	//       payload: expected 4 octets, got 5 octets
	//       payload expected 000000  706f6e67
	//       payload got      000000  77686174 3f
	// 1 connection, 2 steps: 1 exact, 0 accepted, 1 mismatched, 0 not reached, 0 not applicable; 2 sent, 0 not sent
}
