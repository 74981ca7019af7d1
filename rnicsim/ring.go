package rnicsim

// A ring is a queue whose memory grows on demand and is kept. Pointers to its elements are valid until the next push.
type ring[T any] struct {
	all     []T // its length is 0 or a power of two
	head, n int
}

// len is the number of elements.
func (r *ring[T]) len() int { return r.n }

// at is the element at place i, from the first.
func (r *ring[T]) at(i int) *T { return &r.all[(r.head+i)&(len(r.all)-1)] }

// push puts an element behind the others. It holds what was there before, whose memory can be used again.
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

// pop takes away the first element.
func (r *ring[T]) pop() {
	r.head = (r.head + 1) & (len(r.all) - 1)
	r.n--
}

// clear takes away all elements.
func (r *ring[T]) clear() { r.head, r.n = 0, 0 }
