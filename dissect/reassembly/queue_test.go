package reassembly

import (
	"fmt"
	"reflect"
	"testing"
)

// checkQueue tests what must always hold of a half's queue: the marks are in order, fragments neither touch what is
// ready nor each other in disorder, empty elements are zero, and the budget knows what is held.
func checkQueue(h *Half) error {
	q := &h.queue
	if q.clean > q.head || q.head > q.ready || q.ready > len(q.list) {
		return fmt.Errorf("marks: clean %d, head %d, ready %d of %d", q.clean, q.head, q.ready, len(q.list))
	}
	held, end := 0, h.next
	for i, f := range q.list[:cap(q.list)] {
		if i < q.clean || i >= len(q.list) {
			if !reflect.ValueOf(f).IsZero() {
				return fmt.Errorf("element %d is empty and holds %+v", i, f)
			}
			continue
		}
		if i < q.head {
			continue
		}
		if f.offset < end || f.length == 0 || f.data != nil && len(f.data) != int(f.length) {
			return fmt.Errorf("fragment %d, behind the offset %d: %+v", i, end, f)
		}
		if i >= q.ready && (f.offset <= h.ready || !f.held) {
			return fmt.Errorf("fragment %d waits behind %d: %+v", i, h.ready, f)
		}
		if end = f.end(); f.held {
			held += cost(&f)
		}
	}
	if held != h.held || h.held > h.budget.held {
		return fmt.Errorf("fragments cost %d, counted are %d, in the budget %d", held, h.held, h.budget.held)
	}
	return nil
}

// While a gap moves along with the stream, the list never becomes empty. It must not grow all the same.
func TestListOfAMovingGapDoesNotGrow(t *testing.T) {
	h := started(nil)
	const ahead = 10
	everyOther(h, 0, ahead)
	for i := range 10_000 {
		h.Push(&Segment{Seq: uint32(2 * i), Data: []byte{0}})
		if octets, holes := drain(h); octets != 2 || holes != 0 {
			t.Fatalf("round %d: %d octets, %d holes", i, octets, holes)
		}
		everyOther(h, i+ahead, 1)
		if cap(h.queue.list) > 4*ahead {
			t.Fatalf("room for %d fragments", cap(h.queue.list))
		}
		if err := checkQueue(h); err != nil {
			t.Fatal(err)
		}
	}
}
