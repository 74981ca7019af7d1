package ends_test

import (
	"fmt"
	"log"
	"time"

	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

func Example() {
	// A server whose clock is 3.6 s ahead, and a path that loses the packet with 4,000 octets.
	c := conversation.New("10.0.0.1:44600", "10.0.0.2:20049").Connect()
	c.Send(conversation.Client, make([]byte, 120)).Send(conversation.Server, make([]byte, 700)).Send(conversation.Client, make([]byte, 1000))
	lost := len(c.Records) - 1
	c.Wait(time.Second).Repeat(1).Ack(conversation.Server).Wait(time.Second).Close(conversation.Client)
	captures := conversation.Views(c.Records, &conversation.Path{
		Delay: [2]time.Duration{50 * time.Microsecond, 50 * time.Microsecond}, Ahead: 3600 * time.Millisecond, Lost: map[int]bool{lost: true},
	})

	comparison, err := ends.Compare(func(view int) (ends.Source, error) { return &list{captures[view]}, nil })
	if err != nil {
		log.Fatal(err)
	}
	k := comparison.Clock
	fmt.Println("the first capture was taken at the", comparison.Ends[0])
	fmt.Println("clock ahead by", time.Duration(k.Ahead), "within", time.Duration(k.Within))
	for _, l := range comparison.Connections[0].Ways[0].Lost {
		fmt.Printf("%v left and did not arrive: %d octets, sent again: %v\n", l.Sent, l.Len, l.Again)
	}
	// Output:
	// the first capture was taken at the client
	// clock ahead by 3.6s within 50µs
	// client:6 left and did not arrive: 1000 octets, sent again: true
}
