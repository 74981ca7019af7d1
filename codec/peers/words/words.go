// Package words is what there is to say about the RNICs of package peers, for people: only what explains links it.
package words

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Peer is what there is to say about an RNIC.
type Peer struct {
	*rules.Peer
	Aka     []string // what else it is called
	Title   string   // what it is
	Text    string
	LookFor string   // how it can be told; empty if nothing tells it
	See     []string // what else to look up
	Sources []string
	Seen    string   // which captures show how it writes Terminates; empty if that is not of its own
	Remarks []Remark // what it does, by what that concerns
}

// A Remark is what an RNIC does about something.
type Remark struct {
	About string // a term, a message, or the RNIC itself: "Marker"
	Notes []string
}

// Peers are the RNICs of package peers, in their order. Each file adds its own.
var Peers []*Peer

func add(p *Peer) {
	Peers = append(Peers, p)
	slices.SortFunc(Peers, func(a, b *Peer) int { return slices.Index(peers.RNICs, a.Peer) - slices.Index(peers.RNICs, b.Peer) })
}

// On is what the peer does about something; nil if there is nothing to say.
func (p *Peer) On(about string) []string {
	for _, r := range p.Remarks {
		if r.About == about {
			return r.Notes
		}
	}
	return nil
}
