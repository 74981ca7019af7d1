package rnicsim

import "testing"

// An accessCase is an access of the peer, and the fault that it meets.
type accessCase struct {
	name   string
	change func(w *world, a *accessed)
	want   fault
}

// An accessed is an access by the QP of the PD to the whole region, which needs remote rights.
type accessed struct {
	q      *QP
	stag   STag
	to, n  uint64
	rights Rights
}

var remoteAccesses = []accessCase{
	{"all", func(*world, *accessed) {}, faultless},
	{"last octet", func(_ *world, a *accessed) { a.to, a.n = worldBase+worldLen-1, 1 }, faultless},
	{"other QP of the PD", func(w *world, a *accessed) { a.q = w.beside }, faultless}, // V-199
	{"STag 0", func(_ *world, a *accessed) { a.stag, a.to = 0, 0x10000 }, faultSTag},  // V-155
	{"index 0 with a key", func(_ *world, a *accessed) { a.stag = 0x11 }, faultSTag},
	{"key", func(_ *world, a *accessed) { a.stag ^= 1 }, faultSTag}, // V-183
	{"index", func(_ *world, a *accessed) { a.stag ^= 1 << 8 }, faultSTag},
	{"Invalid", func(w *world, a *accessed) { w.qp.access.invalidate(w.region, false) }, faultSTag}, // V-159 V-205
	{"never Valid", func(w *world, a *accessed) { a.stag = w.allocated }, faultSTag},
	{"gone", func(w *world, a *accessed) { w.r.Deallocate(w.region) }, faultSTag}, // V-209
	{"PD", func(w *world, a *accessed) { a.q = w.foreign }, faultPD},              // V-019
	{"no right to read", func(w *world, a *accessed) { a.stag = w.limited(RemoteWrite) }, faultRights},
	{"no right to write", func(w *world, a *accessed) { a.stag, a.rights = w.limited(RemoteRead), RemoteWrite }, faultRights}, // V-188
	{"one of two rights", func(w *world, a *accessed) { a.stag, a.rights = w.limited(RemoteRead), RemoteRead|RemoteWrite }, faultRights},
	{"local rights only", func(w *world, a *accessed) { a.stag = w.limited(0) }, faultRights}, // V-189
	{"octet before", func(_ *world, a *accessed) { a.to-- }, faultBounds},                     // V-294
	{"octet after", func(_ *world, a *accessed) { a.n++ }, faultBounds},
	{"behind", func(_ *world, a *accessed) { a.to, a.n = worldBase+worldLen, 1 }, faultBounds},
	{"far before", func(_ *world, a *accessed) { a.to, a.n = 0, 1 }, faultBounds},
	{"up to 2^64", func(_ *world, a *accessed) { a.to, a.n = 1<<64-1, 1 }, faultBounds},
	{"beyond 2^64", func(_ *world, a *accessed) { a.to, a.n = 1<<64-1, 2 }, faultWrap}, // V-213
	{"from within beyond 2^64", func(_ *world, a *accessed) { a.n = 1<<64 - worldBase + 1 }, faultWrap},

	// of several faults the first
	{"key before PD", func(w *world, a *accessed) { a.q, a.stag = w.foreign, a.stag^1 }, faultSTag},
	{"PD before rights", func(w *world, a *accessed) { a.q, a.stag = w.foreign, w.limited(0) }, faultPD},
	{"rights before bounds", func(w *world, a *accessed) { a.stag, a.to = w.limited(0), 0 }, faultRights},
	{"rights before wrap", func(w *world, a *accessed) { a.stag, a.to = w.limited(0), 1<<64-1 }, faultRights},

	// no octets: nothing is checked: V-200 V-225
	{"nothing of STag 0", func(_ *world, a *accessed) { a.stag, a.n = 0, 0 }, faultless},
	{"nothing of a wrong key", func(w *world, a *accessed) { a.stag, a.n, a.q = a.stag^1, 0, w.foreign }, faultless},
	{"nothing outside", func(_ *world, a *accessed) { a.to, a.n = 1<<64-1, 0 }, faultless},

	// windows: V-020 V-225
	{"window", func(w *world, a *accessed) { a.stag = w.window.WithKey(0x22) }, faultless},
	{"window, other QP", func(w *world, a *accessed) { a.stag, a.q = w.window.WithKey(0x22), w.beside }, faultPD},
	{"window, key", func(w *world, a *accessed) { a.stag = w.window.WithKey(0x23) }, faultSTag},
	{"window, Invalid", func(w *world, a *accessed) {
		a.stag = w.window.WithKey(0x22)
		w.qp.access.invalidate(a.stag, true)
	}, faultSTag},
	{"window, gone", func(w *world, a *accessed) {
		a.stag = w.window.WithKey(0x22)
		w.r.Deallocate(a.stag)
	}, faultSTag},
	{"window, octet after", func(w *world, a *accessed) { a.stag, a.n = w.window.WithKey(0x22), worldLen+1 }, faultBounds},
}

