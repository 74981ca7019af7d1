package ends

// What left one end and never reached the other.

import (
	"cmp"
	"math"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/dissect/transit"
)

// maxLosses is how many losses of a direction are kept, the first ones.
const maxLosses = 64

// settleAfter is how many nanoseconds before the end of a capture a packet must have been sent to be missed in it, beside a
// round trip.
const settleAfter = 100e6

// A way is one direction of a connection, from the capture near its sender to the other.
type way struct {
	c            *Comparison
	found        *transit.Way
	sent, came   ordered      // packets near the sender, and near the receiver
	acks         [2][]novelty // of the receiver, in each capture
	from, to     int          // the captures near the sender and near the receiver
	since, until int64        // while both captures ran, by the first clock, less what may still be on its way
}

// Ordered packets can be found by their places.
type ordered struct {
	*stream
	order []int32 // indices of packets with octets, by their places
	most  int64   // octets of the largest one
	looks int     // at packets that may still be taken
}

const (
	maxCopies = 64
	maxLooks  = 1 << 26 // in one direction: some tenths of a second
)

func orderOf(s *stream) ordered {
	o := ordered{stream: s, looks: maxLooks}
	for i := range s.packets {
		if p := &s.packets[i]; p.size() > 0 && !p.flags.Has(tcpip.RST) {
			o.order = append(o.order, int32(i))
			o.most = max(o.most, p.size())
		}
	}
	slices.SortStableFunc(o.order, func(a, b int32) int { return cmp.Compare(s.packets[a].pos, s.packets[b].pos) })
	return o
}

// copies are the packets that hold the octet at a place, in the order of time: at most maxCopies, and none when too many
// packets were looked at in all, as packets of absurd sizes could demand.
func (o *ordered) copies(place int64) (all []*packet) {
	i, _ := slices.BinarySearchFunc(o.order, place-o.most, func(i int32, from int64) int { return cmp.Compare(o.packets[i].pos, from) })
	for ; i < len(o.order) && o.packets[o.order[i]].pos <= place && len(all) < maxCopies && o.looks > 0; i++ {
		o.looks--
		if p := &o.packets[o.order[i]]; p.end() > place {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b *packet) int { return cmp.Compare(a.time, b.time) })
	return all
}

// compareWay compares what was sent in a direction with what arrived.
func (c *Comparison) compareWay(p *Connection, d int) {
	if p.Near < 0 || !c.Clock.Known || c.SamePlace() {
		return
	}
	from := d ^ p.Near
	w := way{
		c: c, found: &p.Ways[d], from: from, to: 1 - from,
		sent: orderOf(&p.both[from].streams[d]), came: orderOf(&p.both[1-from].streams[d]),
	}
	for view, both := range p.both {
		w.acks[view] = both.streams[1-d].acks()
	}
	w.since = max(c.time(0, c.views[0].start), c.time(1, c.views[1].start))
	w.until = min(c.time(0, c.views[0].end), c.time(1, c.views[1].end)) - settleAfter - 2*c.Clock.Within
	w.losses()
	w.resets()
	w.changes(p, d)
}

// owner is the end at which a capture was taken: 0 for the client.
func (c *Comparison) owner(view int) int {
	if c.Ends[view] == flow.Server {
		return 1
	}
	return 0
}

// time is the time of a packet in a capture, by the first clock.
func (c *Comparison) time(view int, t int64) int64 {
	if view == 1 {
		return c.Clock.First(t)
	}
	return t
}

// during reports whether a packet of a capture was there while both captures ran.
func (w *way) during(view int, p *packet) bool {
	t := w.c.time(view, p.time)
	return t >= w.since && t <= w.until
}

// losses finds the copies of octets that were sent and did not arrive, and octets that a capture lacks.
func (w *way) losses() {
	sent, came := union(w.sent.packets, 0), union(w.came.packets, 0)
	for _, s := range lacking(came, sent) {
		if p := w.came.copies(s.from); len(p) > 0 && w.during(w.to, p[0]) {
			w.found.Missing[w.c.owner(w.from)] += uint64(s.to - s.from)
		}
	}
	for _, s := range w.doubtful(lacking(sent, came)) {
		w.lost(s)
	}
}

