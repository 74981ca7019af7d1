// Package suite holds all cases of package conform, the requirements that they test, and the reasons why they do not
// test others.
//
//	questions, err := conform.Select(suite.Questions(), []string{"RFC5041/7"})
package suite

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/draft00"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5040"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5041"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5042"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5044"
	"github.com/iwarpkit/iwarp/replay/conform/rfc6581"
	"github.com/iwarpkit/iwarp/replay/conform/rfc7306"
	"github.com/iwarpkit/iwarp/replay/conform/rfc8166"
	"github.com/iwarpkit/iwarp/replay/conform/rfc8167"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
	"github.com/iwarpkit/iwarp/replay/conform/rpcrdma2"
	"github.com/iwarpkit/iwarp/replay/conform/verbs"
)

// sections returns the sections of all documents, from MPA upwards.
func sections() []conform.Section {
	return slices.Concat(rfc5044.Sections, rfc6581.Sections, rfc5041.Sections, rfc5042.Sections, rfc5040.Sections, rfc7306.Sections,
		draft00.Sections, verbs.Sections, rfc8166.Sections, rfc8167.Sections, rpcrdma2.Sections)
}

// Questions returns all cases for peers that run a service. Package rpcclient has those for clients.
func Questions() []conform.Question { return slices.Clone(questions()) }

var questions = sync.OnceValue(func() []conform.Question { return conform.Questions(sections()) })

// asked returns the ids of cases, by the id of a requirement that they test.
func asked() map[string][]string {
	ids := make(map[string][]string)
	for _, q := range slices.Concat(Questions(), rpcclient.Questions()) {
		for _, id := range q.Requirements {
			ids[id] = append(ids[id], q.ID())
		}
	}
	return ids
}

// whyUnasked says why no case tests an observable requirement; empty if no reason is given.
func whyUnasked(id string) string {
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

// unaskedTSV says why observable requirements are not tested: an id, a tab and the reason in each line. An id with * at
// its end stands for all with that prefix.
//
//go:embed unasked.tsv
var unaskedTSV string

// unasked returns the reasons by the id of a requirement, or its beginning and *.
var unasked = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for line := range strings.Lines(unaskedTSV) {
		id, why, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all[id] = why
	}
	return all
})

// A Coverage counts the requirements of a document that a peer can observe, and those that are tested.
type Coverage struct {
	Document *rfc.Document
	Shows    int // requirements whose breach a peer can see
	Asked    int // those that are tested
	Unasked  int // those that are not, with a reason
}

// String returns the coverage as one line.
func (c *Coverage) String() string {
	return fmt.Sprintf("%s: %d of %d observable requirements are tested", c.Document.Name, c.Asked, c.Shows)
}

// Covered returns the coverage of all documents with requirements whose breach a peer can see.
func Covered() (all []Coverage) {
	tested := asked()
	for d := range rfc.Documents() {
		c := Coverage{Document: d}
		for r := range rfc.All() {
			if r.Doc != d.ID || !showsToPeer(r) {
				continue
			}
			c.Shows++
			if len(tested[r.ID]) > 0 {
				c.Asked++
			} else if whyUnasked(r.ID) != "" {
				c.Unasked++
			}
		}
		if c.Shows > 0 {
			all = append(all, c)
		}
	}
	return all
}

func showsToPeer(r *rfc.Requirement) bool {
	return slices.Contains(strings.Split(r.Observable, ","), "peer")
}
