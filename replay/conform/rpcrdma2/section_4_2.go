package rpcrdma2

// Sections 3.1.3.4 and 4.2: XIDs, credits and versions.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

var section3134 = adapted("3.1.3.4", "transaction identifiers", func() []conform.Case {
	return []conform.Case{
		{Name: "same-xid-both-ways", Requirements: []string{"RPCRDMA2-3.1.3.4-3"}, Need: conform.RPCReverse, Begin: bare,
			Says: "A Call of ours may have the XID of an open Call of the peer; both are answered.",
			Ask: asking(func(n null) []string {
				return []string{
					script(reversed(simple), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
						"> Send "+n.named("$a"), "< Send "+n.namedReply("$a"), answersNull("$a"), counted(second, 2, 1, 1, 0)),
					script(reversed(simple), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
						"> Send "+n.named("$a"), answersNull("$a"), "< Send "+n.namedReply("$a"), counted(second, 2, 1, 1, 0)),
				}
			})},
	}
})

var section4211 = adapted("4.2.1.1", "granting credits", func() []conform.Case {
	return []conform.Case{
		{Name: "no-credit-no-message", Requirements: []string{"RPCRDMA2-4.2.1.1-4", "RPCRDMA2-6.2.2.2-10"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply in several messages stops when the credits are used up.",
			Ask: conform.Text(
				sends(granting(smallest(), 1)), gets(rpctext2.AnyConnProp()),
				sends(rpctext2.Msg(first, none, plain(first, longItem()))), gets(somePart(first,
					rpctext2.Response|rpctext2.More)), over)},
		{Name: "as-many-messages-as-credits", Requirements: []string{"RPCRDMA2-4.2.1.1-4", "RPCRDMA2-6.2.2.2-10"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "Each granted credit allows one more message of a Reply.",
			Ask: conform.Text(
				sends(granting(smallest(), 1)), gets(rpctext2.AnyConnProp()),
				sends(rpctext2.Msg(first, none, plain(first, longItem()))), gets(somePart(first, rpctext2.Response|rpctext2.More)),
				"> Send "+rpctext2.Grant(1), gets(somePart(first, rpctext2.Response|rpctext2.More)), over)},
		{Name: "credits-of-several-messages", Requirements: []string{"RPCRDMA2-4.2.1.1-4"}, Begin: bare,
			Says: "Replies are sent as credits are granted, with Calls or alone.",
			Ask: asking(func(n null) []string {
				return []string{script(
					sends(granting(rpctext2.Properties(), 1)), gets(rpctext2.AnyConnProp()),
					n.answered(first), n.answered(second), "> Send "+rpctext2.Grant(3), n.answered(third), n.answered(fourth))}
			})},
		{Name: "calls-of-the-peer-wait", Requirements: []string{"RPCRDMA2-4.2.1.1-4"}, Need: conform.RPCReverse, Begin: bare,
			Says: "Calls of the peer are sent as credits are granted.",
			Ask: conform.Text(
				sends(granting(reversing(simple), 1)), gets(rpctext2.AnyConnProp()),
				"var $a xid", "var $b xid", callsBack(first, 2, 0),
				"> Send "+rpctext2.Grant(1), theirNull("$a"),
				answersNull("$a"), theirNull("$b"), answersNull("$b"),
				counted(second, 1, 2, 2, 0))},
		{Name: "many-calls-at-once", Requirements: []string{"RPCRDMA2-4.2.3.3-1", "RPCRDMA2-4.2.1.1-4"}, Begin: begun,
			Says: "As many simultaneous Calls as the peer grants credits for are all answered.",
			Ask: func(s *conform.Setup) []string {
				n, lines := nullOf(s), []string(nil)
				for i := range granted(s) {
					lines = append(lines, n.asks(first+rpctext.Word(i)))
				}
				for i := range granted(s) {
					lines = append(lines, n.answers(first+rpctext.Word(i)))
				}
				return []string{script(lines...)}
			}},
	}
})

var section4212 = about("4.2.1.2", "credits alone", func() []conform.Case {
	return []conform.Case{
		{Name: "grant-not-answered", Requirements: []string{"RPCRDMA2-4.2.1.2-2"}, Begin: begun,
			Says: "A message that only grants credits is not answered, however many it grants.",
			Ask: askingEach(func(n null, credits rpctext.Word) string {
				return script("> Send "+rpctext2.Grant(credits), n.answered(first))
			}, 1, 2, 16, 255, 256)},
		{Name: "grants-between-calls", Requirements: []string{"RPCRDMA2-4.2.1.2-2"}, Begin: begun,
			Says: "Grants may come between Calls.",
			Ask: asking(func(n null) []string {
				grant := "> Send " + rpctext2.Grant(1)
				return []string{script(grant, n.answered(first), grant, n.answered(second), grant, n.asks(third), grant,
					n.answers(third))}
			})},
		{Name: "grant-as-a-response", Requirements: []string{"RPCRDMA2-4.2.1.2-2"}, Begin: begun,
			Says: "A grant with RDMA2_F_RESPONSE is not answered either.",
			Ask: asking(func(n null) []string {
				return []string{script(sends(rpctext2.NoMsg(0, none).With(rpctext2.Response)), n.answered(first))}
			})},
		{Name: "grant-while-credits-are-used-up", Requirements: []string{"RPCRDMA2-4.2.1.2-1"}, Begin: begun,
			Says: "A grant is accepted even if Calls have used all credits.",
			Ask: func(s *conform.Setup) []string {
				n, lines := nullOf(s), []string(nil)
				for i := range granted(s) {
					lines = append(lines, n.asks(first+rpctext.Word(i)))
				}
				lines = append(lines, "> Send "+rpctext2.Grant(1))
				for i := range granted(s) {
					lines = append(lines, n.answers(first+rpctext.Word(i)))
				}
				return []string{script(lines...)}
			}},
	}
})

// granted returns how many Calls can be outstanding: the credits of the peer's first message, but at most mostCalls.
func granted(s *conform.Setup) int { return min(int(s.Peer.RPC.Granted), mostCalls) }

// mostCalls limits the outstanding Calls in a case.
const mostCalls = 64

func granting(m rpctext2.Message, credits rpctext.Word) rpctext2.Message {
	m.Credit = rpctext2.MostCredits<<16 | credits
	return m
}

// unknownVersions are values of rdma_vers that no document defines; otherVersions are all but version 2.
var (
	unknownVersions = []rpctext.Word{0, 3, 4, 0x100, 0x02000000, 0x80000002, 0xffffffff}
	otherVersions   = append([]rpctext.Word{rpctext.Vers1}, unknownVersions...)
)

var section4231 = adapted("4.2.3.1", "a server that knows version 2", func() []conform.Case {
	return []conform.Case{
		{Name: "version-in-all-messages", Requirements: []string{"RPCRDMA2-4.2.3.1-1", "RPCRDMA2-4.2.3.3-1"}, Begin: begun,
			Says: "Properties, Replies and errors of the peer have version 2, like the messages that they answer.",
			Ask: asking(func(n null) []string {
				m := n.message(second)
				m.HType = 6
				return []string{script(n.answered(first), refused(m, rpctext2.InvalHType), n.answered(third))}
			})},
		{Name: "first-message-of-any-length", Requirements: []string{"RPCRDMA2-4.2.3.1-1", "RPCRDMA2-5.1-4"}, Begin: bare,
			Says: "The first message may have up to 1024 octets, or no properties.",
			Ask: asking(func(n null) (scripts []string) {
				for _, octets := range []int{0, 1, 4, 500, 1024 - 32} {
					m := rpctext2.Properties(rpctext2.Property(1000, make([]byte, octets)...))
					scripts = append(scripts, script(sends(m), gets(rpctext2.AnyConnProp()), n.answered(first)))
				}
				return append(scripts, script(sends(rpctext2.Properties()), gets(rpctext2.AnyConnProp()), n.answered(first)))
			})},
	}
})

var section4232 = about("4.2.3.2", "a server that does not know version 2", func() []conform.Case {
	return []conform.Case{
		{Name: "version-2-refused", Requirements: []string{"RPCRDMA2-4.2.3.2-1"}, If: func(s *conform.Setup) bool { return !s.Peer.RPC.Version2 }, For: "a server that does not know version 2",
			Says: "The first message of version 2 is answered with the range of supported versions, which are then " +
				"taken.",
			Ask: func(s *conform.Setup) []string {
				m := rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, 4096))
				return []string{script(sends(m), outside(m, s.Peer.RPC.Low, s.Peer.RPC.High))}
			}},
	}
})