// doubtful are stretches of octets that did not arrive, or that were sent more than once, cut so that each copy holds all of
// a stretch or nothing of it.
func (w *way) doubtful(absent []stretch) (all []stretch) {
	again := slices.Clone(absent)
	var cuts []int64
	for _, s := range absent {
		cuts = append(cuts, s.from, s.to)
	}
	next := int64(math.MinInt64)
	for _, j := range w.sent.order {
		p := &w.sent.packets[j]
		if p.pos < next {
			again = append(again, stretch{p.pos, min(p.end(), next)})
		}
		next = max(next, p.end())
	}
	if again = joined(again); len(again) == 0 {
		return nil
	}
	for _, o := range [2]*ordered{&w.sent, &w.came} {
		for _, j := range o.order {
			p := &o.packets[j]
			cuts = append(cuts, p.pos, p.end())
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for _, s := range again {
		i, _ := slices.BinarySearch(cuts, s.from+1)
		for ; i < len(cuts) && cuts[i] < s.to; i++ {
			all = append(all, stretch{s.from, cuts[i]})
			s.from = cuts[i]
		}
		all = append(all, s)
	}
	return all
}

// lost finds out which copies of a stretch did not arrive. An arrival belongs to the latest copy that was sent before it.
func (w *way) lost(s stretch) {
	sent, came := w.sent.copies(s.from), w.came.copies(s.from)
	arrived := make([]bool, len(sent))
	for _, a := range came {
		at := w.c.time(w.to, a.time) + w.c.Clock.Within
		for i := len(sent) - 1; i >= 0; i-- {
			if !arrived[i] && w.c.time(w.from, sent[i].time) <= at {
				arrived[i] = true
				break
			}
		}
	}
	if w.came.looks == 0 {
		return
	}
	lost := false
	for i, p := range sent {
		switch {
		case arrived[i], len(came) >= len(sent), !w.during(w.from, p):
		case !w.acknowledged(s, sent[i+1:]):
			w.lose(p, s, slices.Contains(arrived[i:], true))
			lost = true
		case len(came) == 0:
			w.found.Missing[w.c.owner(w.to)] += uint64(s.to - s.from)
			return
		}
	}
	if lost && len(came) == 0 {
		w.found.Never += uint64(s.to - s.from)
	}
}

// acknowledged reports whether the receiver acknowledged a stretch before any of the later copies was sent: then this one has arrived.
func (w *way) acknowledged(s stretch, later []*packet) bool {
	for view, acks := range w.acks {
		i, _ := slices.BinarySearchFunc(acks, s.to, func(n novelty, place int64) int { return cmp.Compare(n.place, place) })
		if i < len(acks) && (len(later) == 0 || w.c.time(view, acks[i].time) < w.c.time(w.from, later[0].time)) {
			return true
		}
	}
	return false
}

// lose notes the loss of a stretch in a packet, as one with the stretch before it if both were in one packet.
func (w *way) lose(p *packet, s stretch, again bool) {
	d := w.found
	d.Octets += uint64(s.to - s.from)
	if n := len(d.Lost); n > 0 && d.Losses == uint64(n) {
		if l := &d.Lost[n-1]; l.Sent.Own == uint64(p.frame) && l.Pos+l.Len == s.from && l.Again == again {
			l.Len += s.to - s.from
			return
		}
	}
	d.Losses++
	if len(d.Lost) < maxLosses {
		d.Lost = append(d.Lost, transit.Loss{Sent: w.sighting(w.from, p), Pos: s.from, Len: s.to - s.from, Again: again})
	}
}

func (w *way) sighting(view int, p *packet) transit.Sighting {
	return transit.Sighting{At: w.c.Ends[view], Own: uint64(p.frame), Clock: p.time}
}

// resets looks for a reset that only one of the captures has.
func (w *way) resets() {
	reset := func(p packet) bool { return p.flags.Has(tcpip.RST) }
	sent, came := slices.IndexFunc(w.sent.packets, reset), slices.IndexFunc(w.came.packets, reset)
	switch {
	case sent < 0 && came >= 0 && w.during(w.to, &w.came.packets[came]):
		w.found.Forged = w.sighting(w.to, &w.came.packets[came])
	case sent >= 0 && came < 0 && w.during(w.from, &w.sent.packets[sent]):
		w.found.Unheard = w.sighting(w.from, &w.sent.packets[sent])
	}
}
