package rnicsim

import (
	"bytes"
	"testing"
)

// V-181 V-185 V-187: figure 18: at least one local right, and no remote one without the local one.
func TestRightsOfRegion(t *testing.T) {
	const lr, lw, rr, rw = LocalRead, LocalWrite, RemoteRead, RemoteWrite
	valid := map[Rights]bool{
		lr: true, lr | rr: true, lw: true, lw | rw: true,
		lr | lw: true, lr | lw | rr: true, lr | lw | rw: true, lr | lw | rr | rw: true,
	}
	for rights := range BindWindows {
		for _, bind := range []Rights{0, BindWindows} {
			for _, flag := range []bool{false, true} {
				w := newWorld(t)
				_, err := w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.Rights, g.RemoteAccess = rights|bind, flag }))
				want := valid[rights] && (flag || rights.remote() == 0) // V-177 V-182
				if (err == nil) != want || err != nil && err != ErrInvalidAccess {
					t.Errorf("%v, flag %v: %v", rights|bind, flag, err)
				}
			}
		}
	}
	if s := (LocalRead | RemoteWrite | BindWindows).String(); s != "local read, remote write, bind" {
		t.Error(s)
	}
}

// V-163 V-194 V-195: where the octets of a region are, by TO.
func TestTaggedOffsets(t *testing.T) {
	for _, c := range []struct {
		name     string
		zero     bool
		va, fbo  uint64
		base, to uint64 // of the first octet; and one
		page     uint64 // where that lies
		within   int
	}{
		{"VA", false, 0x7000, 0, 0x7000, 0x7001, 0x20000, 1},
		{"VA in the second page", false, 0x7000, 0, 0x7000, 0x8001, 0x10000, 1},
		{"VA with an offset", false, 0x7abc, 0xabc, 0x7abc, 0x7abc, 0x20000, 0xabc},
		{"VA above 32 bits", false, 1<<63 + 0x7abc, 0xabc, 1<<63 + 0x7abc, 1<<63 + 0x8000, 0x10000, 0},
		{"zero", true, 0x123, 0, 0, 5, 0x20000, 5},
		{"zero with an offset", true, 0, 0xabc, 0, 0x544, 0x10000, 0},
	} {
		w := newWorld(t)
		s, err := w.r.RegisterMR(w.pd, w.with(func(g *Registration) {
			g.PBL = PBL{EntrySize: memoryPage, Entries: []uint64{0x20000, 0x10000}, FBO: c.fbo, Length: 2*memoryPage - c.fbo}
			g.ZeroBased, g.VA = c.zero, c.va
		}))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p, offset, f := w.qp.access.remote(s, c.to, 1, RemoteWrite)
		if f != faultless {
			t.Errorf("%s: %v", c.name, f)
			continue
		}
		if p.put(offset, []byte{0xee}); w.pages[c.page][c.within] != 0xee {
			t.Errorf("%s: the octet went elsewhere", c.name)
		}
		end := c.base + 2*memoryPage - c.fbo
		for _, to := range []uint64{c.base - 1, end} {
			if _, _, f := w.qp.access.remote(s, to, 1, RemoteWrite); f != faultBounds {
				t.Errorf("%s: %v at 0x%x", c.name, f, to)
			}
		}
	}
}

// V-164 V-165: an STag that was allocated is Invalid, and keeps what it was allocated with.
func TestAllocateMR(t *testing.T) {
	w := newWorld(t)
	for _, flag := range []bool{false, true} {
		s := must(w.r.AllocateMR(w.other, 3, flag))
		a, err := w.r.QueryMR(s)
		if want := (STagAttributes{PD: w.other.ID(), Entries: 3, RemoteAccess: flag}); a != want || err != nil {
			t.Errorf("%+v, %v", a, err)
		}
		if _, _, f := w.foreign.access.remote(s, 0, 1, RemoteRead); f != faultSTag { // V-159
			t.Errorf("%v for an Invalid STag", f)
		}
		if _, err := w.r.ReregisterMR(s, w.other, w.registration()); err != nil {
			t.Error(err)
		}
	}
}

