package rnicsim

// Deviations that have a name: those known of peers, and some that tests of others need.

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Peers are what is known of other RNICs: "siw", "irdma" and "cxgb4", as [rules.Situations] has it. They go with the
// Profile of the same name, which says how their Terminates are written. Operations that a peer lacks are not taken
// away.
func Peers() []Quirk {
	return []Quirk{
		peer(rules.SIW, "siw, the software RNIC of Linux"),
		peer(rules.IRDMA, "irdma, the Linux driver for Intel's RNICs"),
		peer(rules.CXGB4, "cxgb4, the Linux driver for Chelsio's RNICs"),
	}
}

// peer makes the deviations of a peer.
func peer(p rules.Peer, text string) Quirk {
	k := Quirk{Name: p.String(), Text: "answers as " + text, React: make(map[string]Reaction)}
	for i := range rules.Situations {
		s := &rules.Situations[i]
		a := &s.Answers[p]
		switch {
		case !a.Known:
		case len(a.Codes) > 0:
			if !slices.Equal(a.Codes[:1], first(s.Answers[rules.RFC].Codes)) {
				k.React[s.Name] = Reaction{Code: a.Codes[0]}
			}
		case strings.HasSuffix(a.Note, "is not checked"):
			k.Suppress = append(k.Suppress, s.Name)
		case strings.HasPrefix(a.Note, "closes the connection"):
			k.React[s.Name] = Reaction{Reset: true}
		}
	}
	for _, broken := range rules.Habits(p) {
		for _, r := range broken { // what it breaks itself as a connection begins it does not mind
			if slices.Contains(startupRules, r.Name) && !slices.Contains(k.Suppress, r.Name) {
				k.Suppress = append(k.Suppress, r.Name)
			}
		}
	}
	return k
}

// first is the first of some codes, if there is one.
func first(codes []rdmap.Code) []rdmap.Code { return codes[:min(1, len(codes))] }

// invalidSTagOfRDMAP is how RDMAP, which protects what is read, says that an STag is invalid.
var invalidSTagOfRDMAP = rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPRemoteProtection}

// Quirks are Peers and single deviations.
func Quirks() []Quirk {
	return append(Peers(),
		Quirk{Name: "no-rights", Text: "lets the peer read and write whatever the rights of an STag are",
			Suppress: []string{"read-access", "write-access"}},
		Quirk{Name: "no-domains", Text: "lets the peer use STags of other Protection Domains and QPs",
			Suppress: []string{"read-association", "write-association"}},
		Quirk{Name: "drops-bad-stag", Text: "passes over Writes and Read Requests whose STag is invalid, and says nothing",
			React: map[string]Reaction{"write-stag": {Drop: true}, "read-stag": {Drop: true}}},
		Quirk{Name: "resets", Text: "resets the connection for an invalid STag, without a Terminate",
			React: map[string]Reaction{"write-stag": {Reset: true}, "read-stag": {Reset: true}}},
		Quirk{Name: "stag-as-rdmap", Text: "answers an invalid STag of a Write with the code of RDMAP, not that of DDP",
			React: map[string]Reaction{"write-stag": {Code: invalidSTagOfRDMAP}}},
		Quirk{Name: "send-msn-7", Text: "gives each Send the MSN 7",
			Rewrite: []Rewrite{{Message: rdmap.OpSend, Field: "iwarp_ddp.msn", Value: 7}}},
		Quirk{Name: "send-reserved", Text: "sets a reserved bit of DDP in each Send",
			Rewrite: []Rewrite{{Message: rdmap.OpSend, Field: "iwarp_ddp.rsvd", Value: 1}}},
		Quirk{Name: "read-size-0", Text: "asks for no octets in each Read Request",
			Rewrite: []Rewrite{{Message: rdmap.OpReadRequest, Field: "iwarp_rdma.rdmardsz"}}},
		Quirk{Name: "bad-crc", Text: "gives each FPDU a CRC that is wrong in one bit",
			Rewrite: []Rewrite{{Message: AnyMessage, Field: "iwarp_mpa.crc", Change: Flip, Value: 1}}},
		Quirk{Name: "bad-marker", Text: "lets each Marker point 4 octets too far back",
			Rewrite: []Rewrite{{Message: AnyMessage, Field: "iwarp_mpa.marker_fpduptr", Change: AddTo, Value: 4}}},
		Quirk{Name: "reply-rev-9", Text: "answers a Request in a revision that does not exist",
			Rewrite: []Rewrite{{Frame: InReply, Field: "iwarp_mpa.rev", Value: 9}}},
	)
}

// LookupQuirk finds one of Quirks by its name.
func LookupQuirk(name string) (k Quirk, ok bool) {
	all := Quirks()
	i := slices.IndexFunc(all, func(k Quirk) bool { return k.Name == name })
	if i < 0 {
		return k, false
	}
	return all[i], true
}
