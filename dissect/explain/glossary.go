package explain

// A term is a word of the field. The glossary is in glossary_*.go, by protocol.
type term struct {
	name    string
	aka     []string // what else it is called
	title   string   // what it stands for, or is
	text    string
	lookFor string
	peers   []Peer
	see     []string
	sources []string
}

func glossaryTopics() (topics []topic) {
	for _, terms := range [][]term{mpaTerms, ddpTerms, rdmapTerms, hostTerms, peerTerms, ulpTerms} {
		for i := range terms {
			t := &terms[i]
			topics = append(topics, topic{kind: KindTerm, name: t.name, title: t.title, keys: t.aka, entry: func() Entry {
				return Entry{
					Kind: KindTerm, Name: t.name, Title: t.title, Text: []string{t.text},
					LookFor: t.lookFor, Peers: t.peers, See: t.see, Sources: t.sources,
				}
			}})
		}
	}
	return topics
}
