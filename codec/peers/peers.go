// Package peers is what is known of implementations of iWARP: what each does about errors, which rules it breaks, and
// how it writes Terminates. Each has a file of its own. RNICs and the upper layers above them are apart from each other,
// and a [rules.Profile] is made of one of each.
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

// RNICs are the RNICs that are known.
var RNICs = []*rules.Peer{&SIW, &IRDMA, &CXGB4}

// Profiles are those that have a name: of the documents, and of peers.
var Profiles = append(slices.Clip(rules.Documented),
	&rules.Profile{Name: "siw", RNIC: &SIW, Upper: &LinuxNFSServer},
	&rules.Profile{Name: "irdma", RNIC: &IRDMA},
	&rules.Profile{Name: "cxgb4", RNIC: &CXGB4},
)

// LookupProfile finds one of Profiles by its name; nil if there is none.
func LookupProfile(name string) *rules.Profile {
	if i := slices.IndexFunc(Profiles, func(p *rules.Profile) bool { return p.Name == name }); i >= 0 {
		return Profiles[i]
	}
	return nil
}
