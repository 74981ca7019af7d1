package rfc6581

// Enhanced and unenhanced peers together.

import "github.com/iwarpkit/iwarp/replay/conform"

var section10 = about("10", "Interoperability", func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsInitiator}, []conform.Case{
		{Name: "enhanced", Requirements: []string{"EMPA-10-1", "EMPA-6-1", "EMPA-6-4"}, Bare: true, Need: conform.Enhanced,
			Says: "An enhanced Request gets an enhanced Reply of revision 2.",
			Ask: conform.Text(`
				> request
				< reply`)},
		{Name: "unenhanced", Requirements: []string{"EMPA-10-2", "EMPA-10-4", "EMPA-6-6", "EMPA-6-9"},
			Begin: conform.Begin{Rev: 1},
			Says:  "An unenhanced Request gets an unenhanced Reply, and the connection works.",
			Ask: conform.Text(`
				> Send {write! 8 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*8
				< Send {done write}`)},
		{Name: "revision-2-without-s", Requirements: []string{"EMPA-10-2", "EMPA-10-4", "EMPA-6-9"}, Bare: true,
			Need: conform.Enhanced,
			Says: "So does one of revision 2 without S: its Private Data is the upper layer's alone.",
			Ask: conform.Each(`
				> MPARequest C Rev=2 %s
				< MPAReply M=? C=? Rev=? "iwcf" ?*`, "", "00", "80014001", `"private data"`)},
		{Name: "enhanced-to-an-unenhanced-one", Requirements: []string{"EMPA-10-5", "MPA-7.1.1-16"}, Bare: true,
			For:  "a peer without MPA revision 2",
			Says: "A Responder that knows nothing of revision 2 closes; it may say first which revision it has.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.Enhanced {
					return nil
				}
				return []string{request("IRD=16 ORD=1") + `
					< OneOf
					or FIN
					or Reset
					may "it says first which revision it has" MPAReply M=? C=? R=? Rev=1 ?*
					> FIN`}
			}},
	})
})
