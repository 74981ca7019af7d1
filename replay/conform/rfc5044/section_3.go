package rfc5044

// MPA's interactions with DDP: ULPDUs and their lengths.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section3 = about("3", "ULPDUs and their lengths", func() []conform.Case {
	return []conform.Case{
		{Name: "each-length", Requirements: []string{"MPA-3-7", "MPA-4.1-2", "MPA-5.2-1"},
			Says: "Successive ULPDUs of all lengths are passed to DDP with their lengths.",
			Ask:  conform.Text(echoes(upTo(128)...))},
		{Name: "long", Requirements: []string{"MPA-3-7", "MPA-5.2-1"},
			Says: "Messages of many FPDUs are passed to DDP with their lengths.",
			Ask:  conform.Text(echoes(508, 1454, 1455, 4095, 4096, 8187, 8188))},
		{Name: "longest", Requirements: []string{"MPA-3-5", "MPA-3-7"},
			Says: "ULPDUs of 64768 and 64767 octets are accepted.",
			Ask:  conform.Text(writeAndRead(mpa.MaxULPDU-1) + writeAndRead(mpa.MaxULPDU))},
		{Name: "beyond-the-longest", Requirements: []string{"MPA-3-5"},
			Says: "A ULPDU of more than 64768 octets, which is illegal, does no harm. The peer may accept it, report an " +
				"error or just close: it fails only if it hangs or crashes.",
			Ask: conform.Each(`
				> Segment Write STag=$data TO=$data_to 5a*%d
				> Send {echo}
				< OneOf
				or Terminate
				or FIN
				or Reset
				or Send {echo}
				> FIN`, mpa.MaxULPDU-taggedLen+1, 65535-taggedLen)},
		{Name: "none", Requirements: []string{"V-285"},
			Says: "An FPDU with a ULPDU_Length of zero has no DDP header, and is refused by peers that follow the RDMA Protocol Verbs.",
			Ask:  withoutULPDU},
		{Name: "peers-lengths", Requirements: []string{"MPA-3-5", "MPA-3-1", "MPA-4.1-2"},
			Says: "However much the peer has to send, none of its ULPDUs is longer than 64768 octets.",
			Ask: conform.Text(`
				> Send {write! 65536 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*65536
				< Send {done write}`)},
	}
})

// withoutULPDU sends an FPDU without a ULPDU, then a correct one. No RFC says what a receiver does about that.
func withoutULPDU(s *conform.Setup) []string {
	const script = parts.Greeting + "\n> [bad] FPDU ULPDU_Length=0\n> Send {echo}\n"
	if s.Profile.Codes == rules.Verbs {
		return []string{script + "< refuses ddp-short to [bad]"}
	}
	return []string{script + `< OneOf
		or Refusal ddp-short to [bad]
		may "only the RDMA Protocol Verbs have an error for it" Send {echo}
		< ends`}
}

// taggedLen is the length in octets of the DDP header of an RDMA Write.
const taggedLen = 14

// upTo returns the numbers from 0 to n.
func upTo(n int) []int {
	all := make([]int, n+1)
	for i := range all {
		all[i] = i
	}
	return all
}

// echoes has the peer send back messages of some lengths, without the 4 octets of the command.
func echoes(lengths ...int) string {
	var script strings.Builder
	for _, n := range lengths {
		text := repeated(n)
		fmt.Fprintf(&script, "> Send {echo %s}\n< Send {echo %s}\n", text, text)
	}
	return script.String()
}

// repeated returns n octets, whose value depends on n.
func repeated(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%02x*%d", 0x30+n%64, n)
}

// writeAndRead writes a ULPDU of a given length into the peer's memory, and reads it back.
func writeAndRead(ulpdu int) string {
	n := ulpdu - taggedLen
	return fmt.Sprintf(`
		> Segment Write STag=$data TO=$data_to %02x*%d
		> ReadRequest SinkSTag=0x1000 SinkTO=0x20000 RDMARDSZ=%[2]d SrcSTag=$data SrcTO=$data_to
		< ReadResponse STag=0x1000 TO=0x20000 %02[1]x*%[2]d`, ulpdu%256, n)
}
