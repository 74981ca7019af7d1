// Package rfc8166 asks an RPC server about RPC-over-RDMA version 1 (RFC 8166), and about the Private Data that go with
// it (RFC 8797).
//
// What can be asked with the procedure NULL is asked of each RPC server, whatever its program is: versions, types,
// lists that are broken, messages that are passed over, credits, Write chunks without results. What needs arguments and
// results needs the program of docs/conform-rpc.md, whose procedures ECHO and PLAIN give back what they got, with and
// without DDP-eligible data. What is demanded of a Requester is asked in the reverse direction, by package rfc8167.
//
// A Reply may be sent in its Reply chunk even if it is short. Where a case has such a chunk it is too small, or needed.
//
// One section is asked of the conform service: that the Private Data of RPC do no harm to a peer that knows nothing of
// them.
package rfc8166

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 8166 and RFC 8797.
var Sections = []conform.Section{
	section331, section333, section345, section346, section353, section421, section424, section432, section4321,
	section4322, section4323, section433, section45, section451, section452, section461, section462, section61,
	section52, section8797d32, section8797d4, section8797d41, section8797d42, section8797d52,
}
