package rfc5044

// Sections 5 and 6: FPDUs in TCP segments, and when one is processed.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section51 = about("5.1", "FPDUs and TCP segments", func() []conform.Case {
	return []conform.Case{
		{Name: "split-at-every-octet", Requirements: []string{"MPA-5.1-5", "MPA-6-3"},
			Says: "An FPDU is accepted wherever a TCP segment ends in it.",
			Ask:  conform.Text(parts.Count(1, 43, "> FPDU split=%[1]d Send {echo 61*14}\n< Send {echo 61*14}\n"))},
		{Name: "octet-by-octet", Requirements: []string{"MPA-5.1-5", "MPA-6-3"},
			Says: "An FPDU is accepted even if each octet has a TCP segment of its own.",
			Ask:  conform.Text(fmt.Sprintf("> FPDU split=%s Send {echo 61*40}\n< Send {echo 61*40}", offsets(1, 68, 1)))},
		{Name: "words", Requirements: []string{"MPA-5.1-5"},
			Says: "A long FPDU with Markers is accepted in TCP segments of few octets.",
			Ask:  conform.Text(fmt.Sprintf("> FPDU split=%s Send {echo 61*1500}\n< Send {echo 61*1500}", offsets(6, 1536, 30)))},
		{Name: "many-in-one", Requirements: []string{"MPA-5.1-5", "MPA-5.2-1"},
			Says: "All FPDUs in a TCP segment are accepted.",
			Ask: conform.Text(strings.Repeat("> Send {quiet}\n", 24) + `
				> echoes "the last one"`)},
		{Name: "many-echoes-in-one", Requirements: []string{"MPA-5.1-5", "MPA-3-7"},
			Says: "The same holds if all of them have to be answered.",
			Ask:  conform.Text(parts.Count(0, 15, "> Send {echo \"message %02d\"}\n") + parts.Count(0, 15, "< Send {echo \"message %02d\"}\n"))},
		{Name: "hundreds-in-one", Requirements: []string{"MPA-5.1-5", "MPA-5.2-1"},
			Says: "Hundreds of FPDUs in a row are accepted.",
			Ask: conform.Text(strings.Repeat("> Write STag=$data TO=$data_to \"x\"\n", 400) + `
				> echoes "the last one"`)},
		{Name: "across", Requirements: []string{"MPA-5.1-5", "MPA-5.2-1", "MPA-6-3"},
			Says: "TCP segments may end at different places in FPDUs, and hold parts of several.",
			Role: conform.AsInitiator,
			Ask:  func(s *conform.Setup) []string { return across(s, 3, 7, 29, 31, 45, 100, 333) }},
		{Name: "two-and-a-half", Requirements: []string{"MPA-5.1-5", "MPA-6-3"},
			Says: "Of two FPDUs and the start of a third, the first two are answered at once, the third when it is complete.",
			Role: conform.AsInitiator,
			Ask:  twoAndAHalf},
	}
})

// offsets returns the offsets from one up to another, at a distance.
func offsets(from, before, apart int) string {
	var all []string
	for at := from; at < before; at += apart {
		all = append(all, fmt.Sprint(at))
	}
	return strings.Join(all, ",")
}

// across sends FPDUs in TCP segments of one size on each connection. Only the last FPDU is answered.
func across(s *conform.Setup, sizes ...int) (scripts []string) {
	const messages = 12
	for _, size := range sizes {
		t := newStream(s)
		var octets []byte
		for i := range messages {
			octets = append(octets, t.send(make([]byte, 5*i))...)
		}
		message := echo("the last one")
		octets = append(octets, t.send(message)...)
		split := fmt.Sprintf("> Octets split=%s %x\n", offsets(size, len(octets), size), octets)
		scripts = append(scripts, split+answered(message)+t.goOn())
	}
	return scripts
}

// twoAndAHalf sends a TCP segment that ends in the middle of the third FPDU.
func twoAndAHalf(s *conform.Setup) []string {
	t := newStream(s)
	one, two, three := echo("one"), echo("two"), echo("three")
	octets := append(t.send(one), t.send(two)...)
	third := t.send(three)
	half := len(third) / 2
	begin := step(append(octets, third[:half]...)) + answered(one) + answered(two)
	return []string{begin + step(third[half:]) + answered(three) + t.goOn()}
}

var section52 = about("5.2", "MPA receiver segmentation", func() []conform.Case {
	return []conform.Case{
		{Name: "by-length", Requirements: []string{"MPA-5.2-1"},
			Says: "FPDUs are found by the ULPDU_Length of those before them, whatever their lengths.",
			Ask: conform.Text(sentInOne(1, 255, 2, 254, 3, 253, 256, 257, 511, 512, 4, 513, 5, 1023, 6, 1025) + `
				< Send {echo}`)},
		{Name: "wrong-marker", Requirements: []string{"MPA-5.2-2", "MPA-8-3", "MPA-8-6"},
			Says: "A Marker that points elsewhere is detected, unless the peer uses ULPDU_Length alone, as it may.",
			If:   withMarkers, For: "a peer that requests Markers",
			Ask: conform.Text(`
				> [bad] FPDU Markers=bad Send {echo 61*600}
				< OneOf
				or Refusal fpdu-marker
				may "on an ordered stream Markers need not be looked at" Send {echo 61*600}
				> FIN`)},
	}
})

// sentInOne sends unanswered messages of some lengths, and one with an answer.
func sentInOne(lengths ...int) (script string) {
	for _, n := range lengths {
		script += "> Send {quiet " + repeated(n) + "}\n"
	}
	return script + "> Send {echo}\n"
}

var section6 = about("6", "The MPA receiver", func() []conform.Case {
	return []conform.Case{
		{Name: "not-whole", Requirements: []string{"MPA-6-3"},
			Says: "An FPDU is not processed while any of its octets is missing.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) (scripts []string) {
				message := echo("it is whole")
				whole := newStream(s).send(message)
				for _, n := range []int{1, 2, 3, 4, 16, 20, 24, len(whole) - 4, len(whole) - 1} {
					t := newStream(s)
					fpdu := t.send(message)
					scripts = append(scripts, step(fpdu[:n])+silent+step(fpdu[n:])+answered(message)+t.goOn())
				}
				return scripts
			}},
		{Name: "never-whole", Requirements: []string{"MPA-6-3"},
			Says: "An FPDU whose last octets never arrive is not processed: the connection ends.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) (scripts []string) {
				fpdu := newStream(s).send(echo("?"))
				for _, n := range []int{1, 2, 10, 20, len(fpdu) - 4, len(fpdu) - 1} {
					scripts = append(scripts, step(fpdu[:n])+`
						> FIN
						< OneOf
						or FIN
						or Reset
						or Terminate`)
				}
				return scripts
			}},
		{Name: "crc-first", Requirements: []string{"MPA-6-1", "MPA-4.4-13"},
			Says: "The CRC is checked before anything else in an FPDU: it is the error reported even if there are others.",
			Ask: conform.Each(parts.Refused(parts.Greeting, "fpdu-crc", `FPDU CRC=bad %s`),
				"Send MSN=7 {echo}", "Send DV=0 {echo}", "Opcode14 QN=9 {echo}", "Write STag=$revoked TO=$revoked_to 00*8",
				"41")},
	}
})
