package verbs

// Section 8.1.2: what takes a Receive.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section812 = about("8.1.2", "Sends and Receives", func() []conform.Case {
	return []conform.Case{
		{Name: "each-takes-one", Requirements: []string{"V-234"},
			Says: "Each Send of any kind takes one Receive: as many as there are can come, and one more is refused.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, kind := range []string{"Send", "SendSE"} {
					scripts = append(scripts, withoutReceives(s, kind)+"> "+kind+" {quiet}\n< refuses send-no-buffer")
				}
				return scripts
			}},
		{Name: "others-take-none", Requirements: []string{"V-237"},
			Says: "Writes and Reads take no Receive: they are done where there is none any more.",
			Ask: func(s *conform.Setup) []string {
				return []string{withoutReceives(s, "Send") + `
					> Write STag=$data TO=$data_to "data"
					> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
					< ReadResponse to [r] "data"
					> FIN
					< FIN`}
			}},
		{Name: "longest", Requirements: []string{"V-235"},
			Says: "A Send as long as the Receive is taken, and its length is told.",
			Ask: func(s *conform.Setup) []string {
				n := int(s.Peer.Offer.ReceiveSize)
				return []string{fmt.Sprintf("> Send 00*%d\n> Send {report}\n< Send %s", n, conform.Reported(1, 0, "", make([]byte, n)))}
			}},
		{Name: "too-long", Requirements: []string{"V-235", "V-278"},
			Says: "A Send longer than the Receive is refused.",
			Ask: func(s *conform.Setup) []string {
				return []string{fmt.Sprintf("> Send 00*%d\n< refuses send-too-long", s.Peer.Offer.ReceiveSize+1)}
			}},
	}
})

// withoutReceives leaves the peer without Receives: it posts none any more, and messages of a kind take all there are.
func withoutReceives(s *conform.Setup, kind string) string {
	return "> Send {hold!}\n< Send {done hold}\n" + strings.Repeat("> "+kind+" {quiet}\n", int(s.Peer.Offer.Receives))
}
