package rpc_test

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Call echoes an item that is in a Read chunk, and goes back in a Write chunk.
func Example() {
	e := rpc.NewResponder(rpc.Options{}, nil, new(rpc.Echo))
	fmt.Printf("Private Data %x\n", e.Private())
	e.Actions() // Receives to be posted

	message, _ := hex.DecodeString(strings.ReplaceAll("00000005 00000001 00000020 00000000 "+
		"00000001 00000034 00004242 00000005 00000000 00001000 00000000 "+
		"00000001 00000001 00004343 00000008 00000000 00002000 00000000 00000000 "+
		"00000005 00000000 00000002 20697763 00000001 00000001 00000000 00000000 00000000 00000000 "+
		"00000001 00000001 00000005", " ", ""))
	e.Received(message)
	for actions := e.Actions(); len(actions) > 0; actions = e.Actions() {
		for _, a := range actions {
			switch a.Type {
			case rpc.Receive:
				fmt.Println("Receive", a.Count)
			case rpc.Read:
				fmt.Printf("Read %d octets of STag %#x at TO %#x\n", len(a.Octets), a.STag, a.TO)
				copy(a.Octets, "hello")
				e.Done(a)
			case rpc.Write:
				fmt.Printf("Write %q to STag %#x at TO %#x\n", a.Octets, a.STag, a.TO)
			case rpc.Send:
				fmt.Printf("Send %x\n", a.Octets)
				e.Done(a)
			}
		}
	}
	// Output:
	// Private Data f6ab0e1801010303
	// Read 5 octets of STag 0x4242 at TO 0x1000
	// Receive 1
	// Write "hello" to STag 0x4343 at TO 0x2000
	// Send 00000005000000010000002000000000000000000000000100000001000043430000000500000000000020000000000000000000000000050000000100000000000000000000000000000000000000010000000100000005
}
