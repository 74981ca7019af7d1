package explain

// The index of everything that has a name of its own. Terminate codes are not in it as numbers: there are too many,
// and query.go reads them.

import (
	"sync"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// A topic is something that can be asked for.
type topic struct {
	kind  Kind
	name  string   // as it is suggested
	title string   // what it is, in a line
	keys  []string // other names for it
	entry func() Entry
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
