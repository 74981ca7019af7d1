package draft00

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/rnicsim"
)

func TestSections(t *testing.T) {
	var c reference.Config
	c.Device.RNIC.Profile = peers.LookupProfile("draft-00")
	c.Stream = rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}
	reference.Check(t, Sections, c)
}
