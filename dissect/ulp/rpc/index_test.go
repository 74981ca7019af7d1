package rpc

import (
	"math/rand/v2"
	"testing"
)

// TestIndex compares an index with a map, with few keys and with many, and with keys that follow each other.
func TestIndex(t *testing.T) {
	for _, keys := range []uint32{3, 40, 5000} {
		var x index[uint64]
		model := map[uint32]uint64{}
		r := rand.New(rand.NewPCG(1, uint64(keys)))
		for step := range uint64(20_000) {
			key := r.Uint32N(keys) << (8 * (keys & 1))
			if r.Uint32N(3) == 0 {
				x.remove(key)
				delete(model, key)
			} else {
				x.set(key, step+1)
				model[key] = step + 1
			}
			if probe := r.Uint32N(keys) << (8 * (keys & 1)); x.get(probe) != model[probe] {
				t.Fatalf("step %d: %d of key %d, not %d", step, x.get(probe), probe, model[probe])
			}
			if x.n != len(model) || 2*x.n > len(x.slots) {
				t.Fatalf("step %d: %d keys in %d slots, not %d", step, x.n, len(x.slots), len(model))
			}
		}
		for key, v := range model {
			if x.get(key) != v {
				t.Errorf("%d of key %d, not %d", x.get(key), key, v)
			}
		}
		if x.reset(); x.n != 0 || len(x.slots) > maxIdleSlots {
			t.Errorf("%d keys in %d slots after a reset", x.n, len(x.slots))
		}
		for key := range model {
			if x.get(key) != 0 {
				t.Fatalf("key %d after a reset", key)
			}
		}
	}
}

// TestDeadRegions looks which dead regions are found: the latest one that fits, and none that others have pushed out.
func TestDeadRegions(t *testing.T) {
	var g deadRegions
	end := func(stag uint32, offset uint64, xid uint32) {
		r := &region{xid: xid, ended: ended{frame: uint64(xid)}}
		r.Handle, r.Offset, r.Length = stag, offset, 100
		g.add(r)
	}
	look := func(stag uint32, offset uint64, want uint32) {
		t.Helper()
		xid := uint32(0)
		if d := g.find(stag, offset); d != nil {
			xid = d.xid
		}
		if xid != want {
			t.Errorf("STag %d at %d: XID %d, not %d", stag, offset, xid, want)
		}
	}
	end(7, 0, 1)
	end(7, 50, 2)
	end(8, 0, 3)
	look(7, 10, 1)
	look(7, 60, 2)
	look(7, 150, 0)
	look(9, 0, 0)
	for i := range uint32(maxDead - 2) {
		end(1000+i, 0, 10)
	}
	look(7, 10, 0)
	look(7, 60, 2)
	end(2, 0, 11)
	end(2, 0, 12)
	look(7, 60, 0)
	look(8, 0, 0)
	look(2, 99, 12)
	if g.byTag.n != maxDead-1 {
		t.Errorf("%d STags", g.byTag.n)
	}
}
