package rfc5040

// Which Terminate surfaces which error.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section71 = about("7.1", "RDMAP error surfacing", func() []conform.Case {
	return []conform.Case{
		{Name: "read-request", Requirements: []string{"RDMAP-7.1-4", "RDMAP-3.2-4"},
			Says: "For a Read Request the Terminate has length, DDP header and RDMAP header.",
			Ask: conform.Each(`
				> ReadRequest SinkSTag=0x01234567 SinkTO=0x89abcdef01234567 RDMARDSZ=16 SrcSTag=%s`,
				"$revoked SrcTO=$revoked_to\n< refuses read-stag", "$foreign SrcTO=$foreign_to\n< refuses read-association",
				"$readonly SrcTO=$readonly_to+4081\n< refuses read-bounds")},
		{Name: "behind-other-traffic", Requirements: []string{"RDMAP-7.1-3", "RDMAP-7.1-4"},
			Says: "The Terminate is the next message behind what was to be sent before.",
			Ask: conform.Text(`
				> Send {echo "before"}
				< Send {echo "before"}
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=20000 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] 00*20000
				> [bad] Write STag=$local TO=$local_to "abcd"
				< refuses write-access to [bad]`)},
		{Name: "first-of-two", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two messages that are wrong the Terminate blames the first one.",
			Ask:  twice("Segment Send MSN=5 {echo}", "send-msn", "Write STag=$revoked TO=$revoked_to \"abcd\"")},
		{Name: "first-of-two-reads", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two Reads that are wrong the Terminate blames the first one.",
			Ask: twice("ReadRequest SinkSTag=1 RDMARDSZ=4 SrcSTag=$revoked SrcTO=$revoked_to", "read-stag",
				"ReadRequest SinkSTag=2 RDMARDSZ=4 SrcSTag=$foreign SrcTO=$foreign_to")},
		{Name: "first-of-two-segments", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two segments of a Write that are wrong the Terminate blames the first one.",
			Ask: twice("Segment Write L=0 STag=$writeonly TO=$writeonly_to+4095 \"ab\"", "write-bounds",
				"Segment Write \"cd\"")},
	}
})

// twice sends a message that the peer refuses because of a Situation, and after it one that is wrong too.
func twice(first, situation, second string) func(*conform.Setup) []string {
	return conform.Text("> [first] " + first + "\n> " + second + `
		< OneOf
		or Refusal ` + situation + ` to [first]
		may "octets that came when it was closed make TCP reset the connection, which destroys the Terminate" Reset
		> FIN`)
}
