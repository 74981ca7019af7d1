package ends

// What arrived otherwise than it left.

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/dissect/transit"
	"github.com/iwarpkit/iwarp/pcaps"
)

const (
	maxShown   = 16        // octets of a Change that are kept
	maxChanges = 16        // changes of a direction that are kept, the first ones
	maxGroups  = 64        // groups of packets in which changes are looked for, in all connections together
	maxGroup   = 256 << 10 // octets of a group
	apart      = 8         // octets that are alike between two changes
)

// A group is packets near the sender and near the receiver that hold the same octets, and differ.
type group struct {
	p          *Connection
	d          int
	sent, came []*packet
	way        *way
	again      bool
}

// changes compares the octets that were sent with those that arrived, in groups of packets that begin and end at the same
// places.
func (w *way) changes(p *Connection, d int) {
	done := int64(math.MinInt64)
	for _, i := range w.sent.order {
		s := &w.sent.packets[i]
		if s.pos < done || s.len == 0 {
			continue
		}
		g := group{p: p, d: d, way: w}
		if !g.gather(&w.sent, &w.came, s.pos) {
			continue
		}
		done = g.sent[len(g.sent)-1].tail()
		if hashOf(g.sent) == hashOf(g.came) {
			continue
		}
		g.again = slices.ContainsFunc(w.came.copies(s.pos), func(o *packet) bool {
			return len(g.sent) == 1 && o.pos == s.pos && o.len == s.len && o.hash == s.hash && !o.cut
		})
		if len(w.c.differing) < maxGroups {
			w.c.differing = append(w.c.differing, g)
		}
	}
}

// tail is the place after the payload of a packet.
func (p *packet) tail() int64 { return p.pos + int64(p.len) }

// gather finds the shortest rows of packets from a place on that end at the same place in both captures.
func (g *group) gather(sent, came *ordered, from int64) (ok bool) {
	for a, b := from, from; a != b || a == from; {
		if a <= b {
			g.sent, a, ok = sent.extend(g.sent, a)
		} else {
			g.came, b, ok = came.extend(g.came, b)
		}
		if !ok || max(a, b)-from > maxGroup {
			return false
		}
	}
	return true
}

// extend adds the packet that begins at a place to a row, and returns the place after it.
func (o *ordered) extend(row []*packet, place int64) (_ []*packet, behind int64, ok bool) {
	p := o.first(place)
	if p == nil {
		return row, place, false
	}
	return append(row, p), p.tail(), true
}

// first is the first copy of a whole packet with payload that begins at a place; nil if there is none.
func (o *ordered) first(place int64) *packet {
	i, _ := slices.BinarySearchFunc(o.order, place, func(i int32, place int64) int { return cmp.Compare(o.packets[i].pos, place) })
	for ; i < len(o.order) && o.packets[o.order[i]].pos == place; i++ {
		if p := &o.packets[o.order[i]]; p.len > 0 && !p.cut {
			return p
		}
	}
	return nil
}

// readChanges reads the packets of groups that differ once more, and finds what differs.
func (c *Comparison) readChanges() error {
	if len(c.differing) == 0 {
		return nil
	}
	var payloads [2]map[uint32][]byte
	for view := range payloads {
		payloads[view] = map[uint32][]byte{}
		for _, g := range c.differing {
			for _, p := range g.row(view) {
				payloads[view][p.frame] = nil
			}
		}
		if err := c.readPayloads(view, payloads[view]); err != nil {
			return err
		}
	}
	for i := range c.differing {
		g := &c.differing[i]
		g.find(join(g.sent, payloads[g.way.from]), join(g.came, payloads[g.way.to]))
	}
	c.differing = nil
	return nil
}

// row are the packets of a group that a capture has.
func (g *group) row(view int) []*packet {
	if view == g.way.from {
		return g.sent
	}
	return g.came
}

// readPayloads reads the payload of the frames that are keys of want.
func (c *Comparison) readPayloads(view int, want map[uint32][]byte) error {
	src, err := c.open(view)
	if err != nil {
		return err
	}
	defer closeSource(src)
	var rec pcaps.Record
	var s tcpip.Segment
	for left := len(want); left > 0; {
		if err := src.Next(&rec); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if _, ok := want[uint32(rec.Frame)]; ok && s.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil {
			want[uint32(rec.Frame)] = bytes.Clone(s.Payload)
			left--
		}
	}
	return nil
}

// join is the octets of a row of packets.
func join(row []*packet, payloads map[uint32][]byte) (octets []byte) {
	for _, p := range row {
		octets = append(octets, payloads[p.frame]...)
	}
	return octets
}

// find notes the changes of a group. Those that few octets separate are one.
func (g *group) find(left, came []byte) {
	n := min(len(left), len(came))
	for i := 0; i < n; i++ {
		if left[i] == came[i] {
			continue
		}
		c := transit.Change{Pos: g.sent[0].pos + int64(i), Again: g.again}
		last := i
		for j := i; j < n && j <= last+apart; j++ {
			if left[j] != came[j] {
				last = j
				c.Differ++
			}
		}
		c.Len = last + 1 - i
		shown := i + min(c.Len, maxShown)
		c.Left, c.Came = bytes.Clone(left[i:shown]), bytes.Clone(came[i:shown])
		c.Sent, c.Arrived = g.sighting(g.way.from, c.Pos), g.sighting(g.way.to, c.Pos)
		d := &g.p.Ways[g.d]
		if d.Changed++; len(d.Changes) < maxChanges {
			d.Changes = append(d.Changes, c)
		}
		i = last
	}
}

// sighting is the packet of a group that holds the octet at a place.
func (g *group) sighting(view int, place int64) transit.Sighting {
	row := g.row(view)
	i := slices.IndexFunc(row, func(p *packet) bool { return p.tail() > place })
	return g.way.sighting(view, row[i])
}
