package rfc5040

// What becomes of an STag that a Send has invalidated.

import "github.com/iwarpkit/iwarp/replay/conform"

// invalidated invalidates volatile, and makes sure that the Send was delivered.
const invalidated = `
	> SendInvalidate InvalidateSTag=$volatile {echo "gone"}
	< Send {echo "gone"}`

var section12 = about("1.2", "STags that a Send has invalidated", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Volatile}, []conform.Case{
		{Name: "write-to-invalidated-stag",
			Requirements: []string{"RDMAP-1.2-2", "RDMAP-8.1.1-6", "V-203", "V-205", "V-256"},
			Says:         "Behind a Send with Invalidate no Write reaches the buffer of its STag any more.",
			Ask: conform.Text(invalidated + `
				> Write STag=$volatile TO=$volatile_to "late"
				< refuses write-stag`)},
		{Name: "read-from-invalidated-stag", Requirements: []string{"RDMAP-1.2-2", "V-203", "V-205", "V-256"},
			Says: "Behind a Send with Invalidate no Read reaches the buffer of its STag any more.",
			Ask: conform.Text(invalidated + `
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
		{Name: "write-after-solicited-invalidation", Requirements: []string{"RDMAP-1.2-2", "RDMAP-5.3-14"},
			Says: "A Send with Solicited Event and Invalidate ends remote access just as one without the Event.",
			Ask: conform.Text(`
				> SendSEInvalidate InvalidateSTag=$volatile {echo "gone"}
				< Send {echo "gone"}
				> Write STag=$volatile TO=$volatile_to "late"
				< refuses write-stag`)},
		{Name: "invalidated-stag-of-no-octets",
			Requirements: []string{"RDMAP-5.1-8", "RDMAP-5.2.1-14", "RDMAP-5.2.1-15", "V-200"},
			Says:         "A Write and a Read of no octets may name an STag that was invalidated.",
			Ask: conform.Text(invalidated + `
				> Write STag=$volatile TO=$volatile_to
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=0 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse to [read]`)},
		{Name: "other-stags-stay", Requirements: []string{"RDMAP-5.3-14", "V-192"},
			Says: "A Send with Invalidate invalidates the STag that it names, and no other one.",
			Ask: conform.Text(invalidated + `
				> Write STag=$data TO=$data_to "still here"
				> [data] ReadRequest SinkSTag=0x1000 RDMARDSZ=10 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [data] "still here"
				> [readonly] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [readonly] 00010203`)},
		{Name: "invalidated-again", Requirements: []string{"RDMAP-7.2-4", "V-203"},
			Says: "A Send with Invalidate of an STag that is invalid already is refused, or changes nothing, as the RDMA " +
				"Protocol Verbs have it.",
			Ask: conform.Text(invalidated + `
				> [again] SendInvalidate InvalidateSTag=$volatile {echo "again"}
				< OneOf
				or Refusal invalidate-stag to [again]
				or Send {echo "again"}
				< ends`)},
	})
})
