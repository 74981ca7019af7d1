package rfc8166

// RFC 8797, sections 5.1 and 5.2: Private Data that are not those of RPC-over-RDMA, or not as they should be.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section8797d52 = aboutRFC8797("5.2", "Private Data that others have", func() []conform.Case {
	return []conform.Case{
		foreign("rpc-none", "Without Private Data what holds is what RFC 8166 says: 1024 octets.", ""),
		foreign("rpc-foreign", "Private Data of others count for none.", `"neither of us" ff*64`),
		foreign("rpc-other-identifier", "Private Data with another identifier count for none.", "f6ab0e19 01 01 03 03"),
		foreign("rpc-other-order", "The identifier has the most significant octet first; in another order it is none.",
			"180eabf6 01 01 03 03"),
		foreign("rpc-other-version", "Private Data of a version that is unknown count for none.", "f6ab0e18 02 01 03 03"),
		foreign("rpc-version-zero", "Private Data of version 0 count for none.", "f6ab0e18 00 01 03 03"),
		foreign("rpc-too-short", "Private Data that are too short count for none.", "f6ab0e18 01 01 03"),
		foreign("rpc-identifier-only", "Private Data of an identifier alone count for none.", "f6ab0e18"),
		foreign("rpc-cut-at-the-end", "So do those that are cut at the end of others.", `"others" 00*101 f6ab0e18 01 01`),
		found("rpc-first", "Private Data of RPC-over-RDMA are found as the only ones.", sizes4096),
		found("rpc-behind-a-word", "They are found behind a word of others.", "00010001 "+sizes4096),
		found("rpc-behind-an-octet", "They are found at an offset that is odd.", "aa "+sizes4096),
		found("rpc-behind-much", "They are found far behind, and with others behind them.",
			`"others" 00*101 `+sizes4096+` "and others"`),
		found("rpc-with-more", "Octets behind them do no harm.", sizes4096+" ff*32"),
	}
})

// foreign returns a case with Private Data of ours that count for none: nothing of the peer is longer than 1024 octets, or
// invalidates an STag.
func foreign(name, says, octets string) conform.Case {
	return conform.Case{
		Name: name, Requirements: []string{"RPCPD-5.2-2", "RPCPD-5.2-3", "RPCPD-5.1-1"}, Says: says,
		Begin: conform.Begin{IRD: 1, Private: octets},
		Ask: func(s *conform.Setup) []string {
			scripts := []string{null(s, firstXID), unusedByNull([]int{64})(s)[0]}
			if s.Peer.RPC.Conform {
				scripts = append(scripts, inline(1024), notInline(beyond))
			}
			return scripts
		},
	}
}

// found returns one whose Private Data count, wherever they are.
func found(name, says, octets string) conform.Case {
	return conform.Case{
		Name: name, Requirements: []string{"RPCPD-5.2-1",
			"RPCPD-5.2-2"}, Says: says, Need: conform.RPCProgram, For: tellsSizes,
		Begin: conform.Begin{IRD: 1, Private: octets}, Ask: beyondInline,
	}
}
