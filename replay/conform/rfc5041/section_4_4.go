package rfc5041

// Segments: each has a header, and payload or none.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section44 = about("4.4", "segments with and without payload", func() []conform.Case {
	return []conform.Case{
		{Name: "short-tagged", Requirements: []string{"DDP-4.4-1", "DDP-4.2-1", "DDP-6.2.2-1", "V-285"},
			Says: "A tagged segment that does not hold a whole header is refused.",
			Ask:  greeted(cut("c140"+strings.Repeat("00", 11), 1)...)},
		{Name: "short-untagged", Requirements: []string{"DDP-4.4-1", "DDP-4.3-1", "DDP-6.2.2-1", "V-285"},
			Says: "An untagged segment that does not hold a whole header is refused.",
			Ask:  greeted(cut("4143 00000000 00000000 00000002 000000", 1)...)},
		{Name: "empty-untagged", Requirements: []string{"DDP-4.4-1", "DDP-5.2-9", "DDP-5.4-2", "V-234"},
			Says: "A message of no octets is delivered like any other, and uses up a receive buffer and an MSN.",
			Ask: conform.Text(`
				> Send
				> Send {report}
				< Send ` + conform.Reported(1, 0, "", nil) + `
				> Segment Send MSN=3
				> Segment Send MSN=4 {report}
				< Send ` + conform.Reported(3, 0, "", nil))},
		{Name: "empty-tagged", Requirements: []string{"DDP-4.4-1", "DDP-5.2-9"},
			Says: "A tagged segment without payload is taken in, and places nothing.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to
				> Write STag=$data TO=$data_to+65536
				> Send {send 0 1 64 0 0}
				< Send 00*64`)},
	}
})

// cut returns scripts with a ULPDU cut off after each of its octets, from one on.
func cut(ulpdu string, from int) (scripts []string) {
	hex := strings.ReplaceAll(ulpdu, " ", "")
	for n := from; 2*n <= len(hex); n++ {
		scripts = append(scripts, "> Segment "+hex[:2*n]+"\n< refuses ddp-short")
	}
	return scripts
}
