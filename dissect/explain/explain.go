// Package explain says what the names and numbers of iWARP mean: requirement ids, the codes of Terminates, messages,
// header fields, technical terms, and the names of RPC-over-RDMA and ONC RPC.
//
//	for _, e := range explain.Lookup("0x2006") {
//		fmt.Println(e.Name, e.Title)
//	}
//
// [Lookup] takes a word or number as it appears in a log, a capture or a specification, and returns an [Entry] for each
// of its meanings: what that is, which document says so, and which peers do otherwise. [Nearest] suggests names for an
// unknown one, and [Complete] completes the start of one.
//
// Facts about a protocol come from its codec package: field tables, enumerations, the catalogue of requirements
// (package rfc) and the table of error situations (package rules). This package adds only words.
package explain

import (
	"fmt"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// Kind says what an [Entry] is about.
type Kind string

// The kinds of entries, the likeliest meaning of a name first.
const (
	KindRequirement Kind = "requirement" // a requirement of the catalogue
	KindTerminate   Kind = "terminate"   // a code of Terminates, or a group of them
	KindMessage     Kind = "message"     // an RDMAP message, by opcode
	KindTerm        Kind = "term"        // a term of the field, or the name of a peer
	KindField       Kind = "field"       // a header field
	KindValue       Kind = "value"       // a value of an enumeration: an AOpCode, a QN, an MPA revision
	KindRule        Kind = "rule"        // a rule that iwarp check checks traffic by
	KindObservation Kind = "observation" // something that iwarp check tells beside breaches of rules
	KindSituation   Kind = "situation"   // an error situation of package rules
	KindDocument    Kind = "document"    // a specification
	KindRPCRDMA     Kind = "rpcordma"    // a name of RPC-over-RDMA
	KindRPC         Kind = "rpc"         // a name of ONC RPC or NFS
	KindStatus      Kind = "status"      // a status of a work completion or connection, or an errno
	KindSymptom     Kind = "symptom"     // what goes wrong, and which checks tell why
	KindKernel      Kind = "kernel"      // a message of the Linux kernel
	KindCase        Kind = "case"        // a case of iwarp conform
	KindQuirk       Kind = "quirk"       // a quirk of the software RNIC
	KindSection     Kind = "section"     // a section of a specification: its requirements
	KindOctets      Kind = "octets"      // octets in hexadecimal, and what they can be
)

// An Entry is one meaning of a query.
type Entry struct {
	Kind    Kind     `json:"kind"`
	Name    string   `json:"name"`               // what it is called: "1/2/05", "STag", "DDP-5.3-4"
	Title   string   `json:"title"`              // what it is, in a line
	Text    []string `json:"text,omitempty"`     // paragraphs
	Facts   []Fact   `json:"facts,omitempty"`    // what can be said in a word or a number
	Cases   []Case   `json:"cases,omitempty"`    // for a Terminate code: the errors that it answers
	Advice  string   `json:"advice,omitempty"`   // what usually causes it, and what to look at next
	LookFor string   `json:"look_for,omitempty"` // what to look for in a capture or on a host; begins in the middle of a sentence
	Peers   []Peer   `json:"peers,omitempty"`    // who does otherwise than the documents say
	See     []string `json:"see,omitempty"`      // queries that tell more
	Sources []string `json:"sources"`            // where it is written: "RFC 5041, section 7.2"
	Fields  []Octets `json:"fields,omitempty"`   // of octets: the header fields in them
	Show    string   `json:"show,omitempty"`     // the command that shows it in a capture, FILE

	Body record.Body `json:"-"` // of octets: the headers; else nil

	observed string // the name of an observation, by which peers have remarks about it
}

// A Fact is something that an Entry has: its place, its number, its sender.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Case is an error situation and what the RFCs think of a Terminate code as the answer to it.
type Case struct {
	Situation string `json:"situation"` // its name in package rules: "send-too-long"
	Text      string `json:"text"`
	Demanded  bool   `json:"demanded"` // the RFCs demand the code
	Decided   bool   `json:"decided"`  // it is decided here, where they leave it open; if neither, it is accepted
}

// A Peer is an implementation, or a specification beside the RFCs, and what it does differently.
type Peer struct {
	Name  string   `json:"name"` // "verbs", or as the files of package peers have it
	Notes []string `json:"notes"`
}

// Lookup finds what a query means, the likeliest meaning first; nothing if it is not known. Case, spaces, underscores
// and other signs do not matter in names. It understands
//
//   - ids of requirements: DDP-5.3-4
//   - Terminate codes, as 1/2/05, as the number 0x1205, as the whole Terminate Control word 0x1205c000, or in words,
//     "layer 1 type 2 code 5"; "1/2" and "layer 1" are groups of them. If a code makes sense too in the swapped bit
//     order, in which a peer writes, a second entry says so
//   - sections of specifications: RFC 5040 section 4.8, rfc5040/4.8, 5040 §4.8
//   - octets in hexadecimal, also as hex dumps print them: MPA frames, FPDUs, DDP segments, Terminate headers, and messages of
//     upper layers, such as RPC-over-RDMA. If they can be several of these, there is an entry for each
//   - numbers with a word before them, in decimal or hexadecimal: opcode 10, aopcode 2, qn 1, rev 2
//   - names: of messages, fields (with or without that of their protocol), situations, errors, procedures and terms
//
// If nothing has that name, and the query is of several words, such as a line of a log, it takes from it the ids, codes
// and field names that cannot be mistaken.
func Lookup(query string) []Entry {
	q := newQuery(query)
	if q.folded == "" {
		return nil
	}
	found := q.lookup()
	if len(found) == 0 {
		found = q.embedded()
	}
	if len(found) == 0 {
		found = q.symptom()
	}
	for i := range found {
		found[i].Show = found[i].show()
		found[i].remarks()
	}
	return found
}

// show is the command that shows what an Entry is about in a capture, FILE.
func (e *Entry) show() string {
	if e.Show != "" {
		return e.Show
	}
	switch e.Kind {
	case KindTerminate:
		return "iwarp decode -V -Y 'type == Terminate' FILE"
	case KindMessage:
		return fmt.Sprintf("iwarp decode -Y 'type == %s' FILE", e.Name)
	case KindField:
		return fmt.Sprintf("iwarp decode -V -Y '%s' FILE", e.Name)
	case KindRequirement, KindObservation:
		if e.Kind == KindRequirement && checkedBy(e.Name) == "" {
			return ""
		}
		return fmt.Sprintf("iwarp check -Y 'finding == \"%s\"' FILE", e.Name)
	case KindRule:
		for _, f := range e.Facts {
			if id, _, _ := strings.Cut(f.Value, ","); f.Name == "Requirements" {
				return fmt.Sprintf("iwarp check -Y 'finding == \"%s\"' FILE", id)
			}
		}
	case KindRPCRDMA, KindRPC:
		return "iwarp decode --rpc FILE"
	case KindTerm, KindValue, KindOctets:
		return "iwarp decode -V FILE"
	}
	return "iwarp check FILE"
}

// A topic is something that can be asked for.
type topic struct {
	kind  Kind
	name  string   // as it is suggested
	title string   // what it is, in a line
	keys  []string // other names for it
	entry func() Entry
}

// topic makes a topic of an Entry that is ready.
func (e Entry) topic(keys []string) topic {
	return topic{kind: e.Kind, name: e.Name, title: e.Title, keys: keys, entry: func() Entry { return e }}
}

// An index finds topics by their names.
type index struct {
	topics []topic
	byKey  map[string][]int // by folded name: places in topics, in order
}

// theIndex is built when it is first asked.
var theIndex = sync.OnceValue(func() *index {
	ix := &index{byKey: make(map[string][]int)}
	for _, topics := range [][]topic{
		messageTopics(), codeNameTopics(), glossaryTopics(), valueTopics(), fieldTopics(), ruleTopics(),
		observationTopics(), situationTopics(), documentTopics(), rpcrdmaTopics(), rpcTopics(), statusTopics(), symptomTopics(),
	} {
		for _, t := range topics {
			ix.add(t)
		}
	}
	ix.addValues()
	return ix
})

func (ix *index) add(t topic) {
	place := len(ix.topics)
	ix.topics = append(ix.topics, t)
	seen := map[string]bool{"": true}
	for _, key := range append([]string{t.name}, t.keys...) {
		key = spelling.Fold(key)
		if !seen[key] {
			seen[key] = true
			ix.byKey[key] = append(ix.byKey[key], place)
		}
	}
}

// lookup makes the entries of the topics with a folded name.
func (ix *index) lookup(key string) (found []Entry) {
	for _, place := range ix.byKey[key] {
		found = append(found, ix.topics[place].entry())
	}
	return found
}
