package rules_test

import (
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var headerCases = []receiverCase{
	{"every opcode", agreed, `
		out 4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002000 00000004 BEEF0002 00007F00 00004000
		out 414A 00000000 00000001 00000002 00000000 00000000 00000007 BEEF0002 00007F00 00004008 00000000 00000005 00000000 00000000 00000000 00000000 FFFFFFFF FFFFFFFF
		in C140 A1B2C301 00000000 00001000 61626364
		in 4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002000 00001800 BEEF0002 00007F00 00004000
		in C142 CAFE0001 00000000 00002000 61626364 -> 0 last
		in 4143 00000000 00000000 00000001 00000000 61626364
		in 4144 11223344 00000000 00000002 00000000 61626364
		in 4145 00000000 00000000 00000003 00000000
		in 4146 11223344 00000000 00000004 00000000
		in 4148 00000000 00000000 00000005 00000000 00112233 44556677
		in 4149 00000000 00000000 00000006 00000000 00112233 44556677
		in 414A 00000000 00000001 00000002 00000000 00000002 00000008 BEEF0002 00007F00 00004008 00000000 0000AAAA 00000000 0000FFFF 00000000 00001234 00000000 0000FF00
		in 414B 00000000 00000003 00000001 00000000 00000007 01234567 89ABCDEF -> 1 last
		in 4147 00000000 00000002 00000001 00000000 00000000`},
	{"tagged, shorter than its header", agreed, `in C140 A1B2C301 00000000 000010 ! ddp-short`},
	{"untagged, shorter than its header", agreed, `in 4143 00000000 00000000 00000001 000000 ! ddp-short`},
	{"one octet", agreed, `in C1 ! ddp-short`},
	{"nothing, which the framing shows", agreed, `in`},
	{"after one that is short all is learned anew", agreed, `
		in 4143 00000000 00000000 00000001 0000 ! ddp-short
		in 4143 00000000 00000000 00000002 00000000
		in 4143 00000000 00000000 00000004 00000000 ! send-msn`},

	{"DDP version of a tagged segment", agreed, `in C040 A1B2C301 00000000 00001000 ! ddp-version-tagged`},
	{"DDP version of an untagged segment", agreed, `in 4243 00000000 00000000 00000001 00000000 ! ddp-version-untagged`},
	{"RDMAP version", agreed, `in 4103 00000000 00000000 00000001 00000000 ! rdmap-version`},
	{"another version altogether is one mistake, reported once", agreed, `
		in 4003 00000000 00000000 00000001 00000000 ! ddp-version-untagged
		in 4003 00000000 00000000 00000002 00000000
		in 4143 00000000 00000000 00000003 00000000
		in C200 A1B2C301 00000000 00001000 ! ddp-version-tagged rdmap-version`},
	{"version 0", rules.Conditions{Version: 0, IRD: -1}, `
		in 4003 00000000 00000000 00000001 00000000 ! rdmac-version
		in C000 A1B2C301 00000000 00001000 61626364
		in 4143 00000000 00000000 00000002 00000000 ! ddp-version-untagged`},
	{"an unknown version is learned", rules.Conditions{Version: -1, IRD: -1}, `
		in 4003 00000000 00000000 00000001 00000000 ! rdmac-version
		in 4143 00000000 00000000 00000002 00000000 ! ddp-version-untagged`},
	{"an unknown version is learned from the other direction", rules.Conditions{Version: -1, IRD: -1}, `
		out 4003 00000000 00000000 00000001 00000000
		in 4143 00000000 00000000 00000001 00000000 ! ddp-version-untagged rdmac-version`},
	{"an unknown version that nobody has", rules.Conditions{Version: -1, IRD: -1}, `
		in 43C3 00000000 00000000 00000001 00000000 ! ddp-version-untagged
		in 4143 00000000 00000000 00000002 00000000`},
	{"the draft knows version 1 only", rules.Conditions{Version: -1, IRD: -1, Profile: peers.LookupProfile("draft-00")}, `
		in 4003 00000000 00000000 00000001 00000000 ! ddp-version-untagged`},
	{"the RDMA Consortium knows version 0 only", rules.Conditions{Version: -1, IRD: -1, Profile: peers.LookupProfile("rdmac")}, `
		in 4143 00000000 00000000 00000001 00000000 ! ddp-version-untagged`},

	{"unassigned opcode", agreed, `in 414E 00000000 00000000 00000001 00000000 ! opcode`},
	{"experimental opcode", agreed, `in C14F 00000000 00000000 00000000 ! opcode`},
	{"of an unassigned opcode no T, QN or STag is wrong", agreed, `in 414E 11223344 00000063 00000009 00000007 ! opcode`},
	{"RFC 7306 in version 0", rules.Conditions{Version: 0, IRD: -1}, `
		in 4008 00000000 00000000 00000001 00000000 00112233 44556677 ! opcode`},
	{"RFC 7306 in the draft", rules.Conditions{Version: 1, IRD: -1, Profile: peers.LookupProfile("draft-00")}, `
		in 4148 00000000 00000000 00000001 00000000 00112233 44556677 ! opcode`},
	{"T in a Send", agreed, `in C143 00000000 00000000 00000001 ! opcode-t`},
	{"no T in a Write", agreed, `in 4140 A1B2C301 00000000 00001000 00000000 ! opcode-t`},
	{"QN 4", agreed, `in 4143 00000000 00000004 00000001 00000000 ! qn-undefined`},
	{"a Send in the queue of requests", agreed, `
		in 4143 00000000 00000001 00000001 00000000 ! qn-opcode
		in 4143 00000000 00000000 00000001 00000000`},
	{"a Read Request in the queue of Sends", agreed, `
		in 4141 00000000 00000000 00000001 00000000 CAFE0001 00000000 00002000 00001800 BEEF0002 00007F00 00004000 ! qn-opcode`},
	{"an Atomic Response in the queue of requests", agreed, `
		out 414A 00000000 00000001 00000001 00000000 00000000 00000007 BEEF0002 00007F00 00004008 00000000 00000005 00000000 00000000 00000000 00000000 FFFFFFFF FFFFFFFF
		in 414B 00000000 00000001 00000001 00000000 00000007 01234567 89ABCDEF ! qn-opcode`},

	{"reserved bits", agreed, `
		in 6143 00000000 00000000 00000001 00000000 ! ddp-reserved
		in C560 A1B2C301 00000000 00001000 61626364 ! ddp-reserved rdmap-reserved
		in 4153 00000000 00000000 00000002 00000000 ! rdmap-reserved`},
	{"nothing to invalidate", agreed, `
		in 4144 00000000 00000000 00000001 00000000 ! invalidate-none
		in +10 0146 00000000 00000000 00000002 00000000 ! invalidate-none
		in +10 4146 00000000 00000000 00000002 0000000A`},
	{"an STag that nothing invalidates", agreed, `
		in 4143 11223344 00000000 00000001 00000000 ! reserved-stag
		in 4148 00000001 00000000 00000002 00000000 00112233 44556677 ! reserved-stag`},
}
