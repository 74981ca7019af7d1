package conform

// What a peer is assumed to be like without a survey.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// Assume returns a Setup for a peer like `iwarp serve`, with the service conform or rpc, to make Scenarios without a
// survey. side is the one that we play.
func Assume(side scenario.Side) *Setup {
	word := mpa.Enhanced{IRD: defaultReads, ORD: defaultReads}
	f := enhance(mpa.Frame{Rev: mpa.Rev2, C: true, Reply: side == scenario.Client}, word)
	p := Peer{Frame: f, Enhanced: true, IRD: defaultReads, ORD: defaultReads, Markers: true}
	p.Ready, p.RDMAC = "BCD", &mpa.Frame{Reply: true, C: true, Rev: mpa.Rev2}
	p.Offer = service.ConformOffer{Features: 0xff, Receives: 32, ReceiveSize: 8192}
	for i := range p.Offer.Regions {
		p.Offer.Regions[i].Length = 4096
	}
	p.Offer.Regions[service.ConformData].Length = 65536
	p.RPC = assumedRPC()
	return &Setup{Side: side, Profile: rfcProfile, Peer: p, Rand: Random(0, ""), Quiet: quiet(0)}
}

// assumedRPC returns what a survey would find out about the service rpc of iwarp serve.
func assumedRPC() RPCPeer {
	size := rpcprivate.EncodeSize(rpcrdma.InlineThreshold2)
	return RPCPeer{
		Program: rpcProgram, ProgramVersion: uint32(rpctext.ProgramVersion), Conform: true, Version1: true, Version2: true,
		Low: rpcrdma.Vers1, High: rpcrdma.Vers2, Credits: 32, Granted: 32, Properties: defaultProperties(),
		Private: &rpcprivate.Data{Version: rpcprivate.Version, R: true, SendSize: size, ReceiveSize: size},
	}
}

// Assumable returns the peers for which a case can be made without a survey: the one of Assume, then others for cases
// that do not apply to the previous ones.
func Assumable(side scenario.Side) (peers []Peer) {
	peers = append(peers, Assume(side).Peer)
	for _, change := range variants {
		p := Assume(side).Peer
		change(&p)
		peers = append(peers, p)
	}
	return peers
}

// variants turn the peer of Assume into other ones.
var variants = []func(*Peer){
	func(p *Peer) { p.Frame.M = true },
	func(p *Peer) { p.Frame.C, p.Unchecked = false, true },
	func(p *Peer) { p.RDMAC = &mpa.Frame{Reply: true, M: true, C: true, Rev: mpa.RevRDMAC} },
	func(p *Peer) { // an Initiator that offers several kinds of Ready to Receive, but not all
		if !p.Frame.Reply {
			p.Frame = enhance(p.Frame, mpa.Enhanced{A: true, C: true, D: true, IRD: defaultReads, ORD: defaultReads})
		}
	},
	func(p *Peer) { // an RPC server of version 1 only
		p.RPC.Version2, p.RPC.High, p.RPC.Granted, p.RPC.Properties = false, rpcrdma.Vers1, 0, nil
	},
	func(p *Peer) {
		p.Frame = mpa.Frame{Reply: p.Frame.Reply, C: true, Rev: mpa.Rev1}
		p.Enhanced, p.IRD, p.ORD, p.Ready = false, 1, 1, ""
	},
}
