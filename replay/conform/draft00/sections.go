// Package draft00 tests a peer's RDMAP by draft-ietf-rddp-rdmap-00, where that differs from RFC 5040. Its cases apply
// only to peers with the profile draft-00.
package draft00

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section61, section68, section73, section75, section101, section103}

// about returns a Section for peers whose profile follows the draft.
func about(number, title string, cases func() []conform.Case) conform.Section {
	return conform.Section{Document: "draft-ietf-rddp-rdmap-00", Number: number, Title: title, Cases: func() []conform.Case {
		return conform.Alike(conform.Case{If: byDraft, For: "a peer with the profile draft-00"}, cases())
	}}
}

func byDraft(s *conform.Setup) bool { return s.Profile.Edition == rules.Draft00 }

// greeting precedes a wrong segment.
const greeting = parts.Greeting

var section61 = about("6.1", "the RDMAP control octet", func() []conform.Case {
	return []conform.Case{
		{Name: "version", Requirements: []string{"D00-6.1-1"},
			Says: "RDMAP versions other than 1 are refused, 0 included.",
			Ask:  conform.Each(parts.Refused(greeting, "rdmap-version", `Segment Send RV=%d {echo "another version"}`), 0, 2, 3)},
		{Name: "version-of-writes", Requirements: []string{"D00-6.1-1"},
			Says: "RDMAP versions other than 1 are refused in tagged segments, too.",
			Ask: conform.Each(parts.Refused(greeting, "rdmap-version",
				`Segment Write RV=%d STag=$data TO=$data_to "another version"`), 0, 2, 3)},
		{Name: "version-of-reads", Requirements: []string{"D00-6.1-1"},
			Says: "RDMAP versions other than 1 are refused in Read Requests, too.",
			Ask: conform.Each(parts.Refused(greeting, "rdmap-version",
				`Segment ReadRequest RV=%d SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to`),
				0, 2, 3)},
		{Name: "own-version", Requirements: []string{"D00-6.1-1"},
			Says: "The peer's own messages have RDMAP version 1.",
			Ask: conform.Text(`
				> Send {write 4 0 0x1000 0x20000}
				> Send {echo "version 1"}
				< Write STag=0x1000 TO=0x20000 00*4
				< Send {echo "version 1"}
				> reads 4 $readonly 00010203`)},
	}
})

var section68 = about("6.8", "the Terminate header", func() []conform.Case {
	return []conform.Case{
		{Name: "local", Requirements: []string{"D00-6.8-1", "D00-6.8-2", "D00-6.8-3"}, Need: conform.Terminates,
			Says: "A Terminate for a Local Catastrophic Error has no error code and no header, and zeros after HdrCt.",
			Ask:  conform.Text(parts.Refused(greeting, "local", `Send {terminate}`))},
	}
})

var section73 = about("7.3", "Sends with Invalidate", func() []conform.Case {
	return []conform.Case{
		{Name: "not-associated", Requirements: []string{"D00-7.3-1"},
			Says: "A Send with Invalidate whose STag is not associated with the stream is answered with a Terminate.",
			Ask: conform.Each(parts.Refused(greeting, "invalidate-association",
				`%s InvalidateSTag=$foreign {echo "of others"}`), "SendInvalidate", "SendSEInvalidate")},
	}
})

