// Package crowd decides which connections give way where there are too many, so that silent peers do not take the place of busy ones,
// and one host cannot crowd out the others.
package crowd

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"net"
	"net/netip"
	"slices"
	"syscall"
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
	Reset    func(C)               // makes a connection give way
	Waits    func(C) bool          // whether a connection that opens waits for us: it does not give way, nor do others because of it
	Last     func(C) bool          // whether a connection that opens gives way after the others; nil for none
	Age      func(C) time.Duration // of a connection that opens: a younger one than Spared does not give way, either
	Active   func(C) time.Duration // when it made progress last
	Stuck    func(C) time.Duration // since when octets have waited for a peer
	Carried  func(C) uint64        // octets
	Serial   func(C) uint64        // of equal connections, the one that came first gives way
	Host     func(C) netip.Prefix
}

// Worth orders the connections of an Activity, the one that gives way first before the others: of busy connections the one that has carried
// most, of others the one that has kept its Activity for longest.
func (p *Policy[C]) Worth(c C, a Activity) int64 {
	//exhaustive:enforce
	switch a {
	case Silent:
		return int64(p.Active(c))
	case Slow:
		return int64(p.Stuck(c))
	case Busy:
		return -int64(p.Carried(c))
	case Opening:
		if p.Last != nil && p.Last(c) {
			return math.MaxInt64
		}
	case Departing, Activities:
	}
	return int64(p.Serial(c))
}

// Keep resets connections beyond the budgets, and reports whether newcomers have to wait, as Excess says.
func (p *Policy[C]) Keep(conns iter.Seq[C]) (crowded bool) {
	victims, crowded := p.Excess(conns)
	p.reset(victims)
	return crowded
}

// Relieve resets connections because the system has no descriptor for another: one in sixteen of all, less those that are over and still
// have theirs.
func (p *Policy[C]) Relieve(conns iter.Seq[C], all, over int) {
	p.reset(p.Relief(conns, 1+all/16-over))
}

func (p *Policy[C]) reset(victims []C) {
	for _, victim := range victims {
		p.Reset(victim)
	}
}

// Excess returns the connections that give way, and whether too many that open stay, so that newcomers have to wait. Connections that
// wait for us have a budget of their own: if others gave way because of them, peers would pay for a busy machine.
func (p *Policy[C]) Excess(conns iter.Seq[C]) (victims []C, crowded bool) {
	for i, conns := range p.byActivity(conns) {
		a, budget := Activity(i), p.Most
		if a == Opening {
			budget *= Openings
		}
		excess := len(conns) - budget
		if a == Opening && p.Most > 0 && excess > 0 {
			all := len(conns)
			conns = slices.DeleteFunc(conns, p.Waits)
			waiting := all - len(conns)
			excess = len(conns) - budget
			conns = p.olderThan(Spared, conns)
			crowded = waiting > budget || excess > len(conns)
			if excess > 0 {
				excess += p.Most / 4 // some more: searching a full budget for each newcomer of a flood takes longer than all else
			}
		}
		if excess <= 0 {
			continue
		}
		victims = append(victims, p.giveWay(a, conns, min(excess, len(conns)))...)
	}
	return victims, crowded
}

// Exhausted reports whether an error of Accept or Dial says that the process (EMFILE) or the whole system (ENFILE) has no descriptor left.
func Exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Relief returns at most n connections that give way because the system has no room for a newcomer: those of the Activity that has most
// of its budget, without Busy. Busy ones give way only where there are no others, not even some that are spared for a moment. The moment
// is shorter here: the fewer places there are, the longer newcomers wait for one.
func (p *Policy[C]) Relief(conns iter.Seq[C], n int) []C {
	all := p.byActivity(conns)
	opening := slices.DeleteFunc(all[Opening], p.Waits)
	begun := len(opening)
	all[Opening] = p.olderThan(Spared/2, opening)
	most := Opening
	for _, a := range []Activity{Silent, Slow, Departing} {
		if used := len(all[most]); len(all[a]) > used || most == Opening && len(all[a])*Openings > used {
			most = a
		}
	}
	if len(all[most]) == 0 && begun == 0 {
		most = Busy
	}
	return p.giveWay(most, all[most], min(n, len(all[most])))
}

func (p *Policy[C]) olderThan(age time.Duration, conns []C) []C {
	return slices.DeleteFunc(conns, func(c C) bool { return p.Age(c) < age })
}

func (p *Policy[C]) byActivity(conns iter.Seq[C]) (all [Activities][]C) {
	for c := range conns {
		a := p.Activity(c)
		all[a] = append(all[a], c)
	}
	return all
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
