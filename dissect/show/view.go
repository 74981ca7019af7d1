// Package show holds what the packages below it share. Each of them shows Records in one form: text, tree, jsonl, csv,
// ladder, annotate and check are all a record.Sink.
//
//	p := text.New(os.Stdout, text.Options{View: show.Transactions, Clock: &show.Clock{Form: show.UTC}})
//	for r, err := range dissect.Records(ctx, capture, dissect.Options{Analysis: &judge.Options{}}) {
//		...
//		p.Record(r)
//	}
//	err := p.Flush()
package show

import (
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// A View is what lines, objects and rows are about.
type View uint8

// The views.
const (
	Messages     View = iota // MPA frames and RDMAP messages
	Transactions             // requests with their responses: RDMA Reads, Atomics, RPCs
	RPCs                     // RPCs only, and what moved them
)

// Shows reports whether a transaction belongs to the view.
func (v View) Shows(t *record.Transaction) bool {
	switch v {
	case Transactions:
		return true
	case RPCs:
		_, ok := t.Upper.(ulp.Detailed)
		return ok
	}
	return false
}
