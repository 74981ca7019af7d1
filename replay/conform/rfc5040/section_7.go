package rfc5040

// What an error does to the stream, and does not do to others.

import "github.com/iwarpkit/iwarp/replay/conform"

var section7 = about("7", "RDMAP error management", func() []conform.Case {
	return []conform.Case{
		{Name: "no-transfer-behind-it", Requirements: []string{"RDMAP-7-2", "RDMAP-5.4-8", "V-082", "V-129"},
			Says: "Behind an error nothing is transferred any more, though a Read of the peer is outstanding and could be done.",
			Ask: conform.Text(reading + `
				> [bad] Write STag=$revoked TO=$revoked_to "abcd"
				< refuses write-stag to [bad]`)},
		{Name: "error-within-a-message", Requirements: []string{"RDMAP-7-1", "RDMAP-7-2"},
			Says: "An error in the middle of a Send ends the stream, and that Send is not delivered.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "this never comes back"}
				> [bad] Segment Send RV=2 "because of this"
				< refuses rdmap-version to [bad]`)},
		{Name: "others-go-on", Requirements: []string{"RDMAP-7-2", "RDMAP-7-3", "V-295"},
			Says: "Errors on streams one after the other leave those that come later unharmed.",
			Ask: conform.Texts("> Segment Send MSN=9 {echo}\n< refuses send-msn", hello,
				"> Write STag=$foreign TO=$foreign_to 00\n< refuses write-association", hello,
				"> Terminate 0/0/00\n< closes", hello, "> FPDU CRC=bad Send {echo}\n< refuses fpdu-crc", hello)},
	}
})
