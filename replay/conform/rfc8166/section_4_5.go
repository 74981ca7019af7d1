package rfc8166

// Section 4.5: messages that are too short.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section45 = about("4.5", "messages that are too short", func() []conform.Case {
	return []conform.Case{
		{Name: "short", Requirements: []string{"RPCRDMA1-4.5-1"}, For: grantsTwo,
			Says: "A message of fewer than 28 octets is passed over: a Call of NULL that is cut anywhere before.",
			Ask: func(s *conform.Setup) []string {
				return allDropped(s, cuts(nullMessage(s, 0x20000, none).String(), 0, rpctext.MinHeader)...)
			}},
		{Name: "short-as-the-first", Requirements: []string{"RPCRDMA1-4.5-1"},
			Says: "A message of fewer than 28 octets is passed over as the first of a connection too.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, cut := range cuts(nullMessage(s, 0x20000, none).String(), 0, rpctext.MinHeader) {
					if n := rpctext.Len(cut); n%4 == 0 || n == rpctext.MinHeader-1 {
						scripts = append(scripts, script(sends(cut), silent(s)))
					}
				}
				return scripts
			}},
		{Name: "short-and-wrong", Requirements: []string{"RPCRDMA1-4.5-1"}, For: grantsTwo,
			Says: "A message of fewer than 28 octets is passed over before anything in it is looked at.",
			Ask: func(s *conform.Setup) []string {
				var messages []string
				for _, vers := range []rpctext.Word{0, rpctext.Vers1, 7, 0xffffffff} {
					for _, proc := range []rpctext.Word{0, 1, 2, 3, 5, 0xffffffff} {
						m := rpctext.Message1{XID: 0x20000, Vers: vers, Credit: rpctext.Credits, Proc: proc, Body: rpctext.Words(0, 0, 0)}
						messages = append(messages, rpctext.Cut(m.String(), 16), rpctext.Cut(m.String(), 24), rpctext.Cut(m.String(), 27))
					}
				}
				return allDropped(s, messages...)
			}},
		{Name: "xid-and-version", Requirements: []string{"RPCRDMA1-4.5-4", "RPCRDMA1-4.5-5", "RPCRDMA1-4.5-6"},
			Says: "An RDMA_ERROR has the XID and the version of what it answers.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for _, xid := range []rpctext.Word{1, 0, 0x80000000, 0xffffffff, 0x01000000, rpctext.Word(s.Rand.Uint32())} {
					m := nullMessage(s, xid, none)
					m.Proc = 5
					lines = append(lines, refused(xid, m.String()))
				}
				return []string{script(lines...)}
			}},
	}
})

// cuts returns what is left of a message of which only the first octets are sent, from some number of them to below
// another.
func cuts(message string, from, to int) (all []string) {
	for n := from; n < to; n++ {
		all = append(all, rpctext.Cut(message, n))
	}
	return all
}
