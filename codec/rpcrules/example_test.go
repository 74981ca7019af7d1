package rpcrules_test

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

func ExampleStream_Message() {
	// The Reply to a NULL Call, which grants no credits.
	b, _ := hex.DecodeString(strings.ReplaceAll("5a000001 00000001 00000000 00000000 00000000 00000000 00000000"+
		"5a000001 00000001 00000000 00000000 00000000 00000000", " ", ""))
	var m rpcrdma.Message
	m.Decode(b, len(b), rpcrdma.DialectUnknown.Of(b, len(b)))

	var s rpcrules.Stream
	s.Reset(rpcrules.Conditions{Midstream: true})
	_, violations := s.Message(rpcrules.Server, &m, nil)
	for _, v := range violations {
		fmt.Printf("%s: %s, expected %s (%s)\n", v.Name, v.Seen, v.Expected, v.ID())
	}
	// Output: rpc1-grant-zero: rdma_credit 0, expected at least 1 (RPCRDMA1-3.3.1-2)
}
