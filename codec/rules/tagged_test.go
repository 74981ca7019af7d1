package rules_test

import (
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var taggedCases = []receiverCase{
	{"Writes of several segments", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 8140 A1B2C301 00000000 000013E8
		in +1    C140 A1B2C301 00000000 000017D0
		in +1    C140 A1B2C302 FFFFFFFF FFFFFFFE`},
	{"STag and TO of a Write of nothing mean nothing", agreed, `
		in C140 00000000 00000000 00000000
		in C140 12345678 FFFFFFFF FFFFFFFF`},
	{"the STag changes within a Write", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 8140 A1B2C302 00000000 000013E8 ! write-continuation
		in +1    C140 A1B2C302 00000000 000017D0`},
	{"the opcode changes within a Write", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 8142 A1B2C301 00000000 000013E8 ! tagged-changed
		in +1    C140 A1B2C301 00000000 000017D0`},
	{"the opcode changes within a Read Response", agreed, `
		out 4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000008 0000000B 00000000 00000000
		in +4 8142 0000000A 00000000 00000000
		in +4 C140 0000000A 00000000 00000004 -> 0 last ! tagged-changed`},
	{"TO leaves octets out", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 000013EC ! to-order`},
	{"octets of a Write are not sent", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 000017D0 ! to-order
		in +10   4143 00000000 00000000 00000001 00000000 ! write-hole
		in +10   4143 00000000 00000000 00000002 00000000`},
	{"octets of a Write are sent after L", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 000017D0 ! to-order
		in +1000 8140 A1B2C301 00000000 000013E8
		in +10   4143 00000000 00000000 00000001 00000000`},
	{"the segments of a Write come backwards", agreed, `
		in +1000 8140 A1B2C301 00000000 000017D0
		in +1000 8140 A1B2C301 00000000 000013E8 ! to-order
		in +1000 C140 A1B2C301 00000000 00001000
		in +10   4143 00000000 00000000 00000001 00000000`},
	{"segments of a Write overlap", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 8140 A1B2C301 00000000 000017D0 ! to-order
		in +1000 C140 A1B2C301 00000000 000017CC ! to-overlap
		in +10   4143 00000000 00000000 00000001 00000000`},
	{"the lower octets of a Write come after a part with L", agreed, `
		in +1000 C140 A1B2C301 00000000 000017D0
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 8140 A1B2C301 00000000 000013E8
		in +10   4143 00000000 00000000 00000001 00000000 ! to-order`},
	{"octets between the parts of a Write are not sent", agreed, `
		in +1000 C140 A1B2C301 00000000 000017D0
		in +1000 8140 A1B2C301 00000000 00001000
		in +10   4143 00000000 00000000 00000001 00000000 ! interleaved`},
	{"a Write that goes on into the place of the previous one", agreed, `
		in +1000 C140 A1B2C301 00000000 000017D0
		in +2000 8140 A1B2C301 00000000 00001000
		in +2000 C140 A1B2C301 00000000 000017D0
		in +10   4143 00000000 00000000 00000001 00000000`},
	{"a Terminate within a Write that begins below the previous one", agreed, `
		in +1000 C140 A1B2C301 00000000 000017D0
		in +2000 8140 A1B2C301 00000000 00001000
		in 4147 00000000 00000002 00000001 00000000 00000000`},
	{"two Writes out of order, the second below the first", agreed, `
		in +1000 8140 A1B2C301 00000000 00003000
		in +1000 C140 A1B2C301 00000000 000037D0 ! to-order
		in +1000 8140 A1B2C301 00000000 000033E8
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 000017D0 ! to-order
		in +1000 8140 A1B2C301 00000000 000013E8
		in +10   4143 00000000 00000000 00000001 00000000`},
	{"a Write out of order whose lower octets come last", agreed, `
		in +1000 8140 A1B2C301 00000000 00003000
		in +1000 C140 A1B2C301 00000000 000037D0 ! to-order
		in +1000 8140 A1B2C301 00000000 000033E8
		in +1000 8140 A1B2C301 00000000 00002C18
		in +10   4143 00000000 00000000 00000001 00000000`},
	{"a Terminate after a Write of which octets are missing", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 000017D0 ! to-order
		in 4147 00000000 00000002 00000001 00000000 00000000`},
	{"octets of a Write that were not captured", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +1000 C140 A1B2C301 00000000 000017D0 ! to-order
		gap
		in +10   4143 00000000 00000000 00000001 00000000`},
	{"a Write without end is reported once", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in +10   4143 00000000 00000000 00000001 00000000 ! interleaved
		in +10   C140 A1B2C305 00000000 00000000`},
	{"TO wraps within a message", agreed, `
		in +8    8140 A1B2C301 FFFFFFFF FFFFFFFC ! to-wrap
		in +8    C140 A1B2C301 00000000 00000004`},
	{"TO and length are 2^64", agreed, `in +4 C140 A1B2C301 FFFFFFFF FFFFFFFC ! to-end`},
	{"TO and length are 2^64, which the Verbs allow", rules.Conditions{Version: 1, IRD: -1, Profile: peers.LookupProfile("verbs")}, `
		in +4 C140 A1B2C301 FFFFFFFF FFFFFFFC
		in +5 C140 A1B2C301 FFFFFFFF FFFFFFFC ! to-wrap`},
	{"no payload within a Write", agreed, `
		in +1000 8140 A1B2C301 00000000 00001000
		in       8140 A1B2C301 00000000 000013E8 ! empty-segment
		in       C140 00000000 00000000 00000000 ! empty-segment`},
	{"no payload in two segments", agreed, `
		in 8140 A1B2C301 00000000 00001000 ! empty-segment
		in C140 A1B2C301 00000000 00001000 ! empty-message`},
	{"a Write of 2^32 octets", agreed, `
		in +2147483000 8140 A1B2C301 00000000 00000000
		in +2147483000 8140 A1B2C301 00000000 7FFFFD78
		in +1296       C140 A1B2C301 00000000 FFFFFAF0 ! message-length`},
	{"a Write of 2^32-1 octets", agreed, `
		in +2147483000 8140 A1B2C301 00000000 00000000
		in +2147483000 8140 A1B2C301 00000000 7FFFFD78
		in +1295       C140 A1B2C301 00000000 FFFFFAF0`},
}
