package layout_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/ulp/internal/layout"
)

func Example() {
	kinds := map[uint8]string{1: "Request", 2: "Response"}
	t := field.NewTable("Sample header", "sample", "nowhere",
		layout.Enum(layout.Big("sample.kind", "Kind", 0, 1, field.Hex),
			func(v uint64) string { return kinds[uint8(v)] },
			layout.Keys(kinds, func(k uint8) uint64 { return uint64(k) })),
		layout.Bits("sample.flags", "Flags", 1, 4, 4, field.Hex),
		layout.Little("sample.length", "Length", 2, 2, field.Dec),
		layout.Opaque("sample.tag", "Tag", 4, 2),
	)
	header := []byte{2, 0xa5, 0x34, 0x12, 0xca, 0xfe}
	for i := range t.Fields {
		f := &t.Fields[i]
		fmt.Printf("%s %s\n", f.Label, f.AppendValue(nil, header))
	}
	for v := range t.Fields[0].Known {
		fmt.Println(v, t.Fields[0].Names(v))
	}
	// Output:
	// Kind 0x02
	// Flags 0x5
	// Length 4660
	// Tag cafe
	// 1 Request
	// 2 Response
}

func TestListed(t *testing.T) {
	if got := slices.Collect(layout.Listed([]string{"", "one", "", "three"})); !slices.Equal(got, []uint64{1, 3}) {
		t.Errorf("%d", got)
	}
}

// TestEnough stops in the middle of a sequence.
func TestEnough(t *testing.T) {
	names := map[uint64]string{5: "five", 3: "three", 4: "four"}
	for v := range layout.Keys(names, func(v uint64) uint64 { return v }) {
		if v == 4 {
			break
		}
		if v != slices.Min(slices.Collect(maps.Keys(names))) {
			t.Errorf("%d comes first", v)
		}
	}
	for v := range layout.Listed([]string{"zero", "one"}) {
		if v == 0 {
			break
		}
	}
}
