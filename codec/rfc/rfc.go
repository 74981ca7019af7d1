// Package rfc is the catalogue of what the iWARP documents demand: one [Requirement] for each thing that an
// implementation can get right or wrong, with an id of its own, the document and section it stands in, and its level.
//
// [Lookup] finds a requirement by id, [Section] those of one section, [All] goes through all of them. For people who
// type, [Complete] goes on from the begin of an id, and [Nearest] finds what a mistyped one may have meant.
// [Documents] are the documents with their titles.
//
// Ids begin with the protocol (MPA and EMPA for RFC 6581, DDP, SCTP, IANA, RDMAP, RDMAPX for RFC 7306, D00 for its
// draft, SEC, RPCRDMA1, RPCRDMA2, RPCBIDI, RPCPD, V for the Verbs); most go on with the section and a number in it:
// DDP-5.3-4.
//
// The texts are in our words and shorter than the documents'. "[decl]" or "[declarative]" begins those that a document
// states without a key word of RFC 2119, "[lc]" those with one in lower case: their level is how the catalogue reads
// them. Codes of Terminates are written Layer/EType/Error Code in hexadecimal, and three digits behind them are the
// bits M, D and R.
package rfc

import (
	"fmt"
	"iter"
	"strings"
)

// Level is the force of a requirement (RFC 2119).
type Level uint8

// The levels.
const (
	Must Level = iota
	MustNot
	Should
	ShouldNot
	May
)

var levelNames = [...]string{"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"}

// String is "MUST", "MUST NOT", "SHOULD", "SHOULD NOT" or "MAY".
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level%d", uint8(l))
}

// ParseLevel reads what [Level.String] writes of the five levels.
func ParseLevel(s string) (Level, error) {
	for i, name := range levelNames {
		if s == name {
			return Level(i), nil
		}
	}
	return 0, fmt.Errorf("rfc: %q is no level: want one of %s", s, strings.Join(levelNames[:], ", "))
}

// Requirement is one thing that a document demands. It is shared: do not change it.
type Requirement struct {
	ID         string // "DDP-5.3-4"
	Doc        string // the id of its document: "RFC5041"; see [Requirement.Document]
	Section    string // "5.3"; of the Verbs also several, and figures: "6.2.2.2, F24"
	Level      Level
	Who        string // whom it binds: "sender", "receiver", "both", "data-source", "requester", "rnic" and so on
	Text       string // what is demanded
	Observable string // where a breach shows, between commas: "capture", "codec", "api", "peer"; or "none"

	// The Verbs' catalogue has neither of these two.
	Violation string // what a breach looks like; empty if that is plain or cannot be said
	Reaction  string // what a receiver has to do about it; empty if nothing

	// Only the Verbs' catalogue has these two.
	Scope string // whether a reference RNIC has it: begins with "IN", "OPT" (if the option is there), "SIM" (simulated) or "OUT"
	Key   string // a short name: "open_excl"
}

// String is the id with document, section and level: "DDP-5.3-4 (RFC 5041, section 5.3, MUST)".
func (r *Requirement) String() string {
	return r.ID + " (" + r.Source() + ", " + r.Level.String() + ")"
}

// Source is document and section: "RFC 5041, section 5.3".
func (r *Requirement) Source() string {
	name := r.Doc
	if d := r.Document(); d != nil {
		name = d.Name
	}
	return name + ", section " + r.Section
}

// Document is the document that the requirement is from.
func (r *Requirement) Document() *Document { return LookupDocument(r.Doc) }

// In says whether the requirement is from the given section of its document, or from one below it: 5.3 is in 5.
func (r *Requirement) In(section string) bool {
	for rest := r.Section; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, " ")
		below, ok := strings.CutPrefix(strings.TrimSuffix(one, ","), section)
		if ok && section != "" && (below == "" || below[0] == '.' || below[0] == '-') {
			return true
		}
	}
	return false
}

// Lookup finds a requirement by its id, in capitals or not; nil if there is none.
func Lookup(id string) *Requirement {
	c := catalogue()
	i, ok := c.byID[id]
	if !ok {
		i, ok = c.byID[strings.ToUpper(id)]
	}
	if !ok {
		return nil
	}
	return &c.requirements[i]
}

// All yields every requirement, in the order of the catalogue: MPA, DDP and what goes with them, RDMAP,
// RPC-over-RDMA, Verbs.
func All() iter.Seq[*Requirement] {
	return func(yield func(*Requirement) bool) {
		c := catalogue()
		for i := range c.requirements {
			if !yield(&c.requirements[i]) {
				return
			}
		}
	}
}

// Section is the requirements of a section of a document, and of the sections below it, in the order of the catalogue.
// The document is given by id or name, in capitals or not.
func Section(doc, section string) (some []*Requirement) {
	d := LookupDocument(doc)
	if d == nil {
		return nil
	}
	for r := range All() {
		if r.Doc == d.ID && r.In(section) {
			some = append(some, r)
		}
	}
	return some
}
