// Package crowd decides whose connections give way where there are too many, so that one host cannot crowd out the others.
package crowd

import (
	"net"
	"net/netip"
)

// Holder returns whoever has an address: an IPv4 address, or a network of IPv6 with 64 bits, which one host may have to itself. It is
// the zero Prefix for anything but an address of TCP.
func Holder(a net.Addr) netip.Prefix {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := t.AddrPort().Addr().Unmap()
	p, _ := ip.Prefix(min(ip.BitLen(), 64))
	return p
}

// GiveWay returns n of some connections, the least useful of which come first: each time the least useful one of the holder that has
// most. n is at most their number.
func GiveWay[C any](conns []C, n int, holder func(C) netip.Prefix) (victims []C) {
	place := make(map[netip.Prefix]int) // of each holder
	var holders [][]C                   // the one whose first connection is the least useful comes first
	for _, c := range conns {
		p := holder(c)
		at, known := place[p]
		if !known {
			at = len(holders)
			place[p], holders = at, append(holders, nil)
		}
		holders[at] = append(holders[at], c)
	}
	for range n {
		most := 0
		for i := range holders {
			if len(holders[i]) > len(holders[most]) {
				most = i
			}
		}
		victims = append(victims, holders[most][0])
		holders[most] = holders[most][1:]
	}
	return victims
}
