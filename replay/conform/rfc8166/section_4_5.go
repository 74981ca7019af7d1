package rfc8166

// Sections 4.5, 4.6 and 6.1: errors, obsolete types, and items that may be in chunks.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section45 = about("4.5", "short messages", func() []conform.Case {
	return []conform.Case{
		{Name: "short", Requirements: []string{"RPCRDMA1-4.5-1"}, If: grantsTwo, For: twoCredits,
			Says: "A message of fewer than 28 octets is ignored: a Call of NULL truncated anywhere before.",
			Ask: func(s *conform.Setup) []string {
				return allDropped(s, cuts(nullMessage(s, 0x20000, none).String(), 0, rpctext.MinHeader)...)
			}},
		{Name: "short-as-the-first", Requirements: []string{"RPCRDMA1-4.5-1"},
			Says: "A message of fewer than 28 octets is ignored even as the first of a connection.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, cut := range cuts(nullMessage(s, 0x20000, none).String(), 0, rpctext.MinHeader) {
					if n := rpctext.Len(cut); n%4 == 0 || n == rpctext.MinHeader-1 {
						scripts = append(scripts, script(sends(cut), silent))
					}
				}
				return scripts
			}},
		{Name: "short-and-wrong", Requirements: []string{"RPCRDMA1-4.5-1"}, If: grantsTwo, For: twoCredits,
			Says: "A message of fewer than 28 octets is ignored whatever its fields.",
			Ask: func(s *conform.Setup) []string {
				var messages []string
				for _, vers := range []rpctext.Word{0, rpctext.Vers1, 7, 0xffffffff} {
					for _, proc := range []rpctext.Word{0, 1, 2, 3, 5, 0xffffffff} {
						m := rpctext.OfType(0x20000, proc, rpctext.Words(0, 0, 0))
						m.Vers = vers
						messages = append(messages, rpctext.Cut(m.String(), 16), rpctext.Cut(m.String(), 24), rpctext.Cut(m.String(), 27))
					}
				}
				return allDropped(s, messages...)
			}},
		{Name: "xid-and-version", Requirements: []string{"RPCRDMA1-4.5-4", "RPCRDMA1-4.5-5", "RPCRDMA1-4.5-6"},
			Says: "An RDMA_ERROR has the XID and the version of the message that it answers.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for _, xid := range []rpctext.Word{1, 0, 0x80000000, 0xffffffff, 0x01000000, rpctext.Word(s.Rand.Uint32())} {
					m := nullMessage(s, xid, none)
					m.Proc = 5
					lines = append(lines, refused(m))
				}
				return []string{script(lines...)}
			}},
	}
})

// cuts returns a message truncated to each length in a range.
func cuts(message string, from, to int) (all []string) {
	for n := from; n < to; n++ {
		all = append(all, rpctext.Cut(message, n))
	}
	return all
}

var section451 = about("4.5.1", "unknown versions", func() []conform.Case {
	return []conform.Case{
		{Name: "unknown", Requirements: []string{"RPCRDMA1-4.5.1-1", "RPCRDMA1-4.5-5", "RPCRDMA1-4.5-4", "RPCRDMA1-7-1"},
			Says: "A message of an unknown version is answered by ERR_VERS with its version, and the range of those known.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{null(s, firstXID)}
				for i, vers := range unknownVersions(s) {
					m := nullMessage(s, 0x20000+rpctext.Word(i), none)
					m.Vers = vers
					lines = append(lines, refusedVersion(m))
				}
				return []string{script(lines...)}
			}},
		{Name: "unknown-as-the-first", Requirements: []string{"RPCRDMA1-4.5.1-1", "RPCRDMA1-4.5-5", "RPCRDMA1-7-1"},
			Says: "The same holds for the first message of a connection, and the next one may have another version.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, vers := range unknownVersions(s) {
					m := nullMessage(s, firstXID, none)
					m.Vers = vers
					scripts = append(scripts, refusedVersion(m))
				}
				return scripts
			}},
		{Name: "whatever-follows", Requirements: []string{"RPCRDMA1-4.5.1-1", "RPCRDMA1-4.5-2", "RPCRDMA1-7-1"},
			Says: "In an unknown version, rdma_proc and what follows the first four words are ignored.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{null(s, firstXID)}
				for i, proc := range []rpctext.Word{0, 1, 2, 5, 100, 0xffffffff} {
					for k, body := range []string{"ffffffff ffffffff ffffffff", rpctext.Words(0, 0, 0),
						"00000000 00000000 00000000 ffffffff 01", "01*64"} {
						m := rpctext.OfType(0x20000+rpctext.Word(16*i+k), proc, body)
						m.Vers = 0x7fffffff
						lines = append(lines, refusedVersion(m))
					}
				}
				return []string{script(lines...)}
			}},
	}
})

