package rpcrdma2

// Appendix A.1: what may be in chunks.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var sectionA1 = adapted("A.1", "DDP-eligibility", func() []conform.Case {
	return []conform.Case{
		{Name: "argument-not-eligible", Requirements: []string{"RPCRDMA2-A.1-1"}, Need: conform.RPCProgram, Begin: begun,
			Says: "A Call with a Read chunk for what may not be in one is answered with an RDMA2_ERROR, and is not executed.",
			Ask: func(*conform.Setup) []string {
				empty := rpctext.Item{}
				return []string{
					ineligible(plain(first, empty), rpctext.Position(0, empty)),
					ineligible(plain(first, rpctext.Numbered(1, 8), empty), rpctext.Position(1, rpctext.Numbered(1, 8), empty)),
					ineligible(echo(first), rpctext.CallLen), ineligible(echo(first, empty),
						rpctext.CallLen+4), ineligible(echo(first, empty), 24),
					ineligible(rpctext.CallOf(first, rpctext.ProcReport, "").String(), rpctext.CallLen),
				}
			}},
	}
})

// ineligible returns a Call with a Read chunk at a Position, which is refused with any code; and that nothing was executed.
// The chunk has no octets, so that it is all the same whether the peer reads before it refuses.
func ineligible(call string, position uint32) string {
	c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: position, Segment: segment(1, 0)}}}
	return script(sends(rpctext.Msg2(first, c, call)), gets(rpctext.Error2(first, rpctext.Any)+" ?*"), reports(second, 0))
}
