package rfc5040

// What appendix B says of operations on one stream, and section 5.5 does not.

import "github.com/iwarpkit/iwarp/replay/conform"

var appendixB = about("B", "Ordering and completion table", func() []conform.Case {
	return []conform.Case{
		{Name: "read-behind-an-invalidating-send", Need: conform.Volatile,
			Requirements: []string{"RDMAP-B-1", "RDMAP-5.5-12", "RDMAP-5.5-17", "RDMAP-1.2-2", "V-253"},
			Says:         "A Read behind a Send with Invalidate finds its STag invalidated, however close both are.",
			Ask: conform.Each(`
				> %s InvalidateSTag=$volatile
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`, "SendInvalidate", "SendSEInvalidate")},
		{Name: "send-then-read", Requirements: []string{"RDMAP-B-1", "RDMAP-5.5-12"},
			Says: "A Read behind a Send is answered, and the ULP has the Send.",
			Ask: conform.Text(`
				> Send {quiet "abcd"}
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [read] 00010203
				> Send {report}
				< Send 00000001 00000008 ?*12`)},
	}
})
