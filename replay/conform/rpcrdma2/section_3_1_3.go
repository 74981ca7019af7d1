package rpcrdma2

// Section 3.1.3.4: transaction identifiers.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section3134 = adapted("3.1.3.4", "transaction identifiers", func() []conform.Case {
	return []conform.Case{
		{Name: "same-xid-both-ways", Requirements: []string{"RPCRDMA2-3.1.3.4-3"}, Need: conform.RPCReverse, Begin: bare,
			Says: "A Call of ours with the XID of a Call of the peer that is open is another one, and both are answered.",
			Ask: asking(func(n null) []string {
				return []string{
					script(reversed(simple), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
						"> Send "+n.named("$a"), "< Send "+n.namedReply("$a"), answersNull("$a"), counted(second, 2, 1, 1, 0)),
					script(reversed(simple), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
						"> Send "+n.named("$a"), answersNull("$a"), "< Send "+n.namedReply("$a"), counted(second, 2, 1, 1, 0)),
				}
			})},
	}
})
