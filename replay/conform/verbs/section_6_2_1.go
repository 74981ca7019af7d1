package verbs

// Section 6.2.1: a QP begins anew in RTS.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section621 = about("6.2.1.2", "from Idle to RTS", func() []conform.Case {
	return []conform.Case{
		{Name: "fresh-numbers", Requirements: []string{"V-063"},
			Says: "A connection begins with MSN 1 in each queue, whatever the one before it has counted.",
			Ask:  conform.Texts(strings.Repeat(everyQueue, 8), everyQueue)},
		{Name: "fresh-numbers-after-error", Requirements: []string{"V-063"},
			Says: "A connection begins with MSN 1 in each queue, though the one before it has ended with an error.",
			Ask:  conform.Texts(everyQueue+"> Segment Send MSN=1 {quiet}\n< refuses send-msn", everyQueue)},
		{Name: "fresh-markers", Requirements: []string{"V-063"}, Need: conform.Markers, Begin: conform.Begin{Markers: true},
			Says: "Markers are counted from the begin of each connection.",
			Ask:  conform.Texts(everyQueue+everyQueue, everyQueue)},
		{Name: "at-once", Requirements: []string{"V-065"}, For: "a peer with more than one Receive",
			Says: "Of what comes right behind the MPA frames nothing is lost.",
			Ask: func(s *conform.Setup) []string {
				n := int(s.Peer.Offer.Receives) - 1
				if n == 0 {
					return nil
				}
				return []string{strings.Repeat("> Send {quiet}\n", n) + "> Send {report}\n< Send " +
					conform.Reported(n, 0, "", make([]byte, 4))}
			}},
	}
})

// everyQueue has the peer send a message in each queue of RFC 5040, and take one.
const everyQueue = `
	> Send {echo "in queue 0"}
	< Send {echo "in queue 0"}
	> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=600 SrcSTag=$data SrcTO=$data_to
	< ReadResponse to [r] 00*600
	> Send {read 4 0 0x1000 0x20000}
	< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
	> ReadResponse to [r] 00000000
`
