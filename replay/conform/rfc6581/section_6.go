package rfc6581

// The frames: S, revision 2, and Private Data that begins with the Enhanced word.

import "github.com/iwarpkit/iwarp/replay/conform"

var section6 = about("6", "Enhanced MPA Request and Reply frames", func() []conform.Case {
	return conform.Alike(conform.Case{Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "reserved-bits", Requirements: []string{"EMPA-6-3", "MPA-7.1.1-12"}, Role: conform.AsInitiator,
			Says: "The reserved bits of an enhanced Request are not looked at, nor is R.",
			Ask: conform.Each(`
				> request %s
				< reply`, "Res=1", "Res=2", "Res=4", "Res=8", "Res=15", "R", "R Res=15")},
		{Name: "reserved-bits-in-a-reply", Requirements: []string{"EMPA-6-3", "MPA-7.1.1-12"}, Role: conform.AsResponder,
			Says: "The reserved bits of an enhanced Reply are not looked at.",
			Ask: conform.Each(`
				< request
				> reply Res=%d
				< hello`, 1, 2, 4, 8, 15)},
		{Name: "revision-1", Requirements: []string{"EMPA-6-6", "EMPA-6-9", "EMPA-10-2", "EMPA-10-4"},
			Role: conform.AsInitiator, Begin: conform.Begin{Rev: 1},
			Says: "A Responder that has revision 2 accepts a Request of revision 1, by a Reply of revision 1 without S.",
			Ask: conform.Texts(`
				> request
				< reply`, `
				> request
				| "private data"
				< reply`)},
		{Name: "s-in-revision-1", Requirements: []string{"EMPA-6-4", "EMPA-6-6", "MPA-7.1.1-12"}, Role: conform.AsInitiator,
			Begin: conform.Begin{Rev: 1},
			Says:  "S is a reserved bit in a Request of revision 1, and its Private Data is the upper layer's alone.",
			Ask: conform.Texts(`
				> request S
				< reply`, `
				> request S
				| 01
				< reply`, `
				> request S
				| 80014001
				< reply`)},
		{Name: "without-a-word", Requirements: []string{"EMPA-6-8", "EMPA-6-1", "MPA-7.1.2-3", "MPA-8-4", "MPA-8-7"},
			Role: conform.AsInitiator,
			Says: "An enhanced Request whose Private Data is shorter than an Enhanced word is malformed, and closed on.",
			Ask: conform.Each(`
				> MPARequest C S Rev=2 %s
				< OneOf
				or FIN
				or Reset
				may known rejects mpa-frame "rejects it" MPAReply M=? C=? R S=? Rev=2 ?*
				> FIN`, "", "00", "0010", "001000")},
		{Name: "reply-without-a-word", Requirements: []string{"EMPA-6-8", "EMPA-6-1", "MPA-7.1.2-9", "MPA-8-4", "MPA-8-7"},
			Role: conform.AsResponder, Crasher: true,
			Says: "An enhanced Reply whose Private Data is shorter than an Enhanced word is malformed, and closed on.",
			Ask: conform.Each(`
				< request
				> MPAReply C S Rev=2 %s
				< OneOf
				or FIN
				or Reset
				may known terminates mpa-frame "tells of a wrong Reply by a Terminate before it closes" Terminate
				> FIN`, "", "00", "0010", "001000")},
		{Name: "private-data", Requirements: []string{"EMPA-6-7", "EMPA-6-8", "EMPA-9-2", "MPA-7.1.2-20"},
			Role: conform.AsInitiator,
			Says: "Behind the Enhanced word there may be up to 508 octets of Private Data.",
			Ask: conform.Each(`
				> request
				| 5a*%d
				< reply`, 1, 2, 3, 4, 247, 248, 251, 252, 255, 256, 504, 507, 508)},
		{Name: "private-data-too-long", Requirements: []string{"EMPA-6-7", "EMPA-9-2", "MPA-7.1.1-19", "MPA-8-7"},
			Role: conform.AsInitiator,
			Says: "With 509 it is too much, for the Enhanced word counts as well.",
			Ask: conform.Each(`
				> request
				| 5a*%d
				< closes or resets`, 509, 510, 512, 1024)},
		{Name: "private-data-of-a-reply-too-long", Requirements: []string{"EMPA-6-7", "EMPA-9-2", "MPA-7.1.1-19"},
			Role: conform.AsResponder, Crasher: true,
			Says: "So it is in a Reply.",
			Ask: conform.Each(`
				< request
				> reply
				| 5a*%d
				< OneOf
				or FIN
				or Reset
				may known terminates mpa-frame "tells of a wrong Reply by a Terminate before it closes" Terminate
				> FIN`, 509, 512, 1024)},
	})
})
