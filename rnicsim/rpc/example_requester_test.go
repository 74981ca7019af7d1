package rpc_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A shelf is registered memory by STag. All of it begins at TO 0.
type shelf map[uint32][]byte

func (s shelf) Register(octets []byte, _ bool) (stag uint32, to uint64, err error) {
	stag = 0x4201 + uint32(len(s))
	s[stag] = octets
	return stag, 0, nil
}

func (s shelf) Deregister(uint32, bool) error { return nil }

// A Requester has an item echoed: it sends the item in a Read chunk and receives it in a Write chunk.
func ExampleRequester() {
	memory := make(shelf)
	requester := rpc.NewRequester(rpc.Options{Versions: []uint32{1}}, nil)
	responder := rpc.NewResponder(rpc.Options{}, requester.Private(), new(rpc.Echo))
	requester.Connected(responder.Private(), memory)

	h := oncrpc.Call{XID: 5, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion, Proc: rpc.ProcEcho}
	message, _ := h.AppendBinary(nil)
	message = append(message, "\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x05hello\x00\x00\x00"...)
	err := requester.Call(&rpc.Call{
		Message: message, Longest: 36,
		Arguments: []rpc.Argument{{At: 52, Length: 5, Chunk: true}},
		Results:   []rpc.Result{{Longest: 100, Chunk: true}},
	})
	if err != nil {
		fmt.Println(err)
	}
	for actions := requester.Actions(); len(actions) > 0; actions = append(requester.Actions(), responder.Actions()...) {
		for _, a := range actions {
			switch {
			case a.Type == rpc.Read:
				copy(a.Octets, memory[a.STag][a.TO:])
				responder.Done(a)
			case a.Type == rpc.Write:
				copy(memory[a.STag][a.TO:], a.Octets)
			case a.Type == rpc.Send && a.STag == 0:
				responder.Received(a.Octets)
			case a.Type == rpc.Send: // the Reply invalidates an STag
				requester.Received(a.Octets, a.STag)
			}
			if a.Type != rpc.Receive {
				fmt.Printf("%v of %d octets, STag %#x\n", a.Type, len(a.Octets), a.STag)
			}
		}
	}
	for _, r := range requester.Replies() {
		fmt.Printf("%d octets and %q, error %v\n", len(r.Message), r.Results[0], r.Err)
	}
	// Output:
	// Send of 128 octets, STag 0x0
	// Read of 5 octets, STag 0x4201
	// Write of 5 octets, STag 0x4202
	// Send of 88 octets, STag 0x4201
	// 36 octets and "hello", error <nil>
}
