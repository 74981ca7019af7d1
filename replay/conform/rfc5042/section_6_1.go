package rfc5042

// Tampering: STags of others.

import "github.com/iwarpkit/iwarp/replay/conform"

var section611 = about("6.1.1", "STags of other Protection Domains", func() []conform.Case {
	return []conform.Case{
		{Name: "write", Requirements: []string{"SEC-6.1.1-2", "V-019", "V-286"},
			Says: "A buffer of another Protection Domain cannot be written.",
			Ask: conform.Each(greeting+`
				> Write STag=$foreign TO=$foreign_to%s
				< refuses write-association`, ` "a"`, `+4095 "a"`, " 00*4096")},
		{Name: "read", Requirements: []string{"SEC-6.1.1-2", "V-019", "V-287"},
			Says: "A buffer of another Protection Domain cannot be read.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%s
				< refuses read-association`, "1 SrcSTag=$foreign SrcTO=$foreign_to", "1 SrcSTag=$foreign SrcTO=$foreign_to+4095",
				"4096 SrcSTag=$foreign SrcTO=$foreign_to")},
		{Name: "fetchadd", Requirements: []string{"SEC-6.1.1-2"}, Need: conform.Atomics,
			Says: "A FetchAdd in a buffer of another Protection Domain is refused.",
			Ask: conform.Text(greeting + `
				> AtomicRequest AOpCode=FetchAdd RequestIdentifier=1 RemoteSTag=$foreign RemoteTaggedOffset=$foreign_to AddData=1
				< refuses atomic-target`)},
		{Name: "cmpswap", Requirements: []string{"SEC-6.1.1-2"}, Need: conform.Atomics,
			Says: "A CmpSwap in a buffer of another Protection Domain is refused.",
			Ask: conform.Text(greeting + `
				> AtomicRequest AOpCode=CmpSwap RequestIdentifier=1 RemoteSTag=$foreign RemoteTaggedOffset=$foreign_to
				< refuses atomic-target`)},
		{Name: "invalidate", Requirements: []string{"SEC-6.1.1-2", "V-206", "V-279"},
			Says: "The STag of a buffer of another Protection Domain cannot be invalidated.",
			Ask: conform.Texts(greeting+`
				> SendInvalidate InvalidateSTag=$foreign {echo "of others"}
				< refuses invalidate-association`, greeting+`
				> SendSEInvalidate InvalidateSTag=$foreign {echo "of others"}
				< refuses invalidate-association`)},
		{Name: "nothing", Requirements: []string{"SEC-6.1.1-2", "V-200"},
			Says: "Writes and Reads of no octets reach nothing, so that the Protection Domain does not matter.",
			Ask: conform.Text(`
				> Write STag=$foreign TO=$foreign_to
				> [read] ReadRequest SinkSTag=0x1000 SrcSTag=$foreign SrcTO=$foreign_to
				< ReadResponse to [read]`)},
	}
})
