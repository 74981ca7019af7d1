// Package words describes the RNICs of package peers for people. [Peers] has what each is, how to recognise it, and what it
// does by subject:
//
//	for _, p := range words.Peers {
//		fmt.Println(p.Name, p.Title, p.On("Marker"))
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
	Seen    string   // captures that show its way of writing Terminates; empty if it follows the RFCs
	Remarks []Remark // its behaviour, by subject
}

// A Remark is what an RNIC does in some respect.
type Remark struct {
	About string // the subject: a term, a message, or the RNIC itself: "Marker"
	Notes []string
}

// Peers describes the RNICs of package peers, in the same order. Each file adds its own.
var Peers []*Peer

func add(p *Peer) {
	Peers = append(Peers, p)
	slices.SortFunc(Peers, func(a, b *Peer) int { return slices.Index(peers.RNICs, a.Peer) - slices.Index(peers.RNICs, b.Peer) })
}

// On returns the peer's behaviour in some respect; nil if there is nothing to say.
func (p *Peer) On(about string) []string {
	for _, r := range p.Remarks {
		if r.About == about {
			return r.Notes
		}
	}
	return nil
}