// V-166 V-201: Query MR returns what was registered.
func TestQueryMR(t *testing.T) {
	w := newWorld(t)
	a, err := w.r.QueryMR(w.region.Index())
	want := STagAttributes{Valid: true, Key: 0x11, RemoteAccess: true, PD: w.pd.ID(), Entries: 2, Rights: allRights}
	if a != want || err != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if i := w.qp.access.invalidate(w.region, false); i != invalidated {
		t.Fatal(i)
	}
	want.Valid, want.Key = false, 0
	if a, err := w.r.QueryMR(w.region); a != want || err != nil {
		t.Errorf("%+v, %v", a, err) // V-204
	}
}

// V-162: a registration that fails for want of resources leaves nothing behind.
func TestRegisterWithoutRoom(t *testing.T) {
	w := newWorld(t)
	for range worldLimits.MRs - 2 {
		must(w.r.RegisterMR(w.pd, w.registration()))
	}
	before := w.dump()
	for _, register := range []func() (STag, error){
		func() (STag, error) { return w.r.RegisterMR(w.pd, w.registration()) },
		func() (STag, error) { return w.r.RegisterOctets(w.pd, make([]byte, 1), 0, LocalRead, 0) },
		func() (STag, error) { return w.r.RegisterSharedMR(w.region, w.pd, w.registration()) },
		func() (STag, error) { return w.r.AllocateMR(w.pd, 1, true) },
	} {
		if s, err := register(); s != 0 || err != ErrInsufficientResources {
			t.Errorf("STag %x, %v", s, err)
		}
	}
	if after := w.dump(); after != before {
		t.Errorf("changed from\n%sto\n%s", before, after)
	}
}

// V-167 V-169 V-170 V-182: a region becomes another one, in any state, any number of times.
func TestReregister(t *testing.T) {
	w := newWorld(t)
	s := w.region
	for i, g := range []Registration{
		w.with(func(g *Registration) { g.Rights, g.RemoteAccess, g.Key = LocalRead, false, 1 }),
		w.with(func(g *Registration) { g.ZeroBased, g.Entries, g.Length, g.Key = true, g.Entries[1:], 10, 2 }),
		w.with(func(g *Registration) { g.Entries, g.Key = []uint64{0x10000, 0x11000, 0x20000, 0x30000}, 3 }),
		w.registration(),
	} {
		old, pd := s, []*PD{w.pd, w.other}[i%2]
		s = must(w.r.ReregisterMR(s, pd, g))
		a, err := w.r.QueryMR(s)
		entries := 2
		if i > 1 {
			entries = 4
		}
		want := STagAttributes{Valid: true, Key: g.Key, RemoteAccess: g.RemoteAccess, PD: pd.ID(), Entries: entries, Rights: g.Rights}
		if a != want || err != nil {
			t.Errorf("%d: %+v, want %+v, %v", i, a, want, err)
		}
		q := []*QP{w.qp, w.foreign}[i%2]
		if _, _, f := q.access.remote(old, g.base(), 1, 0); f != faultSTag {
			t.Errorf("%d: the old STag is as good: %v", i, f)
		}
		if _, _, f := q.access.remote(s, g.base()+g.Length-1, 1, 0); f != faultless {
			t.Errorf("%d: %v", i, f)
		}
		if i%2 == 0 && q.access.invalidate(s, false) != invalidated { // from Invalid it is the same
			t.Errorf("%d: cannot be invalidated", i)
		}
	}
	if w.pd.users != 4 || w.other.users != 2 {
		t.Errorf("PDs have %d and %d users", w.pd.users, w.other.users)
	}
}

