// Package suite has all cases of package conform, and says which requirements they ask for and why others are not asked.
package suite

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are those of all documents, in the order in which a connection meets them.
func Sections() (all []conform.Section) {
	for _, d := range documents {
		all = append(all, d.sections...)
	}
	return all
}

// Questions are all cases.
func Questions() []conform.Question { return slices.Clone(questions()) }

var questions = sync.OnceValue(func() []conform.Question { return conform.Questions(Sections()) })

// Asked are the ids of cases by the id of a requirement that they ask for.
func Asked() map[string][]string {
	asked := make(map[string][]string)
	for _, q := range Questions() {
		for _, id := range q.Requirements {
			asked[id] = append(asked[id], q.ID())
		}
	}
	return asked
}

// Unasked is why a requirement is not asked that shows to a peer; empty if there is no reason.
func Unasked(id string) string {
	reasons := unasked()
	if why, ok := reasons[id]; ok {
		return why
	}
	longest := ""
	for pattern := range reasons {
		prefix, isPrefix := strings.CutSuffix(pattern, "*")
		if isPrefix && strings.HasPrefix(id, prefix) && len(pattern) > len(longest) {
			longest = pattern
		}
	}
	return reasons[longest]
}

// unasked are reasons by the id of a requirement, or its begin and *.
var unasked = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for _, d := range documents {
		lines := bufio.NewScanner(strings.NewReader(d.unasked))
		for lines.Scan() {
			id, why, ok := strings.Cut(lines.Text(), "\t")
			if !ok || strings.HasPrefix(id, "#") {
				continue
			}
			all[strings.TrimSpace(id)] = strings.TrimSpace(why)
		}
	}
	return all
})

// A Coverage says how many requirements of a document show to a peer, and what becomes of them.
type Coverage struct {
	Document *rfc.Document
	Shows    int // to a peer
	Asked    int // of them
	Unasked  int // of them, with a reason
}

// String is the coverage in a line.
func (c *Coverage) String() string {
	return fmt.Sprintf("%s: %d of %d requirements that show to a peer are asked", c.Document.Name, c.Asked, c.Shows)
}

// Covered is the coverage of all documents of which something shows to a peer.
func Covered() (all []Coverage) {
	asked := Asked()
	for d := range rfc.Documents {
		c := Coverage{Document: d}
		for r := range rfc.All {
			if r.Doc != d.ID || !ShowsToPeer(r) {
				continue
			}
			c.Shows++
			if len(asked[r.ID]) > 0 {
				c.Asked++
			} else if Unasked(r.ID) != "" {
				c.Unasked++
			}
		}
		if c.Shows > 0 {
			all = append(all, c)
		}
	}
	return all
}

// ShowsToPeer tells whether a breach of a requirement shows to a peer.
func ShowsToPeer(r *rfc.Requirement) bool {
	return slices.Contains(strings.Split(r.Observable, ","), "peer")
}
