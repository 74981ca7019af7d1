package dissect

// Connections that were given up, or forgotten when they were over: what still comes of them begins no new one.

import (
	"hash/maphash"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// A lane is the address of a connection: of a TCP connection its ports, of a DDP stream over SCTP its stream too.
type lane struct {
	flow
	transport record.Transport
	stream    uint16
}

// reverse is l in the other direction.
func (l lane) reverse() lane {
	l.src, l.dst = l.dst, l.src
	return l
}

// maxForgotten is how many lanes are remembered at least, and half of how many at most, in some 20 octets each.
const maxForgotten = 1 << 18

// forgotten is the latest lanes that were given up, by their hashes. They are kept in two lots: when one is full, the
// one before it goes.
type forgotten struct {
	seed           maphash.Seed
	latest, before map[uint64]struct{}
}

// add remembers a lane.
func (f *forgotten) add(l lane) {
	if f.latest == nil {
		f.seed, f.latest = maphash.MakeSeed(), make(map[uint64]struct{})
	}
	if len(f.latest) >= maxForgotten {
		f.before, f.latest = f.latest, make(map[uint64]struct{})
	}
	f.latest[f.hash(l)] = struct{}{}
}

// has tells whether a lane, in either direction, is remembered. begins says that something new begins there: then it is
// not any more.
func (f *forgotten) has(l lane, begins bool) bool {
	if f.latest == nil {
		return false
	}
	for _, l := range [...]lane{l, l.reverse()} {
		hash := f.hash(l)
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

func (f *forgotten) hash(l lane) uint64 { return maphash.Comparable(f.seed, l) }
