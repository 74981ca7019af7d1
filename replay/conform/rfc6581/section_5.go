package rfc6581

// The Ready to Receive comes before all else. Only an Initiator that wants to be a peer can be asked.

import "github.com/iwarpkit/iwarp/replay/conform"

var section5 = about("5", "Enhanced MPA connection establishment", func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsResponder, Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "rtr-first", Requirements: []string{"EMPA-5-1", "EMPA-9.2-9", "EMPA-9.2-15", "EMPA-9.3-2"},
			For:  "an Initiator that offers an RTR",
			Says: "The first FPDU of an Initiator that has offered some RTRs is the one that the Reply has picked out.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, k := range kinds {
					if common(k.flag, offered(s)) {
						scripts = append(scripts, "< request\n"+reply(oneKind(k.flag)+depths(s))+"< hello "+k.flag)
					}
				}
				return scripts
			}},
		{Name: "one-rtr", Requirements: []string{"EMPA-5-1", "EMPA-9.2-9"},
			For:  "an Initiator that offers several kinds of RTR",
			Says: "Where the Reply leaves the choice to it the Initiator sends one RTR, and its first message behind that.",
			Ask: func(s *conform.Setup) []string {
				if len(offered(s)) < 2 {
					return nil
				}
				script := "< request\n" + reply("A B C D "+depths(s)) + "< OneOf\n"
				for _, k := range kinds {
					if common(k.flag, offered(s)) {
						script += k.comes
					}
				}
				return []string{script + "< Send 00000000\n> FIN" + over + "\nor Terminate"}
			}},
	})
})

// oneKind returns the flags of an Enhanced word with one kind of Ready to Receive.
func oneKind(flag string) string { return "A " + flag + " " }
