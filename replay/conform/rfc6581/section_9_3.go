package rfc6581

// Errors that have no code of their own.

import "github.com/iwarpkit/iwarp/replay/conform"

var section93 = about("9.3", "Enhanced connection negotiation flow", func() []conform.Case {
	return []conform.Case{
		{Name: "read-as-rtr-without-ird", Requirements: []string{"EMPA-9.3-1", "EMPA-9.1-7"},
			Says: "An Initiator whose RTR can only be a Read, to a Responder without IRD, cannot go on, and sends a Terminate.",
			Role: conform.AsResponder, Bare: true, Need: conform.Enhanced,
			For: "an Initiator that offers a Read as the RTR",
			Ask: func(s *conform.Setup) []string {
				if !common("D", offered(s)) {
					return nil
				}
				return []string{"< request\n" + reply("A D IRD=0 ORD=0") + `
					< OneOf
					or Refusal mpa-local
					or Refusal mpa-rtr
					may "it takes the agreement on a Read as RTR for an IRD of one" ReadRequest RDMARDSZ=0
					> FIN`}
			}},
	}
})
