package spool

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

var errFault = errors.New("fault")

// A faulty file fails at its n-th use; with n 0 it counts.
type faulty struct {
	temporary
	n, uses int
}

func (f *faulty) fault() error {
	if f.uses++; f.uses == f.n {
		return errFault
	}
	return nil
}

func (f *faulty) Write(b []byte) (int, error) {
	if err := f.fault(); err != nil {
		return 0, err
	}
	return f.temporary.Write(b)
}

func (f *faulty) ReadAt(b []byte, at int64) (int, error) {
	if err := f.fault(); err != nil {
		return 0, err
	}
	return f.temporary.ReadAt(b, at)
}

// TestFaults lets each use of the temporary file fail: All returns the error, and what it has yielded until then is in order.
func TestFaults(t *testing.T) {
	run := func(f *faulty) (items int, err error) {
		s := Spool{Memory: 2000, create: func() (temporary, error) {
			file, err := os.CreateTemp(t.TempDir(), "")
			f.temporary = file
			return f, cmp.Or(f.fault(), err)
		}}
		defer s.Close()
		for i := range 200 {
			s.Add(uint64(199-i), fmt.Append(nil, strings.Repeat("x", 100), 199-i))
		}
		err = s.All(func(key uint64, octets []byte) error {
			if key != uint64(items) || string(octets) != fmt.Sprint(strings.Repeat("x", 100), items) {
				t.Fatalf("item %d is %d: %s", items, key, octets)
			}
			items++
			return nil
		})
		return items, err
	}
	var counted faulty
	if items, err := run(&counted); items != 200 || err != nil || counted.uses < 20 {
		t.Fatal(items, err, counted.uses)
	}
	for n := 1; n <= counted.uses; n++ {
		if items, err := run(&faulty{n: n}); !errors.Is(err, errFault) || items == 200 {
			t.Errorf("use %d of %d: %d items, error %v", n, counted.uses, items, err)
		}
	}
}
