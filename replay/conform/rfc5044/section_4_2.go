package rfc5044

// The format of a Marker, in what the peer receives. Only peers that want Markers can be asked.

import "github.com/iwarpkit/iwarp/replay/conform"

var section42 = about("4.2", "Marker format", func() []conform.Case {
	return []conform.Case{
		{Name: "reserved-set", Requirements: []string{"MPA-4.2-3"},
			Says: "RESERVED of a Marker means nothing, as long as the CRC covers it.",
			For:  "a peer that wants Markers",
			Ask:  when(withMarkers, conform.Text(marked("reserved")))},
		{Name: "low-bits-set", Requirements: []string{"MPA-4.2-5"},
			Says: "The two lowest bits of FPDUPTR mean nothing, as long as the CRC covers them.",
			For:  "a peer that wants Markers",
			Ask:  when(withMarkers, conform.Text(marked("low")))},
	}
})

// marked sends FPDUs with Markers before, in and after them that are of a kind.
func marked(kind string) string {
	return `
		> FPDU Markers=` + kind + ` Send {echo 61*500}
		< Send {echo 61*500}
		> FPDU Markers=` + kind + ` Send {echo 62*2000}
		< Send {echo 62*2000}`
}
