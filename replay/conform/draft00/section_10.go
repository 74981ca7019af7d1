package draft00

// Security: what STags are valid for.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section101 = about("10.1", "validation before placement", func() []conform.Case {
	return []conform.Case{
		{Name: "writes", Requirements: []string{"D00-10.1-1"},
			Says: "STag, rights and bounds of a Write are validated to the octet before anything is placed.",
			Ask: conform.Texts(greeting+`
				> Write STag=$data+1 TO=$data_to "a"
				< refuses write-stag`, greeting+`
				> Write STag=$readonly TO=$readonly_to "a"
				< refuses write-access`, greeting+`
				> Segment Write STag=$data TO=$data_to+65535 "ab"
				< refuses write-bounds`, greeting+`
				> Segment Write L=0 STag=$data TO=$data_to+65535 "a"
				> [bad] Segment Write "b"
				< refuses write-bounds to [bad]`)},
	}
})

var section103 = about("10.3", "what STags are valid for", func() []conform.Case {
	return []conform.Case{
		{Name: "range", Requirements: []string{"D00-10.3-1"},
			Says: "An STag is valid for the octets of its buffer, and not for those beside it.",
			Ask: conform.Texts(`
				> Write STag=$data TO=$data_to "f"
				> Write STag=$data TO=$data_to+65535 "l"
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] "f" 00*65534 "l"
				> Write STag=$data TO=$data_to+65536 "o"
				< refuses write-bounds`, greeting+`
				> Write STag=$data TO=`+parts.Before("data", 1)+` "u"
				< refuses write-bounds`, greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=65537 SrcSTag=$data SrcTO=$data_to
				< refuses read-bounds`, greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$data SrcTO=`+parts.Before("data", 1)+`
				< refuses read-bounds`)},
		{Name: "revoked", Requirements: []string{"D00-10.3-1", "D00-10.3-2"},
			Says: "An STag is not valid any more when the upper layer has revoked it.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "before"
				> Send {revoke! 0}
				< Send {done revoke}
				> Write STag=$data TO=$data_to "behind"
				< refuses write-stag`)},
		{Name: "read-of-another-pd", Requirements: []string{"D00-10.3-7"},
			Says: "A Read of a buffer of another Protection Domain is answered with a Terminate for an invalid STag.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%d SrcSTag=$foreign SrcTO=$foreign_to
				< refuses read-association`, 1, 4096)},
		{Name: "invalidate-of-another-pd", Requirements: []string{"D00-10.3-8"},
			Says: "A Send with Invalidate of an STag of another Protection Domain is refused, and not delivered.",
			Ask: conform.Each(greeting+`
				> %s InvalidateSTag=$foreign {echo "not to be delivered"}
				< refuses invalidate-association`, "SendInvalidate", "SendSEInvalidate")},
		{Name: "write-of-another-pd", Requirements: []string{"D00-10.3-11"},
			Says: "A Write to a buffer of another Protection Domain is answered with a Terminate for an invalid STag.",
			Ask: conform.Text(greeting + `
				> Write STag=$foreign TO=$foreign_to "a"
				< refuses write-association`)},
		{Name: "invalidated", Requirements: []string{"D00-10.3-12"}, Need: conform.Volatile,
			Says: "When a Send with Invalidate completes its STag is not valid any more.",
			Ask: conform.Each(`
				> Write STag=$volatile TO=$volatile_to "while it is valid"
				> %s InvalidateSTag=$volatile {echo "completed"}
				< Send {echo "completed"}
				> [bad] Segment Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag to [bad]`, "SendInvalidate", "SendSEInvalidate")},
		{Name: "invalidated-at-once", Requirements: []string{"D00-10.3-12"}, Need: conform.Volatile,
			Says: "A Read that follows at once upon a Send with Invalidate finds its STag invalid.",
			Ask: conform.Text(greeting + `
				> SendInvalidate InvalidateSTag=$volatile {quiet}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
		{Name: "solicited-does-not-invalidate", Requirements: []string{"D00-10.3-13"}, Need: conform.Volatile,
			Says: "A Send with Solicited Event invalidates nothing, whatever is in the field for it.",
			Ask: conform.Text(`
				> Segment SendSE InvalidateSTag=$volatile {echo "nothing is invalid"}
				< Send {echo "nothing is invalid"}
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse to [read] 00010203`)},
	}
})
