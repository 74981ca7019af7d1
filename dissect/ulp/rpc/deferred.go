package rpc

// Violations that a Call missing from the capture may explain. If that Call comes late, nothing was wrong; if it never comes, the
// violation is reported at the end, as a doubt.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A deferred is an answer, or an operation on memory, that no captured Call explains.
type deferred struct {
	record.Origin
	rules.Violation
	missedAt [2]uint64 // at that time: see ulp.Reporter
	gaps     uint32    // at that time, in the direction of the Calls
	move     stray     // the operation; of no octets if it is an answer
	xid      uint32    // of the answer
}

// mayDefer reports whether to keep a violation that Calls of a direction may explain. Calls from before the capture, and those
// captured only in part, may explain anything, so that a doubt would say nothing.
func (s *stream) mayDefer(calls flow.Direction) bool {
	return len(s.deferred[calls]) < maxEarly && s.lossy[calls] && !s.cut[calls]
}

// maxAlike is how many violations of a rule are kept after each gap: late Calls may explain some of them.
const maxAlike = 8

// alike reports whether both break the same rule after the same gap.
func (d *deferred) alike(o *deferred) bool { return d.Rule == o.Rule && d.gaps == o.gaps }

// deferUntilEnd keeps a violation that Calls of a direction may explain.
func (s *stream) deferUntilEnd(calls flow.Direction, d deferred) {
	d.gaps, d.Doubt = s.gaps[calls], rules.Lost
	all, n := s.deferred[calls], 0
	for i := range all {
		if all[i].alike(&d) {
			n++
		}
	}
	if n < maxAlike {
		s.deferred[calls] = append(all, d)
	}
}

// explain drops what a Call of a direction explains.
func (s *stream) explain(calls flow.Direction, explained func(*deferred) bool) {
	if len(s.deferred[calls]) > 0 {
		s.deferred[calls] = slices.DeleteFunc(s.deferred[calls], func(d deferred) bool { return explained(&d) })
	}
}

// reportDeferred reports what no Call has explained: one violation of each rule after each gap.
func (f *follower) reportDeferred() {
	for _, all := range f.stream.deferred {
		for i := range all {
			if !slices.ContainsFunc(all[:i], func(d deferred) bool { return d.alike(&all[i]) }) {
				f.out.foundThen(&all[i].Origin, all[i].Violation, all[i].missedAt)
			}
		}
	}
}
