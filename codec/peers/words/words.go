// Package words describes the RNICs of package peers for people. [Peers] has what each is, and how to recognise it:
//
//	for _, p := range words.Peers {
//		fmt.Println(p.Name, p.Text, p.LookFor)
//	}
//
// Only code that explains them imports it.
package words

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Peer describes an RNIC.
type Peer struct {
	*rules.Peer
	Aka     []string // other names
	Title   string   // what it is
	Text    string
	LookFor string   // how to recognise it; empty if nothing shows it
	See     []string // what else to look up
	Sources []string
	Seen    string // captures that show its way of writing Terminates; empty if it follows the RFCs
}

// Peers describes the RNICs of package peers, in the same order. Each file adds its own.
var Peers []*Peer

func add(p *Peer) {
	Peers = append(Peers, p)
	slices.SortFunc(Peers, func(a, b *Peer) int { return slices.Index(peers.RNICs, a.Peer) - slices.Index(peers.RNICs, b.Peer) })
}
