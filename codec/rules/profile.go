package rules

import (
	"cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An Edition is the set of documents that a Profile judges by.
type Edition uint8

// The editions.
const (
	IETF    Edition = iota // RFC 5040, 5041, 5044 and what came after
	RDMAC                  // the RDMA Consortium's documents: version 0, Markers and CRCs always
	Draft00                // draft-ietf-rddp-rdmap-00
)

// A Document is one that says which Terminate answers an error.
type Document uint8

// The documents.
const (
	RFCs  Document = iota // with a decision where they leave one open
	Verbs                 // RDMA Protocol Verbs Specification 1.0, figure 24
)

// String is "rfc" or "verbs".
func (d Document) String() string { return [...]string{"rfc", "verbs"}[d] }

// A Profile says by which documents, and with which known habits of a peer, traffic is judged.
type Profile struct {
	Name    string
	Edition Edition
	Codes   Document // whose Terminates are exact
	RNIC    *Peer    // whose Terminates are accepted beside them, and whose habits are excused; nil for nobody's
	Upper   *Peer    // the upper layer above it, whose habits are excused too; nil for nobody's
}

// RFC is the Profile of the RFCs alone.
var RFC = Profile{Name: "rfc"}

// Documented are the Profiles of documents alone.
var Documented = []*Profile{
	&RFC,
	{Name: "verbs", Codes: Verbs},
	{Name: "rdmac", Edition: RDMAC, Codes: Verbs},
	{Name: "draft-00", Edition: Draft00},
}

// Severity is how much a breach of r weighs in this profile.
func (p *Profile) Severity(r *Rule) Severity {
	if p.Habit(r) != nil {
		return Note
	}
	switch {
	case p.Codes == Verbs && (r == ruleLMissing || r == ruleTerminateL):
		return Error // the Verbs have a Terminate for it (RDMA Protocol Verbs 1.0, figure 23)
	case p.Edition == RDMAC && (r == RuleMPARev || r == ruleRDMACOptions):
		return Error // nothing else is MPA there
	case p.Edition == Draft00 && r == ruleTerminateReservedBits:
		return Warning // the draft's figure has these bits, its text has not (section 6.8)
	}
	return r.Severity
}

// Habit is the known habit, of the peers that the Profile is for, that a breach of r is; nil if it is none.
func (p *Profile) Habit(r *Rule) *Habit { return cmp.Or(p.RNIC.Habit(r), p.Upper.Habit(r)) }

// Excuses reports whether a breach of r is such a habit, and which.
func (p *Profile) Excuses(r *Rule) (why string, ok bool) {
	h := p.Habit(r)
	if h == nil {
		return "", false
	}
	return h.Why, true
}

// DecodeTerminate decodes a Terminate header, which b must hold exactly, as [Style.Decode] does it for the RNIC that the
// Profile is for.
func (p *Profile) DecodeTerminate(t *rdmap.Terminate, b []byte) rdmap.Reading {
	return p.Style().Decode(t, b)
}

// Style is how the RNIC that the Profile is for writes Terminates.
func (p *Profile) Style() *Style {
	if p.RNIC == nil {
		return &byRFC
	}
	return &p.RNIC.Terminate
}

var byRFC Style

// version is the DDP and RDMAP version of a stream, if it is known: that agreed on, unless the edition has only one.
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

// opcodes are those of a stream with the given version: what RFC 7306 adds needs version 1, and came after the other
// editions.
func (p *Profile) opcodes(version uint8) uint16 {
	if p.Extended(version) {
		return opcodesRFC7306
	}
	return opcodesRFC5040
}

// Extended reports whether streams of a version of RDMAP have Atomic Operations and Immediate Data (RFC 7306).
func (p *Profile) Extended(version uint8) bool { return p.Edition == IETF && version == rdmap.Version }

// wrapsAt64 tells that a TO and a length whose sum is exactly 2^64 count as a wrap: the RFCs say so by their letter,
// the Verbs do not.
func (p *Profile) wrapsAt64() bool { return p.Codes == RFCs }
