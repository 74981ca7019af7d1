package rnicsim

import "testing"

// V-151 V-165 V-174 V-175 V-176 V-177 V-178 V-180 V-204: which Fast-Registers succeed. One that fails changes nothing.
func TestFastRegister(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(w *world, q **QP, s *STag, g *Registration)
		want   Status
	}{
		{"allocated", func(*world, **QP, *STag, *Registration) {}, Success},
		{"registered and invalidated", func(w *world, _ **QP, s *STag, _ *Registration) {
			w.qp.access.invalidate(w.region, false)
			*s = w.region.WithKey(0x44)
		}, Success},
		{"reregistered and invalidated", func(w *world, _ **QP, s *STag, _ *Registration) {
			*s = must(w.r.ReregisterMR(w.region, w.pd, w.registration()))
			w.qp.access.invalidate(*s, false)
		}, Success},
		{"zero-based", func(_ *world, _ **QP, _ *STag, g *Registration) { g.ZeroBased = true }, Success},
		{"local rights", func(_ *world, _ **QP, _ *STag, g *Registration) { g.Rights = LocalRead }, Success},
		{"flag of its own", func(_ *world, _ **QP, _ *STag, g *Registration) { g.RemoteAccess = false }, Success},
		{"as long as can be", func(_ *world, _ **QP, _ *STag, g *Registration) {
			g.Entries = []uint64{0x10000, 0x11000, 0x20000, 0x30000}
		}, Success},

		{"without leave", func(_ *world, q **QP, _ *STag, _ *Registration) { (*q).access.privileged = false }, NotPrivileged},
		{"STag 0", func(_ *world, _ **QP, s *STag, _ *Registration) { *s = 0 }, InvalidSTag},
		{"window", func(w *world, _ **QP, s *STag, _ *Registration) { *s = w.window }, InvalidSTag},
		{"gone", func(w *world, _ **QP, s *STag, _ *Registration) { *s = w.freedWindow }, InvalidSTag},
		{"shared", func(w *world, _ **QP, s *STag, _ *Registration) {
			*s = must(w.r.RegisterSharedMR(w.region, w.pd, w.registration()))
		}, InvalidSTag},
		{"made shared", func(w *world, _ **QP, s *STag, _ *Registration) {
			must(w.r.RegisterSharedMR(w.region, w.pd, w.registration()))
			*s = w.region
		}, InvalidSTag},
		{"PD", func(w *world, q **QP, _ *STag, _ *Registration) { *q = w.foreign }, InvalidPDID},
		{"Valid", func(w *world, _ **QP, s *STag, _ *Registration) { *s = w.region }, STagNotInvalid},
		{"list too long", func(_ *world, _ **QP, _ *STag, g *Registration) { g.Entries = make([]uint64, 5) }, PBLTooLong},
		{"rights without the flag", func(w *world, _ **QP, s *STag, _ *Registration) {
			*s = must(w.r.AllocateMR(w.pd, 2, false))
		}, InvalidRights},
		{"rights that cannot be", func(_ *world, _ **QP, _ *STag, g *Registration) { g.Rights = RemoteRead | LocalWrite }, InvalidRights},
		{"page size", func(_ *world, _ **QP, _ *STag, g *Registration) { g.EntrySize = 1 << 14 }, InvalidEntrySize},
		{"entry askew", func(_ *world, _ **QP, _ *STag, g *Registration) { g.Entries[1]++ }, InvalidPBLEntry},
		{"entry without memory", func(_ *world, _ **QP, _ *STag, g *Registration) { g.Entries[1] = 0x40000 }, InvalidPBLEntry},
		{"FBO", func(_ *world, _ **QP, _ *STag, g *Registration) { g.FBO = memoryPage }, InvalidFBO},
		{"length", func(_ *world, _ **QP, _ *STag, g *Registration) { g.Length++ }, InvalidLength},
		{"VA", func(_ *world, _ **QP, _ *STag, g *Registration) { g.VA++ }, InvalidVA},
		{"wrap", func(_ *world, _ **QP, _ *STag, g *Registration) { g.VA = 1<<64 - memoryPage }, WrapError},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			q, s, g := w.qp, w.allocated.WithKey(0x33), w.registration()
			c.change(w, &q, &s, &g)
			before := w.dump()
			wr := WorkRequest{Op: OpFastRegister, STag: s, Registration: &g}
			if got := q.access.execute(&wr); got != c.want {
				t.Fatalf("%v, want %v", got, c.want)
			}
			if c.want != Success {
				if after := w.dump(); after != before {
					t.Errorf("changed from\n%sto\n%s", before, after)
				}
				return
			}
			a := must(w.r.QueryMR(s))
			if !a.Valid || a.Key != s.Key() || a.Rights != g.Rights || !a.RemoteAccess || a.PD != w.pd.ID() {
				t.Errorf("%+v", a)
			}
			if _, f := w.read(q, s, g.base(), uint32(g.Length)); f != faultless {
				t.Error(f)
			}
		})
	}
}