func unknownVersions(s *conform.Setup) []rpctext.Word {
	all := []rpctext.Word{0, 3, 4, 0x100, 0x01000000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff}
	if !s.Peer.RPC.Version2 {
		all = append(all, 2)
	}
	return all
}

// refusedVersion expects that a message is answered by ERR_VERS, with a range that includes version 1 but not that of
// the message.
func refusedVersion(m rpctext.Message1) string {
	line := script(sends(m.String()), "< OneOf")
	for high := rpctext.Vers1; high <= 2 && high != m.Vers; high++ {
		line += fmt.Sprintf("\nor Send %s", rpctext.Error1(m.XID, m.Vers, rpctext.ErrVers, rpctext.Vers1, high))
	}
	return line
}

var section452 = about("4.5.2", "headers that cannot be read", func() []conform.Case {
	return []conform.Case{
		{Name: "proc-unknown", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.2.4-1", "RPCRDMA1-4.5-2"},
			Says: "A message whose rdma_proc is unknown is answered by ERR_CHUNK.",
			Ask: eachRefused(func(_ *conform.Setup, m *rpctext.Message1, proc rpctext.Word) { m.Proc = proc },
				5, 6, 7, 8, 9, 10, 11, 12, 13, 255, 256, 0x01000000, 0x04000000, 0x7fffffff, 0x80000000, 0xffffffff)},
		{Name: "proc-unknown-and-nothing-else", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.5-2"},
			Says: "That holds whatever follows the first four words.",
			Ask: eachRefused(func(_ *conform.Setup, m *rpctext.Message1, body string) { m.Proc, m.Body = 5, body },
				rpctext.Words(0, 0, 0), "ffffffff ffffffff ffffffff", "00000001 00000002 00000003 04")},
		{Name: "nothing-for-nomsg", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.2.4-3"},
			Says: "RDMA_NOMSG without any chunk is answered by ERR_CHUNK.",
			Ask:  conform.Text(allRefused(rpctext.NoMsg(firstXID, none)))},
		{Name: "no-call-for-nomsg", Requirements: []string{"RPCRDMA1-4.2.4-3", "RPCRDMA1-4.5-2", "RPCRDMA1-3.5.3-2"},
			Says: "RDMA_NOMSG without a Position Zero Read chunk has no Call, and is answered by ERR_CHUNK.",
			Ask: conform.Text(allRefused( // one with a Reply chunk alone could be the Reply to a reverse Call
				rpctext.NoMsg(firstXID, writeList(sinks(0, 64))),
				rpctext.NoMsg(firstXID+1, writeList(nil, nil)),
				rpctext.NoMsg(firstXID+2, readList(at(rpctext.CallLen, source(0, 8)))),
				rpctext.NoMsg(firstXID+3, rpctext.Chunks{
					Reads: []rpctext.ReadSegment{at(4, source(0, 8)), at(8, source(1, 8))}, Writes: [][]rpctext.Segment{sinks(0, 64)},
				})))},
		{Name: "list-word", Requirements: []string{"RPCRDMA1-4.1.2-1", "RPCRDMA1-4.5.2-1", "RPCRDMA1-4.5-2"},
			Says: "A discriminator is 0 or 1; a message with another value is answered by ERR_CHUNK.",
			Ask: func(s *conform.Setup) []string {
				const segment, one = "00006001 00000040 00007f0000000000", "00000001 "
				var bodies []string
				for _, word := range []rpctext.Word{2, 0x100, 0x01000000, 0x80000000, 0xffffffff} {
					w := word.String() + " "
					bodies = append(bodies,
						"00000000 "+w+one+segment+" 00000000 00000000", // a Write list
						"00000000 "+one+one+segment+" "+w+one+segment+" 00000000 00000000",
						"00000000 00000000 "+w+one+segment, // a Reply chunk
						w+"00000000 00000000", "00000000 "+w+"00000000", "00000000 00000000 "+w)
				}
				return eachRefused(withCall, bodies...)(s)
			}},
		{Name: "list-word-of-a-long-call", Requirements: []string{"RPCRDMA1-4.1.2-1", "RPCRDMA1-4.5.2-1"},
			Says: "The same holds in the Read list of a Long Call, and nothing of it is read.",
			Ask: func(s *conform.Setup) []string {
				const call = "00000000 00005001 00000028 00007f0000000000"
				return eachRefused(func(_ *conform.Setup, m *rpctext.Message1, body string) { m.Proc, m.Body = rpctext.RDMANoMsg, body },
					"00000002 "+call+" 00000000 00000000 00000000", "ffffffff "+call+" 00000000 00000000 00000000",
					"00000001 "+call+" 00000000 00000002 00000000", "00000001 "+call+" 00000000 00000000 00000002")(s)
			}},
		{Name: "cut", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.1.2-1", "RPCRDMA1-4-1"},
			Says: "A message that ends within its lists is answered by ERR_CHUNK, wherever it ends.",
			Ask: func(s *conform.Setup) []string {
				whole := rpctext.NoMsg(0, rpctext.Chunks{Writes: [][]rpctext.Segment{sinks(0, 64, 64)}, Reply: rooms(1024)}).String()
				return []string{cutLists(rpctext.RDMAMsg, whole), cutLists(rpctext.RDMANoMsg, whole)}
			}},
		{Name: "cut-read-list", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.1.2-1", "RPCRDMA1-4-1"},
			Says: "A Long Call that ends within its lists is answered by ERR_CHUNK, and nothing of it is read.",
			Ask: func(s *conform.Setup) []string {
				segments := []rpctext.ReadSegment{at(0, source(0, 20)), at(0, source(1, 20))}
				return []string{cutLists(rpctext.RDMANoMsg, rpctext.NoMsg(0, rpctext.Chunks{Reads: segments}).String())}
			}},
		{Name: "segment-count", Requirements: []string{"RPCRDMA1-4.1.2-1", "RPCRDMA1-4.5.2-1"},
			Says: "A Write or Reply chunk that counts more segments than there are is answered by ERR_CHUNK.",
			Ask: func(s *conform.Setup) []string {
				const segment = " 00006001 00000040 00007f0000000000 "
				var bodies []string
				for _, count := range []rpctext.Word{5, 100, 0x0fffffff, 0x10000000, 0x10000001, 0x80000000, 0xffffffff} {
					bodies = append(bodies,
						"00000000 00000001 "+count.String()+segment+"00000000 00000000",
						"00000000 00000000 00000001 "+count.String()+segment)
				}
				return eachRefused(withCall, bodies...)(s)
			}},
		{Name: "no-payload", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-3.2-1", "RPCRDMA1-4.5-2"},
			Says: "RDMA_MSG without an RPC message after its lists, or with an incomplete XID, is answered by ERR_CHUNK.",
			Ask: conform.Text(allRefused(
				rpctext.Msg(0, none, ""), rpctext.Msg(1, none, "00"), rpctext.Msg(2, none, "000000"),
				rpctext.Msg(3, writeList(sinks(0, 64)), ""), rpctext.Msg(4, replyChunk(rooms(1024)), "")))},
		{Name: "position-unaligned", Requirements: []string{"RPCRDMA1-3.4.5-3", "RPCRDMA1-4.5-2"}, Need: conform.RPCProgram,
			Says: "A Position that is not a multiple of four is answered by ERR_CHUNK.",
			Ask: conform.EachOf(func(off uint32) string {
				item := numbered(8)
				chunks := readList(at(rpctext.Position(0, item)+off, source(0, 8)))
				return script(asks(firstXID, rpctext.ProcEcho, chunks, item.InChunk()),
					gets(rpctext.RefusedChunk(firstXID)))
			}, 1, 2, 3)},
		{Name: "position-zero-and-a-payload", Requirements: []string{"RPCRDMA1-4.5-2", "RPCRDMA1-3.2-1"},
			Need: conform.RPCProgram,
			Says: "RDMA_MSG with a Position Zero Read chunk has two Calls, and is answered by ERR_CHUNK.",
			Ask: func(s *conform.Setup) []string {
				return []string{allRefused(nullMessage(s, firstXID, readList(at(0, source(0, rpctext.CallLen)))))}
			}},
		{Name: "not-executed", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.5-2"}, Need: conform.RPCProgram,
			Says: "A Call that is answered by RDMA_ERROR is not executed.",
			Ask: func(s *conform.Setup) []string {
				wrong := eachRefused(func(_ *conform.Setup, m *rpctext.Message1, proc rpctext.Word) {
					if m.Proc = proc; proc == rpctext.RDMANoMsg {
						m.Body = rpctext.Words(0, 0, 0)
					}
				}, 5, rpctext.RDMAMsgP, rpctext.RDMANoMsg)(s)[0]
				version := nullMessage(s, 0x3000, none)
				version.Vers = 9
				return []string{script(null(s, firstXID), wrong, refusedVersion(version), executed(firstXID+1, 1))}
			}},
		garbage("arguments-missing", "Incomplete arguments are answered by GARBAGE_ARGS.",
			"", "00000001", "00000001 00000001", "00000001 00000001 00000004", "00000002 00000001 00000004 61626364"),
		garbage("arguments-too-long", "An argument that exceeds the message is answered by GARBAGE_ARGS.",
			"00000001 00000001 00000005 61626364", "00000001 00000001 00000400 61626364", "00000001 00000001 ffffffff 61626364",
			"00000001 00000001 80000000 61626364", "ffffffff 00000001 00000004 61626364"),
		garbage("arguments-wrong",
			"The discriminator of an item is 0 or 1; arguments with another value are answered by GARBAGE_ARGS.",
			"00000001 00000002 00000004 61626364", "00000001 ffffffff 00000004 61626364", "00000002 00000000 00000003"),
		{Name: "chunk-of-another-length", Requirements: []string{"RPCRDMA1-4.5.2-2", "RPCRDMA1-3.4.4-2", "RPCRDMA1-3.4.5.2-3"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Read chunk shorter than its item, or longer than the item and its roundup, is answered by GARBAGE_ARGS.",
			Ask: conform.EachOf(func(octets int) string {
				item, s := numbered(8), source(0, octets)
				chunks := readList(at(rpctext.Position(0, item), s))
				return script(
					asks(firstXID, rpctext.ProcEcho, chunks, item.InChunk()),
					rpctext.Read(s, rpctext.Octets(numbered(octets).Data)), garbled())
			}, 1, 4, 7, 9, 12, 64)},
	}
})

// garbled returns the answer to unreadable arguments.
func garbled() string {
	return script("< OneOf",
		"or Send "+rpctext.Msg(firstXID, none, rpctext.Reply(firstXID, rpctext.GarbageArgs, "")).Theirs(),
		`may "RPCRDMA1-4.5.2-2 is a SHOULD, and ERR_CHUNK reports an error as well" Send `+rpctext.RefusedChunk(firstXID))
}

// garbage returns a case with Calls of ECHO with unreadable arguments.
func garbage(name, says string, arguments ...string) conform.Case {
	return conform.Case{
		Name: name, Requirements: []string{"RPCRDMA1-4.5.2-2"}, Need: conform.RPCProgram, Says: says,
		Ask: conform.EachOf(func(a string) string {
			m := rpctext.Msg(firstXID, none, rpctext.CallOf(firstXID, rpctext.ProcEcho, a).String())
			return script(sends(m.String()), garbled())
		}, arguments...),
	}
}

// eachRefused returns the Ask of a case with Calls of NULL that are refused: one for each value, with which a function makes it wrong.
func eachRefused[T any](wrong func(*conform.Setup, *rpctext.Message1, T), values ...T) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		var all []rpctext.Message1
		for i, v := range values {
			all = append(all, nullMessage(s, 0x2000+rpctext.Word(i), none))
			wrong(s, &all[i], v)
		}
		return []string{allRefused(all...)}
	}
}

