package verbs

// Section 6.4: how an error stops what goes out and what comes in.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section64 = about("6.4", "errors and the Terminate", func() []conform.Case {
	return []conform.Case{
		{Name: "terminate-behind-whole-segments", Requirements: []string{"V-127"}, Need: conform.Terminates,
			Says: "A Terminate follows the last segment of what went out before it, whole and with its own FPDU.",
			Ask: conform.Text(`
				> Send {write! 65536 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*65536
				< Send {done write}
				> Send {terminate}
				< refuses local`)},
		{Name: "first-error-decides", Requirements: []string{"V-134", "V-129"},
			Says: "Of two messages that are wrong the first one gets the Terminate.",
			Ask: conform.Texts(
				twice("Write STag=$revoked TO=$revoked_to 00*4",
					"ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$local SrcTO=$local_to", "write-stag"),
				twice("ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$revoked SrcTO=$revoked_to",
					"Write STag=$readonly TO=$readonly_to 00*4", "read-stag"),
				twice("Segment Send MSN=7 {quiet}", "Segment Opcode12", "send-msn"))},
		{Name: "nothing-behind-an-error", Requirements: []string{"V-129"},
			Says: "What comes behind a message that is wrong is not answered.",
			Ask: conform.Text(`
				> [bad] Write STag=$revoked TO=$revoked_to 00*4
				> Send {echo "too late"}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< refuses write-stag to [bad]`)},
		{Name: "error-while-reading", Requirements: []string{"V-135"},
			Says: "The Terminate has the header of the message that was wrong, though the peer waits for a Read Response.",
			Ask: conform.Text(reading + `
				> [bad] Write STag=$readonly TO=$readonly_to 00*4
				< refuses write-access to [bad]`)},
	}
})

// twice returns a script with two messages that are wrong, of which the first is refused.
func twice(first, second, situation string) string {
	return fmt.Sprintf("> [bad] %s\n> %s\n< refuses %s to [bad]", first, second, situation)
}
