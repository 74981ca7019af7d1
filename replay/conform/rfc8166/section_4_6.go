package rfc8166

// Section 4.6: what is not used any more.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section461 = about("4.6.1", "RDMA_MSGP", func() []conform.Case {
	return []conform.Case{
		{Name: "refused", Requirements: []string{"RPCRDMA1-4.6.1-2", "RPCRDMA1-4.6.1-1"},
			Says: "RDMA_MSGP is answered by ERR_CHUNK, whether it has its two words more, or the lists of RDMA_MSG.",
			Ask: func(s *conform.Setup) []string {
				bodies := []string{rpctext.Words(4, 1024, 0, 0, 0), rpctext.Words(0, 0, 0, 0, 0),
					rpctext.Words(1, 0xffffffff, 0, 0, 0), rpctext.Words(0, 0, 0)}
				return []string{allRefused(each(s, bodies, func(m *rpctext.Message1, body string) {
					m.Proc, m.Body = rpctext.RDMAMsgP, rpctext.Join(body, nullCall(s, m.XID))
				})...)}
			}},
		{Name: "refused-with-chunks", Requirements: []string{"RPCRDMA1-4.6.1-2"},
			Says: "RDMA_MSGP is answered by ERR_CHUNK with chunks too, and nothing of them is read.",
			Ask: func(s *conform.Setup) []string {
				lists := []rpctext.Chunks{
					readList(at(0, source(0, 40))), writeList(sinks(0, 64)), replyChunk(rooms(1024)),
				}
				return []string{allRefused(each(s, lists, func(m *rpctext.Message1, c rpctext.Chunks) {
					m.Proc, m.Body = rpctext.RDMAMsgP, rpctext.Join(rpctext.Words(4, 1024), c.String(), nullCall(s, m.XID))
				})...)}
			}},
	}
})

var section462 = about("4.6.2", "RDMA_DONE", func() []conform.Case {
	return []conform.Case{
		{Name: "passed-over", Requirements: []string{"RPCRDMA1-4.6.2-2", "RPCRDMA1-4.6.2-1"}, For: grantsTwo,
			Says: "RDMA_DONE is passed over: as it was defined, and with anything behind it.",
			Ask: func(s *conform.Setup) []string {
				done := func(xid rpctext.Word, body string) string {
					m := rpctext.Message1{XID: xid, Vers: rpctext.Vers1, Credit: rpctext.Credits, Proc: rpctext.RDMADone, Body: body}
					return m.String()
				}
				return allDropped(s,
					done(firstXID, ""), done(0x20000, ""), done(0x20001, rpctext.Words(0, 0, 0)),
					done(0x20002, "ffffffff ffffffff ffffffff"),
					done(0x20003, rpctext.Join(rpctext.Words(0, 0, 0), nullCall(s, 0x20003))), done(0, "00*64"))
			}},
		{Name: "passed-over-as-the-first", Requirements: []string{"RPCRDMA1-4.6.2-2"},
			Says: "RDMA_DONE is passed over as the first message of a connection too.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, 0x20000, none)
				m.Proc = rpctext.RDMADone
				return []string{script(sends(m.String()), silent(s))}
			}},
	}
})
