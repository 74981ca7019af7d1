package driver

// How the driver applies the RNIC's Profile and quirks.

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// siw swaps the nibbles of a Terminate. This one, about an unknown opcode and without headers, makes sense to the RFC
// too.
func TestTerminateIsReadByProfile(t *testing.T) {
	header := []byte{0x20, 0x06, 0, 0}
	for name, want := range map[string]rdmap.Code{
		"rfc": {Layer: rdmap.LayerLLP, EType: 0, ErrorCode: 6},
		"siw": {Layer: rdmap.LayerRDMAP, EType: 2, ErrorCode: 6},
	} {
		if got := newTerminated(peers.LookupProfile(name), false, header).Terminate.Code; got != want {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
}

func TestOpenRefusesQuirks(t *testing.T) {
	c := Config{RNIC: rnicsim.Config{Quirks: []quirk.Quirk{{Name: "odd", Suppress: []quirk.Suppression{{}}}}}}
	if _, err := Open(c); err == nil {
		t.Error("a quirk about nothing was taken")
	}
}
