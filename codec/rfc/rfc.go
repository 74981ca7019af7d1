// Package rfc is the catalogue of what the iWARP documents demand: one [Requirement] for each thing that an
// implementation can get right or wrong, with its id, document, section and level.
//
//	r := rfc.Lookup("DDP-5.3-4")
//	fmt.Println(r, r.Who+":", r.Text)
//
// [Lookup] finds a requirement by its id, [Section] returns those of one section, and [All] yields all. For people who
// type, [Complete] completes the start of an id, and [Nearest] finds what a mistyped one may have meant. [Documents]
// yields the documents with their titles.
//
// An id begins with the protocol (MPA, EMPA for RFC 6581, DDP, SCTP, IANA, RDMAP, RDMAPX for RFC 7306, D00 for its
// draft, SEC, RPCRDMA1, RPCRDMA2, RPCBIDI, RPCPD, V for the Verbs); most continue with the section and a number in it:
// DDP-5.3-4.
//
// The texts are paraphrases, shorter than the documents; [Requirement.Quote] has the words of the document. Terminate
// codes are written Layer/EType/Error Code in hexadecimal; three digits after them are the bits M, D and R.
package rfc

import (
	"fmt"
	"iter"
	"strings"

	"github.com/iwarpkit/iwarp/internal/spelling"
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

// String returns "MUST", "MUST NOT", "SHOULD", "SHOULD NOT" or "MAY".
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level%d", uint8(l))
}

// ParseLevel reads what [Level.String] writes for the five levels.
func ParseLevel(s string) (Level, error) {
	for i, name := range levelNames {
		if s == name {
			return Level(i), nil
		}
	}
	return 0, fmt.Errorf("rfc: %q is not a level: want one of %s", s, strings.Join(levelNames[:], ", "))
}

// Requirement is one thing that a document demands. It is shared: do not change it.
type Requirement struct {
	ID         string // "DDP-5.3-4"
	Doc        string // the id of its document: "RFC5041"; see [Requirement.Document]
	Section    string // "5.3"; in the Verbs also several, and figures: "6.2.2.2, F24"
	Level      Level
	Basis      string // how the document says it if not with a key word of RFC 2119: the Level is decided here; else empty
	Who        string // who is bound by it: "sender", "receiver", "both", "data-source", "requester", "rnic" and so on
	Text       string // what is demanded, in our words
	Quote      string // what the section says, with " ... " for what is left out; empty if a figure or table says it, or several sentences do
	Observable string // where a breach shows, separated by commas: "capture", "codec", "api", "peer"; or "none"

	// The Verbs' catalogue has neither of these two.
	Violation string // what a breach looks like; empty if that is obvious or cannot be said
	Reaction  string // what a receiver does about it, in our words: package rules has the Ground, what a document says and what is decided; empty if nothing

	// Only the Verbs' catalogue has this.
	Scope string // whether a reference RNIC has it: "IN", "OPT" (if the option is there), "SIM" (simulated) or "OUT"
}

// String returns the id with document, section and level: "DDP-5.3-4 (RFC 5041, section 5.3, MUST)".
func (r *Requirement) String() string {
	return r.ID + " (" + r.Source() + ", " + r.Level.String() + ")"
}

// Source returns document and section: "RFC 5041, section 5.3".
func (r *Requirement) Source() string {
	name := r.Doc
	if d := r.Document(); d != nil {
		name = d.Name
	}
	return name + ", section " + r.Section
}

// Document returns the document that states the requirement.
func (r *Requirement) Document() *Document { return LookupDocument(r.Doc) }

// In reports whether the requirement is in the given section of its document or in a subsection: 5.3 is in 5.
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

// Lookup returns the requirement with an id, in any case; nil if there is none.
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

// All yields every requirement in the order of the catalogue: MPA, DDP and related documents, RDMAP, RPC-over-RDMA,
// Verbs.
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

// Section returns the requirements of a section of a document and of its subsections, in the order of the catalogue. The
// document is given by its id or name, in any case.
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

// Complete returns the ids that begin with prefix, in any case, in the order of the catalogue. An empty prefix matches
// all.
func Complete(prefix string) (ids []string) {
	for r := range All() {
		if len(r.ID) >= len(prefix) && strings.EqualFold(r.ID[:len(prefix)], prefix) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Nearest returns up to n requirements whose ids are closest to a mistyped one, the closest first, equally close ones in
// the order of the catalogue. The distance is the number of characters to change, remove, insert or swap with the next; it
// is at most two, or a third of the characters if that is more.
func Nearest(id string, n int) []*Requirement {
	id = strings.ToUpper(id)
	most := max(2, len(id)/3)
	return spelling.Closest(All(), n, func(r *Requirement) int {
		if surplus := len(id) - len(r.ID); surplus > most || -surplus > most {
			return -1
		}
		if d := spelling.Distance(id, strings.ToUpper(r.ID)); d <= most {
			return d
		}
		return -1
	})
}
