package rpcrdma2

// Sections 4.2.1.1 and 4.2.1.2: credits.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section4211 = adapted("4.2.1.1", "granting credits", func() []conform.Case {
	return []conform.Case{
		{Name: "no-credit-no-message", Requirements: []string{"RPCRDMA2-4.2.1.1-4", "RPCRDMA2-6.2.2.2-10"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply in several messages stops where the credits are used up.",
			Ask: conform.Text(script(
				sends(granting(smallest(), 1)), gets(rpctext.AnyConnProp()),
				sends(rpctext.Msg2(first, none, plain(first, longItem()))), gets(somePart(first,
					rpctext.Response|rpctext.More)), over))},
		{Name: "as-many-messages-as-credits", Requirements: []string{"RPCRDMA2-4.2.1.1-4", "RPCRDMA2-6.2.2.2-10"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "Each credit that is granted lets one more message of a Reply come.",
			Ask: conform.Text(script(
				sends(granting(smallest(), 1)), gets(rpctext.AnyConnProp()),
				sends(rpctext.Msg2(first, none, plain(first, longItem()))), gets(somePart(first, rpctext.Response|rpctext.More)),
				"> Send "+rpctext.Grant(1), gets(somePart(first, rpctext.Response|rpctext.More)), over))},
		{Name: "credits-of-several-messages", Requirements: []string{"RPCRDMA2-4.2.1.1-4"}, Begin: bare,
			Says: "Replies come as credits for them are granted, be it with Calls or alone.",
			Ask: asking(func(n null) []string {
				return []string{script(
					sends(granting(rpctext.Properties(), 1)), gets(rpctext.AnyConnProp()),
					n.answered(first), n.answered(second), "> Send "+rpctext.Grant(3), n.answered(third), n.answered(fourth))}
			})},
		{Name: "calls-of-the-peer-wait", Requirements: []string{"RPCRDMA2-4.2.1.1-4"}, Need: conform.RPCReverse, Begin: bare,
			Says: "Calls of the peer come as credits for them are granted.",
			Ask: conform.Text(script(
				sends(granting(reversing(simple), 1)), gets(rpctext.AnyConnProp()),
				"var $a xid", "var $b xid", callsBack(first, 2, 0),
				"> Send "+rpctext.Grant(1), theirNull("$a"),
				answersNull("$a"), theirNull("$b"), answersNull("$b"),
				counted(second, 1, 2, 2, 0)))},
		{Name: "many-calls-at-once", Requirements: []string{"RPCRDMA2-4.2.3.3-1", "RPCRDMA2-4.2.1.1-4"}, Begin: begun,
			Says: "As many Calls as the peer grants credits for may come at once, and all are answered.",
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
			Says: "A message that only grants credits has no answer, however many it grants.",
			Ask: asking(func(n null) (scripts []string) {
				for _, credits := range []rpctext.Word{1, 2, 16, 255, 256} {
					scripts = append(scripts, script("> Send "+rpctext.Grant(credits), n.answered(first)))
				}
				return scripts
			})},
		{Name: "grants-between-calls", Requirements: []string{"RPCRDMA2-4.2.1.2-2"}, Begin: begun,
			Says: "Grants may come between Calls.",
			Ask: asking(func(n null) []string {
				grant := "> Send " + rpctext.Grant(1)
				return []string{script(grant, n.answered(first), grant, n.answered(second), grant, n.asks(third), grant,
					n.answers(third))}
			})},
		{Name: "grant-as-a-response", Requirements: []string{"RPCRDMA2-4.2.1.2-2"}, Begin: begun,
			Says: "Nothing is answered to a grant with RDMA2_F_RESPONSE either.",
			Ask: asking(func(n null) []string {
				return []string{script(sends(rpctext.NoMsg2(0, none).With(rpctext.Response)), n.answered(first))}
			})},
		{Name: "grant-while-credits-are-used-up", Requirements: []string{"RPCRDMA2-4.2.1.2-1"}, Begin: begun,
			Says: "A grant can be taken in although as many Calls have come as there are credits for.",
			Ask: func(s *conform.Setup) []string {
				n, lines := nullOf(s), []string(nil)
				for i := range granted(s) {
					lines = append(lines, n.asks(first+rpctext.Word(i)))
				}
				lines = append(lines, "> Send "+rpctext.Grant(1))
				for i := range granted(s) {
					lines = append(lines, n.answers(first+rpctext.Word(i)))
				}
				return []string{script(lines...)}
			}},
	}
})

// granted returns how many credits the first message of the peer grants: so many Calls can be under way. There are no more
// than a case can have.
func granted(s *conform.Setup) int { return min(int(s.Peer.RPC.Granted), mostCalls) }

// mostCalls is how many Calls are under way in a case.
const mostCalls = 64

func granting(m rpctext.Message2, credits rpctext.Word) rpctext.Message2 {
	m.Credit = rpctext.MostCredits<<16 | credits
	return m
}
