package rfc7306

// Section 1.1: how to find out what a peer can do. Peers that cannot do it are asked too.

import "github.com/iwarpkit/iwarp/replay/conform"

var section11 = about("1.1", "finding out what the peer has", func() []conform.Case {
	return []conform.Case{
		{Name: "probe-by-fetchadd", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "A FetchAdd of zero is answered, and changes nothing; a peer without Atomic Operations calls the opcode unexpected.",
			Ask: supported(conform.Atomics, "opcode", asks(fetchAdd(0, 0), 0),
				answers(1, 0), exchange(fetchAdd(0, 0x8000000080000000), 0, 0), holds(0, 0))},
		{Name: "probe-by-cmpswap", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "A CmpSwap is answered; a peer without Atomic Operations calls the opcode unexpected.",
			Ask:  supported(conform.Atomics, "opcode", asks(cmpSwap(0, ones, 0, ones), 0), answers(1, 0))},
		{Name: "probe-by-immediate", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "Immediate Data is taken in; a peer without it calls the opcode unexpected.",
			Ask:  supported(conform.Immediate, "opcode", "> Immediate ImmediateData=0x1")},
		{Name: "probe-by-immediate-se", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "Immediate Data with Solicited Event is taken in; a peer without it calls the opcode unexpected.",
			Ask:  supported(conform.Immediate, "opcode", "> ImmediateSE ImmediateData=0x1")},
		{Name: "response-to-nobody", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "An Atomic Response is refused by who has sent no Atomic Request, and by who cannot: by its opcode or its queue.",
			Ask:  conform.Text(script(greeting, "> [bad] AtomicResponse OriginalRequestIdentifier=1", refusedByEither))},
	}
})

// refusedByEither is that the step bad is refused for its opcode, that of no request, or for its QN, which only a peer
// with Atomic Operations has.
const refusedByEither = `
	< OneOf
	or Refusal atomic-response to [bad]
	or Refusal opcode to [bad]
	or Refusal qn-undefined to [bad]
	< ends`

// supported returns the Ask of a case with one line of ours, and what follows it if the peer has what it needs. One that does
// not refuses the line because of a Situation.
func supported(need conform.Need, situation, ours string, behind ...string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		if s.Peer.Has()&need == 0 {
			return []string{script(greeting, ours, "< refuses "+situation)}
		}
		return []string{script(append([]string{greeting, ours}, behind...)...)}
	}
}
