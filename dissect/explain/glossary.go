package explain

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A term is a word of the field. The glossary is in glossary_*.go, by protocol.
type term struct {
	name    string
	aka     []string // what else it is called
	title   string   // what it stands for, or is
	text    string
	lookFor string
	peers   []Peer
	show    string // the command that shows it in a capture, FILE; empty for the usual
	see     []string
	sources []string
}

func glossaryTopics() (topics []topic) {
	for _, terms := range [][]term{mpaTerms, ddpTerms, rdmapTerms, hostTerms, peerTerms(), otherTerms, ulpTerms(), checkTerms} {
		for i := range terms {
			t := &terms[i]
			topics = append(topics, Entry{
				Kind: KindTerm, Name: t.name, Title: t.title, Text: []string{t.text},
				LookFor: t.lookFor, Peers: append(slices.Clip(t.peers), excused(t.name)...),
				See: t.see, Sources: t.sources, Show: t.show,
			}.topic(t.aka))
		}
	}
	return topics
}

// excused are the deviations that the profile of an RNIC, or a recognised upper layer, excuses, each with the rules that it breaks; none if
// name is not that of a peer.
func excused(name string) []Peer {
	by, all := "what check excuses", []rules.Deviation(nil)
	if p := peers.LookupProfile(name); p != nil && p.RNIC != nil {
		by, all = "what check --profile "+name+" excuses", p.RNIC.Deviations
		if p.Upper != nil {
			all = slices.Concat(all, p.Upper.Deviations)
		}
	}
	for _, p := range peers.UpperLayers {
		if p.Name == name {
			all = p.Deviations
		}
	}
	if all == nil {
		return nil
	}
	var notes []string
	for _, d := range all {
		var names []string
		for _, r := range d.Rules {
			names = append(names, r.Name)
		}
		notes = append(notes, d.Why+" ("+strings.Join(names, ", ")+")")
	}
	return []Peer{{by, notes}}
}