// withCall replaces the lists of a message.
func withCall(s *conform.Setup, m *rpctext.Message1, lists string) {
	m.Body = rpctext.Join(lists, nullCall(s, m.XID))
}

// cutLists returns a script with a truncated header, of at least 28 octets, because shorter ones are ignored.
func cutLists(proc rpctext.Word, whole string) string {
	var lines []string
	for i, cut := range cuts(whole, rpctext.MinHeader, rpctext.Len(whole)) {
		lines = append(lines, refused(rpctext.OfType(0x2000+rpctext.Word(i), proc, rpctext.Part(cut, 16, rpctext.Len(cut)-16))))
	}
	return script(lines...)
}

var section461 = about("4.6.1", "RDMA_MSGP", func() []conform.Case {
	return []conform.Case{
		{Name: "refused", Requirements: []string{"RPCRDMA1-4.6.1-2", "RPCRDMA1-4.6.1-1"},
			Says: "RDMA_MSGP is answered by ERR_CHUNK, with its two extra words or with the lists of RDMA_MSG.",
			Ask: eachRefused(func(s *conform.Setup, m *rpctext.Message1, body string) {
				m.Proc, m.Body = rpctext.RDMAMsgP, rpctext.Join(body, nullCall(s, m.XID))
			}, rpctext.Words(4, 1024, 0, 0, 0), rpctext.Words(0, 0, 0, 0, 0), rpctext.Words(1, 0xffffffff, 0, 0, 0), rpctext.Words(0, 0, 0))},
		{Name: "refused-with-chunks", Requirements: []string{"RPCRDMA1-4.6.1-2"},
			Says: "RDMA_MSGP with chunks is answered by ERR_CHUNK, and nothing of them is read.",
			Ask: eachRefused(func(s *conform.Setup, m *rpctext.Message1, c rpctext.Chunks) {
				m.Proc, m.Body = rpctext.RDMAMsgP, rpctext.Join(rpctext.Words(4, 1024), c.String(), nullCall(s, m.XID))
			}, readList(at(0, source(0, 40))), writeList(sinks(0, 64)), replyChunk(rooms(1024)))},
	}
})

