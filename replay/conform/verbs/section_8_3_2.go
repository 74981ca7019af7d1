package verbs

// Sections 8.3.2 and 8.3.3, with figures 23 and 24: which error has which Terminate.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section832 = about("8.3.2", "errors and their Terminates", func() []conform.Case {
	return []conform.Case{
		{Name: "segment-size", Requirements: []string{"V-285"},
			Says: "A segment shorter than its header is refused.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, octets := range []string{"41", "4143", "4143 00*15", "c140 00*11"} {
					scripts = append(scripts, fmt.Sprintf(parts.Greeting+"> Segment %s\n< refuses ddp-short", octets))
				}
				return scripts
			}},
		{Name: "crc", Requirements: []string{"V-285"},
			Says: "An FPDU with a wrong CRC is refused.",
			Ask:  conform.Text("> FPDU CRC=bad Send {quiet}\n< refuses fpdu-crc")},
		{Name: "read-without-l", Requirements: []string{"V-284"},
			Says: "A Read Request without L is refused.",
			Ask:  conform.Text("> Segment ReadRequest L=0 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to\n< refuses l-missing")},
		{Name: "msn", Requirements: []string{"V-288", "V-287"},
			Says: "A message whose MSN is not the next one of its queue is refused.",
			Ask: conform.Texts(
				"> Segment Send MSN=2 {quiet}\n< refuses send-msn",
				"> Segment Send MSN=0 {quiet}\n< refuses send-msn",
				"> Segment ReadRequest MSN=2 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to\n< refuses read-msn",
				"> Segment ReadRequest MSN=0 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to\n< refuses read-msn")},
		{Name: "wrap", Requirements: []string{"V-213", "V-286", "V-287"},
			Says: "A TO and a length that exceed 64 bits are refused.",
			Ask: conform.Texts(
				"> Write STag=$data TO=0xffffffffffffffff 0000\n< refuses write-wrap",
				"> ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$data SrcTO=0xffffffffffffffff\n< refuses read-wrap")},
	}
})
