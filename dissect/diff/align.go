package diff

// Aligning two sequences: E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), section 4b, with a limit of its
// work.

// maxCost is how many differences are followed from both ends of a stretch until it is divided where both got furthest. The
// work is then at most maxCost times the length; the alignment may no longer be the shortest one.
const maxCost = 512

// An aligner aligns two sequences of sums. It calls same for each pair of equal ones, in order.
type aligner struct {
	a, b          []uint64
	same          func(i, j int)
	forward, back []int // by diagonal: how far in a each search has got
}

// align finds pairs of equal elements.
func align(a, b []uint64, same func(i, j int)) {
	n := 2*maxCost + 3
	al := &aligner{a: a, b: b, same: same, forward: make([]int, n), back: make([]int, n)}
	al.stretch(0, len(a), 0, len(b))
}

// stretch aligns a[i:n] with b[j:m].
func (al *aligner) stretch(i, n, j, m int) {
	for i < n && j < m && al.a[i] == al.b[j] {
		al.same(i, j)
		i, j = i+1, j+1
	}
	tail := 0
	for i < n && j < m && al.a[n-1] == al.b[m-1] {
		n, m, tail = n-1, m-1, tail+1
	}
	if i < n && j < m {
		if x, y := al.middle(al.a[i:n], al.b[j:m]); x+y > 0 && x+y < n-i+m-j {
			al.stretch(i, i+x, j, j+y)
			al.stretch(i+x, n, j+y, m)
		}
	}
	for k := range tail {
		al.same(n+k, m+k)
	}
}

// middle finds a point on a short way through a and b, which differ at both ends: x elements of a and y of b lie before it.
func (al *aligner) middle(a, b []uint64) (x, y int) {
	n, m := len(a), len(b)
	delta := n - m
	const zero = maxCost + 1 // place of diagonal 0
	al.forward[zero+1], al.back[zero+1] = 0, 0
	for d := range min(maxCost, (n+m+1)/2+1) {
		low, high := 2*max(0, d-m)-d, d-2*max(0, d-n)
		for k := low; k <= high; k += 2 {
			x := from(al.forward, k, d)
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			al.forward[zero+k] = x
			if r := delta - k; delta&1 != 0 && -d < r && r < d && x+al.back[zero+r] >= n {
				return x, x - k
			}
		}
		for k := low; k <= high; k += 2 {
			x := from(al.back, k, d)
			for x < n && x-k < m && a[n-1-x] == b[m-1-x+k] {
				x++
			}
			al.back[zero+k] = x
			if f := delta - k; delta&1 == 0 && -d <= f && f <= d && x+al.forward[zero+f] >= n {
				return n - x, m - x + k
			}
		}
	}
	for k := 2 - maxCost; k < maxCost; k++ { // how far the search from the beginning got
		if to := al.forward[zero+k]; 0 <= to-k && to <= n && to-k <= m && 2*to-k > x+y {
			x, y = to, to-k
		}
	}
	return x, y
}

// from is where on diagonal k a search with d differences begins.
func from(reached []int, k, d int) int {
	const zero = maxCost + 1
	if k == -d || k != d && reached[zero+k-1] < reached[zero+k+1] {
		return reached[zero+k+1]
	}
	return reached[zero+k-1] + 1
}