// V-168: a mistake in the new registration destroys the old one.
func TestReregisterFails(t *testing.T) {
	for _, c := range []struct {
		want   ImmediateError
		noPD   bool
		change func(*Registration)
	}{
		{ErrInvalidPD, true, func(*Registration) {}},
		{ErrInsufficientResources, false, func(g *Registration) { g.Entries = make([]uint64, 5) }},
		{ErrInvalidEntrySize, false, func(g *Registration) { g.EntrySize-- }},
		{ErrInvalidFBO, false, func(g *Registration) { g.FBO = memoryPage }},
		{ErrInvalidLength, false, func(g *Registration) { g.Length++ }},
		{ErrInvalidPBLEntry, false, func(g *Registration) { g.Entries[0]++ }},
		{ErrInvalidPBLEntry, false, func(g *Registration) { g.Entries[0] = 0x50000 }},
		{ErrInvalidVA, false, func(g *Registration) { g.VA++ }},
		{ErrInvalidAccess, false, func(g *Registration) { g.RemoteAccess = false }},
	} {
		w := newWorld(t)
		users, pd := w.pd.users, w.pd
		if c.noPD {
			pd = nil
		}
		if _, err := w.r.ReregisterMR(w.region, pd, w.with(c.change)); err != c.want {
			t.Errorf("%v, want %v", err, c.want)
		}
		if _, err := w.r.QueryMR(w.region); err != ErrInvalidSTag || w.pd.users != users-1 || w.r.stags.regions != 1 {
			t.Errorf("%v: the region is left, %v", c.want, err)
		}
		if _, _, f := w.qp.access.remote(w.region, worldBase, 1, RemoteRead); f != faultSTag {
			t.Errorf("%v: %v", c.want, f)
		}
	}
}

// V-160 V-172 V-173 V-192: a Shared Memory Region has its own STag, rights, PD and TO on the same memory, and makes the
// other one shared too, for good.
func TestRegisterShared(t *testing.T) {
	w := newWorld(t)
	before := must(w.r.QueryMR(w.region))
	window := w.bound(t)
	shared := must(w.r.RegisterSharedMR(w.region, w.other, Registration{ZeroBased: true, Key: 0x55, Rights: LocalRead}))
	third := must(w.r.RegisterSharedMR(shared, w.pd, Registration{VA: 0x3000, RemoteAccess: true, Rights: LocalWrite | RemoteWrite}))
	before.Shared = true
	if a := must(w.r.QueryMR(w.region)); a != before {
		t.Errorf("%+v became %+v", before, a)
	}
	want := STagAttributes{Valid: true, Shared: true, Key: 0x55, PD: w.other.ID(), Entries: 2, Rights: LocalRead}
	if a := must(w.r.QueryMR(shared)); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
	p, offset, f := w.qp.access.remote(third, 0x3000+memoryPage, 1, RemoteWrite)
	if f != faultless {
		t.Fatal(f)
	}
	p.put(offset, []byte{0x77})
	if got, _ := w.read(w.foreign, shared, memoryPage, 1); !bytes.Equal(got, []byte{0x77}) || w.pages[0x30000][0] != 0x77 {
		t.Errorf("% x at the same place", got)
	}
	if _, _, f := w.qp.access.remote(window, worldBase, 1, RemoteRead); f != faultless {
		t.Errorf("the window of before: %v", f)
	}
	for _, s := range []STag{w.region, shared, third} {
		if _, err := w.r.ReregisterMR(s, w.pd, w.registration()); err != ErrInvalidSTag {
			t.Errorf("reregistered: %v", err)
		}
	}
	if err := w.r.Deallocate(shared); err != nil { // V-160: the others are not affected
		t.Fatal(err)
	}
	for _, s := range []STag{third, w.region} {
		if a := must(w.r.QueryMR(s)); !a.Valid || !a.Shared {
			t.Errorf("%+v", a)
		}
	}
}

