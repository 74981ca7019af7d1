package rfc5040

// How a stream is torn down, with a Terminate and without.

import "github.com/iwarpkit/iwarp/replay/conform"

var section621 = about("6.2.1", "RDMAP Abortive Termination", func() []conform.Case {
	return []conform.Case{
		{Name: "terminate-then-fin",
			Requirements: []string{"RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "RDMAP-7-3", "V-084", "RDMAP-7-1"},
			Says:         "An error of RDMAP brings a Terminate, and a FIN behind it that lets it arrive.",
			Ask:          violating("rdmap-version", "RV=3")},
		{Name: "terminate-for-ddp-then-fin", Requirements: []string{"RDMAP-3.1-6", "RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "V-084"},
			Says: "An error of DDP brings a Terminate, and a FIN behind it that lets it arrive.",
			Ask:  conform.Text("> Write STag=$revoked TO=$revoked_to \"abcd\"\n< refuses write-stag")},
		{Name: "terminate-for-the-llp-then-fin", Requirements: []string{"RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "RDMAP-4.8-18"},
			Says: "An error of MPA brings a Terminate, and a FIN behind it that lets it arrive.",
			Ask:  conform.Text("> FPDU CRC=bad Write STag=$data TO=$data_to \"abcd\"\n< refuses fpdu-crc")},
		{Name: "graceful", Requirements: []string{"RDMAP-6.2-1", "V-071", "V-105"},
			Says: "A stream without work is closed by a FIN, and no Terminate comes.",
			Ask: conform.Texts("> FIN\n< FIN", hello+"\n> FIN\n< FIN", `
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] 00*65536
				> FIN
				< FIN`)},
		{Name: "closed-by-the-peer", Requirements: []string{"RDMAP-6.2-1", "V-073", "V-105"},
			Says: "The peer closes a stream without work by a FIN, and sends no Terminate.",
			Ask: conform.Texts("> Send {close}\n< FIN\n> FIN", `
				> Send {write 4096 0 0x1000 0x2000}
				> Send {send 0 1 100 0 0}
				> Send {close}
				< Write STag=0x1000 TO=0x2000 00*4096
				< Send 00*100
				< FIN
				> FIN`)},
		{Name: "reset-by-the-peer", Requirements: []string{"V-079", "V-137"},
			Says: "The peer's ULP can have the connection reset, and no Terminate comes.",
			Ask: conform.Text(`
				> Send {abort}
				< OneOf
				or Reset
				may "its verbs have no reset, and the QP goes to Error" FIN
				> FIN`)},
		{Name: "reset-by-us", Requirements: []string{"V-080"},
			Says: "A reset of ours, even within a message, does the peer no harm.",
			Ask: conform.Texts("> Reset", hello+"\n> Reset",
				"> Segment Send L=0 {quiet \"the rest of this never comes\"}\n> Reset",
				"> Octets 0100 4143\n> Reset", reading+"> Reset")},
	}
})