// V-156 V-158 V-191 V-202 V-203 V-206 V-207 V-208 V-227: what can be invalidated, locally and by the peer.
func TestInvalidate(t *testing.T) {
	for _, c := range []struct {
		name          string
		change        func(w *world, q **QP, s *STag)
		local, remote invalidation
	}{
		{"region", func(*world, **QP, *STag) {}, invalidated, invalidated},
		{"by another QP of the PD", func(w *world, q **QP, _ *STag) { *q = w.beside }, invalidated, invalidated},
		{"Invalid region, another key", func(w *world, _ **QP, s *STag) {
			w.qp.access.invalidate(w.region, false)
			*s++
		}, invalidated, invalidated},
		{"window", func(w *world, _ **QP, s *STag) { *s = w.bound(t) }, invalidated, invalidated},
		{"Invalid window, by another QP of the PD", func(w *world, q **QP, s *STag) {
			*s, *q = w.bound(t), w.beside
			w.qp.access.invalidate(*s, false)
		}, invalidated, invalidated},
		{"allocated", func(w *world, _ **QP, s *STag) { *s = w.allocated }, invalidated, invalidateRights},

		{"STag 0", func(_ *world, _ **QP, s *STag) { *s = 0 }, invalidateSTag, invalidateSTag},
		{"unknown", func(w *world, _ **QP, s *STag) { *s = w.freedWindow }, invalidateSTag, invalidateSTag},
		{"key", func(_ *world, _ **QP, s *STag) { *s++ }, invalidateSTag, invalidateSTag},
		{"shared", func(w *world, _ **QP, s *STag) {
			*s = must(w.r.RegisterSharedMR(w.region, w.pd, w.registration()))
		}, invalidateShared, invalidateShared},
		{"made shared", func(w *world, _ **QP, s *STag) {
			must(w.r.RegisterSharedMR(w.region, w.pd, w.registration()))
		}, invalidateShared, invalidateShared},
		{"PD", func(w *world, q **QP, _ *STag) { *q = w.foreign }, invalidatePD, invalidatePD},
		{"Invalid region of another PD", func(w *world, q **QP, _ *STag) {
			w.qp.access.invalidate(w.region, false)
			*q = w.foreign
		}, invalidatePD, invalidatePD},
		{"window of another QP", func(w *world, q **QP, s *STag) { *s, *q = w.bound(t), w.beside }, invalidatePD, invalidatePD},
		{"Invalid window of another PD", func(w *world, q **QP, s *STag) { *s, *q = w.window, w.foreign }, invalidatePD, invalidatePD},
		{"region with windows", func(w *world, _ **QP, s *STag) { w.bound(t) }, invalidateWindows, invalidateWindows},
		{"local region", func(w *world, _ **QP, s *STag) { *s = w.limited(0) }, invalidated, invalidateRights},
		{"region to read", func(w *world, _ **QP, s *STag) { *s = w.limited(RemoteRead) }, invalidated, invalidated},
		{"region to write", func(w *world, _ **QP, s *STag) { *s = w.limited(RemoteWrite) }, invalidated, invalidated},
		{"QP without remote access", func(_ *world, q **QP, _ *STag) {
			(*q).access.remoteRead, (*q).access.remoteWrite = false, false
		}, invalidated, invalidateRights},
		{"QP with remote reads", func(_ *world, q **QP, _ *STag) { (*q).access.remoteWrite = false }, invalidated, invalidated},
		{"QP with remote writes", func(_ *world, q **QP, _ *STag) { (*q).access.remoteRead = false }, invalidated, invalidated},
	} {
		for remote, want := range map[bool]invalidation{false: c.local, true: c.remote} {
			w := newWorld(t)
			q, s := w.qp, w.region
			c.change(w, &q, &s)
			before := w.dump()
			if got := q.access.invalidate(s, remote); got != want {
				t.Errorf("%s, remote %v: %v, want %v", c.name, remote, got, want)
			}
			if want == invalidated {
				w.checkInvalid(t, c.name, q, s)
			} else if after := w.dump(); after != before {
				t.Errorf("%s, remote %v: changed from\n%sto\n%s", c.name, remote, before, after)
			}
		}
	}
}

// checkInvalid checks that an STag is Invalid and of no use.
func (w *world) checkInvalid(t *testing.T, name string, q *QP, s STag) {
	t.Helper()
	if i := w.r.lookup(s); i.valid || i.place.spans != nil || i.parent != nil || i.user != nil {
		t.Errorf("%s: something is left", name)
	}
	if _, _, f := q.access.remote(s, worldBase, 1, 0); f != faultSTag {
		t.Errorf("%s: %v", name, f)
	}
}

// V-227: a window that is invalidated leaves its region and its QP, and keeps its STag.
func TestInvalidatedWindow(t *testing.T) {
	w := newWorld(t)
	s := w.bound(t)
	if i := w.qp.access.invalidate(s, true); i != invalidated {
		t.Fatal(i)
	}
	if w.qp.access.windows != 0 || w.r.lookup(w.region).windows != 0 {
		t.Error("the window is still bound")
	}
	if a := must(w.r.QueryMW(s)); a.Valid || a.Key != 0 || a.PD != w.pd.ID() {
		t.Errorf("%+v", a)
	}
	if err := w.r.Deallocate(w.region); err != nil {
		t.Error(err)
	}
}
