package verbs

// Section 7.9: deallocation of STags.

import "github.com/iwarpkit/iwarp/replay/conform"

var section79 = about("7.9", "deallocation", func() []conform.Case {
	return []conform.Case{
		{Name: "revoked-read", Requirements: []string{"V-209", "V-161"},
			Says: "Once a region was deregistered it cannot be read any more.",
			Ask: conform.Text(`
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [r] 00010203
				> Send {revoke! 1}
				< Send {done revoke}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-stag`)},
		{Name: "revoked-write", Requirements: []string{"V-209", "V-161"},
			Says: "Once a region was deregistered it cannot be written any more.",
			Ask: conform.Text(`
				> Write STag=$writeonly TO=$writeonly_to "data"
				> Send {revoke! 2}
				< Send {done revoke}
				> Write STag=$writeonly TO=$writeonly_to "data"
				< refuses write-stag`)},
		{Name: "revoked-once", Requirements: []string{"V-209"},
			Says: "What is deregistered cannot be deregistered again.",
			Ask:  conform.Text("> Send {revoke! 1}\n< Send {done revoke}\n> Send {revoke! 1}\n< Send {answer revoke 1 0}")},
		{Name: "others-stay", Requirements: []string{"V-209", "V-192"},
			Says: "A region that is deregistered leaves all others.",
			Ask: conform.Text(`
				> Send {revoke! 1}
				< Send {done revoke}
				> Send {revoke! 2}
				< Send {done revoke}
				> Write STag=$data TO=$data_to "data"
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r] "data"`)},
	}
})
