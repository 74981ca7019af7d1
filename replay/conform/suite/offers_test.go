package suite

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// maxText is how many octets of text the Scenario of a case may be.
const maxText = 8 << 20

// Cases can be made for each peer that a survey lets through, and are not boundless for any.
func TestOffers(t *testing.T) {
	sides := []scenario.Side{scenario.Client, scenario.Server}
	if testing.Short() {
		sides = sides[1:]
	}
	for _, side := range sides {
		for _, o := range []struct {
			receives, size uint32
			reads          int
		}{
			{1, 64, 0}, {1, 65536, 1}, {4096, 64, 2}, {4096, 65536, mpa.NotNegotiated - 1}, {2, 8192, mpa.NotNegotiated},
		} {
			s := conform.Assume(side)
			s.Peer.IRD, s.Peer.ORD = o.reads, o.reads
			s.Peer.Offer.Receives, s.Peer.Offer.ReceiveSize = o.receives, o.size
			for _, q := range Questions() {
				if !q.Role.Takes(side) {
					continue
				}
				made, err := conform.Build(q, s)
				if err != nil {
					t.Errorf("%+v: %v", o, err)
				} else if made != nil && len(made.String()) > maxText {
					t.Errorf("%+v: %s is %d octets of text", o, q.ID(), len(made.String()))
				}
			}
		}
	}
}
