package draft00

// Messages: Sends with Invalidate, and what a Read finds of Writes before it.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section73 = about("7.3", "Sends with Invalidate", func() []conform.Case {
	return []conform.Case{
		{Name: "not-associated", Requirements: []string{"D00-7.3-1"},
			Says: "A Send with Invalidate whose STag is not associated with the stream is answered with a Terminate.",
			Ask: conform.Each(greeting+`
				> %s InvalidateSTag=$foreign {echo "of others"}
				< refuses invalidate-association`, "SendInvalidate", "SendSEInvalidate")},
	}
})

var section75 = about("7.5", "order", func() []conform.Case {
	return []conform.Case{
		{Name: "read-behind-write", Requirements: []string{"D00-7.5-12"},
			Says: "A Read finds what the Write before it has placed.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to+10 "written before"
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=16 SrcSTag=$data SrcTO=$data_to+9
				< ReadResponse to [read] 00 "written before" 00`)},
		{Name: "read-behind-each-write", Requirements: []string{"D00-7.5-12"},
			Says: "Each of several Reads finds what was written before it.",
			Ask:  conform.Text(readsAndWrites())},
	}
})

// readsAndWrites returns Writes to one place, each with a Read after it that is answered before the next one: what a Read
// finds that is still outstanding when its source is written is not known.
func readsAndWrites() string {
	return parts.Count(0, 19, "> Write STag=$data TO=$data_to \"%02[1]d\"*1000\n"+
		"> [r%[1]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=2000 SrcSTag=$data SrcTO=$data_to\n"+
		"< ReadResponse to [r%[1]d] \"%02[1]d\"*1000\n")
}
