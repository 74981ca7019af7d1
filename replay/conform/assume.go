package conform

// What a peer is taken for that nobody has asked yet.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// Assume is a Setup for the peer that `iwarp serve --service conform` is, to make Scenarios without asking one. side is
// the one that we take.
func Assume(side scenario.Side) *Setup {
	word := mpa.Enhanced{IRD: defaultReads, ORD: defaultReads}
	f := enhance(mpa.Frame{Rev: mpa.Rev2, C: true, Reply: side == scenario.Client}, word)
	p := Peer{Frame: f, Enhanced: true, IRD: defaultReads, ORD: defaultReads, Markers: true}
	p.Ready, p.RDMAC = "BCD", &mpa.Frame{Reply: true, C: true, Rev: mpa.Rev2}
	p.Offer = service.ConformOffer{Features: 0xff, Receives: 32, ReceiveSize: 8192}
	for i := range p.Offer.Regions[:service.ConformReserved] {
		p.Offer.Regions[i].Length = 4096
	}
	p.Offer.Regions[service.ConformData].Length = 65536
	return &Setup{Side: side, Profile: rfcProfile, Peer: p, Rand: Random(0, ""), Quiet: quiet(0)}
}
