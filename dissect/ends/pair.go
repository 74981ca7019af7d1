package ends

// Pairing the connections of both captures.

import (
	"net/netip"
	"slices"
)

// maxCandidates is how many connections of the other capture, at one pair of addresses, one is compared with.
const maxCandidates = 64

// pair finds the connections that both captures show, and gives their octets the same places in both.
func (c *Comparison) pair() {
	byFlow, bySYN := map[tuple][]*conn{}, map[[2]uint32][]*conn{}
	for _, b := range c.views[1].connections {
		f := tuple{b.ends[0], b.ends[1]}
		if len(byFlow[f]) < maxCandidates {
			byFlow[f] = append(byFlow[f], b)
		}
		if s := b.bases(); b.opened() && len(bySYN[s]) < maxCandidates {
			bySYN[s] = append(bySYN[s], b)
		}
	}
	taken := map[*conn]bool{}
	for _, a := range c.views[0].connections {
		f := tuple{a.ends[0], a.ends[1]}
		candidates := slices.Concat(byFlow[f], byFlow[tuple{f.dst, f.src}])
		if a.opened() {
			candidates = slices.Concat(bySYN[a.bases()], candidates)
		}
		for _, b := range candidates {
			if taken[b] || !alike(a, b) {
				continue
			}
			taken[b] = true
			align(a, b)
			c.Connections = append(c.Connections, &Connection{Translated: a.ends != b.ends, both: [2]*conn{a, b}, Near: -1})
			break
		}
	}
}

// addUnanswered adds the connections that one end wanted to open, and of which the other capture has nothing, between hosts
// that have connections in both.
func (c *Comparison) addUnanswered() {
	var near [2]map[netip.Addr]bool // hosts, by capture
	known := map[*conn]bool{}
	for view := range near {
		near[view] = map[netip.Addr]bool{}
		for _, p := range c.Connections {
			known[p.both[view]] = true
			if p.Near >= 0 && !p.Translated {
				near[view][p.both[view].ends[view^p.Near].Addr()] = true
			}
		}
	}
	for view, v := range c.views {
		for _, k := range v.connections {
			if !known[k] && k.streams[0].syn && len(k.streams[1].packets) == 0 && near[view][k.ends[0].Addr()] && near[1-view][k.ends[1].Addr()] {
				p := &Connection{Near: view}
				p.both[view], p.both[1-view] = k, &conn{ends: k.ends}
				c.Connections = append(c.Connections, p)
			}
		}
	}
}

// opened reports whether both SYNs were seen.
func (c *conn) opened() bool { return c.streams[0].syn && c.streams[1].syn }

// bases are the sequence numbers of the first octets.
func (c *conn) bases() [2]uint32 { return [2]uint32{c.streams[0].base, c.streams[1].base} }

// A tenth of the octets in the smaller view of a connection must be in the other one, too. The files of a ring buffer, one
// after the other, have no more in common than what was sent again.
const sharedShare = 10

// alike reports whether two views can be of the same connection. It turns b round if that begins at the other end.
func alike(a, b *conn) bool {
	if a.ends[0] == b.ends[1] && a.ends[1] == b.ends[0] {
		b.ends[0], b.ends[1] = b.ends[1], b.ends[0]
		b.streams[0], b.streams[1] = b.streams[1], b.streams[0]
	}
	var shared, least int64
	for d := range a.streams {
		s, t := &a.streams[d], &b.streams[d]
		if !s.known || !t.known {
			continue
		}
		if s.syn && t.syn && s.base != t.base {
			return false
		}
		shift := int64(int32(t.base - s.base))
		x, y := union(s.packets, 0), union(t.packets, shift)
		shared += overlap(x, y)
		least += min(octets(x), octets(y))
	}
	return shared > 0 && shared*sharedShare >= least
}

// align gives the octets of both views the same places: 0 after the SYN, or at the earliest octet of either view.
func align(a, b *conn) {
	var from [2]uint32
	for d := range from {
		s, t := &a.streams[d], &b.streams[d]
		from[d] = s.base
		if t.syn {
			from[d] = t.base
		} else if !s.syn {
			shift := int64(int32(t.base - s.base))
			if all := joined(slices.Concat(union(s.packets, 0), union(t.packets, shift))); len(all) > 0 {
				from[d] += uint32(all[0].from)
			}
		}
	}
	for _, c := range [2]*conn{a, b} {
		var shift [2]int64
		for d := range shift {
			if s := &c.streams[d]; s.known {
				shift[d] = int64(int32(s.base - from[d]))
				s.base = from[d]
			}
		}
		for d := range shift {
			c.streams[d].shift(shift[d], shift[1-d])
		}
	}
}

// shift moves the places of all packets, and of what they acknowledge.
func (s *stream) shift(places, acknowledged int64) {
	s.next += places
	for i := range s.packets {
		p := &s.packets[i]
		p.pos += places
		if p.acked != unacked {
			p.acked += acknowledged
		}
	}
}
