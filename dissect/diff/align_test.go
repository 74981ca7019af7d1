package diff

import (
	"math/rand/v2"
	"testing"
)

// common is the length of the longest common subsequence.
func common(a, b []uint64) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			old := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = old
		}
	}
	return row[len(b)]
}

func TestAlign(t *testing.T) {
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 0))
		a, b := make([]uint64, r.IntN(14)), make([]uint64, r.IntN(14))
		for _, s := range [][]uint64{a, b} {
			for i := range s {
				s[i] = r.Uint64N(4)
			}
		}
		n, lastI, lastJ := 0, -1, -1
		align(a, b, func(i, j int) {
			if a[i] != b[j] || i <= lastI || j <= lastJ {
				t.Fatalf("seed %d: %v, %v: pair %d, %d after %d, %d", seed, a, b, i, j, lastI, lastJ)
			}
			n, lastI, lastJ = n+1, i, j
		})
		if want := common(a, b); n != want {
			t.Fatalf("seed %d: %v, %v: %d pairs, want %d", seed, a, b, n, want)
		}
	}
}

// TestAlignLimit aligns what differs more than maxCost allows: the parts that are the same are found, though not all.
func TestAlignLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var a, b []uint64
	same := 0
	for range 40 {
		for range 300 {
			a, b = append(a, r.Uint64()), append(b, r.Uint64())
		}
		for range 2000 {
			v := r.Uint64()
			a, b, same = append(a, v), append(b, v), same+1
		}
	}
	n := 0
	align(a, b, func(int, int) { n++ })
	if n < same*8/10 {
		t.Errorf("%d of %d pairs", n, same)
	}
}
