package rnicsim

// A ring is a queue that grows on demand and keeps its memory. Pointers to its elements are valid until the next push.
type ring[T any] struct {
	all     []T // its length is 0 or a power of two
	head, n int
}

// len returns the number of elements.
func (r *ring[T]) len() int { return r.n }

// at returns the element at index i, counted from the first.
func (r *ring[T]) at(i int) *T { return &r.all[(r.head+i)&(len(r.all)-1)] }

// push appends an element and returns it. The element holds an old value, whose memory can be reused.
func (r *ring[T]) push() *T {
	if r.n == len(r.all) {
		all := make([]T, max(4, 2*len(r.all)))
		for i := range r.n {
			all[i] = *r.at(i)
		}
		r.all, r.head = all, 0
	}
	r.n++
	return r.at(r.n - 1)
}

// pop removes the first element.
func (r *ring[T]) pop() {
	r.head = (r.head + 1) & (len(r.all) - 1)
	r.n--
}

// clear removes all elements.
func (r *ring[T]) clear() { r.head, r.n = 0, 0 }
