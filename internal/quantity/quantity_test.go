package quantity_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/iwarpkit/iwarp/internal/quantity"
)

func TestDuration(t *testing.T) {
	for ns, want := range map[int64][2]string{
		0: {"0 ns", "0 ns"}, 999: {"999 ns", "999 ns"}, 1000: {"1.00 us", "1 us"}, 12_345: {"12.3 us", "12.3 us"},
		900_000: {"900 us", "900 us"}, 1_500_000: {"1.50 ms", "1.5 ms"}, 104e6: {"104 ms", "104 ms"},
		71_234e6: {"71.2 s", "71.2 s"}, 180e9: {"180 s", "180 s"}, 3600e9: {"60.0 min", "60 min"},
		36_000e9: {"10.0 h", "10 h"}, 283_824_000e9: {"3285 d", "3285 d"}, -1500: {"-1.50 us", "-1.5 us"},
		math.MaxInt64: {"106752 d", "106752 d"},
	} {
		if got := string(quantity.AppendDuration(nil, ns)); got != want[0] {
			t.Errorf("%d: got %q, want %q", ns, got, want[0])
		}
		if got := quantity.Duration(ns); got != want[1] {
			t.Errorf("%d in a sentence: got %q, want %q", ns, got, want[1])
		}
	}
}

func TestMoment(t *testing.T) {
	const day = 86_400e9
	for after, want := range map[int64]string{
		8e6: "8 ms", 1_000_400_000: "1 s", 3_600_250e6: "3600.25 s", day: "86400 s", day + 1: "1970-01-03 00:00:00.500 UTC",
	} {
		if got := quantity.Moment(after, 2*day+500e6); got != want {
			t.Errorf("%d: got %q, want %q", after, got, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 octets", 1: "1 octet", 999: "999 octets", 1000: "1,000 octets", 1 << 20: "1,048,576 octets",
		math.MaxUint64: "18,446,744,073,709,551,615 octets",
	} {
		if got := quantity.GroupedCount(n, "octet"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(10, func() {
		quantity.AppendCount(quantity.AppendDuration(dst, 12_345_678), 7, "octet")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func Example() {
	fmt.Println(quantity.Count(1, "octet")+",", quantity.Count(2, "octet")+",", quantity.Duration(1_500_000)+",", quantity.GroupedCount(5000, "FPDU")+",", quantity.Times(1))
	// Output: 1 octet, 2 octets, 1.5 ms, 5,000 FPDUs, once
}
