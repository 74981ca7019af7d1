package conform

// The facts about the peer that cases depend on.

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

// A Setup holds the side and the peer that the scripts of a case are made for.
type Setup struct {
	Side    scenario.Side  // the one that we play: the client initiates
	Profile *rules.Profile // checks the peer
	Peer    Peer
	Rand    *rand.Rand    // with the seed of the run and the id of the case
	Quiet   time.Duration // after which a peer is known to send nothing
}

// A Peer is the result of surveying a peer.
type Peer struct {
	Frame     mpa.Frame            // its Request, or its Reply to the Request that it accepted; without Private Data
	IRD, ORD  int                  // offered by it; 1 if not negotiated
	Enhanced  bool                 // it accepts MPA revision 2
	Offer     service.ConformOffer // of its Private Data
	Markers   bool                 // it inserts Markers on request
	RoundTrip time.Duration        // of its fastest answer
	RPC       RPCPeer              // if it has the RPCService, and so no Offer

	// Only for a Responder.
	Unchecked bool       // it agrees to work without CRCs
	Ready     string     // flags of the kinds of Ready to Receive that it accepts: "BCD" (RFC 6581, section 9.2)
	RDMAC     *mpa.Frame // its Reply to a Request of the RDMA Consortium (RFC 5044, appendix C); nil if it sends none
	Later     *mpa.Frame // its Reply to a Request of a revision that does not exist; nil if it sends none
}

// Consortium reports whether the peer speaks the protocols of the RDMA Consortium: revision 0 of MPA, which always has
// Markers and CRCs, and version 0 of DDP and RDMAP.
func (p *Peer) Consortium() bool { return p.Frame.Rev == mpa.RevRDMAC }

// Version returns the version of DDP and RDMAP with this peer.
func (p *Peer) Version() uint8 {
	if p.Consortium() {
		return 0
	}
	return ddp.Version
}

// WrongVersions returns all other versions that the header fields can have.
func (p *Peer) WrongVersions() []uint8 {
	return slices.DeleteFunc([]uint8{0, 1, 2, 3}, func(v uint8) bool { return v == p.Version() })
}

// Has returns the features of the peer.
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
		{Windows, p.Offer.Regions[service.ConformWindow].Length != 0},
		{Locals, p.Offer.Features&service.ConformLocals != 0},
		{Fences, p.Offer.Features&service.ConformFences != 0},
		{Shares, p.Offer.Features&service.ConformShares != 0},
		{RPCProgram | RPCReverse, p.RPC.Conform},
		{RPCVersion1, p.RPC.Version1},
		{RPCVersion2, p.RPC.Version2},
	} {
		if each.has {
			n |= each.need
		}
	}
	return n
}
