// Package recency keeps items in the order of their latest use, to find the idlest when room is needed. It allocates nothing,
// and every operation takes constant time.
package recency

// A List is a list of items, the latest first. The zero value is empty. It must not be copied.
type List[T any] struct{ latest, idlest *Place[T] }

// A Place is the position of an item: a field of the item itself, one for each List that it can be in at the same time. The
// zero value is in no List.
type Place[T any] struct {
	item           *T
	list           *List[T]
	earlier, later *Place[T]
}

// Latest returns the item that was used last; nil if the List is empty.
func (l *List[T]) Latest() *T { return l.latest.of() }

// Idlest returns the item that has been unused for longest; nil if the List is empty.
func (l *List[T]) Idlest() *T { return l.idlest.of() }

// Use makes item, whose place is p, the latest. It first takes it out of the List that it is in, this one or another.
func (l *List[T]) Use(item *T, p *Place[T]) {
	p.Leave()
	*p = Place[T]{item: item, list: l, earlier: l.latest}
	if l.latest != nil {
		l.latest.later = p
	} else {
		l.idlest = p
	}
	l.latest = p
}

// Leave takes the item out of its List, if it is in one.
func (p *Place[T]) Leave() {
	if p.list == nil {
		return
	}
	if p.later != nil {
		p.later.earlier = p.earlier
	} else {
		p.list.latest = p.earlier
	}
	if p.earlier != nil {
		p.earlier.later = p.later
	} else {
		p.list.idlest = p.later
	}
	*p = Place[T]{}
}

// List returns the List that the item is in; nil if it is in none.
func (p *Place[T]) List() *List[T] { return p.list }

// Earlier returns the item used last before this one; nil if this is the idlest, or in no List.
func (p *Place[T]) Earlier() *T { return p.earlier.of() }

// of returns the item at a place; nil if there is no place.
func (p *Place[T]) of() *T {
	if p == nil {
		return nil
	}
	return p.item
}
