package rnicsim

import "testing"

// V-150 V-152: 24 bits of index, which is never 0, and 8 bits of key.
func TestSTagLayout(t *testing.T) {
	s := STag(0x12345678)
	if s.Index() != 0x12345600 || s.Key() != 0x78 || s.WithKey(0x9a) != 0x1234569a {
		t.Errorf("index %x key %x, with another key %x", s.Index(), s.Key(), s.WithKey(0x9a))
	}
}

// V-150 V-151 V-152 V-166 V-167 V-172: the key is the Consumer's and the index the RNIC's, wherever an STag comes from.
func TestSTagKeys(t *testing.T) {
	w := newWorld(t)
	g := w.with(func(g *Registration) { g.Key = 0xab })
	registered := must(w.r.RegisterMR(w.pd, g))
	g.Key = 0xcd
	reregistered := must(w.r.ReregisterMR(registered, w.pd, g))
	g.Key = 0xef
	shared := must(w.r.RegisterSharedMR(reregistered, w.pd, g))
	octets := must(w.r.RegisterOctets(w.pd, make([]byte, 1), 0, LocalRead, 0x99))
	fast := w.allocated.WithKey(0x77)
	if s := w.qp.access.fastRegister(&WorkRequest{STag: fast, Registration: &g}); s != Success {
		t.Fatal(s)
	}
	for s, key := range map[STag]uint8{reregistered: 0xcd, shared: 0xef, octets: 0x99, fast: 0x77} {
		a, err := w.r.QueryMR(s)
		if s.Key() != key || s.Index() == 0 || err != nil || a.Key != key {
			t.Errorf("STag %08x, key %x, %v", s, a.Key, err)
		}
		for _, other := range []STag{s ^ 1, s ^ 0x80} {
			if _, _, f := w.qp.access.remote(other, worldBase, 1, RemoteRead); f != faultSTag { // V-183
				t.Errorf("STag %08x: %v with key %x", s, f, other.Key())
			}
		}
	}
	if w.allocated.Key() != 0 || w.window.Key() != 0 || w.window.Index() == 0 {
		t.Errorf("STags %08x and %08x", w.allocated, w.window)
	}
	if registered.Index() != reregistered.Index() || shared.Index() == reregistered.Index() {
		t.Errorf("STags %08x %08x %08x", registered, reregistered, shared)
	}
}

// S9 RDMAP-8.1.1-8 SEC-6.1.1-4 V-184: an index does not tell the next one, nor what another RNIC gives out.
func TestSTagsAreUnpredictable(t *testing.T) {
	const n = 10_000
	r, other := New(Config{Seed: [32]byte{1}}), New(Config{Seed: [32]byte{2}})
	pd, otherPD := must(r.AllocatePD()), must(other.AllocatePD())
	var last, lastStep STag
	var ones [24]int
	seen, steps, same := map[STag]int{}, 0, 0
	for range n {
		s := must(r.AllocateMR(pd, 0, true))
		if s == must(other.AllocateMR(otherPD, 0, true)) {
			same++
		}
		if s-last == lastStep {
			steps++
		}
		last, lastStep = s, s-last
		seen[s]++
		for bit := range ones {
			ones[bit] += int(s >> (8 + bit) & 1)
		}
		if err := r.Deallocate(s); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) < n-20 || steps > 1 || same > 2 { // of random numbers about 3 are there twice
		t.Errorf("%d different STags of %d, %d steps repeated, %d in step with another RNIC", len(seen), n, steps, same)
	}
	for bit, k := range ones {
		if k < n*45/100 || k > n*55/100 {
			t.Errorf("bit %d is set in %d of %d", bit, k, n)
		}
	}
}

// S9 V-008: STags of before a Close tell nothing of those after it; but who gives the same seed gets the same STags.
func TestSTagsOfTheNextOpening(t *testing.T) {
	first := func(r *RNIC) STag { return must(r.AllocateMR(must(r.AllocatePD()), 0, true)) }
	twice := func() (a, b STag) {
		r := New(Config{})
		a = first(r)
		r.Close()
		return a, first(must(r.Reopen(false)))
	}
	a, b := twice()
	if a == b {
		t.Errorf("STag %08x twice", a)
	}
	if c, d := twice(); c != a || d != b {
		t.Errorf("STags %08x %08x, and %08x %08x from the same seed", a, b, c, d)
	}
}

// However many STags there are, a free index is always found at once.
func TestTooManySTags(t *testing.T) {
	r := New(Config{Limits: Limits{MRs: 1 << 30, PDs: 1}})
	pd := must(r.AllocatePD())
	r.stags.all = make(map[STag]*stag, maxSTags)
	for i := range STag(maxSTags) {
		r.stags.all[i<<8] = nil
	}
	if _, err := r.AllocateMR(pd, 0, false); err != ErrInsufficientResources {
		t.Error(err)
	}
}
