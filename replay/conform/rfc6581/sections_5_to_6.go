package rfc6581

// Sections 5 and 6: the Ready to Receive comes first, and the enhanced frames.

import "github.com/iwarpkit/iwarp/replay/conform"

var section5 = about("5", "Enhanced MPA connection establishment", func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsResponder, Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "rtr-first", Requirements: []string{"EMPA-5-1", "EMPA-9.2-9", "EMPA-9.2-15", "EMPA-9.3-2"},
			For:  "an Initiator that offers an RTR",
			Says: "The first FPDU of an Initiator that offered several RTRs is the one that the Reply chose.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, k := range kinds {
					if common(k.flag, s.Offered()) {
						scripts = append(scripts, "< request\n"+reply(oneKind(k.flag)+depths(s))+"< hello "+k.flag)
					}
				}
				return scripts
			}},
		{Name: "one-rtr", Requirements: []string{"EMPA-5-1", "EMPA-9.2-9"},
			If:   func(s *conform.Setup) bool { return len(s.Offered()) > 1 },
			For:  "an Initiator that offers several kinds of RTR",
			Says: "If the Reply leaves the choice, the Initiator sends one RTR, then its first message.",
			Ask: func(s *conform.Setup) []string {
				script := "< request\n" + reply("A B C D "+depths(s)) + "< OneOf\n"
				for _, k := range kinds {
					if common(k.flag, s.Offered()) {
						script += k.comes
					}
				}
				return []string{script + "< Send 00000000\n> FIN" + over + "\nor Terminate"}
			}},
	})
})

// oneKind returns the flags of an Enhanced word with one kind of Ready to Receive.
func oneKind(flag string) string { return "A " + flag + " " }

var section6 = about("6", "Enhanced MPA Request and Reply frames", func() []conform.Case {
	return conform.Alike(conform.Case{Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "reserved-bits", Requirements: []string{"EMPA-6-3", "MPA-7.1.1-12"}, Role: conform.AsInitiator,
			Says: "The reserved bits and R of an enhanced Request are ignored.",
			Ask: conform.Each(`
				> request %s
				< reply`, "Res=1", "Res=2", "Res=4", "Res=8", "Res=15", "R", "R Res=15")},
		{Name: "reserved-bits-in-a-reply", Requirements: []string{"EMPA-6-3", "MPA-7.1.1-12"}, Role: conform.AsResponder,
			Says: "The reserved bits of an enhanced Reply are ignored.",
			Ask: conform.Each(`
				< request
				> reply Res=%d
				< hello`, 1, 2, 4, 8, 15)},
		{Name: "revision-1", Requirements: []string{"EMPA-6-6", "EMPA-6-9", "EMPA-10-2", "EMPA-10-4"},
			Role: conform.AsInitiator, Begin: conform.Begin{Rev: 1},
			Says: "A Responder with revision 2 accepts a Request of revision 1, with a Reply of revision 1 without S.",
			Ask: conform.Texts(`
				> request
				< reply`, `
				> request
				| "private data"
				< reply`)},
		{Name: "s-in-revision-1", Requirements: []string{"EMPA-6-4", "EMPA-6-6", "MPA-7.1.1-12"}, Role: conform.AsInitiator,
			Begin: conform.Begin{Rev: 1},
			Says:  "S is a reserved bit in a Request of revision 1, and the Private Data belongs to the upper layer.",
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
			Says: "An enhanced Request whose Private Data is shorter than an Enhanced word is malformed, and closes the connection.",
			Ask: conform.Each(`
				> MPARequest C S Rev=2 %s
				< OneOf
				or FIN
				or Reset
				may known rejects mpa-frame "rejects it" MPAReply M=? C=? R S=? Rev=2 ?*
				> FIN`, "", "00", "0010", "001000")},
		{Name: "reply-without-a-word", Requirements: []string{"EMPA-6-8", "EMPA-6-1", "MPA-7.1.2-9", "MPA-8-4", "MPA-8-7"},
			Role: conform.AsResponder, Crasher: true,
			Says: "An enhanced Reply whose Private Data is shorter than an Enhanced word is malformed, and closes the connection.",
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
			Says: "After the Enhanced word there may be up to 508 octets of Private Data.",
			Ask: conform.Each(`
				> request
				| 5a*%d
				< reply`, 1, 2, 3, 4, 247, 248, 251, 252, 255, 256, 504, 507, 508)},
		{Name: "private-data-too-long", Requirements: []string{"EMPA-6-7", "EMPA-9-2", "MPA-7.1.1-19", "MPA-8-7"},
			Role: conform.AsInitiator,
			Says: "509 octets are too many: the Enhanced word counts, too.",
			Ask: conform.Each(`
				> request
				| 5a*%d
				< closes or resets`, 509, 510, 512, 1024)},
		{Name: "private-data-of-a-reply-too-long", Requirements: []string{"EMPA-6-7", "EMPA-9-2", "MPA-7.1.1-19"},
			Role: conform.AsResponder, Crasher: true,
			Says: "The same holds in a Reply.",
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
