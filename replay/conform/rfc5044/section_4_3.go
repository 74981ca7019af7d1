package rfc5044

// Where Markers stand, and where they point.

import (
	"slices"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section43 = about("4.3", "MPA Markers", func() []conform.Case {
	return []conform.Case{
		{Name: "taken-on", Requirements: []string{"MPA-4.3-1", "MPA-7.1.1-5"},
			Says: "A Request that asks for Markers is accepted: whoever sends has to be able to put them in.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1, Markers: true},
			Ask: conform.Text(`
				> request
				< OneOf
				or reply
				may known otherwise fpdu-marker "has no Markers" MPAReply M=? C=? R Rev=1 ?*
				may known otherwise fpdu-marker "has no Markers" FIN
				may known otherwise fpdu-marker "has no Markers" Reset
				> FIN`)},
		{Name: "every-512-octets", Requirements: []string{"MPA-4.3-2", "MPA-4.3-3", "MPA-4.3-7", "MPA-4.3-8", "V-063"},
			Says:  "The peer's Markers stand 512 octets apart, from its first FPDU on, and point to the begin of their FPDU.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers,
			Ask: conform.Text(echoes(0, 2000, 1, 508, 8188, 4096, 2))},
		{Name: "at-every-place", Requirements: []string{"MPA-4.3-2", "MPA-4.3-3", "MPA-4.3-5", "MPA-4.4-11", "MPA-4.4-12"},
			Says:  "It is so wherever a Marker is due: in headers, payload, before PAD or CRC, and between two FPDUs.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers, Ask: conform.Text(echoes(everyPlace()...))},
		{Name: "many-small", Requirements: []string{"MPA-4.3-9"},
			Says:  "Where many FPDUs lie between two Markers the Marker points to the FPDU that it is in.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers,
			Ask: conform.Text(echoes(slices.Repeat([]int{20}, 48)...))},
		{Name: "between", Requirements: []string{"MPA-4.3-5", "MPA-4.3-6", "MPA-4.4-12"},
			Says:  "A Marker between two FPDUs has an FPDUPTR of zero, and its octets are in the CRC of the second one.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers, Role: conform.AsInitiator,
			Ask: conform.Text(echoes(480, 978))},
		{Name: "before-the-crc", Requirements: []string{"MPA-4.3-8", "MPA-4.4-11"},
			Says:  "A Marker between PAD and CRC is in the CRC that it precedes.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers, Role: conform.AsInitiator,
			Ask: conform.Text(echoes(484, 8))},
		{Name: "several-in-one", Requirements: []string{"MPA-4.3-3", "MPA-4.3-8"},
			Says:  "All Markers in one FPDU point to its ULPDU_Length, whatever Markers lie between.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers,
			Ask: conform.Text(`
				> Send {write! 65536 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*65536
				< Send {done write}`)},
		{Name: "taken-out", Requirements: []string{"MPA-3-7", "MPA-4.3-11", "MPA-4.4-11", "MPA-4.4-12", "MPA-7.1.1-6"},
			Says: "A peer that wants Markers takes them out wherever they stand.",
			For:  "a peer that wants Markers",
			Ask: when(withMarkers, conform.Texts(
				echoes(everyPlace()...), echoes(480, 978), echoes(484, 8), echoes(476, 20), echoes(1420, 78)))},
		{Name: "as-in-the-document", Requirements: []string{"MPA-4.3-6", "MPA-4.4-10", "MPA-4.4-11", "MPA-4.4-12"},
			Says: "The two FPDUs that the document prints, with a Marker before and in them, are taken in.",
			Role: conform.AsInitiator,
			For:  "a peer that wants Markers, by RFC 5044",
			Ask:  when(withMarkers, when(byRFC5044, conform.Texts(printed5, printed6)))},
	}
})

// everyPlace returns lengths of echoes with which the 128 places that a Marker can have in FPDUs come up.
func everyPlace() (lengths []int) {
	for i := range 128 {
		lengths = append(lengths, 4*i+i%4)
	}
	return lengths
}

// The FPDUs of figures 5 and 6 in section 4.4: Sends of 24 zeros. The second one begins 492 octets after the beginning of
// the stream, so that its Marker stands after the DDP header.
const (
	printed5 = `
		> Octets 00000000 002a 4143 00*8 00000001 00*28 52239983
		> Segment Send MSN=2 {echo}
		< Send {echo}`
	printed6 = `
		> Send {quiet 00*458}
		> Octets 002a 4143 00*8 00000002 00000000 00000014 00*24 84925898
		> Segment Send MSN=3 {echo}
		< Send {echo}`
)
