package rnicsim

import "testing"

// A binding is a Bind that is right except for a change, and how it ends.
var bindings = []struct {
	name   string
	change func(w *world, q **QP, b *Bind)
	want   Status
}{
	{"right", func(*world, **QP, *Bind) {}, Success},
	{"zero-based", func(_ *world, _ **QP, b *Bind) { b.ZeroBased = true }, Success},                              // V-219
	{"on the last octet", func(_ *world, _ **QP, b *Bind) { b.VA, b.Length = worldBase+worldLen-1, 1 }, Success}, // V-218
	{"of no octets", func(_ *world, _ **QP, b *Bind) { b.Length = 0 }, Success},
	{"of no octets at the end", func(_ *world, _ **QP, b *Bind) { b.VA, b.Length = worldBase+worldLen, 0 }, Success},
	{"by another QP of the PD", func(w *world, q **QP, _ *Bind) { *q = w.beside }, Success},
	{"on a shared region", func(w *world, _ **QP, b *Bind) { // V-215
		b.Region = must(w.r.RegisterSharedMR(w.region, w.pd, w.with(func(g *Registration) { g.RemoteAccess, g.Rights = false, allRights&^(RemoteRead|RemoteWrite) })))
	}, Success},
	{"on a local region", func(w *world, _ **QP, b *Bind) { // V-222
		b.Region = must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.RemoteAccess, g.Rights = false, LocalRead|LocalWrite|BindWindows })))
	}, Success},

	{"of another PD's QP", func(w *world, q **QP, _ *Bind) { *q = w.foreign }, InvalidPDID}, // V-216
	{"of another PD's window", func(w *world, _ **QP, b *Bind) { b.Window = must(w.r.AllocateMW(w.other)) }, InvalidPDID},
	{"of another PD's region", func(w *world, _ **QP, b *Bind) { b.Region = must(w.r.RegisterMR(w.other, w.registration())) }, InvalidPDID},
	{"without leave of the QP", func(_ *world, q **QP, _ *Bind) { (*q).access.bindWindows = false }, AccessViolation}, // V-217
	{"without leave of the region", func(w *world, _ **QP, b *Bind) {
		b.Region = must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.Rights &^= BindWindows })))
	}, AccessViolation},
	{"of a region", func(w *world, _ **QP, b *Bind) { b.Window = w.region }, InvalidWindow}, // V-223
	{"of STag 0", func(_ *world, _ **QP, b *Bind) { b.Window = 0 }, InvalidWindow},
	{"of a window that is gone", func(w *world, _ **QP, b *Bind) { b.Window = w.freedWindow }, InvalidWindow},
	{"of a bound window", func(w *world, q **QP, b *Bind) { (*q).access.bind(b) }, STagNotInvalid},
	{"on a window", func(w *world, _ **QP, b *Bind) { b.Region = must(w.r.AllocateMW(w.pd)) }, InvalidRegion},
	{"on STag 0", func(_ *world, _ **QP, b *Bind) { b.Region = 0 }, InvalidRegion}, // V-156
	{"on an Invalid region", func(w *world, _ **QP, b *Bind) { b.Region = w.allocated }, InvalidRegion},
	{"with another key", func(_ *world, _ **QP, b *Bind) { b.Region++ }, InvalidRegion},
	{"on a zero-based region", func(w *world, _ **QP, b *Bind) { // V-219
		b.Region, b.VA = must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.ZeroBased = true }))), 0
	}, InvalidRegion},
	{"an octet before", func(_ *world, _ **QP, b *Bind) { b.VA-- }, BaseBounds}, // V-218
	{"an octet after", func(_ *world, _ **QP, b *Bind) { b.Length++ }, BaseBounds},
	{"of no octets before", func(_ *world, _ **QP, b *Bind) { b.VA, b.Length = worldBase-1, 0 }, BaseBounds},
	{"of no octets after", func(_ *world, _ **QP, b *Bind) { b.VA, b.Length = worldBase+worldLen+1, 0 }, BaseBounds},
	{"around", func(_ *world, _ **QP, b *Bind) { b.VA, b.Length = 1<<64-1, 2 }, WrapError},
	{"with no rights", func(_ *world, _ **QP, b *Bind) { b.Rights = 0 }, AccessViolation}, // V-221
	{"with local rights", func(_ *world, _ **QP, b *Bind) { b.Rights |= LocalRead }, AccessViolation},
}