// read reads through an STag as a local operation does.
func (w *world) read(q *QP, s STag, to uint64, n uint32) ([]byte, fault) {
	p, offset, f := q.access.local(q.config.PD, &SGE{s, to, n}, LocalRead)
	if f != faultless {
		return nil, f
	}
	return p.append(nil, offset, int(n)), f
}

// V-192 V-203 V-205: regions may overlap, and are independent.
func TestOverlap(t *testing.T) {
	w := newWorld(t)
	same, part := must(w.r.RegisterMR(w.pd, w.registration())), must(w.r.RegisterMR(w.other, w.with(func(g *Registration) {
		g.Entries, g.Length, g.ZeroBased = g.Entries[:1], 10, true
	})))
	if same.Index() == w.region.Index() || part.Index() == same.Index() {
		t.Error("one STag for two regions")
	}
	copy(w.pages[0x10000], "shared")
	if i := w.qp.access.invalidate(same, false); i != invalidated {
		t.Fatal(i)
	}
	if err := w.r.Deallocate(part); err != nil {
		t.Fatal(err)
	}
	if got, f := w.read(w.qp, w.region, worldBase, 6); string(got) != "shared" {
		t.Errorf("%q, %v", got, f)
	}
	if _, f := w.read(w.qp, same, worldBase, 1); f != faultSTag {
		t.Errorf("%v of an Invalid STag", f)
	}
	if _, f := w.read(w.foreign, part, 0, 1); f != faultSTag { // V-209
		t.Errorf("%v of an STag that is gone", f)
	}
}

// V-209 V-210: a region can be deallocated in any state, with any key.
func TestDeallocate(t *testing.T) {
	w := newWorld(t)
	regions, users := w.r.stags.regions, w.pd.users
	for _, s := range []STag{w.region ^ 0xff, w.allocated ^ 0x12} {
		if err := w.r.Deallocate(s); err != nil {
			t.Error(err)
		}
		if _, err := w.r.QueryMR(s); err != ErrInvalidSTag {
			t.Error(err)
		}
	}
	if w.r.stags.regions != regions-2 || w.pd.users != users-2 {
		t.Errorf("%d regions, %d users", w.r.stags.regions, w.pd.users)
	}
}

// RegisterOctets registers the octets themselves, on any address.
func TestRegisterOctets(t *testing.T) {
	w := newWorld(t)
	octets := make([]byte, 10, 20)
	s := must(w.r.RegisterOctets(w.pd, octets, 0x1ffd, LocalRead|LocalWrite|RemoteWrite, 7))
	if a := must(w.r.QueryMR(s)); a.Entries != 2 || !a.RemoteAccess || a.Key != 7 {
		t.Errorf("%+v", a)
	}
	if _, _, f := w.qp.access.remote(s, 0x1ffd, 11, RemoteWrite); f != faultBounds {
		t.Error(f)
	}
	p, offset, _ := w.qp.access.remote(s, 0x2000, 7, RemoteWrite)
	if p.put(offset, []byte("1234567")); string(octets) != "\x00\x00\x001234567" {
		t.Errorf("%q", octets)
	}
	none := must(w.r.RegisterOctets(w.pd, nil, 0x1000, LocalRead, 7))
	if _, f := w.read(w.qp, none, 0x1000, 1); f != faultBounds {
		t.Errorf("%v in a region of no octets", f)
	}
}

// V-005: blocks have any size up to the largest one.
func TestLargestBlock(t *testing.T) {
	w := newBlockWorld(t)
	for size, want := range map[uint64]error{worldLimits.MaxBlock: nil, worldLimits.MaxBlock + 1: ErrInvalidEntrySize} {
		g := w.with(func(g *Registration) { g.PBL = PBL{EntrySize: size, Entries: []uint64{0x10000}, Length: 8} })
		if _, err := w.r.RegisterMR(w.pd, g); err != want {
			t.Errorf("blocks of %d octets: %v", size, err)
		}
	}
}
