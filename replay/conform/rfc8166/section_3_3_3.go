package rfc8166

// Section 3.3.3: what holds before anything else is known.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section333 = about("3.3.3", "the begin of a connection", func() []conform.Case {
	return []conform.Case{
		{Name: "call-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-3"}, Need: conform.RPCProgram,
			Says: "A message of 1024 octets is taken, as the first one too.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, octets := range []int{1024, 1020, 1016} {
					item := numbered(octets - rpctext.MinHeader - rpctext.CallLen - rpctext.ItemsLen(rpctext.Item{Data: []byte{}}))
					scripts = append(scripts, script(
						asks(firstXID, rpctext.ProcPlain, none, item), gives(firstXID, none, item)))
				}
				return scripts
			}},
		{Name: "null-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-3", "RPCRDMA1-4.3.2.2-3"},
			Says: "A Call of NULL that is 1024 octets long is taken: with credentials of AUTH_SYS, and a Write chunk for " +
				"nothing.",
			Ask: func(s *conform.Setup) []string {
				const xid, segments = firstXID, 50
				var chunk []rpctext.Segment
				for i := range segments {
					chunk = append(chunk, sink(i, 8))
				}
				offered, back := writeList(chunk), writeList(rpctext.Used(0, chunk...))
				message := nullMessage(s, xid, offered).String()
				credential := 1024 - rpctext.Len(message)
				message = strings.Replace(message, nullCall(s, xid), rpctext.WithAuthSys(nullCall(s, xid), credential), 1)
				return []string{script(sends(message), gets(rpctext.Msg(xid, back, nullReply(s, xid)).Theirs()))}
			}},
		{Name: "reply-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-4", "RPCPD-5.1-1"}, Need: conform.RPCProgram,
			Says:  "A Reply of 1024 octets is sent inline.",
			Begin: oneAtATime, Ask: conform.Text(inline(1024))},
		{Name: "reply-of-1028-octets", Requirements: []string{"RPCRDMA1-3.3.3-4", "RPCPD-5.1-1", "RPCRDMA1-4.5.4-2"},
			Need:  conform.RPCProgram,
			Says:  "Nothing longer than 1024 octets is sent to who has told nothing of its Receives.",
			Begin: oneAtATime, Ask: conform.Texts(notInline(1028), notInline(2048), notInline(4100))},
	}
})

// inline returns a Reply of so many octets that comes inline.
func inline(octets int) string {
	lines, items := pulled(firstXID, octets-rpctext.MinHeader, none)
	return script(lines, gives(firstXID, none, items...))
}

// notInline returns a Reply that would be so many octets, and does not come so: there is no other way to send it.
func notInline(octets int) string {
	lines, _ := pulled(firstXID, octets-rpctext.MinHeader, none)
	return script(lines, gets(rpctext.RefusedChunk(firstXID)))
}
