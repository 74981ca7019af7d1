package pages_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/internal/pages"
)

func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 4096, 1<<20 + 1} {
		b, free := pages.Make(n)
		if len(b) != n || !bytes.Equal(b, make([]byte, n)) {
			t.Errorf("%d octets of %d", len(b), n)
		}
		for i := range b {
			b[i] = 1
		}
		free()
	}
}

func Example() {
	b, free := pages.Make(3)
	defer free()
	fmt.Println(b)
	// Output: [0 0 0]
}
