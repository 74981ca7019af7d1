// Package peers describes known implementations of iWARP and of upper layers above it: how each reacts to errors, which
// rules it breaks, how it writes Terminates, what its Private Data looks like, and what else there is to say of it. Each
// has its own file; the folder known lists the cases of iwarp conform that it fails. RNICs and upper layers are independent: a [rules.Profile]
// combines one of each:
//
//	profile := rules.Profile{Name: "nvmet on siw", RNIC: &peers.SIW, Upper: &peers.NVMeT}
package peers

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
)

// Short names for the tables of this package.
type (
	codes  = rules.Codes
	breaks = []*rules.Rule
	about  = []string
)

// otherwiseAsRFC adds the Situations in which a peer does what the RFCs say.
func otherwiseAsRFC(all rules.Answers, others ...rules.Situation) rules.Answers {
	for _, s := range others {
		all[s].Act = rules.AsRFC
	}
	return all
}

// Each file adds its peer to these.
var (
	RNICs       []*rules.Peer                   // the one with the most Answers first
	UpperLayers []*rules.Peer                   // implementations of upper layers
	Profiles    = slices.Clip(rules.Documented) // those of the documents, and one for each of RNICs, in that order
)

// addRNIC adds an RNIC, and a Profile named after it. upper is the upper layer seen above it; nil for none.
func addRNIC(p, upper *rules.Peer) {
	at, _ := slices.BinarySearchFunc(RNICs, p, func(a, b *rules.Peer) int { return answers(b) - answers(a) })
	RNICs = slices.Insert(RNICs, at, p)
	Profiles = slices.Insert(Profiles, len(rules.Documented)+at, &rules.Profile{Name: p.Name, RNIC: p, Upper: upper})
}

// answers counts the Situations in which p's behaviour is known.
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

// Swapping names the RNICs that write Terminates in the bit order of [rdmap.Terminate.AppendSwapped]: "siw".
func Swapping() string {
	var names []string
	for _, p := range RNICs {
		if p.Terminate.Swapped {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " or ")
}

// LookupProfile returns the Profile with a name; nil if there is none.
func LookupProfile(name string) *rules.Profile {
	if i := slices.IndexFunc(Profiles, func(p *rules.Profile) bool { return p.Name == name }); i >= 0 {
		return Profiles[i]
	}
	return nil
}
