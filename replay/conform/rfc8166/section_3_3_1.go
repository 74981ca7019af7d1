package rfc8166

// Section 3.3.1: credits.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section331 = about("3.3.1", "credits", func() []conform.Case {
	return []conform.Case{
		{Name: "burst", Requirements: []string{"RPCRDMA1-3.3.1-5", "RPCRDMA1-3.3.1-8"},
			Says: "As many Calls as are granted can be outstanding at once.",
			Ask:  func(s *conform.Setup) []string { return []string{script(null(s, firstXID), burst(s, firstXID+1))} }},
		{Name: "burst-again", Requirements: []string{"RPCRDMA1-3.3.1-5"},
			Says: "What is granted stays granted: one burst of Calls can follow the other.",
			Ask: func(s *conform.Setup) []string {
				return []string{script(null(s, firstXID), burst(s, 0x1001), burst(s, 0x2001), burst(s, 0x3001))}
			}},
		{Name: "burst-after-errors", Requirements: []string{"RPCRDMA1-3.3.1-5", "RPCRDMA1-4.5-2"},
			Says: "Messages that are refused cost no credits: behind them as many Calls as ever can be outstanding.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{null(s, firstXID)}
				for i := range granted(s) + 1 {
					m := nullMessage(s, 0x1001+i, none)
					m.Proc = 9
					lines = append(lines, refused(m.XID, m.String()))
				}
				return []string{script(append(lines, burst(s, 0x2001))...)}
			}},
		{Name: "burst-after-dropped", Requirements: []string{"RPCRDMA1-3.3.1-5", "RPCRDMA1-4.5-1"}, For: grantsTwo,
			Says: "Messages that are passed over cost no credits.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.RPC.Credits < 2 {
					return nil
				}
				lines := []string{null(s, firstXID)}
				for i := range 6 * granted(s) {
					lines = append(lines, sends("00000000"), null(s, 0x1001+i))
				}
				return []string{script(append(lines, burst(s, 0x2001))...)}
			}},
		{Name: "requested", Requirements: []string{"RPCRDMA1-3.3.1-8", "RPCRDMA1-3.3.1-5"},
			Says: "Whatever number of credits is requested, the Call is answered, and so is the next one.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i, credits := range []rpctext.Word{0, 1, 2, 0x80000000, 0xffffffff, 0, rpctext.Word(s.Rand.Uint32())} {
					m := nullMessage(s, firstXID+rpctext.Word(i), none)
					m.Credit = credits
					lines = append(lines, sends(m.String()), gets(rpctext.Msg(m.XID, none, nullReply(s, m.XID)).Theirs()))
				}
				return []string{script(lines...)}
			}},
		{Name: "grant", Requirements: []string{"RPCRDMA1-3.3.1-2", "RPCRDMA1-3.3.1-5"},
			Says: "Each Reply grants credits, and never zero.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, firstXID, none)
				return []string{script(sends(m.String()), grants(s, rpctext.Msg(m.XID, none, nullReply(s, m.XID))))}
			}},
		{Name: "grant-in-errors", Requirements: []string{"RPCRDMA1-3.3.1-2", "RPCRDMA1-3.3.1-8"},
			Says: "An RDMA_ERROR grants credits too, and never zero.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, firstXID, none)
				m.Proc = 9
				return []string{script(sends(m.String()), grants(s, rpctext.Message1{
					XID: m.XID, Vers: rpctext.Vers1, Proc: rpctext.RDMAError, Body: rpctext.ErrChunk.String(),
				}))}
			}},
		{Name: "unsolicited", Requirements: []string{"RPCRDMA1-3.3.1-7", "RPCBIDI-6-1"},
			Says: "Nothing is sent while no Call is open, and no reverse Call to who has not said that it takes them.",
			Ask: func(s *conform.Setup) []string {
				return []string{
					silent(s),
					script(null(s, firstXID), silent(s), null(s, firstXID+1), silent(s)),
				}
			}},
	}
})

// mostOutstanding is how many Calls are outstanding at most in a case.
const mostOutstanding = 256

// granted returns how many Calls can be outstanding.
func granted(s *conform.Setup) rpctext.Word {
	return rpctext.Word(min(max(s.Peer.RPC.Credits, 1), mostOutstanding))
}

// burst returns as many Calls of NULL as are granted, and their Replies, which may come in any order.
func burst(s *conform.Setup, xid rpctext.Word) string {
	var ours, theirs []string
	for i := range granted(s) {
		ours = append(ours, sends(nullMessage(s, xid+i, none).String()))
		theirs = append(theirs, gets(rpctext.Msg(rpctext.Any, none, nullReply(s, rpctext.Any)).Theirs()))
	}
	return script(append(ours, theirs...)...)
}

// grants: a message comes which grants as many credits as the peer's first one did, or others, but not zero.
func grants(s *conform.Setup, m rpctext.Message1) string {
	const most = 128 // of the other grants that are taken
	usual := rpctext.Word(max(s.Peer.RPC.Credits, 1))
	m.Credit = usual
	lines := []string{"< OneOf", "or Send " + m.String()}
	for m.Credit = 1; m.Credit <= min(2*usual, most); m.Credit++ {
		if m.Credit != usual {
			lines = append(lines, `may "a grant may change, and this one was another before" Send `+m.String())
		}
	}
	return script(lines...)
}
