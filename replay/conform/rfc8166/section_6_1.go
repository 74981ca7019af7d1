package rfc8166

// Section 6.1: what may be in chunks.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section61 = about("6.1", "DDP-eligibility", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram}, []conform.Case{
		{Name: "not-eligible", Requirements: []string{"RPCRDMA1-6.1-3", "RPCRDMA1-3.4.2-2", "RPCRDMA1-6.1-1"},
			Begin: oneAtATime,
			Says:  "A Call with an argument in a Read chunk that may not be in one is answered by ERR_CHUNK.",
			Ask: func(*conform.Setup) []string {
				item, s := numbered(64), source(0, 64)
				chunks := readList(at(rpctext.Position(0, item), s))
				return []string{ineligible(rpctext.ProcPlain, chunks, item.InChunk(), reads(s, rpctext.Octets(item.Data)))}
			}},
		{Name: "no-item-there", Requirements: []string{"RPCRDMA1-6.1-3", "RPCRDMA1-3.4.5-1"}, Begin: oneAtATime,
			Says: "A Read chunk whose Position is that of no DDP-eligible item is answered by ERR_CHUNK.",
			Ask: func(*conform.Setup) (scripts []string) {
				item, s := numbered(8), source(0, 8)
				for _, position := range []uint32{4, 24, 32, rpctext.CallLen, rpctext.CallLen + 8} {
					chunks := readList(at(position, s))
					scripts = append(scripts, ineligible(rpctext.ProcEcho, chunks, item, reads(s, rpctext.Octets(item.Data))))
				}
				return scripts
			}},
		{Name: "inline-all-the-same", Requirements: []string{"RPCRDMA1-3.5.2-1", "RPCRDMA1-6.1-2"},
			Says: "What is DDP-eligible may be inline, and what is not is.",
			Ask: func(*conform.Setup) []string {
				item := numbered(64)
				return []string{script(
					asks(firstXID, rpctext.ProcEcho, none, item), gives(firstXID, none, item),
					asks(firstXID+1, rpctext.ProcPlain, none, item), gives(firstXID+1, none, item))}
			}},
	})
})

// ineligible returns a Call with an item whose Read chunk is refused once it was read, and was not executed.
func ineligible(proc rpctext.Word, chunks rpctext.Chunks, item rpctext.Item, pulls string) string {
	return script(asks(firstXID, proc, chunks, item), pulls, gets(rpctext.RefusedChunk(firstXID)), executed(firstXID+1, 0))
}
