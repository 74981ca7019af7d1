package verbs

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
)

// The reference RNIC passes, judged by the RFCs and by the Verbs, and with a Shared Receive Queue.
func TestSections(t *testing.T) {
	var c reference.Config
	c.Device.RNIC.Profile = peers.LookupProfile("verbs")
	reference.Check(t, Sections, c, reference.Config{SRQ: true})
}
