package conform

// What is known of the peer when a case is asked.

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A Setup is for whom and against whom the scripts of a case are made.
type Setup struct {
	Side    scenario.Side  // that we take: the client initiates
	Profile *rules.Profile // by which the peer is judged
	Peer    Peer
	Rand    *rand.Rand    // with the seed of the run and the id of the case
	Quiet   time.Duration // how long a peer that would send something would have done so long ago
}

// A Peer is what a survey has found out.
type Peer struct {
	Frame     mpa.Frame            // its Request, or its Reply to the Request that it has accepted; without Private Data
	IRD, ORD  int                  // that it offers; 1 where nothing is agreed on
	Enhanced  bool                 // it takes MPA revision 2
	Offer     service.ConformOffer // of its Private Data
	Markers   bool                 // it puts in Markers when it is asked to
	RoundTrip time.Duration        // of its fastest answer
	RPC       RPCPeer              // of one with the RPCService, which has no Offer

	// Of a Responder only.
	Unchecked bool       // it does without CRCs if we do
	Ready     string     // the kinds of Ready to Receive that it takes, by their flags: "BCD" (RFC 6581, section 9.2)
	RDMAC     *mpa.Frame // its Reply to a Request of the RDMA Consortium (RFC 5044, appendix C); nil if it sends none
	Later     *mpa.Frame // its Reply to a Request of a revision that does not exist; nil if it sends none
}

// Consortium tells whether the peer speaks the protocols of the RDMA Consortium: revision 0 of MPA, which always has Markers
// and CRCs, and version 0 of DDP and RDMAP.
func (p *Peer) Consortium() bool { return p.Frame.Rev == mpa.RevRDMAC }

// Version is that of DDP and RDMAP with this peer.
func (p *Peer) Version() uint8 {
	if p.Consortium() {
		return 0
	}
	return ddp.Version
}

// WrongVersions are the other ones.
func (p *Peer) WrongVersions() []uint8 {
	return slices.DeleteFunc([]uint8{0, 1, 2, 3}, func(v uint8) bool { return v == p.Version() })
}

// Has is what the peer can do.
func (p *Peer) Has() (n Need) {
	for _, each := range []struct {
		need Need
		has  bool
	}{
		{Atomics, p.Offer.Features&service.ConformAtomics != 0},
		{Immediate, p.Offer.Features&service.ConformImmediate != 0},
		{Invalidates, p.Offer.Features&service.ConformInvalidates != 0},
		{Solicited, p.Offer.Features&service.ConformSolicited != 0},
		{Terminates, p.Offer.Features&service.ConformTerminates != 0},
		{Enhanced, p.Enhanced},
		{Markers, p.Markers},
		{Volatile, p.Offer.Regions[service.ConformVolatile].Length != 0},
	} {
		if each.has {
			n |= each.need
		}
	}
	return n | p.RPC.has()
}
