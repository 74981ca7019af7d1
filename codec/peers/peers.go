// Package peers is what is known of implementations of iWARP and of upper layers above it: what each does about errors,
// which rules it breaks, how it writes Terminates, and what its Private Data look like. Each has a file of its own, and
// what it is known to fail of iwarp conform stands in the folder known. RNICs and upper layers are apart from each other;
// a [rules.Profile] is made of one of each:
//
//	profile := rules.Profile{Name: "nvmet on siw", RNIC: &peers.SIW, Upper: &peers.NVMeT}
package peers

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
)

// Short names for the tables of this package.
type (
	codes  = rules.Codes
	breaks = []*rules.Rule
)

// Each file adds its peer to these.
var (
	RNICs       []*rules.Peer                   // the one with the most Answers first
	UpperLayers []*rules.Peer                   // implementations of upper layers
	Profiles    = slices.Clip(rules.Documented) // those of the documents, and one for each of RNICs, in that order
)

// addRNIC adds an RNIC, and a Profile of its name. upper is the upper layer that was seen above it; nil for none.
func addRNIC(p, upper *rules.Peer) {
	at, _ := slices.BinarySearchFunc(RNICs, p, func(a, b *rules.Peer) int { return answers(b) - answers(a) })
	RNICs = slices.Insert(RNICs, at, p)
	Profiles = slices.Insert(Profiles, len(rules.Documented)+at, &rules.Profile{Name: p.Name, RNIC: p, Upper: upper})
}

// answers counts the Situations in which it is known what p does.
func answers(p *rules.Peer) (n int) {
	for _, a := range p.Answers {
		if a.Act != rules.Unknown {
			n++
		}
	}
	return n
}

// addUpper adds an implementation of an upper layer.
func addUpper(p *rules.Peer) { UpperLayers = append(UpperLayers, p) }

// LookupProfile finds one of Profiles by its name; nil if there is none.
func LookupProfile(name string) *rules.Profile {
	if i := slices.IndexFunc(Profiles, func(p *rules.Profile) bool { return p.Name == name }); i >= 0 {
		return Profiles[i]
	}
	return nil
}