// limited registers the world's memory with all local rights, and some remote ones.
func (w *world) limited(remote Rights) STag {
	return must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.Rights = LocalRead | LocalWrite | remote })))
}

// V-019 V-020 V-155 V-159 V-161 V-183 V-188 V-189 V-199 V-200 V-205 V-209 V-213 V-225 V-294: what a peer may use, and
// which of several faults is found first.
func TestRemoteAccess(t *testing.T) {
	for _, c := range remoteAccesses {
		w := newWorld(t)
		w.bound(t)
		a := accessed{w.qp, w.region, worldBase, worldLen, RemoteRead}
		if c.name == "Invalid" || c.name == "gone" { // windows would keep it
			w.r.Deallocate(w.window)
		}
		c.change(w, &a)
		p, offset, f := a.q.access.remote(a.stag, a.to, a.n, a.rights)
		if f != c.want {
			t.Errorf("%s: %v, want %v", c.name, f, c.want)
		}
		if f == faultless && a.n > 0 && len(p.append(nil, offset, int(a.n))) != int(a.n) {
			t.Errorf("%s: the octets are not there", c.name)
		}
	}
}

// V-191 V-222 V-225: a window's rights count, and not those of its region.
func TestWindowIgnoresRegion(t *testing.T) {
	w := newWorld(t)
	local := must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.RemoteAccess, g.Rights = false, LocalWrite|BindWindows })))
	b := &Bind{Window: w.window, Region: local, VA: worldBase, Length: 10, Rights: RemoteWrite}
	if s := w.qp.access.bind(b); s != Success {
		t.Fatal(s)
	}
	for rights, want := range map[Rights]fault{RemoteWrite: faultless, RemoteRead: faultRights} {
		if _, _, f := w.qp.access.remote(b.Window, worldBase, 10, rights); f != want {
			t.Errorf("%v: %v, want %v", rights, f, want)
		}
	}
}

// V-153 V-154 V-161 V-186 V-199 V-200 V-213 V-239 V-240: what a Scatter/Gather Element may name.
func TestLocalAccess(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(w *world, q **QP, e *SGE, right *Rights)
		want   fault
	}{
		{"all", func(*world, **QP, *SGE, *Rights) {}, faultless},
		{"to write", func(_ *world, _ **QP, _ *SGE, right *Rights) { *right = LocalWrite }, faultless},
		{"unknown", func(_ *world, _ **QP, e *SGE, _ *Rights) { e.STag ^= 1 << 20 }, faultSTag},
		{"key", func(_ *world, _ **QP, e *SGE, _ *Rights) { e.STag ^= 2 }, faultSTag},
		{"Invalid", func(w *world, _ **QP, e *SGE, _ *Rights) { e.STag = w.allocated }, faultSTag},
		{"window", func(w *world, _ **QP, e *SGE, _ *Rights) { e.STag = w.bound(t) }, faultSTag},
		{"PD", func(w *world, q **QP, _ *SGE, _ *Rights) { *q = w.foreign }, faultPD},
		{"cannot be read", func(w *world, _ **QP, e *SGE, _ *Rights) { e.STag = w.localOnly(LocalWrite) }, faultRights},
		{"cannot be written", func(w *world, _ **QP, e *SGE, right *Rights) {
			e.STag, *right = w.localOnly(LocalRead), LocalWrite
		}, faultRights},
		{"local right suffices", func(w *world, _ **QP, e *SGE, _ *Rights) { e.STag = w.localOnly(LocalRead) }, faultless},
		{"octet before", func(_ *world, _ **QP, e *SGE, _ *Rights) { e.TO-- }, faultBounds},
		{"octet after", func(_ *world, _ **QP, e *SGE, _ *Rights) { e.Len++ }, faultBounds},
		{"wrap", func(_ *world, _ **QP, e *SGE, _ *Rights) { e.TO = 1<<64 - 1 }, faultWrap},
		{"nothing, whatever it names", func(w *world, q **QP, e *SGE, _ *Rights) {
			*e, *q = SGE{STag: 0xdead00, TO: 1 << 63}, w.foreign
		}, faultless},

		{"STag 0", func(_ *world, _ **QP, e *SGE, _ *Rights) { *e = SGE{0, 0x10fff, 2} }, faultless},
		{"STag 0 to write", func(_ *world, _ **QP, e *SGE, right *Rights) { *e, *right = SGE{0, 0x20000, 4096}, LocalWrite }, faultless},
		{"STag 0 of any PD", func(w *world, q **QP, e *SGE, _ *Rights) { *e, *q = SGE{0, 0x10000, 1}, w.foreign }, faultless},
		{"STag 0 without leave", func(w *world, q **QP, e *SGE, _ *Rights) {
			*e = SGE{0, 0x10000, 1}
			(*q).access.privileged = false
		}, faultSTag},
		{"STag 0, no memory", func(_ *world, _ **QP, e *SGE, _ *Rights) { *e = SGE{0, 0x11fff, 2} }, faultBounds},
		{"STag 0, wrap", func(_ *world, _ **QP, e *SGE, _ *Rights) { *e = SGE{0, 1<<64 - 1, 2} }, faultWrap},
		{"STag 0 with a key", func(_ *world, _ **QP, e *SGE, _ *Rights) { e.STag = 1 }, faultSTag},
		{"nothing of STag 0 without leave", func(w *world, q **QP, e *SGE, _ *Rights) {
			*e = SGE{}
			(*q).access.privileged = false
		}, faultless},
	} {
		w := newWorld(t)
		q, e, right := w.qp, SGE{w.region, worldBase, worldLen}, LocalRead
		c.change(w, &q, &e, &right)
		p, offset, f := q.access.local(q.config.PD, &e, right)
		if f != c.want {
			t.Errorf("%s: %v, want %v", c.name, f, c.want)
		}
		if f == faultless && e.Len > 0 && len(p.append(nil, offset, int(e.Len))) != int(e.Len) {
			t.Errorf("%s: the octets are not there", c.name)
		}
	}
}

