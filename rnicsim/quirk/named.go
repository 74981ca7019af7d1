package quirk

// Named quirks: those of peers, and others for tests.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Deviations returns how a peer deviates from the RFCs. Use them with a Profile of that peer, which determines how its
// Terminates are written. Operations that the peer does not support stay.
func Deviations(p *rules.Peer) Quirk {
	k := Quirk{Name: p.Name, Text: "answers as " + p.Title, React: make(map[rules.Situation]Reaction)}
	for s := range rules.NumSituations {
		switch a := p.Answers[s]; a.Act {
		case rules.Terminates:
			code, _ := a.Codes.First()
			if due, ok := rules.Situations[s].RFC.Codes.First(); !ok || code != due {
				k.React[s] = Reaction{Code: code}
			}
		case rules.Ignores:
			k.Suppress = append(k.Suppress, Suppression{Situation: s})
		case rules.Resets:
			k.React[s] = Reaction{Reset: true}
		}
	}
	for _, h := range p.Deviations { // during start-up it accepts what it breaks itself
		for _, r := range h.Rules {
			if broken := (Suppression{Rule: r}); slices.Contains(startupRules, r) && !slices.Contains(k.Suppress, broken) {
				k.Suppress = append(k.Suppress, broken)
			}
		}
	}
	return k
}

// invalidSTagOfRDMAP is the code of RDMAP for an invalid STag, which is meant for Reads.
var invalidSTagOfRDMAP = rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPRemoteProtection}

// Named returns the deviations of known peers, such as those of codec/peers, under their names, and single ones.
func Named(known ...*rules.Peer) (all []Quirk) {
	for _, p := range known {
		all = append(all, Deviations(p))
	}
	return append(all,
		Quirk{Name: "no-rights", Text: "lets the peer read and write regardless of the rights of an STag",
			Suppress: []Suppression{{Situation: rules.ReadAccess}, {Situation: rules.WriteAccess}}},
		Quirk{Name: "no-domains", Text: "lets the peer use STags of other Protection Domains and QPs",
			Suppress: []Suppression{{Situation: rules.ReadAssociation}, {Situation: rules.WriteAssociation}}},
		Quirk{Name: "drops-bad-stag", Text: "silently ignores Writes and Read Requests with an invalid STag",
			React: map[rules.Situation]Reaction{rules.WriteSTag: {Drop: true}, rules.ReadSTag: {Drop: true}}},
		Quirk{Name: "resets", Text: "resets the connection for an invalid STag, without a Terminate",
			React: map[rules.Situation]Reaction{rules.WriteSTag: {Reset: true}, rules.ReadSTag: {Reset: true}}},
		Quirk{Name: "stag-as-rdmap", Text: "answers an invalid STag of a Write with the code of RDMAP, not that of DDP",
			React: map[rules.Situation]Reaction{rules.WriteSTag: {Code: invalidSTagOfRDMAP}}},
		Quirk{Name: "send-msn-7", Text: "gives each Send the MSN 7",
			Rewrite: []Rewrite{{Message: rdmap.OpSend, Field: "iwarp_ddp.msn", Value: 7}}},
		Quirk{Name: "send-reserved", Text: "sets a reserved bit of DDP in each Send",
			Rewrite: []Rewrite{{Message: rdmap.OpSend, Field: "iwarp_ddp.rsvd", Value: 1}}},
		Quirk{Name: "read-size-0", Text: "requests zero octets in each Read Request",
			Rewrite: []Rewrite{{Message: rdmap.OpReadRequest, Field: "iwarp_rdma.rdmardsz"}}},
		Quirk{Name: "bad-crc", Text: "gives each FPDU a CRC with one wrong bit",
			Rewrite: []Rewrite{{Message: AnyMessage, Field: "iwarp_mpa.crc", Change: Flip, Value: 1}}},
		Quirk{Name: "bad-marker", Text: "makes each Marker point 4 octets too far back",
			Rewrite: []Rewrite{{Message: AnyMessage, Field: "iwarp_mpa.marker_fpduptr", Change: AddTo, Value: 4}}},
		Quirk{Name: "reply-rev-9", Text: "answers a Request in a revision that does not exist",
			Rewrite: []Rewrite{{Frame: InReply, Field: "iwarp_mpa.rev", Value: 9}}},
	)
}
