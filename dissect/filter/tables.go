package filter

// The field tables of all protocols: those of upper layers are in their Layers.

import (
	"iter"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// A home is the group of headers that a table belongs to, and what its fields need.
type home struct {
	group
	needs Needs
}

// tables yields every table once.
func tables(yield func(home, *field.Table) bool) {
	seen := map[*field.Table]bool{}
	some := func(h home, tables iter.Seq[*field.Table]) bool {
		for t := range tables {
			if !seen[t] && !yield(h, t) {
				return false
			}
			seen[t] = true
		}
		return true
	}
	if !some(home{}, record.WireTables) {
		return
	}
	for _, l := range all.Layers() {
		in := home{upper, Needs{Analysis: true, Payload: l.Read != nil}}
		if !some(home{}, slices.Values(l.PrivateTables)) || !some(in, slices.Values(l.Tables)) {
			return
		}
	}
}

// isShared reports whether a field identifies an exchange of an upper layer or its subject. All parts of an exchange have
// such fields.
func isShared(name string) bool {
	for _, l := range all.Layers() {
		for _, s := range l.Shared {
			if name == s || strings.HasSuffix(s, ".") && strings.HasPrefix(name, s) {
				return true
			}
		}
	}
	return false
}
