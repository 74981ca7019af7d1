package field_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
)

var kinds = field.Enum{Kind: "Kind", Values: []field.Value{{1, "Request"}, {2, "Response"}, {9, "Goodbye"}}}

func TestEnum(t *testing.T) {
	for v, want := range map[uint64]string{0: "Kind0", 1: "Request", 2: "Response", 3: "Kind3", 9: "Goodbye", 10: "Kind10"} {
		if got := kinds.Name(v); got != want || kinds.Has(v) != (want[0] != 'K') {
			t.Errorf("%d is called %s, want %s", v, got, want)
		}
	}
	if got := (&field.Enum{}).Name(0x2f); got != "0x2f" {
		t.Errorf("a value without a name and kind is called %s", got)
	}
	if got := slices.Collect(kinds.Known()); !slices.Equal(got, []uint64{1, 2, 9}) {
		t.Errorf("known values: %d", got)
	}
	for range kinds.Known() {
		break
	}
	if allocs := testing.AllocsPerRun(100, func() { kinds.Name(9) }); allocs != 0 {
		t.Errorf("a name costs %v allocations", allocs)
	}
}

func TestListed(t *testing.T) {
	if got := slices.Collect(field.Listed([]string{"", "one", "", "three"})); !slices.Equal(got, []uint64{1, 3}) {
		t.Errorf("%d", got)
	}
	for range field.Listed([]string{"zero", "one"}) {
		break
	}
}

func ExampleNewTable() {
	header := field.NewTable("Sample header", "sample", "nowhere",
		field.Big("sample.kind", "Kind", 0, 1, field.Hex).Of(&kinds),
		field.Bits("sample.flags", "Flags", 1, 4, 4, field.Hex),
		field.Little("sample.length", "Length", 2, 2, field.Dec),
		field.Opaque("sample.tag", "Tag", 4, 2),
	)
	part := field.Part{Table: header, Octets: []byte{2, 0xa5, 0x34, 0x12, 0xca, 0xfe}}
	for f := range part.Fields() {
		fmt.Printf("%s %s\n", f.Label, part.AppendValue(nil, f))
	}
	fmt.Println(header.Fields[0].Names(2))
	// Output:
	// Kind 0x02
	// Flags 0x5
	// Length 4660
	// Tag cafe
	// Response
}

func TestPart(t *testing.T) {
	p := field.Part{Table: table, Octets: make([]byte, 12), Off: 4, Omit: table.Lookup("sample.b")}
	var names []string
	for f := range p.Fields() {
		names = append(names, f.Label)
	}
	if want := []string{"A", "C", "D", "E"}; !slices.Equal(names, want) || p.End() != 16 {
		t.Errorf("%s up to %d, want %s", names, p.End(), want)
	}
	for range p.Fields() {
		break
	}
	list := field.Part{Table: table, Octets: []byte{0x80}, List: true, Count: 3}
	if got := string(list.AppendValue(nil, table.Lookup("sample.a"))); got != "3" {
		t.Errorf("a list of 3 elements shows %s", got)
	}
	if _, ok := list.Value(table.Lookup("sample.d")); ok {
		t.Error("a field that is not there has a value")
	}
	if got := string(p.AppendValue(nil, table.Lookup("sample.f"))); got != "" {
		t.Errorf("octets that are not there are %s", got)
	}
}
