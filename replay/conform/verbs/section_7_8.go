package verbs

// Section 7.8: invalidation of STags by the other side.

import "github.com/iwarpkit/iwarp/replay/conform"

var section78 = about("7.8", "invalidation", func() []conform.Case {
	return []conform.Case{
		{Name: "other-domain", Requirements: []string{"V-206", "V-208", "V-279"},
			Says: "Memory of another Protection Domain cannot be invalidated.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$foreign {quiet}\n< refuses invalidate-association")},
		{Name: "wrong-key", Requirements: []string{"V-206", "V-208", "V-279"}, Need: conform.Volatile,
			Says: "An STag of which the key is wrong cannot be invalidated.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$volatile+1 {quiet}\n< refuses invalidate-stag")},
		{Name: "deallocated", Requirements: []string{"V-208", "V-279"},
			Says: "An STag that is not registered any more cannot be invalidated.",
			Ask:  conform.Text("> SendSEInvalidate InvalidateSTag=$revoked {quiet}\n< refuses invalidate-stag")},
		{Name: "shared", Requirements: []string{"V-202", "V-206"},
			Says: "Memory that was not registered for that cannot be invalidated: a Shared Memory Region, or a plain one.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$data {quiet}\n< refuses invalidate-shared")},
		{Name: "only-the-one", Requirements: []string{"V-203", "V-205", "V-192"}, Need: conform.Volatile,
			Says: "An invalidation takes one STag away, and leaves all others.",
			Ask: conform.Text(`
				> SendInvalidate InvalidateSTag=$volatile {echo}
				< Send {echo}
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [r] 00010203
				> Write STag=$data TO=$data_to "data"
				> Write STag=$writeonly TO=$writeonly_to "data"
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r] "data"`)},
	}
})
