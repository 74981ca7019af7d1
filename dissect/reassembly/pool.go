package reassembly

import "math/bits"

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
