package rfc7306

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/internal/rnic"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A peer without RFC 7306 passes the cases that it is asked: the draft before RFC 5040 has no such opcodes.
func TestUnsupported(t *testing.T) {
	draft := driver.Config{RNIC: rnicsim.Config{Profile: peers.LookupProfile("draft-00")}}
	_, address := rnic.Serve(t, "conform", draft, service.Options{}, rnicsim.StreamConfig{})
	setup := conform.Assume(scenario.Client)
	setup.Peer.Offer.Features = 0
	asked := 0
	for _, q := range conform.Questions(Sections) {
		if q.Need&^setup.Peer.Has() != 0 {
			continue
		}
		s, err := conform.Build(q, setup)
		if err != nil {
			t.Fatal(err)
		}
		o := live.Options{Role: scenario.Client, Player: player.Options{Profile: setup.Profile}}
		played, err := live.Dial(t.Context(), address, s, o)
		if err != nil {
			t.Fatal(err)
		}
		asked++
		for _, c := range played.Report.Conns {
			if step := c.First(); step != nil || c.End != "" {
				t.Errorf("%s, connection %s: %v %s\n%s", q.ID(), c.Name, step, c.End, s)
			}
		}
	}
	if want := len(section11.Cases()); asked < want {
		t.Errorf("%d cases were asked, want at least %d", asked, want)
	}
}
