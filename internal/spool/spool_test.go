package spool_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/spool"
)

func Example() {
	var s spool.Spool
	defer s.Close()
	for i, word := range []string{"spooled", "are", "words"} {
		s.Add(uint64(2-i), []byte(word+"\n"))
	}
	_ = s.All(func(_ uint64, octets []byte) error {
		fmt.Print(string(octets))
		return nil
	})
	// Output:
	// words
	// are
	// spooled
}

// TestOrder compares with a stable sort, with everything in memory and with almost nothing there.
func TestOrder(t *testing.T) {
	for _, memory := range []int{0, 1, 500, 5000} {
		r := rand.New(rand.NewPCG(1, 2))
		s := spool.Spool{Memory: memory}
		var want, got []string
		for i := range 1000 {
			key := r.IntN(300)
			text := fmt.Sprintf("%03d %s", key, strings.Repeat("x", r.IntN(40)))
			want = append(want, text)
			s.Add(uint64(key), []byte(text))
			if i == 500 { // it may be read in between
				_ = s.All(func(uint64, []byte) error { return errors.New("enough") })
			}
		}
		slices.SortStableFunc(want, func(a, b string) int { return strings.Compare(a[:3], b[:3]) })
		if err := s.All(func(_ uint64, b []byte) error { got = append(got, string(b)); return nil }); err != nil || !slices.Equal(got, want) {
			t.Errorf("memory %d: %v, another order", memory, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoRoom spools where no file can be made: nothing is lost in silence, and no file is left.
func TestNoRoom(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	s := spool.Spool{Memory: 1}
	s.Add(1, []byte("one"))
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Log("the system keeps files that are open:", left)
	}
	s.Close()
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Error("left over:", left)
	}
	t.Setenv("TMPDIR", folder+"/nowhere")
	s = spool.Spool{Memory: 1}
	s.Add(1, []byte("one"))
	if err := s.All(func(uint64, []byte) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
