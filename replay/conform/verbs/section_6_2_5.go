package verbs

// Section 6.2.5: the state Closing.

import "github.com/iwarpkit/iwarp/replay/conform"

var section625 = about("6.2.5", "the state Closing", func() []conform.Case {
	return []conform.Case{
		{Name: "message-behind-close", Requirements: []string{"V-099", "V-103", "V-104"},
			Says: "A message that comes behind the peer's FIN is not taken in: the connection is reset.",
			Ask:  unanswered("> Send {close}\n< FIN\n> Send {echo}")},
		{Name: "read-behind-close", Requirements: []string{"V-099", "V-103", "V-104"},
			Says: "A Read Request that comes behind the peer's FIN is not answered: the connection is reset.",
			Ask:  unanswered("> Send {close}\n< FIN\n> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to")},
		{Name: "write-behind-close", Requirements: []string{"V-103", "V-104"},
			Says: "A Write that comes behind the peer's FIN makes it reset the connection.",
			Ask:  unanswered("> Send {close}\n< FIN\n> Write STag=$data TO=$data_to \"too late\"")},
	}
})
