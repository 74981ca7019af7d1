package rfc6581

// MPA frames with their Enhanced word, and scripts that several sections share.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// A kind is one of the Ready to Receive indications.
type kind struct {
	flag  string // in the Enhanced word
	sends string // what we send as the Initiator, and the reaction
	comes string // what the peer sends as the Initiator, as an alternative
}

// kinds are all of them. Their STags and TOs are not checked, because they have no octets.
var kinds = []kind{
	{"B", "> Send\n", "or Send\n"},
	{"C", "> Write STag=0x12345678 TO=0x9abcdef0\n", "or Write\n"},
	{"D", `
		> [rtr] ReadRequest SinkSTag=0x1000 SinkTO=0x20000 RDMARDSZ=0 SrcSTag=0x12345678 SrcTO=0x9abcdef0
		< ReadResponse to [rtr]
`, "or ReadRequest RDMARDSZ=0\n"},
}

// subsets returns all sets of flags of the three kinds: "", "B", "B C" and so on.
func subsets() (all []string) {
	for i := range 8 {
		var flags []string
		for j, k := range kinds {
			if i>>j&1 == 1 {
				flags = append(flags, k.flag)
			}
		}
		all = append(all, strings.Join(flags, " "))
	}
	return all
}

// sends returns what we send as the Initiator for the RTR: the first of our kinds that the peer has. Kernels crash if
// the connection ends without one.
func sends(s *conform.Setup, offer string) string {
	for _, k := range kinds {
		if common(k.flag, offer) && common(k.flag, s.Peer.Ready) {
			return k.sends
		}
	}
	return closed
}

func common(a, b string) bool {
	return strings.TrimSpace(a) != "" && strings.ContainsAny(a, strings.ReplaceAll(b, " ", ""))
}

// request returns our Request with flags, IRD and ORD in its Enhanced word, which are written as in Scenarios.
func request(word string) string { return "> MPARequest C S Rev=2 enhanced " + word + "\n" }

func reply(word string) string { return "> MPAReply C S Rev=2 enhanced " + word + "\n" }

func accepts(word string) string { return "MPAReply M=? C=? S Rev=2 enhanced " + word + " ?*" }

// rejects is the peer's rejecting Reply, with any Enhanced word.
const rejects = "MPAReply M=? C=? R S Rev=2 enhanced A=? B=? IRD=? C=? D=? ORD=? ?*"

// The end of a connection after its start-up.
const (
	over = `
		< OneOf
		or FIN
		or Reset`
	closed = "> FIN" + over
)

// depths returns the IRD and ORD of our Reply: as many Reads of ours as the peer accepts, and of the peer's as it
// requests.
func depths(s *conform.Setup) string {
	return fmt.Sprintf("IRD=%d ORD=%d", max(1, s.Peer.ORD), min(16, s.Peer.IRD))
}
