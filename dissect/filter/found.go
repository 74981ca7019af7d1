package filter

// The fields that an analysis fills in: findings, transactions and messages of upper layers.

import (
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// foundName returns the entry for a name from an analysis.
func foundName(name, text string, names source[string]) *entry {
	return &entry{Field: Field{Name: name, Type: Name, Text: text}, names: names, needs: Needs{Analysis: true}}
}

// foundEnum returns the entry for one of the given names, from an analysis.
func foundEnum(name, text string, names []string, numbers source[number]) *entry {
	e := ownEnum(name, text, names, numbers)
	e.needs.Analysis = true
	return e
}

func foundFields() []*entry {
	finding := foundName("finding",
		"ids of the requirements that it breaks or of observations about it, and names of their rules", findingNames)
	finding.known, finding.unknown, finding.suggestion = knownFindings, unknownFinding, suggestFinding
	latency := &entry{
		Field:   Field{Name: "latency", Type: Seconds, Text: "of it: from the end of the request to the end of the response"},
		seconds: latencies, needs: Needs{Analysis: true},
	}
	xid := ownNumber("xid", "XID of the RPC, or what else joins a message of an upper layer with its answer", 64, xids)
	xid.needs = Needs{Payload: true, Analysis: true, Request: true}
	xid.Shared = true
	return []*entry{
		finding,
		foundEnum("severity", "how much its findings weigh; they are in this order",
			[]string{rules.Note.String(), rules.Warning.String(), rules.Error.String()}, severities),
		foundName("ulp", "upper layer of the message that it carries", ulps),
		foundName("upper", "name of the message of an upper layer that it carries, or is", uppers),
		foundName("transaction", "name of a transaction, of RDMA or of an upper layer, or of the one that a message ends", transactions),
		foundEnum("outcome", "what became of it", []string{
			record.Answered.String(), record.Refused.String(), record.Unanswered.String(), record.OutcomeUnknown.String(),
		}, outcomes),
		latency,
		xid,
	}
}

func ulps(e *Event, check func(string) bool) bool { return e.Upper != nil && check(e.Upper.ULP) }

func uppers(e *Event, check func(string) bool) bool { return e.Upper != nil && check(e.Upper.Name) }

func transactions(e *Event, check func(string) bool) bool {
	return e.Transaction != nil && check(e.Transaction.Name)
}

func outcomes(e *Event, check func(number) bool) bool {
	return e.Transaction != nil && check(number{v: uint64(e.Transaction.Outcome)})
}

func findingNames(e *Event, check func(string) bool) bool {
	return slices.ContainsFunc(e.Findings, func(f *record.Finding) bool {
		return check(f.ID) || f.Name != "" && check(f.Name) || slices.ContainsFunc(f.Also, check)
	})
}

// knownFindings returns the names of all rules and the ids of all observations.
func knownFindings() (names []string) {
	for r := range rpcrules.All() {
		names = append(names, r.Name)
	}
	for o := range judge.Observations() {
		names = append(names, o.ID)
	}
	return names
}

// findingWords returns the names and ids of all rules, observations and requirements.
func findingWords() []string {
	words := knownFindings()
	for o := range judge.Observations() {
		words = append(words, o.Name)
	}
	for r := range rfc.All() {
		words = append(words, r.ID)
	}
	return words
}

func unknownFinding(word string) bool {
	return !slices.ContainsFunc(findingWords(), func(known string) bool { return strings.EqualFold(known, word) })
}

// suggestFinding names what the author of an unknown word may have meant: of ids also those that are less near.
func suggestFinding(word string) string {
	if near := suggest(word, findingWords()); near != "" {
		return near
	}
	const most = 3
	var ids []string
	for _, r := range rfc.Nearest(word, most) {
		ids = append(ids, r.ID)
	}
	return didYouMean(ids)
}

func severities(e *Event, check func(number) bool) bool {
	return slices.ContainsFunc(e.Findings, func(f *record.Finding) bool { return check(number{v: uint64(f.Severity)}) })
}

func latencies(e *Event, check func(int64) bool) bool {
	t := e.Transaction
	return t != nil && t.Timed() && check(t.Latency())
}

// xids is the source of XIDs, from an analysis and from headers.
func xids(e *Event, check func(number) bool) bool {
	return e.Upper != nil && check(number{v: e.Upper.ID}) ||
		e.Transaction != nil && e.Transaction.Kind == record.UpperTransaction && check(number{v: e.Transaction.ID}) ||
		e.Request != nil && check(number{v: e.Request.ID}) ||
		headerXIDs()(e, check)
}

var headerXIDs = sync.OnceValue(func() source[number] {
	r := new(reference)
	for _, l := range all.Layers() {
		for _, t := range l.Tables {
			for _, name := range l.ID {
				if f := t.Lookup(name); f != nil {
					r[upper] = append(r[upper], located{t, f})
				}
			}
		}
	}
	return placesOf{r, r}.numbers()
})
