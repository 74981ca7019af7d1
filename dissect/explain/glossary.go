package explain

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/peers"
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
	for _, terms := range [][]term{mpaTerms, ddpTerms, rdmapTerms, hostTerms, peerTerms(), otherTerms, ulpTerms, checkTerms} {
		for i := range terms {
			t := &terms[i]
			topics = append(topics, Entry{
				Kind: KindTerm, Name: t.name, Title: t.title, Text: []string{t.text},
				LookFor: t.lookFor, Peers: append(peersOn(t.name, t.peers), excused(t.name)...),
				See: t.see, Sources: t.sources, Show: t.show,
			}.topic(t.aka))
		}
	}
	return topics
}

// excused are the habits of a peer that its profile excuses, each with the rules that it breaks; none if name is not
// that of a peer.
func excused(name string) []Peer {
	p := peers.LookupProfile(name)
	if p == nil || p.RNIC == nil {
		return nil
	}
	habits := p.RNIC.Habits
	if p.Upper != nil {
		habits = slices.Concat(habits, p.Upper.Habits)
	}
	var notes []string
	for _, h := range habits {
		var names []string
		for _, r := range h.Rules {
			names = append(names, r.Name)
		}
		notes = append(notes, h.Why+" ("+strings.Join(names, ", ")+")")
	}
	return []Peer{{"what check --profile " + name + " excuses", notes}}
}
