package rfc8166

// RFC 8797, section 5.2: Private Data of RPC-over-RDMA at a peer that knows nothing of it.

import "github.com/iwarpkit/iwarp/replay/conform"

var section52 = conform.Section{Document: "RFC8797", Number: "5.2", Title: "Private Data that others have",
	Cases: func() []conform.Case {
		return []conform.Case{
			private("rpc", "Private Data of RPC-over-RDMA disturbs nobody who has another use of it.", "f6ab0e18 01 01 03 03"),
			private("rpc-reserved-bits", "Private Data of RPC-over-RDMA with reserved bits set disturbs nobody.",
				"f6ab0e18 01 ff ff ff"),
			private("rpc-unknown-version", "Private Data of RPC-over-RDMA of an unknown version disturbs nobody.",
				"f6ab0e18 ff 00 00 00"),
			private("rpc-cut-short", "Private Data of RPC-over-RDMA that is too short disturbs nobody.", "f6ab0e18 01"),
			private("rpc-later", "Private Data of RPC-over-RDMA behind that of others disturbs nobody.",
				`"others" 00*101 f6ab0e18 01 01 00 00`),
			private("not-rpc", "Private Data that nobody knows disturbs nobody.", `"neither of us" ff*64`),
		}
	}}

// private returns a case that begins with Private Data of ours.
func private(name, says, octets string) conform.Case {
	return conform.Case{
		Name: name, Requirements: []string{"RPCPD-5.2-2"}, Says: says, Begin: conform.Begin{Private: octets},
		Ask: conform.Text("> Send {echo \"as ever\"}\n< Send {echo \"as ever\"}"),
	}
}
