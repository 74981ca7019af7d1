package verbs

// Section 6.2.3: the state Terminate.

import "github.com/iwarpkit/iwarp/replay/conform"

var section623 = about("6.2.3", "the state Terminate", func() []conform.Case {
	return []conform.Case{
		{Name: "queue-stops", Requirements: []string{"V-082", "V-083"}, Need: conform.Terminates,
			Says: "Behind its Terminate a peer sends nothing of what its upper layer still asks for.",
			Ask: conform.Text(reading + `
				> Send {terminate}
				> Send {echo "too late"}
				< refuses local`)},
		{Name: "not-closed", Requirements: []string{"V-085"}, Role: conform.AsInitiator, Patient: true,
			Says: "A peer that has sent a Terminate resets the connection at last, if the other side does not close it.",
			Ask:  demanded("> [bad] Segment Send MSN=9 {quiet}\n< Refusal send-msn to [bad]\n< FIN", "Reset", "Silence 50s")},
	}
})
