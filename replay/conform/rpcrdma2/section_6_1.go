package rpcrdma2

// Section 6.1: header types.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

// unknownTypes are values of rdma_htype that mean nothing, those of version 1 that version 2 has given up among them.
var unknownTypes = []rpctext.Word{2, 3, 6, 7, 8, 9, 10, 13, 14, 0x100, 0x7fffffff, 0x80000000, 0xffffffff}

var section61 = adapted("6.1", "header types", func() []conform.Case {
	return []conform.Case{
		{Name: "types-supported", Requirements: []string{"RPCRDMA2-6.1-1", "RPCRDMA2-4.2.3.1-1"}, Begin: singly,
			Says: "Each of the four header types is taken for what it is.",
			Ask: asking(func(n null) []string {
				s := segment(1, rpctext.CallLen)
				special := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Segment: s}}}
				return []string{script(n.answered(first),
					sends(rpctext.NoMsg2(second, special)), read(s, n.call(second)), n.answers(second),
					sends(rpctext.Refusing(third, rpctext.System)), n.answered(fourth))}
			})},
		{Name: "type-unknown", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-1", "RPCRDMA2-7-2", "RPCRDMA2-7-3"},
			Begin: begun,
			Says:  "A header type that means nothing is answered with RDMA2_ERR_INVAL_HTYPE.",
			Ask:   asking(func(n null) []string { return eachRefused(rpctext.InvalHType, typesOf(n, n.call(first))...) })},
		{Name: "type-unknown-nothing-behind", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-1"}, Begin: begun,
			Says: "So is one without anything behind the prefix of the header.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, t := range unknownTypes {
					m := rpctext.Message2{XID: first, Vers: rpctext.Vers2, Credit: rpctext.NextGrant, HType: t}
					scripts = append(scripts, refused(m, rpctext.InvalHType))
				}
				return scripts
			}},
		{Name: "type-unknown-not-executed", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-2"},
			Need: conform.RPCProgram, Begin: begun,
			Says: "A Call with an unknown header type is not executed.",
			Ask: asking(func(n null) []string {
				return behind(eachRefused(rpctext.InvalHType, typesOf(n, n.call(first))...), reports(second, 0))
			})},
		{Name: "type-unknown-then-known", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-1"}, Begin: begun,
			Says: "Unknown header types, one after the other, leave the connection as it is.",
			Ask: asking(func(n null) []string {
				lines := []string{n.answered(second)}
				for _, m := range typesOf(n, n.call(first)) {
					lines = append(lines, refused(m, rpctext.InvalHType), n.answered(second))
				}
				return []string{script(lines...)}
			})},
	}
})

// typesOf returns Calls of NULL with each header type that is unknown, whatever stands after it.
func typesOf(n null, payload string) (messages []rpctext.Message2) {
	for _, t := range unknownTypes {
		m := rpctext.Msg2(first, none, payload)
		m.HType = t
		messages = append(messages, m)
	}
	return messages
}