// V-156 V-215 V-216 V-217 V-218 V-219 V-220 V-221 V-222 V-223: which Binds succeed. One that fails changes nothing.
func TestBind(t *testing.T) {
	for _, c := range bindings {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			q := w.qp
			b := &Bind{Window: w.window.WithKey(0x22), Region: w.region, VA: worldBase, Length: worldLen, Rights: RemoteRead | RemoteWrite}
			c.change(w, &q, b)
			before := w.dump()
			if s := q.access.bind(b); s != c.want {
				t.Fatalf("%v, want %v", s, c.want)
			}
			if c.want != Success {
				if after := w.dump(); after != before {
					t.Errorf("changed from\n%sto\n%s", before, after)
				}
				return
			}
			a, err := w.r.QueryMW(b.Window)
			want := STagAttributes{Valid: true, Key: b.Window.Key(), PD: w.pd.ID(), Rights: b.Rights} // V-220 V-226
			if a != want || err != nil {
				t.Errorf("%+v, want %+v, %v", a, want, err)
			}
			base := b.VA
			if b.ZeroBased {
				base = 0
			}
			w.checkEdges(t, q, b.Window, base, b.Length)
		})
	}
}

// checkEdges checks that the n octets from base on can be used, and none around them.
func (w *world) checkEdges(t *testing.T, q *QP, s STag, base, n uint64) {
	t.Helper()
	ask := func(to, n uint64) fault { _, _, f := q.access.remote(s, to, n, RemoteRead); return f }
	if n > 0 && (ask(base, n) != faultless || ask(base+n-1, 1) != faultless) {
		t.Errorf("%v and %v at the edges", ask(base, n), ask(base+n-1, 1))
	}
	if ask(base-1, 1) != faultBounds || ask(base+n, 1) != faultBounds {
		t.Errorf("%v and %v after the edges", ask(base-1, 1), ask(base+n, 1))
	}
}

// V-221: figure 20.
func TestRightsOfWindow(t *testing.T) {
	const lr, lw, rr, rw = LocalRead, LocalWrite, RemoteRead, RemoteWrite
	for _, parent := range []Rights{lr, lw, lr | lw} {
		allowed := map[Rights][]Rights{lr: {rr}, lw: {rw}, lr | lw: {rr, rw, rr | rw}}[parent]
		for _, rights := range []Rights{0, rr, rw, rr | rw} {
			w := newWorld(t)
			region := must(w.r.RegisterMR(w.pd, w.with(func(g *Registration) { g.Rights = parent | BindWindows })))
			want := AccessViolation
			for _, r := range allowed {
				if r == rights {
					want = Success
				}
			}
			if s := w.qp.access.bind(&Bind{Window: w.window, Region: region, VA: worldBase, Length: 1, Rights: rights}); s != want {
				t.Errorf("%v on %v: %v, want %v", rights, parent, s, want)
			}
		}
	}
}

// V-183 V-220 V-229: a window that is bound again cannot be used as before, neither its key nor its range.
func TestRebind(t *testing.T) {
	w := newWorld(t)
	old := w.bound(t)
	if i := w.qp.access.invalidate(old, false); i != invalidated {
		t.Fatal(i)
	}
	b := &Bind{Window: old.WithKey(0x33), Region: w.region, VA: worldBase + 8, Length: 8, ZeroBased: true, Rights: RemoteRead}
	if s := w.beside.access.bind(b); s != Success {
		t.Fatal(s)
	}
	for _, c := range []struct {
		name string
		q    *QP
		stag STag
		to   uint64
		want fault
	}{
		{"now", w.beside, b.Window, 7, faultless},
		{"old key", w.beside, old, 7, faultSTag},
		{"old QP", w.qp, b.Window, 7, faultPD},
		{"old range", w.beside, b.Window, worldBase, faultBounds},
	} {
		if _, _, f := c.q.access.remote(c.stag, c.to, 1, RemoteRead); f != c.want {
			t.Errorf("%s: %v, want %v", c.name, f, c.want)
		}
	}
	if _, _, f := w.beside.access.remote(b.Window, 0, 1, RemoteWrite); f != faultRights {
		t.Errorf("old rights: %v", f)
	}
}

