package recency_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/internal/recency"
)

type page struct {
	number int
	place  recency.Place[page]
}

// order is what a List holds, the latest first.
func order(l *recency.List[page]) (numbers []int) {
	for p := l.Latest(); p != nil; p = p.place.Earlier() {
		numbers = append(numbers, p.number)
	}
	return numbers
}

// TestOrder compares two Lists with slices, while pages are used, left alone and moved from one to the other.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var lists [2]recency.List[page]
	var want [2][]int
	pages := make([]page, 8)
	for i := range pages {
		pages[i].number = i
	}
	for range 5000 {
		p, into := &pages[random.IntN(len(pages))], random.IntN(3)
		for i := range want {
			want[i] = slices.DeleteFunc(want[i], func(n int) bool { return n == p.number })
		}
		if into < len(lists) {
			lists[into].Use(p, &p.place)
			want[into] = slices.Insert(want[into], 0, p.number)
			if p.place.List() != &lists[into] {
				t.Fatal("a page does not know its List")
			}
		} else if p.place.Leave(); p.place.List() != nil || p.place.Earlier() != nil {
			t.Fatal("a page that has left is still in a List")
		}
		for i := range lists {
			l := &lists[i]
			if got := order(l); !slices.Equal(got, want[i]) {
				t.Fatalf("%d, want %d", got, want[i])
			}
			if n := len(want[i]); n == 0 && l.Idlest() != nil || n > 0 && l.Idlest().number != want[i][n-1] {
				t.Fatalf("the idlest is wrong: %d", want[i])
			}
		}
	}
}

func Example() {
	var read recency.List[page]
	pages := []page{{number: 1}, {number: 2}, {number: 3}}
	for _, i := range []int{0, 1, 2, 0} {
		read.Use(&pages[i], &pages[i].place)
	}
	fmt.Println(order(&read), read.Idlest().number)
	// Output:
	// [1 3 2] 2
}