var section4233 = adapted("4.2.3.3", "the version of a connection", func() []conform.Case {
	return []conform.Case{
		{Name: "other-version-later", Requirements: []string{"RPCRDMA2-4.2.3.3-1", "RPCRDMA2-7.1.1-1", "RPCRDMA2-7-3"},
			Begin: begun,
			Says:  "A message of another version, known or not, does not change that of the connection.",
			Ask: conform.EachWith(func(s *conform.Setup, v rpctext.Word) string {
				n := nullOf(s)
				m := n.message(first)
				m.Vers = v
				return script(n.answered(second), sends(m), outside(m, s.Peer.RPC.Low, s.Peer.RPC.High), n.answered(third))
			}, otherVersions...)},
	}
})

var section711 = adapted("7.1.1", "RDMA2_ERR_VERS", func() []conform.Case {
	return []conform.Case{
		{Name: "version-unknown", Requirements: []string{"RPCRDMA2-7.1.1-1", "RPCRDMA2-7-2", "RPCRDMA2-7-3"}, Begin: bare,
			Says: "A first message of an unknown version is answered with the range of supported ones.",
			Ask: conform.EachWith(func(s *conform.Setup, v rpctext.Word) string {
				m := rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, 4096))
				m.Vers = v
				return script(sends(m), outside(m, s.Peer.RPC.Low, s.Peer.RPC.High),
					sends(rpctext2.Properties()), gets(rpctext2.AnyConnProp()))
			}, unknownVersions...)},
		{Name: "version-unknown-again", Requirements: []string{"RPCRDMA2-7.1.1-1"}, Begin: bare,
			Says: "That holds for each such message, until one of a supported version.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i, v := range unknownVersions {
					m := nullOf(s).message(first + rpctext.Word(i))
					m.Vers = v
					lines = append(lines, sends(m), outside(m, s.Peer.RPC.Low, s.Peer.RPC.High))
				}
				return []string{script(append(lines, sends(rpctext2.Properties()), gets(rpctext2.AnyConnProp()))...)}
			}},
		{Name: "version-unknown-not-executed", Requirements: []string{"RPCRDMA2-7.1.1-2"},
			Need: conform.RPCProgram, Begin: begun,
			Says: "A Call of another version is not executed.",
			Ask: conform.EachWith(func(s *conform.Setup, v rpctext.Word) string {
				m := nullOf(s).message(first)
				m.Vers = v
				return script(sends(m), outside(m, s.Peer.RPC.Low, s.Peer.RPC.High), reports(second, 0))
			}, otherVersions...)},
	}
})

// outside expects an error about the version of a message, with the range of versions that the peer accepts, or only
// that of the connection if it has one. All versions can read it in the form of RFC 8166, section 7; the draft has
// flags before the code.
func outside(m rpctext2.Message, low, high uint32) string {
	var forms []string
	for _, r := range [][2]rpctext.Word{{rpctext.Word(low), rpctext.Word(high)}, {rpctext2.Vers, rpctext2.Vers}} {
		forms = append(forms, rpctext.Error1(m.XID, m.Vers, rpctext.ErrVers, r[0], r[1]),
			rpctext.Words(m.XID, m.Vers, rpctext.Any, rpctext.RDMAError, rpctext2.Response, rpctext.ErrVers, r[0], r[1]))
	}
	return getsOneOf(forms...)
}
