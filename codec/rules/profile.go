package rules

import "slices"

// An Edition is the set of documents that a Profile judges by.
type Edition uint8

// The editions.
const (
	IETF    Edition = iota // RFC 5040, 5041, 5044 and what came after
	RDMAC                  // the RDMA Consortium's documents: version 0, Markers and CRCs always
	Draft00                // draft-ietf-rddp-rdmap-00
)

// A Profile says by which documents, and with which known habits of a peer, traffic is judged.
type Profile struct {
	Name    string
	Edition Edition
	Codes   Peer // RFC or Verbs: whose Terminates are exact
	Peer    Peer // whose Terminates are accepted beside them, and whose habits are excused; RFC for nobody's
}

// Profiles are those that have a name.
var Profiles = []Profile{
	{"rfc", IETF, RFC, RFC},
	{"verbs", IETF, Verbs, RFC},
	{"rdmac", RDMAC, Verbs, RFC},
	{"draft-00", Draft00, RFC, RFC},
	{"siw", IETF, RFC, SIW},
	{"irdma", IETF, RFC, IRDMA},
	{"cxgb4", IETF, RFC, CXGB4},
}

// LookupProfile finds one of Profiles by its name; nil if there is none.
func LookupProfile(name string) *Profile {
	if i := slices.IndexFunc(Profiles, func(p Profile) bool { return p.Name == name }); i >= 0 {
		return &Profiles[i]
	}
	return nil
}

// Severity is how much a breach of r weighs in this profile.
func (p *Profile) Severity(r *Rule) Severity { return r.Severity }
