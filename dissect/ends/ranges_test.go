package ends

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Octets belong to the packet that had them first, however packets overlap and come out of order.
func TestArrivals(t *testing.T) {
	s := stream{packets: []packet{
		{frame: 1, pos: 10, len: 10}, {frame: 2, pos: 30, len: 10}, {frame: 3, pos: 15, len: 20}, {frame: 4, pos: 10, len: 30},
		{frame: 5, pos: 0, len: 50}, {frame: 6, pos: 60, len: 5}, {frame: 7, pos: 5, len: 0},
	}}
	var got [][3]int64
	for _, a := range s.arrivals() {
		got = append(got, [3]int64{a.from, a.to, int64(a.frame)})
	}
	want := [][3]int64{
		{0, 10, 5}, {10, 15, 1}, {15, 20, 1}, {20, 30, 3}, {30, 35, 2}, {35, 40, 2}, {40, 50, 5}, {60, 65, 6},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if got := new(stream).arrivals(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}