var section462 = about("4.6.2", "RDMA_DONE", func() []conform.Case {
	return []conform.Case{
		{Name: "passed-over", Requirements: []string{"RPCRDMA1-4.6.2-2", "RPCRDMA1-4.6.2-1"}, If: grantsTwo, For: twoCredits,
			Says: "RDMA_DONE is ignored: as defined, and with octets after it.",
			Ask: func(s *conform.Setup) []string {
				done := func(xid rpctext.Word, body string) string {
					return rpctext.OfType(xid, rpctext.RDMADone, body).String()
				}
				return allDropped(s,
					done(firstXID, ""), done(0x20000, ""), done(0x20001, rpctext.Words(0, 0, 0)),
					done(0x20002, "ffffffff ffffffff ffffffff"),
					done(0x20003, rpctext.Join(rpctext.Words(0, 0, 0), nullCall(s, 0x20003))), done(0, "00*64"))
			}},
		{Name: "passed-over-as-the-first", Requirements: []string{"RPCRDMA1-4.6.2-2"},
			Says: "RDMA_DONE is ignored even as the first message of a connection.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, 0x20000, none)
				m.Proc = rpctext.RDMADone
				return []string{script(sends(m.String()), silent)}
			}},
	}
})

var section61 = about("6.1", "DDP-eligibility", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram}, []conform.Case{
		{Name: "not-eligible", Requirements: []string{"RPCRDMA1-6.1-3", "RPCRDMA1-3.4.2-2", "RPCRDMA1-6.1-1"},
			Begin: oneAtATime,
			Says:  "A Call with an ineligible argument in a Read chunk is answered by ERR_CHUNK.",
			Ask: func(*conform.Setup) []string {
				item, s := numbered(64), source(0, 64)
				chunks := readList(at(rpctext.Position(0, item), s))
				return []string{ineligible(rpctext.ProcPlain, chunks, item.InChunk(), rpctext.Read(s, rpctext.Octets(item.Data)))}
			}},
		{Name: "no-item-there", Requirements: []string{"RPCRDMA1-6.1-3", "RPCRDMA1-3.4.5-1"}, Begin: oneAtATime,
			Says: "A Read chunk at a Position without a DDP-eligible item is answered by ERR_CHUNK.",
			Ask: conform.EachOf(func(position uint32) string {
				item, s := numbered(8), source(0, 8)
				return ineligible(rpctext.ProcEcho, readList(at(position, s)), item, rpctext.Read(s, rpctext.Octets(item.Data)))
			}, 4, 24, 32, rpctext.CallLen, rpctext.CallLen+8)},
		{Name: "inline-all-the-same", Requirements: []string{"RPCRDMA1-3.5.2-1", "RPCRDMA1-6.1-2"},
			Says: "DDP-eligible items may be inline, and others must be.",
			Ask: func(*conform.Setup) []string {
				item := numbered(64)
				return []string{script(
					asks(firstXID, rpctext.ProcEcho, none, item), gives(firstXID, none, item),
					asks(firstXID+1, rpctext.ProcPlain, none, item), gives(firstXID+1, none, item))}
			}},
	})
})

// ineligible returns a Call with an item whose Read chunk is refused after it was read; the Call is not executed.
func ineligible(proc rpctext.Word, chunks rpctext.Chunks, item rpctext.Item, pulls string) string {
	return script(asks(firstXID, proc, chunks, item), pulls, gets(rpctext.RefusedChunk(firstXID)), executed(firstXID+1, 0))
}
