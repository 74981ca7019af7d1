package conversation_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/internal/conversation"
)

// A connection on which the client says hello, and whose latest packet the capture has lost.
func Example() {
	c := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()
	c.Send(conversation.Client, []byte("hello")).Ack(conversation.Server).Close(conversation.Client)
	c.Drop(1)
	for way, octets := range conversation.Lengths(c.Records) {
		fmt.Println(len(c.Records), "packets;", way[0], "sent", octets, "octets")
	}
	// Output:
	// 6 packets; 10.0.0.1:40000 sent 5 octets
}
