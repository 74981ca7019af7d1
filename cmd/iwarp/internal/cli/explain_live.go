package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/dissect/explain"
	"github.com/iwarpkit/iwarp/internal/spelling"
	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
	"github.com/iwarpkit/iwarp/replay/conform/suite"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// explainLive explains what belongs to live peers: cases of iwarp conform and quirks of iwarp serve.
func explainLive(query string) (found []explain.Entry) {
	asked := map[string]bool{}
	for word := range strings.FieldsSeq(strings.ToUpper(query)) {
		asked[word] = true
	}
	for _, q := range slices.Concat(suite.Questions(), rpcclient.Questions()) {
		if !asked[strings.ToUpper(q.ID())] {
			continue
		}
		e := explain.Entry{
			Kind: explain.KindCase, Name: q.ID(), Title: "case of iwarp conform", Text: []string{q.Says},
			See: q.Requirements, Sources: []string{q.Section.Document + ", section " + q.Section.Number},
			Show: "iwarp conform HOST " + q.ID(),
		}
		switch q.Section.Service {
		case cases.ConformService:
		case cases.RPCService:
			e.Show = "iwarp conform --service rpc HOST " + q.ID()
		case cases.RPCClientService:
			e.Show = "iwarp conform --service rpc-client --listen ADDRESS HOST " + q.ID()
		}
		for _, id := range q.Requirements {
			for _, r := range explain.Lookup(id) {
				e.Facts = append(e.Facts, explain.Fact{Name: id, Value: strings.Join(r.Text, " ")})
			}
		}
		if q.For != "" {
			e.Facts = append(e.Facts, explain.Fact{Name: "For", Value: q.For})
		}
		e.Facts = append(e.Facts, askedIn(q)...)
		found = append(found, e)
	}
	for _, k := range quirk.Named(peers.RNICs...) {
		if !strings.EqualFold(k.Name, strings.TrimSpace(strings.TrimPrefix(query, "quirk "))) {
			continue
		}
		found = append(found, explain.Entry{
			Kind: explain.KindQuirk, Name: k.Name, Title: "quirk of iwarp serve", Text: []string{"The software RNIC " + k.Text + "."},
			Facts: []explain.Fact{{Name: "Written out", Value: k.String()}}, Sources: []string{"iwarp serve"},
			Show: fmt.Sprintf("iwarp serve --quirk %s", k.Name),
		})
	}
	return found
}

// nearCases are cases of conform with names like one that is not known: of its section first, then of its document. Their names have two
// slashes.
func nearCases(query string) (near []explain.Suggestion) {
	query = strings.ToUpper(query)
	at := strings.LastIndexByte(query, '/')
	if at < 0 {
		return nil
	}
	document, _, _ := strings.Cut(query, "/")
	says := map[string]string{}
	for _, q := range slices.Concat(suite.Questions(), rpcclient.Questions()) {
		says[q.ID()] = q.Says
	}
	const otherSection = 1 << 10 // more than any distance
	for _, id := range spelling.Closest(slices.Values(slices.Sorted(maps.Keys(says))), suggestions, func(id string) int {
		id = strings.ToUpper(id)
		switch far := spelling.Distance(query, id); {
		case strings.HasPrefix(id, query[:at+1]):
			return far
		case strings.HasPrefix(id, document+"/"):
			return far + otherSection
		}
		return -1
	}) {
		near = append(near, explain.Suggestion{Query: id, Title: says[id]})
	}
	return near
}

// askedIn returns the steps of a case, for a peer that it suits.
func askedIn(q cases.Question) (steps []explain.Fact) {
	c := conform{flags: new(pflag.FlagSet), profile: profiles()}
	side := sideOf(q)
	s, err := c.suited(q, side, cases.Assumable(side))
	if s == nil || err != nil {
		return nil
	}
	for _, line := range cases.Assume(side).Outline(s) {
		number, text, _ := strings.Cut(line, ": ")
		steps = append(steps, explain.Fact{Name: "Step " + number, Value: text})
	}
	return steps
}
