package rfc8166

// RFC 8797, sections 4 and 4.2: what Private Data say, and the sizes in them.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

// The Private Data that cases begin with: with Sends and Receives of 4096 octets, and of the most that can be said.
const (
	sizes4096 = "f6ab0e18 01 00 03 03"
	sizesMost = "f6ab0e18 01 00 ff ff"
	invalid4k = "f6ab0e18 01 01 03 03" // remote invalidation is supported too
)

// tellsSizes is what kind of peer the cases about sizes are for.
const tellsSizes = "a peer that sends Private Data of RPC-over-RDMA, with Sends of more than 1024 octets"

var section8797d4 = aboutRFC8797("4", "Private Data", func() []conform.Case {
	return []conform.Case{
		{Name: "new-on-each-connection", Requirements: []string{"RPCPD-4-1", "RPCPD-5.1-1"},
			Need: conform.RPCProgram | conform.Enhanced,
			Says: "What Private Data say holds for their connection, and not for the next one.", Bare: true, For: tellsSizes,
			Ask: func(s *conform.Setup) (scripts []string) {
				if toUs(s, 4096) < beyond {
					return nil
				}
				for _, private := range []string{sizes4096, "", "f6ab0e18 01 00 03 00", sizes4096, "f6ab0e18 01 01 00 00"} {
					asked := notInline(beyond)
					if private == sizes4096 {
						asked = inline(beyond)
					}
					request := fmt.Sprintf("> MPARequest C S Rev=2 enhanced IRD=1 ORD=%d %s", min(16, s.Peer.IRD), private)
					scripts = append(scripts, script(request, "< reply", asked))
				}
				return scripts
			}},
		{Name: "reserved-bits", Requirements: []string{"RPCPD-4-4"}, Need: conform.RPCProgram, For: tellsSizes,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 fe 03 03"},
			Says:  "Bits that are reserved are ignored: what else Private Data say holds.",
			Ask:   beyondInline},
		{Name: "reserved-bits-of-null", Requirements: []string{"RPCPD-4-4"},
			Begin: conform.Begin{Private: "f6ab0e18 01 ff 00 00"},
			Says:  "Nobody is refused for bits that are reserved.",
			Ask:   func(s *conform.Setup) []string { return []string{null(s, firstXID)} }},
	}
})

var section8797d42 = aboutRFC8797("4.2", "sizes", func() []conform.Case {
	return []conform.Case{
		{Name: "longest-reply", Requirements: []string{"RPCPD-4.2-2", "RPCPD-4.2-1"},
			Need: conform.RPCProgram, For: tellsSizes,
			Begin: conform.Begin{IRD: 1, Private: sizes4096},
			Says:  "A Reply as long as the smaller one of the peer's Sends and our Receives is inline; a longer one is not.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.RPC.Private == nil {
					return nil
				}
				return []string{inline(toUs(s, 4096)), notInline(toUs(s, 4096) + 4)}
			}},
		{Name: "longest-reply-to-2048", Requirements: []string{"RPCPD-4.2-2", "RPCPD-4.2-1"},
			Need: conform.RPCProgram, For: tellsSizes,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 00 01"},
			Says:  "That is so whatever our Sends are.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.RPC.Private == nil {
					return nil
				}
				return []string{inline(toUs(s, 2048)), notInline(toUs(s, 2048) + 4)}
			}},
		{Name: "longest-reply-to-1024", Requirements: []string{"RPCPD-4.2-2", "RPCPD-4.2-1"}, Need: conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 ff 00"},
			Says:  "A size of zero is 1024 octets.",
			Ask:   conform.Texts(inline(1024), notInline(1028))},
		{Name: "longest-call", Requirements: []string{"RPCPD-4.2-2", "RPCRDMA1-3.3.2-1"},
			Need: conform.RPCProgram, For: tellsSizes,
			Begin: conform.Begin{Private: sizesMost},
			Says:  "A Call as long as the peer's Receives is taken.",
			Ask: func(s *conform.Setup) []string {
				p := s.Peer.RPC.Private
				if p == nil {
					return nil
				}
				longest := rpcrdma.DecodeBufferSize(p.ReceiveSize)
				if toUs(s, rpcrdma.MaxBufferSize) < longest {
					return nil // its Reply would not be inline
				}
				item := rpctext.Filled('a', longest-rpctext.MinHeader-rpctext.CallLen-rpctext.ItemsLen(rpctext.Item{}))
				return []string{script(asks(firstXID, rpctext.ProcPlain, none, item), gives(firstXID, none, item))}
			}},
		{Name: "reply-chunk", Requirements: []string{"RPCPD-4.2-2", "RPCRDMA1-3.5.3-4"},
			Need: conform.RPCProgram, For: tellsSizes,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 03 00"},
			Says:  "The Reply chunk is used by our Receives, and not by the peer's Sends.",
			Ask:   conform.Text(longReply(inlineWithReply+4, 4096))},
	}
})

// beyond is the length of a Reply that needs more than what holds without Private Data.
const beyond = 2048

// toUs returns how many octets a message of the peer may have, if our Receives have so many.
func toUs(s *conform.Setup, receives int) int {
	if s.Peer.RPC.Private == nil {
		return rpcrdma.MinBufferSize
	}
	return min(rpcrdma.DecodeBufferSize(s.Peer.RPC.Private.SendSize), receives)
}

// beyondInline returns a Reply that is inline because of our Private Data.
func beyondInline(s *conform.Setup) []string {
	if toUs(s, 4096) < beyond {
		return nil
	}
	return []string{inline(beyond)}
}