var section75 = about("7.5", "order", func() []conform.Case {
	return []conform.Case{
		{Name: "read-behind-write", Requirements: []string{"D00-7.5-12"},
			Says: "A Read returns what the Write before it placed.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to+10 "written before"
				> reads 16 $data+9 00 "written before" 00`)},
		{Name: "read-behind-each-write", Requirements: []string{"D00-7.5-12"},
			Says: "Each of several Reads returns what was written before it.",
			Ask:  conform.Text(readsAndWrites())},
	}
})

// readsAndWrites returns Writes to one place, each followed by a Read that is answered before the next Write: what a
// Read returns is undefined if its source is written while it is outstanding.
func readsAndWrites() string {
	return parts.Count(0, 19, "> Write STag=$data TO=$data_to \"%02[1]d\"*1000\n"+
		"> [r%[1]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=2000 SrcSTag=$data SrcTO=$data_to\n"+
		"< ReadResponse to [r%[1]d] \"%02[1]d\"*1000\n")
}

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
			Says: "An STag is valid for the octets of its buffer only.",
			Ask: conform.Texts(`
				> Write STag=$data TO=$data_to "f"
				> Write STag=$data TO=$data_to+65535 "l"
				> reads 65536 $data "f" 00*65534 "l"
				> Write STag=$data TO=$data_to+65536 "o"
				< refuses write-bounds`, greeting+`
				> Write STag=$data TO=`+parts.Before("data", 1)+` "u"
				< refuses write-bounds`, greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=65537 SrcSTag=$data SrcTO=$data_to
				< refuses read-bounds`, greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$data SrcTO=`+parts.Before("data", 1)+`
				< refuses read-bounds`)},
		{Name: "revoked", Requirements: []string{"D00-10.3-1", "D00-10.3-2"},
			Says: "An STag is invalid after the upper layer has revoked it.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "before"
				> revokes 0
				> Write STag=$data TO=$data_to "behind"
				< refuses write-stag`)},
		{Name: "read-of-another-pd", Requirements: []string{"D00-10.3-7"},
			Says: "A Read of a buffer of another Protection Domain is answered with a Terminate for an invalid STag.",
			Ask: conform.Each(parts.Refused(greeting, "read-association",
				`ReadRequest SinkSTag=0x1000 RDMARDSZ=%d SrcSTag=$foreign SrcTO=$foreign_to`), 1, 4096)},
		{Name: "invalidate-of-another-pd", Requirements: []string{"D00-10.3-8"},
			Says: "A Send with Invalidate of an STag of another Protection Domain is refused, and not delivered.",
			Ask: conform.Each(parts.Refused(greeting, "invalidate-association",
				`%s InvalidateSTag=$foreign {echo "not to be delivered"}`), "SendInvalidate", "SendSEInvalidate")},
		{Name: "write-of-another-pd", Requirements: []string{"D00-10.3-11"},
			Says: "A Write to a buffer of another Protection Domain is answered with a Terminate for an invalid STag.",
			Ask:  conform.Text(parts.Refused(greeting, "write-association", `Write STag=$foreign TO=$foreign_to "a"`))},
		{Name: "read-of-another-stream", Requirements: []string{"D00-10.3-9"}, Need: conform.Windows,
			Says: "A Read of a buffer that is limited to another stream is answered with a Terminate for an invalid STag.",
			Ask: conform.Text(parts.Refused(greeting, "read-association",
				`ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$elsewhere SrcTO=$elsewhere_to`))},
		{Name: "invalidate-of-another-stream", Requirements: []string{"D00-10.3-10"}, Need: conform.Windows,
			Says: "A Send with Invalidate of an STag that is limited to another stream is refused, and not delivered.",
			Ask: conform.Each(parts.Refused(greeting, "invalidate-association",
				`%s InvalidateSTag=$elsewhere {echo "not to be delivered"}`), "SendInvalidate", "SendSEInvalidate")},
		{Name: "invalidated", Requirements: []string{"D00-10.3-12"}, Need: conform.Volatile,
			Says: "After a Send with Invalidate completes, its STag is invalid.",
			Ask: conform.Each(`
				> Write STag=$volatile TO=$volatile_to "while it is valid"
				> %s InvalidateSTag=$volatile {echo "completed"}
				< Send {echo "completed"}
				> [bad] Segment Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag to [bad]`, "SendInvalidate", "SendSEInvalidate")},
		{Name: "invalidated-at-once", Requirements: []string{"D00-10.3-12"}, Need: conform.Volatile,
			Says: "A Read right after a Send with Invalidate finds its STag invalid.",
			Ask: conform.Text(greeting + `
				> SendInvalidate InvalidateSTag=$volatile {quiet}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
		{Name: "solicited-does-not-invalidate", Requirements: []string{"D00-10.3-13"}, Need: conform.Volatile,
			Says: "A Send with Solicited Event invalidates nothing, whatever the field for it holds.",
			Ask: conform.Text(`
				> Segment SendSE InvalidateSTag=$volatile {echo "nothing is invalid"}
				< Send {echo "nothing is invalid"}
				> reads 4 $volatile 00010203`)},
	}
})
