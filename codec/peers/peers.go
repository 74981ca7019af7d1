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

// RNICs are the RNICs that are known.
var RNICs = []*rules.Peer{&SIW, &IRDMA, &CXGB4}

// UpperLayers are the implementations of upper layers that are known.
var UpperLayers = []*rules.Peer{&LinuxNFSServer, &LinuxNFSClient, &NVMeT, &LIO, &KSMBD}

// Recognise is the UpperLayers whose Private Data look like those of an upper layer in an MPA Request, or in a Reply.
// They may be those of others too.
func Recognise(private []byte, reply bool) (fit []*rules.Peer) {
	for _, p := range UpperLayers {
		if p.Private.Fits(private, reply) {
			fit = append(fit, p)
		}
	}
	return fit
}

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
