// Package crowd decides whose connections give way where there are too many, so that one host cannot crowd out the others.
package crowd

import (
	"net"
	"net/netip"
)

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

// GiveWay returns n of some connections, the least useful of which come first: each time the least useful one of the host that has
// most. n is at most their number.
func GiveWay[C any](conns []C, n int, host func(C) netip.Prefix) (victims []C) {
	place := make(map[netip.Prefix]int) // of each host
	var hosts [][]C                     // the one whose first connection is the least useful comes first
	for _, c := range conns {
		p := host(c)
		at, known := place[p]
		if !known {
			at = len(hosts)
			place[p], hosts = at, append(hosts, nil)
		}
		hosts[at] = append(hosts[at], c)
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
