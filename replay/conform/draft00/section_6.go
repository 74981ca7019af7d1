package draft00

// The headers: versions, and the Terminate.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// greeting is what stands before a segment that is wrong.
const greeting = parts.Greeting

var section61 = about("6.1", "the RDMAP control octet", func() []conform.Case {
	return []conform.Case{
		{Name: "version", Requirements: []string{"D00-6.1-1"},
			Says: "Another RDMAP version than 1 is refused, 0 too.",
			Ask: conform.Each(greeting+`
				> Segment Send RV=%d {echo "another version"}
				< refuses rdmap-version`, 0, 2, 3)},
		{Name: "version-of-writes", Requirements: []string{"D00-6.1-1"},
			Says: "Another RDMAP version than 1 is refused in tagged segments as well.",
			Ask: conform.Each(greeting+`
				> Segment Write RV=%d STag=$data TO=$data_to "another version"
				< refuses rdmap-version`, 0, 2, 3)},
		{Name: "version-of-reads", Requirements: []string{"D00-6.1-1"},
			Says: "Another RDMAP version than 1 is refused in Read Requests as well.",
			Ask: conform.Each(greeting+`
				> Segment ReadRequest RV=%d SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses rdmap-version`, 0, 2, 3)},
		{Name: "own-version", Requirements: []string{"D00-6.1-1"},
			Says: "The peer's own messages have RDMAP version 1.",
			Ask: conform.Text(`
				> Send {write 4 0 0x1000 0x20000}
				> Send {echo "version 1"}
				< Write STag=0x1000 TO=0x20000 00*4
				< Send {echo "version 1"}
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [read] 00010203`)},
	}
})

var section68 = about("6.8", "the Terminate header", func() []conform.Case {
	return []conform.Case{
		{Name: "local", Requirements: []string{"D00-6.8-1", "D00-6.8-2", "D00-6.8-3"}, Need: conform.Terminates,
			Says: "A Terminate for a Local Catastrophic Error has no error code and no header, and zeros behind HdrCt.",
			Ask: conform.Text(greeting + `
				> Send {terminate}
				< refuses local`)},
	}
})
