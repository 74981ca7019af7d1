package reassembly

// The queue of a half: fragments in the order of the stream, never overlapping. It knows nothing of budgets and gaps.

import (
	"math/bits"
	"slices"
)

// fragment is a stretch of the stream that came with one segment.
type fragment struct {
	offset int64
	data   []byte // nil: cut off by the snaplen
	frame  uint64
	time   int64
	length uint32
	held   bool // data is a copy of our own, and the fragment counts in the budget
}

func (f *fragment) end() int64 { return f.offset + int64(f.length) }

// set copies g field by field. A copy as a whole would have to wait for the fields written just before, which is a third
// of the time that a segment in order takes.
func (f *fragment) set(g *fragment) {
	f.offset, f.length, f.held, f.data, f.frame, f.time = g.offset, g.length, g.held, g.data, g.frame, g.time
}

// shorten makes f end at the offset end.
func (f *fragment) shorten(end int64) {
	f.length = uint32(end - f.offset)
	if f.data != nil {
		f.data = f.data[:f.length]
	}
}

// part returns the stretch of f between two offsets within it, as a fragment that is not held.
func (f *fragment) part(from, to int64) fragment {
	p := fragment{offset: from, length: uint32(to - from), frame: f.frame, time: f.time}
	if f.data != nil {
		p.data = f.data[from-f.offset : to-f.offset]
	}
	return p
}

// queue holds the fragments of one half. Three marks divide the list:
//
//	0           clean           head            ready           len(list)
//	|   empty   |    pulled     |  to be pulled |    waiting    |
//	|           | still in use  |               | after a gap  |
//
// The room before head is not wasted: while a gap is filled from its beginning, one fragment after the other,
// each takes the place of the one that was pulled before it. Empty elements, those after the list included, are zero.
type queue struct {
	list     []fragment
	clean    int
	head     int
	ready    int
	borrowed int         // the fragments from here to ready may alias a packet
	few      [2]fragment // the list while it is short: data in order and what the snaplen cut off it
}

// count is the number of fragments that are to be pulled or waiting.
func (q *queue) count() int { return len(q.list) - q.head }

// waiting is the number of fragments after a gap.
func (q *queue) waiting() int { return len(q.list) - q.ready }

// first returns the fragment to be pulled next, nil if there is none.
func (q *queue) first() *fragment {
	if q.head == q.ready {
		return nil
	}
	return &q.list[q.head]
}

// last returns the fragment furthest ahead, nil if there is none.
func (q *queue) last() *fragment {
	if q.count() == 0 {
		return nil
	}
	return &q.list[len(q.list)-1]
}

// find returns the index of the first waiting fragment that ends after offset.
func (q *queue) find(offset int64) int {
	low, high := q.ready, len(q.list)
	if low == high || q.list[high-1].end() <= offset {
		return high
	}
	for low < high {
		middle := int(uint(low+high) / 2)
		if q.list[middle].end() <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// insert puts f among the waiting fragments, before the one at index i, and returns its index.
func (q *queue) insert(i int, f *fragment, lists *pool[fragment]) int {
	if i == q.head && q.head > 0 {
		q.head--
		q.ready--
		q.clean = min(q.clean, q.head)
		q.list[q.head].set(f)
		return q.head
	}
	q.grow(1, lists)
	last := len(q.list)
	q.list = q.list[:last+1]
	copy(q.list[i+1:], q.list[i:last])
	q.list[i].set(f)
	return i
}

// replace puts fragments in the place of the waiting ones from index i to j.
func (q *queue) replace(i, j int, fragments []fragment, lists *pool[fragment]) {
	q.grow(max(0, len(fragments)-(j-i)), lists)
	q.list = slices.Replace(q.list, i, j, fragments...)
}

// dropLast takes the last fragment off the list.
func (q *queue) dropLast() {
	last := len(q.list) - 1
	q.list[last] = fragment{}
	q.list = q.list[:last]
	q.ready = min(q.ready, last)
}

// grow makes room for n more fragments.
func (q *queue) grow(n int, lists *pool[fragment]) {
	if len(q.list)+n <= cap(q.list) {
		return
	}
	old := q.list
	q.list = lists.get(max(len(old)+n, 2*cap(old)))[:len(old)]
	copy(q.list, old)
	clear(old)
	if cap(old) > len(q.few) {
		lists.put(old)
	}
}

// compact gets rid of the empty elements in front, once they are the greater part. All that was pulled must be clean.
func (q *queue) compact(lists *pool[fragment]) {
	switch {
	case q.head == len(q.list):
		q.reset(lists)
	case q.head > len(q.list)/2:
		n := copy(q.list, q.list[q.head:])
		clear(q.list[n:])
		q.list = q.list[:n]
		q.ready -= q.head
		q.clean, q.head = 0, 0
	}
	q.borrowed = len(q.list)
}

// reset makes the queue empty and short. All of it must be clean.
func (q *queue) reset(lists *pool[fragment]) {
	if cap(q.list) > len(q.few) {
		lists.put(q.list)
	}
	q.list = q.few[:0]
	q.clean, q.head, q.ready, q.borrowed = 0, 0, 0, 0
}

// pool is a free list of slices by size class, the powers of two. Slices are handed out with their former content.
type pool[T any] struct {
	least int // smallest class, a power of two
	free  [maxClass + 1][][]T
	idle  int // elements in free, by capacity
}

// maxClass is the logarithm of the greatest class: 256 Ki, what a capture file may hold of one packet.
const maxClass = 18

// class returns the size class for n elements, and false if they are too many for any.
func (p *pool[T]) class(n int) (class int, ok bool) {
	class = bits.Len(uint(max(n, p.least) - 1))
	return class, class <= maxClass
}

// size is the capacity of the slice that get returns for n elements.
func (p *pool[T]) size(n int) int {
	if class, ok := p.class(n); ok {
		return 1 << class
	}
	return n
}

// get returns a slice of n elements.
func (p *pool[T]) get(n int) []T {
	class, ok := p.class(n)
	if !ok {
		return make([]T, n)
	}
	free := p.free[class]
	if len(free) == 0 {
		return make([]T, n, 1<<class)
	}
	s := free[len(free)-1]
	free[len(free)-1] = nil
	p.free[class] = free[:len(free)-1]
	p.idle -= 1 << class
	return s[:n]
}

// put takes back a slice that came from get.
func (p *pool[T]) put(s []T) {
	class, ok := p.class(cap(s))
	if !ok || cap(s) != 1<<class {
		return
	}
	p.free[class] = append(p.free[class], s[:0])
	p.idle += cap(s)
}

// empty leaves the free slices to the garbage collector.
func (p *pool[T]) empty() {
	clear(p.free[:])
	p.idle = 0
}

// overtook reports whether the fragments from index at on came so much earlier than f, which they follow in the stream, that it was
// not only on its way for longer.
func (q *queue) overtook(at int, f *fragment) bool {
	later := q.list[at:]
	return len(later) >= overtakenBy || len(later) > 0 && f.time-later[0].time > overtakenFor
}