func (w *world) localOnly(rights Rights) STag {
	return must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.Rights = rights })))
}

// V-119 V-153: with an S-RQ it is that one's PD that counts; STag 0 belongs to none.
func TestLocalAccessOfSRQ(t *testing.T) {
	w := newWorld(t)
	if _, _, f := w.foreign.access.local(w.pd, &SGE{w.region, worldBase, 1}, LocalWrite); f != faultless {
		t.Error(f)
	}
	if _, _, f := w.qp.access.local(w.other, &SGE{w.region, worldBase, 1}, LocalWrite); f != faultPD {
		t.Error(f)
	}
}

// STag 0 is the memory itself, across all that lies side by side.
func TestPhysicalOctets(t *testing.T) {
	w := newWorld(t)
	p, offset, f := w.qp.access.local(w.pd, &SGE{0, 0x10ffe, 4}, LocalWrite)
	if f != faultless {
		t.Fatal(f)
	}
	p.put(offset, []byte{1, 2, 3, 4})
	if a, b := w.pages[0x10000], w.pages[0x11000]; a[0xffe] != 1 || a[0xfff] != 2 || b[0] != 3 || b[1] != 4 {
		t.Error("octets went elsewhere")
	}
	p, offset, _ = w.qp.access.local(w.pd, &SGE{0, 0x20000, 1}, LocalWrite)
	if p.put(offset, []byte{5}); w.pages[0x20000][0] != 5 || w.pages[0x10000][0xffe] != 1 {
		t.Error("the next octet went to where the last ones were")
	}
}

// V-213: a region may end at 2^64, where its last octet has a TO.
func TestRegionUpToTheEnd(t *testing.T) {
	w := newWorld(t)
	const base = 1<<64 - worldLen
	s := must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.VA = base })))
	for _, c := range []struct {
		to, n uint64
		want  fault
	}{
		{base, worldLen, faultless}, {1<<64 - 1, 1, faultless}, {1<<64 - 1, 2, faultWrap}, {base - 1, 1, faultBounds}, {0, 1, faultBounds},
	} {
		if _, _, f := w.qp.access.remote(s, c.to, c.n, RemoteRead); f != c.want {
			t.Errorf("%d octets at 0x%x: %v, want %v", c.n, c.to, f, c.want)
		}
	}
}

// RDMAPX-5.2.1-13 RDMAPX-8.2-4: the address of the octets has to be aligned for an Atomic, not their TO.
func TestAligned(t *testing.T) {
	w := newBlockWorld(t)
	odd := must(w.r.RegisterMR(w.pd, Registration{
		PBL:       PBL{EntrySize: 100, Entries: []uint64{0x10001, 0x20004}, FBO: 3, Length: 197},
		ZeroBased: true, Rights: allRights, RemoteAccess: true,
	}))
	window := w.bound(t)
	for _, c := range []struct {
		name string
		stag STag
		to   uint64
		want bool
	}{
		{"page", w.region, worldBase + 8, true}, {"page", w.region, worldBase + 4, false},
		{"block", odd, 4, true}, {"block", odd, 0, false}, {"block", odd, 8, false},
		{"second block", odd, 97 + 4, true}, {"second block", odd, 97, false},
		{"window", window, worldBase + 16, true}, {"window", window, worldBase + 1, false},
		{"right after", odd, 197, false}, {"outside", odd, 200, true}, {"outside", odd, 201, false}, {"before", w.region, 8, true},
	} {
		if got := w.r.lookup(c.stag).aligned(c.to); got != c.want {
			t.Errorf("%s, TO %d: %v", c.name, c.to, got)
		}
	}
}
