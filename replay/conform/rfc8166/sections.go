// Package rfc8166 tests RPC-over-RDMA version 1 (RFC 8166) of an RPC server, and the Private Data that goes with it
// (RFC 8797).
//
// Cases that use the procedure NULL apply to each RPC server, whatever its program: versions, types, broken lists,
// ignored messages, credits, Write chunks without results. Cases with arguments and results need the program of
// docs/conform-rpc.md, whose procedures ECHO and PLAIN return their arguments, with and without DDP-eligible data.
// Package rfc8167 tests the demands on a Requester, in the reverse direction.
//
// A short Reply may be sent in its Reply chunk, too. Where a case has such a chunk it is too small, or needed.
//
// One section is for the conform service: the Private Data of RPC must not harm a peer that does not know them.
package rfc8166

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 8166 and RFC 8797.
var Sections = []conform.Section{
	section331, section333, section345, section346, section353, section421, section424, section432, section4321,
	section4322, section4323, section433, section45, section451, section452, section461, section462, section61,
	section52, section8797d32, section8797d4, section8797d41, section8797d42, section8797d52,
}
