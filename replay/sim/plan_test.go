package sim_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// operations are all that an Act can do.
var operations = []any{
	sim.Begin{}, sim.Listen{}, sim.Accept{}, sim.Reject{}, sim.Stream{}, sim.Post{}, sim.Store{}, sim.Withdraw{},
	sim.Hold{}, sim.Pause{}, sim.Close{}, sim.Abort{},
}

// TestPlanHoldsNoHeaders visits all types that a Plan consists of. Neither those of the codecs nor actions of a Scenario
// are among them.
func TestPlanHoldsNoHeaders(t *testing.T) {
	seen := make(map[reflect.Type]bool)
	var visit func(path string, of reflect.Type)
	visit = func(path string, of reflect.Type) {
		if seen[of] {
			return
		}
		seen[of] = true
		pkg, name := of.PkgPath(), of.Name()
		switch {
		case strings.Contains(pkg, "/codec/"):
			t.Errorf("%s is a %s", path, of)
		case strings.HasSuffix(pkg, "/scenario") && (name == "Step" || name == "Field" || name == "Fields"):
			t.Errorf("%s is a %s", path, of)
		}
		switch of.Kind() {
		case reflect.Interface:
			if of != reflect.TypeFor[sim.Operation]() {
				t.Errorf("%s can be anything", path)
			}
		case reflect.Pointer, reflect.Slice, reflect.Array:
			visit(path, of.Elem())
		case reflect.Map:
			visit(path, of.Key())
			visit(path, of.Elem())
		case reflect.Struct:
			for i := range of.NumField() {
				visit(path+"."+of.Field(i).Name, of.Field(i).Type)
			}
		}
	}
	visit("Plan", reflect.TypeFor[sim.Plan]())
	for _, d := range operations {
		visit(reflect.TypeOf(d).Name(), reflect.TypeOf(d))
	}
	if len(seen) < 30 {
		t.Errorf("only %d types were seen", len(seen))
	}
}

// planOf returns the Plan of the server in a capture with one connection.
func planOf(t *testing.T, name string) *sim.Plan {
	t.Helper()
	s, _ := compiled(t, find(t, name))
	return sim.NewPlan(s.Conns[0], scenario.Server)
}

const (
	local  = rnicsim.LocalRead | rnicsim.LocalWrite
	reads  = local | rnicsim.RemoteRead
	writes = local | rnicsim.RemoteWrite
)

// TestRegions checks the regions of servers that refused something, or did not.
func TestRegions(t *testing.T) {
	for name, want := range map[string]struct {
		length uint64
		rights rnicsim.Rights
	}{
		"sendinv-crc1":         {65536, writes},
		"term-write-badkey":    {1 << 20, local},
		"term-write-noaccess":  {1 << 20, local},
		"term-write-oob-multi": {4096, writes},
		"term-write-wrap":      {4096, writes},
		"term-read-oob":        {4096, reads},
		"term-read-badkey":     {1 << 20, local},
		"term-read-noaccess":   {1 << 20, reads},
	} {
		p := planOf(t, name)
		if r := p.Regions[0]; r.Length != want.length || r.Rights != want.rights {
			t.Errorf("%s: %d octets for %v, want %d for %v", name, r.Length, r.Rights, want.length, want.rights)
		}
	}
}

// TestReceives checks the Receives of a server.
func TestReceives(t *testing.T) {
	for name, want := range map[string][]sim.Receive{
		"term-write-badkey":       {{Length: 4}},
		"term-send-nobuf":         nil,
		"term-send-badrecvlkey":   {{Length: 64, Broken: true}},
		"term-send-toolong-multi": {{Length: 2848}},
		"sendinvse-crc0":          {{}},
	} {
		if got := planOf(t, name).Receives; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestContents checks that the server's memory holds what the client has read.
func TestContents(t *testing.T) {
	r := planOf(t, "p2p-crc").Regions[0]
	if len(r.Contents) != 1 || r.Contents[0].At != 0 || r.Contents[0].Octets.Len() != 100 {
		t.Errorf("the region holds %+v", r.Contents)
	}
}