// V-054 V-097 V-230: a QP with windows cannot be destroyed until they are gone, by any way.
func TestWindowsOfQP(t *testing.T) {
	w := newWorld(t)
	w.bound(t)
	if err := w.qp.Modify(Modification{State: Error}); err != nil {
		t.Fatal(err)
	}
	if err := w.qp.Destroy(); err != ErrQPHasWindows {
		t.Errorf("%v with a window", err)
	}
	if a := must(w.r.QueryMW(w.window)); !a.Valid {
		t.Error("Error has unbound the window")
	}
	if err := w.r.Deallocate(w.window); err != nil {
		t.Fatal(err)
	}
	if err := w.qp.Destroy(); err != nil {
		t.Error(err)
	}
}

// V-215: all windows can be on one region, for one QP, and overlap.
func TestManyWindows(t *testing.T) {
	w := newWorld(t)
	w.bound(t)
	for i := range worldLimits.MWs - 1 {
		window := must(w.r.AllocateMW(w.pd))
		b := &Bind{Window: window, Region: w.region, VA: worldBase + uint64(i), Length: 100, Rights: RemoteWrite}
		if s := w.qp.access.bind(b); s != Success {
			t.Fatal(s)
		}
		w.checkWindow(t, b)
	}
	if m := w.r.lookup(w.region); m.windows != worldLimits.MWs || w.qp.access.windows != worldLimits.MWs {
		t.Errorf("%d windows on the region, %d of the QP", m.windows, w.qp.access.windows)
	}
}

func (w *world) checkWindow(t *testing.T, b *Bind) {
	t.Helper()
	p, offset, f := w.qp.access.remote(b.Window, b.VA, 1, RemoteWrite)
	if f != faultless {
		t.Fatal(f)
	}
	if p.put(offset, []byte{0x99}); w.pages[0x10000][b.VA-worldBase] != 0x99 {
		t.Error("the octet went elsewhere")
	}
}

// V-214 V-226: a window is Invalid and of its PD until it is bound, and is not a region.
func TestAllocateMW(t *testing.T) {
	w := newWorld(t)
	s := must(w.r.AllocateMW(w.other))
	if a, err := w.r.QueryMW(s); a != (STagAttributes{PD: w.other.ID()}) || err != nil || s.Index() == 0 {
		t.Errorf("STag %08x: %+v, %v", s, a, err)
	}
	if _, _, f := w.foreign.access.remote(s, 0, 1, 0); f != faultSTag {
		t.Error(f)
	}
	if got := w.foreign.access.execute(&WorkRequest{Op: OpFastRegister, STag: s, Registration: new(Registration)}); got != InvalidSTag {
		t.Error(got)
	}
}

// V-208 V-224 V-242 V-258: what changes STags sends nothing and is done when it is posted; if it fails it ends the stream.
func TestMemoryWorkRequests(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	region, window := a.region(make([]byte, 8), 0x1000, allRights), must(a.rnic.AllocateMW(a.pd))
	bind := &Bind{Window: window, Region: region, VA: 0x1000, Length: 8, Rights: RemoteRead}
	sent := 0
	a.pulled = func(octets []byte) { sent += len(octets) }
	must(a.qp.PostSQ(WorkRequest{ID: 1, Op: OpBind, Bind: bind}, WorkRequest{ID: 2, Op: OpInvalidate, STag: window}, WorkRequest{ID: 3, Op: OpBind, Bind: bind}))
	run(a, b)
	if got := a.poll(); len(got) != 3 || got[0].Status != Success || got[2].Status != Success || sent > 0 {
		t.Errorf("completions %v, %d octets sent", got, sent)
	}
	must(a.qp.PostSQ(WorkRequest{ID: 4, Op: OpBind, Bind: bind}, WorkRequest{ID: 5, Op: OpInvalidate, STag: window}))
	run(a, b)
	got := a.poll()
	if len(got) != 2 || got[0].Status != STagNotInvalid || got[1].Status != Flushed || a.qp.life.state != Error || code(b) != "0/0/00" {
		t.Errorf("completions %v, in %v; the peer got %q", got, a.qp.life.state, code(b))
	}
	if m := must(a.rnic.QueryMW(window)); !m.Valid {
		t.Error("a Work Request after the one that failed was done")
	}
}
