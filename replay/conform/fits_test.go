package conform

import (
	"testing"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A peer may have Receives of 64 octets. It gets no longer messages, except in cases about long messages.
func TestUnfit(t *testing.T) {
	for _, tt := range []struct{ script, want string }{
		{"> Send 00*64", ""},
		{"> Send 00*64\n> SendSE 00*65", "it has messages of up to 65 octets, and the Receives of the peer have 64"},
		{"> Send 00*65\n< refuses send-too-long", ""},
		{"> Segment Send 00*64\n> Segment Send L=0 00*32\n> Segment Send 00*32\n> FPDU Send 00*64", ""},
		{"> Segment Send L=0 00*60\n> Segment Write L=1 STag=$data TO=$data_to 00*90\n> Segment Send 00*10",
			"it has messages of up to 70 octets, and the Receives of the peer have 64"},
		{"> FPDU CRC=bad Send 00*66\n< refuses fpdu-crc", "it has messages of up to 66 octets, and the Receives of the peer have 64"},
		{"> Write STag=$data TO=$data_to 00*4096\n< Send 00*4096", ""},
	} {
		s := Assume(scenario.Client)
		s.Peer.Offer.ReceiveSize = 64
		made, err := Build(ask(Case{Ask: Text(tt.script)}), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.unfit(made); got != tt.want {
			t.Errorf("%q: %q", tt.script, got)
		}
	}
}
