// Package crowd decides which connections give way where there are too many, so that silent peers do not take the place of busy ones,
// and one host cannot crowd out the others.
package crowd

import (
	"cmp"
	"iter"
	"net"
	"net/netip"
	"slices"
	"time"
)

// An Activity is what a connection does.
type Activity uint8

// The activities.
const (
	Opening   Activity = iota // it has carried nothing yet that shows what it is for
	Silent                    // there has been no progress for longer than Lull, or none yet
	Slow                      // octets have waited for a peer for longer than Lull
	Busy                      // all others
	Departing                 // only the end is missing
	Activities
)

const (
	// Lull is the longest time without progress of a busy connection.
	Lull = time.Second

	// Spared is how long a connection that opens is safe from newcomers: long enough for a peer on a busy machine that sends at once,
	// and short enough that those in the system's queue, 4,096 on Linux, are all accepted within a second where Most is 64.
	Spared = 50 * time.Millisecond

	// Openings is how many times Most connections may open: they take little, and a flood of them must not outrun a handshake.
	Openings = 4
)

// A Policy gives each Activity a budget of its own. A newcomer always gets a place: in a full budget, the least useful connection
// gives way, of the host that has most.
type Policy[C any] struct {
	Most     int // connections of each Activity
	Activity func(C) Activity
	Spared   func(C) bool            // whether a connection that opens must not give way
	Worth    func(C, Activity) int64 // of a connection with this Activity; the least gives way first,
	Serial   func(C) uint64          // and of equal ones the one that came first
	Host     func(C) netip.Prefix
}

// Excess returns the connections that give way, and whether too many that open are spared, so that newcomers have to wait.
func (p *Policy[C]) Excess(conns iter.Seq[C]) (victims []C, crowded bool) {
	var all [Activities][]C
	for c := range conns {
		a := p.Activity(c)
		all[a] = append(all[a], c)
	}
	for i, conns := range all {
		a, budget := Activity(i), p.Most
		if a == Opening {
			budget *= Openings
		}
		excess := len(conns) - budget
		if excess <= 0 {
			continue
		}
		if a == Opening && p.Most > 0 {
			conns = slices.DeleteFunc(conns, p.Spared)
			crowded = len(conns) < excess
			excess += p.Most / 256 // some more, so that a flood does not search a large budget each time
		}
		victims = append(victims, p.giveWay(a, conns, min(excess, len(conns)))...)
	}
	return victims, crowded
}

// giveWay returns n connections of an Activity: each time the least useful one of the host that has most.
func (p *Policy[C]) giveWay(a Activity, conns []C, n int) (victims []C) {
	type member struct {
		conn   C
		worth  int64
		serial uint64
	}
	var members []member
	for _, c := range conns {
		members = append(members, member{c, p.Worth(c, a), p.Serial(c)})
	}
	slices.SortFunc(members, func(a, b member) int { return cmp.Or(cmp.Compare(a.worth, b.worth), cmp.Compare(a.serial, b.serial)) })
	place := make(map[netip.Prefix]int) // of each host
	var hosts [][]C                     // the one whose first connection is the least useful comes first
	for _, m := range members {
		host := p.Host(m.conn)
		at, known := place[host]
		if !known {
			at = len(hosts)
			place[host], hosts = at, append(hosts, nil)
		}
		hosts[at] = append(hosts[at], m.conn)
	}
	for range n {
		most := 0
		for i := range hosts {
			if len(hosts[i]) > len(hosts[most]) {
				most = i
			}
		}
		victims = append(victims, hosts[most][0])
		hosts[most] = hosts[most][1:]
	}
	return victims
}

// Host returns whoever has an address: an IPv4 address, or a network of IPv6 with 64 bits, which one host may have to itself. It is
// the zero Prefix for anything but an address of TCP.
func Host(a net.Addr) netip.Prefix {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := t.AddrPort().Addr().Unmap()
	p, _ := ip.Prefix(min(ip.BitLen(), 64))
	return p
}
