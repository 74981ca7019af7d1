package dissect

// Connections that were given up, or forgotten when they were over: their late packets begin no new one.

import (
	"hash/maphash"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// An address is that of a connection: of a TCP connection the ports, of a DDP stream over SCTP the stream too.
type address struct {
	tuple
	transport flow.Transport
	stream    uint16
}

// reverse is a in the other direction.
func (a address) reverse() address {
	a.src, a.dst = a.dst, a.src
	return a
}

// maxForgotten is the least number of addresses that are remembered, and half of the most. Each takes about 20 octets.
const maxForgotten = 1 << 18

// forgotten is the latest addresses that were given up, by their hashes. They are kept in two lots: when one is full, the
// one before it goes.
type forgotten struct {
	seed           maphash.Seed
	latest, before map[uint64]struct{}
}

func (f *forgotten) add(a address) {
	if f.latest == nil {
		f.seed, f.latest = maphash.MakeSeed(), make(map[uint64]struct{})
	}
	if len(f.latest) >= maxForgotten {
		f.before, f.latest = f.latest, make(map[uint64]struct{})
	}
	f.latest[f.hash(a)] = struct{}{}
}

// has reports whether an address, in either direction, is remembered. begins says that something new begins there: then it
// no longer is.
func (f *forgotten) has(a address, begins bool) bool {
	if f.latest == nil {
		return false
	}
	for _, way := range [...]address{a, a.reverse()} {
		hash := f.hash(way)
		for _, lot := range [...]map[uint64]struct{}{f.latest, f.before} {
			if _, ok := lot[hash]; !ok {
				continue
			}
			if !begins {
				return true
			}
			delete(lot, hash)
		}
	}
	return false
}

func (f *forgotten) hash(a address) uint64 { return maphash.Comparable(f.seed, a) }
