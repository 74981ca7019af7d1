package live_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Both sides of a Scenario. The client expects another answer than the server sends.
func Example() {
	const text = `scenario "hello"
connection c0
  1 client MPARequest Rev=1 C
  2 server after 1 MPAReply Rev=1 C
  3 client after 2 Send "hello"
  4 server after 3 Send "%s"
  5 client after 4 FIN
  6 server after 5 FIN
`
	parse := func(answer string) *scenario.Scenario {
		s, err := scenario.Parse("hello", fmt.Sprintf(text, answer))
		if err != nil {
			log.Fatal(err)
		}
		return s
	}
	ctx := context.Background()
	l, err := live.Listen(ctx, "127.0.0.1:0", live.ListenConfig{})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	served := make(chan error)
	go func() {
		_, err := live.Serve(ctx, l, parse("go away"), live.Options{Role: scenario.Server})
		served <- err
	}()
	r, err := live.Dial(ctx, l.Addr().String(), parse("hello"), live.Options{})
	if err := <-served; err != nil {
		log.Fatal(err)
	}
	if err != nil {
		log.Fatal(err)
	}
	c := r.Report.Conns[0]
	fmt.Printf("%s, played as the %s: %v\n", c.Name, c.Role, c.Negotiated)
	for _, step := range c.Steps {
		fmt.Println(step.Expected.Number, outcome.Line(step.Expected), step.Verdict)
	}
	// Output:
	// c0, played as the client: MPA revision 1, CRC
	// 1 MPARequest C Rev=1 sent
	// 2 MPAReply C Rev=1 exact
	// 3 Send "hello" sent
	// 4 Send "hello" mismatched
	// 5 FIN sent
	// 6 FIN exact
}
