package rfc8166

// Sections 4.2.1 and 4.2.4: the XID, and the types of a message.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section421 = about("4.2.1", "rdma_xid", func() []conform.Case {
	return []conform.Case{
		{Name: "any", Requirements: []string{"RPCRDMA1-4.2.1-1", "RPCRDMA1-4.5-4"},
			Says: "A Reply has the XID of its Call, whatever that is, in the header and in the RPC message.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for _, xid := range []rpctext.Word{1, 0, 0x80000000, 0xffffffff, 0x01000000, rpctext.Word(s.Rand.Uint32())} {
					lines = append(lines, null(s, xid))
				}
				return []string{script(lines...)}
			}},
		{Name: "mismatch", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.2.1-1", "RPCRDMA1-4.2.1-2"},
			Says: "A Call whose header has another XID than its RPC message is refused with ERR_CHUNK.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, other := range []rpctext.Word{firstXID + 1, 0, 0x01010000} {
					m := rpctext.Msg(firstXID, none, nullCall(s, other))
					scripts = append(scripts, script(sends(m.String()), refusedMismatch(s)))
				}
				return scripts
			}},
		{Name: "mismatch-in-a-long-call", Begin: oneAtATime,
			Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.2.1-1", "RPCRDMA1-4.2.1-2"},
			Says:         "A Long Call whose header has another XID than its RPC message is refused with ERR_CHUNK.",
			Ask: func(s *conform.Setup) []string {
				body := source(0, rpctext.CallLen)
				return []string{script(
					sends(rpctext.NoMsg(firstXID, readList(at(0, body))).String()),
					reads(body, nullCall(s, firstXID+1)), refusedMismatch(s))}
			}},
	}
})

// refusedMismatch returns the answer to a NULL whose header has firstXID, and its RPC message another one.
func refusedMismatch(s *conform.Setup) string {
	reply := rpctext.Msg(rpctext.Any, none, nullReply(s, rpctext.Any)).Theirs()
	return script("< OneOf", "or Send "+rpctext.RefusedChunk(firstXID),
		`may "RPCRDMA1-4.2.1-2: it need not compare them" Send `+reply)
}

var section424 = about("4.2.4", "rdma_proc", func() []conform.Case {
	return []conform.Case{
		{Name: "error-to-a-responder", Requirements: []string{"RPCRDMA1-4.2.4-5"}, For: grantsTwo,
			Says: "A Responder passes over an RDMA_ERROR that is right in itself.",
			Ask: func(s *conform.Setup) []string {
				return allDropped(s,
					ourError(firstXID, rpctext.ErrChunk), ourError(0x20000, rpctext.ErrChunk), ourError(0x20001, rpctext.ErrVers, 1, 1),
					ourError(0x20002, rpctext.ErrVers, 0, 0xffffffff), ourError(0, rpctext.ErrChunk))
			}},
		{Name: "error-that-is-broken", Requirements: []string{"RPCRDMA1-4.2.4-5", "RPCRDMA1-4.5-8"}, For: grantsTwo,
			Says: "An RDMA_ERROR that cannot be decoded is passed over: its code is unknown, or it is cut.",
			Ask: func(s *conform.Setup) []string {
				return allDropped(s,
					ourError(0x20000, 0), ourError(0x20001, 3), ourError(0x20002, 0xffffffff), ourError(0x20003, rpctext.ErrVers),
					ourError(0x20004, rpctext.ErrVers, 1), ourError(0x20005, rpctext.ErrVers, 2, 1),
					ourError(0x20006, rpctext.ErrChunk, 0, 0, 0),
					ourError(0x20007, rpctext.ErrVers, 1, 1, 1, 1), ourError(0x20008, 3, 1, 2, 3, 4, 5, 6, 7, 8),
					rpctext.Cut(ourError(0x20009, rpctext.ErrVers, 1, 1), 27), rpctext.Cut(ourError(0x2000a, rpctext.ErrChunk), 19))
			}},
		{Name: "error-of-another-version", Requirements: []string{"RPCRDMA1-4.2.4-5"}, For: grantsTwo,
			Says: "An RDMA_ERROR is passed over whatever rdma_vers it has, so that no error is answered by another.",
			Ask: func(s *conform.Setup) []string {
				var messages []string
				for i, vers := range []rpctext.Word{0, 3, 0xffffffff} {
					m := rpctext.Message1{XID: 0x20000 + rpctext.Word(i), Vers: vers, Credit: rpctext.Credits, Proc: rpctext.RDMAError}
					m.Body = rpctext.Words(rpctext.ErrVers, 1, 1)
					messages = append(messages, m.String())
				}
				return allDropped(s, messages...)
			}},
		{Name: "error-with-a-call", Requirements: []string{"RPCRDMA1-4.2.4-5"}, For: grantsTwo,
			Says: "An RDMA_ERROR behind whose code a Call stands is passed over.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, 0x20000, none)
				m.Proc = rpctext.RDMAError
				return allDropped(s, m.String())
			}},
	}
})

func ourError(xid, code rpctext.Word, more ...rpctext.Word) string {
	return rpctext.Message1{
		XID: xid, Vers: rpctext.Vers1, Credit: rpctext.Credits, Proc: rpctext.RDMAError,
		Body: rpctext.Words(append([]rpctext.Word{code}, more...)...),
	}.String()
}
