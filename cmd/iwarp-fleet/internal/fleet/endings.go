package fleet

// Where connections end. One process keeps no more than dissect.MaxOver that are over, of all shares.

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/dissect"
)

// An ending is what came of a TCP connection, or of a DDP stream over SCTP, when its judge forgot it.
type ending struct {
	First, Latest place // packets
	Over          place // see dissect.Life
	At            place // of the events
	From, To      int   // events
}

// What happens to connections with a packet, in this order.
const (
	forgotten = iota
	begun
	over
)

type step struct {
	at   *place
	what int
	in   *result
	of   *ending
}

// forget puts the ends of connections where one process has them.
func forget(results []*result) {
	var steps []step
	for _, r := range results {
		for i := range r.Endings {
			e := &r.Endings[i]
			steps = append(steps, step{&e.First, begun, r, e})
			if e.Over != (place{}) {
				steps = append(steps, step{&e.Over, over, r, e})
			}
			if e.At.End == 0 {
				steps = append(steps, step{&e.At, forgotten, r, e})
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Or(a.at.compare(b.at), cmp.Compare(a.what, b.what)) })
	var kept []step // that are over, by the place
	for _, s := range steps {
		switch {
		case s.what == over && (s.of.At.End > 0 || s.at.compare(&s.of.At) < 0):
			kept = append(kept, s)
		case s.what == forgotten:
			kept = slices.DeleteFunc(kept, func(k step) bool { return k.of == s.of })
		case s.what == begun && len(kept) > dissect.MaxOver:
			idlest := slices.MinFunc(kept, func(a, b step) int { return a.of.latest(s.at).compare(b.of.latest(s.at)) })
			kept = slices.DeleteFunc(kept, func(k step) bool { return k.of == idlest.of })
			idlest.in.move(idlest.of, s.at)
		}
	}
}

// latest is the latest packet before a place, as far as that is known.
func (e *ending) latest(at *place) *place {
	if e.Latest.compare(at) < 0 {
		return &e.Latest
	}
	return &e.Over
}

// move puts an ending into a place.
func (r *result) move(e *ending, to *place) {
	for i := range r.Events[e.From:e.To] {
		of := &r.Events[e.From+i]
		if of.Place, of.before = *to, true; of.Record.Verdict != nil {
			if known := &r.Recognised[of.Record.Conn.ID]; *known == e.At {
				*known = *to
			}
		}
	}
}
