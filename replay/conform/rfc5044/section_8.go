package rfc5044

// What becomes of errors. That invalid frames are closed on is asked where their fields are.

import "github.com/iwarpkit/iwarp/replay/conform"

var section8 = about("8", "Error semantics", func() []conform.Case {
	return []conform.Case{
		{Name: "crc-told", Requirements: []string{"MPA-8-2", "MPA-8-10"},
			Says: "A wrong CRC is told by a Terminate: MPA does not close the connection by itself.",
			Ask: conform.Texts(`
				> FPDU CRC=bad Send {echo}
				< refuses fpdu-crc`, echoes(1, 2, 3)+`
				> FPDU CRC=bad Send {echo}
				< refuses fpdu-crc`)},
		{Name: "nothing-behind-a-wrong-crc", Requirements: []string{"MPA-8-9", "MPA-8-2"},
			Says: "No FPDU is acted on that comes behind one with a wrong CRC, be it right itself.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) []string {
				t := newStream(s)
				wrong := t.send(echo("wrong"))
				wrong = flipped(wrong, len(wrong)-1, 0)
				right := newStream(s)
				right.framer.Skip(t.framer.Pos())
				// It has the MSN that is due if the wrong one counts for nothing, and the one that is due if it counts.
				octets := append(wrong, right.send(echo("right"))...)
				right.msn = 1
				return []string{step(append(octets, right.send(echo("right"))...)) + "< refuses fpdu-crc"}
			}},
		{Name: "marker-told", Requirements: []string{"MPA-8-3", "MPA-8-6", "MPA-8-10", "MPA-5.2-2"},
			Says: "A Marker that disagrees with ULPDU_Length is told of, unless the peer goes by ULPDU_Length alone.",
			For:  "a peer that wants Markers",
			Ask: when(withMarkers, conform.Text(`
				> [bad] FPDU Markers=bad Send {echo 61*2000}
				< OneOf
				or Refusal fpdu-marker
				may "on an ordered stream Markers need not be looked at" Send {echo 61*2000}
				> FIN`))},
	}
})
