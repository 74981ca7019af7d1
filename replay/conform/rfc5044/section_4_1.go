package rfc5044

// The format of an FPDU: ULPDU_Length, PAD and CRC about a ULPDU.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section41 = about("4.1", "FPDU format", func() []conform.Case {
	return []conform.Case{
		{Name: "pad-not-zero", Requirements: []string{"MPA-4.1-4"},
			Says: "The octets of PAD mean nothing, as long as the CRC covers them.",
			Ask: conform.Text(`
				> FPDU PAD=ffffff Send {echo 61}
				< Send {echo 61}
				> FPDU PAD=0102 Send {echo 6162}
				< Send {echo 6162}
				> FPDU PAD=80 Send {echo 616263}
				< Send {echo 616263}`)},
		{Name: "peers-layout", Requirements: []string{"MPA-4.1-1", "MPA-4.1-2", "MPA-4.1-3", "MPA-4.1-5", "MPA-4.4-9"},
			Says: "The peer's FPDUs are padded with zeros to a multiple of four octets, be their PAD of 0, 1, 2 or 3 octets.",
			Ask:  conform.Text(echoes(0, 3, 2, 1, 4, 7, 6, 5))},
		{Name: "pad-left-out", Requirements: []string{"MPA-4.1-5", "MPA-8-2"},
			Says: "Where PAD is missing the next FPDU is not found, and the CRC tells.",
			Ask:  badlyFramed("PAD= Send {echo 61}", "PAD= Send {echo 6162}", "PAD= Send {echo 616263}")},
		{Name: "pad-too-short", Requirements: []string{"MPA-4.1-5", "MPA-8-2"},
			Says: "Where PAD is an octet too short the next FPDU is not found, and the CRC tells.",
			Ask:  badlyFramed("PAD=0000 Send {echo 61}", "PAD=00 Send {echo 6162}")},
		{Name: "pad-too-long", Requirements: []string{"MPA-4.1-5", "MPA-8-2"},
			Says: "PAD has at most three octets: where it has one too many, or four, the CRC is not where it has to be.",
			Ask: badlyFramed("PAD=00 Send {echo}", "PAD=00000000 Send {echo}", "PAD=00000000 Send {echo 61}",
				"PAD=00000000000000 Send {echo 61}")},
		{Name: "length-too-small", Requirements: []string{"MPA-4.1-1", "MPA-4.1-2", "MPA-8-2"},
			Says: "A ULPDU_Length that is too small puts the CRC where none is.",
			Ask: badlyFramed("ULPDU_Length=1 Send {echo 61*8}", "ULPDU_Length=17 Send {echo 61*8}",
				"ULPDU_Length=18 Send {echo 61*8}", "ULPDU_Length=26 Send {echo 61*8}")},
		{Name: "length-too-large", Requirements: []string{"MPA-4.1-1", "MPA-4.1-2", "MPA-8-2"},
			Says: "A ULPDU_Length that counts PAD, the CRC or itself as well makes octets of the next FPDU those of this one.",
			Ask: badlyFramed("ULPDU_Length=31 Send {echo 61*8}", "ULPDU_Length=32 Send {echo 61*8}",
				"ULPDU_Length=34 Send {echo 61*8}", "ULPDU_Length=36 Send {echo 61*8}")},
		{Name: "length-swapped", Requirements: []string{"MPA-4.1-1", "MPA-8-2"},
			Says: "ULPDU_Length has its most significant octet first: the other way about it puts the CRC where none is.",
			Ask:  badlyFramed("ULPDU_Length=0x0106 Send {echo 61*1515}")},
	}
})

// badlyFramed sends an FPDU that is not as long as it says on each connection, and a good one after it, so that
// nothing is waited for. The peer has to find the wrong CRC.
func badlyFramed(fpdus ...string) func(*conform.Setup) []string {
	return conform.Each(parts.Greeting+`
		> FPDU %s
		> Send {quiet 00*64}
		< refuses fpdu-crc`, fpdus...)
}
