package rules

import (
	"cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An Edition is the set of documents that a Profile checks against.
type Edition uint8

// The editions.
const (
	IETF    Edition = iota // RFC 5040, 5041, 5044 and later
	RDMAC                  // the RDMA Consortium's documents: version 0, Markers and CRCs always
	Draft00                // draft-ietf-rddp-rdmap-00
)

// A Document says which Terminate answers an error.
type Document uint8

// The documents.
const (
	RFCs  Document = iota // with our decision where they leave the code open
	Verbs                 // RDMA Protocol Verbs Specification 1.0, figure 24
)

// String is "rfc" or "verbs".
func (d Document) String() string { return [...]string{"rfc", "verbs"}[d] }

// A Profile says which documents traffic is checked against, and which known deviations of a peer are excused.
type Profile struct {
	Name    string
	Edition Edition
	Codes   Document // whose Terminates are exact
	RNIC    *Peer    // whose Terminates are also accepted and whose deviations are excused; nil for none
	Upper   *Peer    // the upper layer above it, whose deviations are excused too; nil for none
}

var (
	// RFC is the Profile of the RFCs alone.
	RFC = Profile{Name: "rfc"}

	// Documented are the Profiles of documents alone.
	Documented = []*Profile{
		&RFC,
		{Name: "verbs", Codes: Verbs},
		{Name: "rdmac", Edition: RDMAC, Codes: Verbs},
		{Name: "draft-00", Edition: Draft00},
	}
)

// Severity returns the weight of a breach of r in this profile.
func (p *Profile) Severity(r *Rule) Severity {
	if p.Deviation(r) != nil {
		return Note
	}
	switch {
	case p.Codes == Verbs && (r == ruleLMissing || r == ruleTerminateL):
		return Error // the Verbs have a Terminate for it (RDMA Protocol Verbs 1.0, figure 23)
	case p.Edition == RDMAC && (r == RuleMPARev || r == ruleRDMACOptions):
		return Error // nothing else is MPA there
	case p.Edition == Draft00 && r == ruleTerminateReservedBits:
		return Warning // the draft's figure has these bits, its text does not (section 6.8)
	}
	return r.Severity
}

// Deviation returns the known deviation, of the Profile's peers, that a breach of r is; nil if it is none.
func (p *Profile) Deviation(r *Rule) *Deviation {
	return cmp.Or(p.RNIC.Deviation(r), p.Upper.Deviation(r))
}

// Excuses reports whether a breach of r is such a deviation, and which.
func (p *Profile) Excuses(r *Rule) (why string, ok bool) {
	h := p.Deviation(r)
	if h == nil {
		return "", false
	}
	return h.Why, true
}

// DecodeTerminate decodes a Terminate header, which b must hold exactly, with the [Style.Decode] of the Profile's RNIC.
func (p *Profile) DecodeTerminate(t *rdmap.Terminate, b []byte) rdmap.Reading {
	return p.Style().Decode(t, b)
}

// Style returns how the Profile's RNIC writes Terminates.
func (p *Profile) Style() *Style {
	if p.RNIC == nil {
		return &byRFC
	}
	return &p.RNIC.Terminate
}

var byRFC Style

// version returns the DDP and RDMAP version of a stream, if known: the agreed one, unless the edition has only one.
func (p *Profile) version(agreed int) (version uint8, ok bool) {
	switch {
	case p.Edition == Draft00:
		return rdmap.Version, true
	case agreed >= 0:
		return uint8(agreed), true
	case p.Edition == RDMAC:
		return rdmap.VersionRDMAC, true
	}
	return 0, false
}

// The opcodes of RFC 5040, and these with what RFC 7306 adds, one bit each.
var opcodesRFC5040, opcodesRFC7306 = func() (base, all uint16) {
	for o := range rdmap.Opcodes() {
		all |= 1 << o
		if !o.Extension() {
			base |= 1 << o
		}
	}
	return base, all
}()

// opcodes returns those of a stream with the given version. Those of RFC 7306 need version 1, and are later than the
// other editions.
func (p *Profile) opcodes(version uint8) uint16 {
	if p.Extended(version) {
		return opcodesRFC7306
	}
	return opcodesRFC5040
}

// Extended reports whether streams of a version of RDMAP have Atomic Operations and Immediate Data (RFC 7306).
func (p *Profile) Extended(version uint8) bool { return p.Edition == IETF && version == rdmap.Version }

// wrapsAt64 reports whether a TO and a length whose sum is exactly 2^64 count as a wrap: literally yes by the RFCs, no
// by the Verbs.
func (p *Profile) wrapsAt64() bool { return p.Codes == RFCs }
