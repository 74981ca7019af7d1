package rfc5044

// How a receiver finds FPDUs.

import "github.com/iwarpkit/iwarp/replay/conform"

var section52 = about("5.2", "MPA receiver segmentation", func() []conform.Case {
	return []conform.Case{
		{Name: "by-length", Requirements: []string{"MPA-5.2-1"},
			Says: "FPDUs are found by the ULPDU_Length of those before them, whatever their lengths.",
			Ask: conform.Text(sentInOne(1, 255, 2, 254, 3, 253, 256, 257, 511, 512, 4, 513, 5, 1023, 6, 1025) + `
				< Send {echo}`)},
		{Name: "wrong-marker", Requirements: []string{"MPA-5.2-2", "MPA-8-3", "MPA-8-6"},
			Says: "A Marker that points elsewhere is found out, unless the peer goes by ULPDU_Length alone, as it may.",
			For:  "a peer that wants Markers",
			Ask: when(withMarkers, conform.Text(`
				> [bad] FPDU Markers=bad Send {echo 61*600}
				< OneOf
				or Refusal fpdu-marker
				may "on an ordered stream Markers need not be looked at" Send {echo 61*600}
				> FIN`))},
	}
})

// sentInOne sends messages of some lengths to which there is no answer, and one to which there is.
func sentInOne(lengths ...int) (script string) {
	for _, n := range lengths {
		script += "> Send {quiet " + repeated(n) + "}\n"
	}
	return script + "> Send {echo}\n"
}
