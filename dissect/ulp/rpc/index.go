package rpc

// Hash tables by XID and by STag.

import (
	"math/bits"
	"math/rand/v2"
)

// An index maps XIDs or STags to values: a hash table with open addressing. The zero V stands for no value. Peers choose the
// keys, so each index has its own secret.
type index[V comparable] struct {
	slots  []slot[V] // a power of two, at least half of them empty
	n      int
	secret uint64
}

// A slot of an index; empty if it has no value.
type slot[V comparable] struct {
	key   uint32
	value V
}

const (
	minSlots     = 1 << 4
	maxIdleSlots = 1 << 10 // that reset keeps
)

// home is the slot where the search for a key starts.
func (x *index[V]) home(key uint32) int {
	high, low := bits.Mul64(uint64(key)^x.secret, 0x9e3779b97f4a7c15)
	return int(high^low) & (len(x.slots) - 1)
}

// find returns the slot that a key has, or would get.
func (x *index[V]) find(key uint32) int {
	var none V
	at := x.home(key)
	for x.slots[at].value != none && x.slots[at].key != key {
		at = (at + 1) & (len(x.slots) - 1)
	}
	return at
}

func (x *index[V]) get(key uint32) (v V) {
	if x.n == 0 {
		return v
	}
	return x.slots[x.find(key)].value
}

// set sets the value of a key. It must not be the zero V.
func (x *index[V]) set(key uint32, v V) {
	var none V
	if 2*x.n >= len(x.slots) {
		x.grow()
	}
	s := &x.slots[x.find(key)]
	if s.value == none {
		x.n++
	}
	s.key, s.value = key, v
}

func (x *index[V]) grow() {
	var none V
	old := x.slots
	x.slots = make([]slot[V], max(minSlots, 2*len(old)))
	x.secret = rand.Uint64()
	for _, s := range old {
		if s.value != none {
			x.slots[x.find(s.key)] = s
		}
	}
}

// remove removes a key, and moves up those that would no longer be found.
func (x *index[V]) remove(key uint32) {
	var none V
	if x.n == 0 {
		return
	}
	hole := x.find(key)
	if x.slots[hole].value == none {
		return
	}
	last := len(x.slots) - 1
	for at := (hole + 1) & last; x.slots[at].value != none; at = (at + 1) & last {
		if away := (at - x.home(x.slots[at].key)) & last; away >= (at-hole)&last {
			x.slots[hole] = x.slots[at]
			hole = at
		}
	}
	x.slots[hole] = slot[V]{}
	x.n--
}

// reset removes all keys.
func (x *index[V]) reset() {
	if len(x.slots) > maxIdleSlots {
		*x = index[V]{}
		return
	}
	clear(x.slots)
	x.n = 0
}
