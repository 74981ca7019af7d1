package diff

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// An STag that was searched in vain costs nothing, until the side says something new.
func TestSearch(t *testing.T) {
	said := match{dir: flow.C2S, a: &step{opaque: strings.Repeat("a", maxOctets)}, b: &step{opaque: strings.Repeat("b", maxOctets)}}
	r := references{comparer: &comparer{shapes: &shapes{all: make([]shape, 1)}, a: new(session), b: new(session)}, misses: [2]map[uint64]int{make(map[uint64]int), nil}}
	used := &memory{stag: new(field.Field), region: region{stag: [2]uint64{0x63636363, 0x64646464}}}
	for range maxOpaque {
		r.step(said)
		if r.search(flow.C2S, used) != nil || testing.AllocsPerRun(10, func() { r.search(flow.C2S, used) }) > 0 {
			t.Fatal("found, or searched for again")
		}
	}
	said.a, said.b = &step{opaque: "the cccc"}, &step{opaque: "the dddd"}
	if r.step(said); r.search(flow.C2S, used) == nil {
		t.Error("not found where it was said later")
	}
}
