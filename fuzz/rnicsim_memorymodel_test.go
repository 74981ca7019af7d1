package fuzz

// What the verbs and the peer may do with an STag, as simply as can be said: an STag is a list of octets of the arena.

import "github.com/iwarpkit/iwarp/rnicsim"

// A modelSTag is a Memory Region or Window as the model sees it.
type modelSTag struct {
	stag   rnicsim.STag // with the key of the latest registration
	valid  bool
	window bool
	shared bool
	zero   bool // zero-based
	flag   bool // remote access
	pd     int
	rights rnicsim.Rights
	base   uint64
	octets []int // places in the arena
	room   int   // entries
	parent *modelSTag
}

const (
	remoteRNICRights = rnicsim.RemoteRead | rnicsim.RemoteWrite
	allRNICRights    = rnicsim.LocalRead | rnicsim.LocalWrite | remoteRNICRights | rnicsim.BindWindows
)

func (w *memoryWorld) next() int {
	if len(w.script) == 0 {
		return 0
	}
	b := w.script[0]
	w.script = w.script[1:]
	return int(b)
}

// pick is one of the STags, or one that does not exist.
func (w *memoryWorld) pick() *modelSTag {
	if i := w.next() % (len(w.modelled) + 1); i < len(w.modelled) {
		return w.modelled[i]
	}
	return &modelSTag{stag: rnicsim.STag(0x12345600 * (w.next() & 1))}
}

// windows counts those that are bound to m.
func (w *memoryWorld) windows(m *modelSTag) (n int) {
	for _, s := range w.modelled {
		if s.parent == m {
			n++
		}
	}
	return n
}

func (w *memoryWorld) learn(m *modelSTag, s rnicsim.STag) {
	m.stag = s
	w.modelled = append(w.modelled, m)
}

func (w *memoryWorld) forget(m *modelSTag) {
	for i, s := range w.modelled {
		if s == m {
			w.modelled = append(w.modelled[:i], w.modelled[i+1:]...)
		}
	}
}

// step does the next thing that the script says.
func (w *memoryWorld) step() {
	w.steps++
	switch w.next() % 12 {
	case 0:
		g, m, ok := w.registration(w.next()&1 != 0)
		s, err := w.server.RegisterMR(w.pds[m.pd], g)
		if w.outcome("RegisterMR", err, ok && m.regionRights(m.flag) && w.count(false) < 8) {
			w.learn(m, s)
		}
	case 1:
		w.reregister(w.pick())
	case 2:
		w.share(w.pick())
	case 3:
		m := w.pick()
		known := w.known(m)
		if w.outcome("Deallocate", w.server.Deallocate(m.stag^rnicsim.STag(w.next()&3)), known && w.windows(m) == 0) {
			w.forget(m)
		}
	case 4:
		m := &modelSTag{window: true, pd: w.next() & 1}
		s, err := w.server.AllocateMW(w.pds[m.pd])
		if w.outcome("AllocateMW", err, w.count(true) < 8) {
			w.learn(m, s)
		}
	case 5:
		w.bind(w.pick(), w.pick())
	case 6, 9:
		w.invalidate(w.pick())
	case 7, 8:
		w.access(w.pick())
	case 10:
		m := &modelSTag{room: w.next() % 6, flag: w.next()&1 != 0}
		s, err := w.server.AllocateMR(w.pds[m.pd], m.room, m.flag)
		if w.outcome("AllocateMR", err, m.room <= 4 && w.count(false) < 8) {
			w.learn(m, s)
		}
	case 11:
		w.fastRegister(w.pick())
	}
}

func (w *memoryWorld) count(windows bool) (n int) {
	for _, m := range w.modelled {
		if m.window == windows {
			n++
		}
	}
	return n
}

func (w *memoryWorld) known(m *modelSTag) bool {
	for _, s := range w.modelled {
		if s == m {
			return true
		}
	}
	return false
}

// outcome compares the result of a verb with the model's, and reports whether it succeeded.
func (w *memoryWorld) outcome(verb string, err error, ok bool) bool {
	w.t.Helper()
	if (err == nil) != ok {
		w.t.Fatalf("step %d: %s: %v, should succeed: %v", w.steps, verb, err, ok)
	}
	return ok
}

// registration is what the script says, what the model makes of it, and whether all but the rights is right.
func (w *memoryWorld) registration(zero bool) (g rnicsim.Registration, m *modelSTag, ok bool) {
	m = &modelSTag{valid: true, zero: zero, rights: rnicsim.Rights(w.next()) & (allRNICRights | 1<<6), pd: w.next() & 1}
	m.flag = w.next()&1 == 0
	g = rnicsim.Registration{Key: uint8(w.next()), Rights: m.rights, RemoteAccess: m.flag, ZeroBased: zero}
	g.EntrySize = arenaPage
	m.room = w.next() % 6
	var pages []int
	for range m.room {
		page := w.next() % (arenaPages + 1) // the last one is not there
		pages = append(pages, page)
		g.Entries = append(g.Entries, arenaAt+uint64(page)*arenaPage)
	}
	g.FBO = uint64(w.next() % (arenaPage + 1))
	g.Length = uint64(w.next() % (arenaPage*4 + 8))
	g.VA = uint64(w.next())*arenaPage + g.FBO
	skewed := w.next()%16 == 15
	if skewed {
		g.VA++
	}
	if m.base = g.VA; zero {
		m.base = 0
	}
	return g, m, w.place(m, &g, pages) && (zero || !skewed) && m.room <= 4
}

// place lists the octets of a registration. It is false if they are not there.
func (w *memoryWorld) place(m *modelSTag, g *rnicsim.Registration, pages []int) bool {
	if g.FBO >= arenaPage {
		return false
	}
	for i := range int(g.Length) {
		at := int(g.FBO) + i
		if at/arenaPage >= len(pages) || pages[at/arenaPage] >= arenaPages {
			return false
		}
		m.octets = append(m.octets, pages[at/arenaPage]*arenaPage+at%arenaPage)
	}
	return true
}

// regionRights is figure 18 of the Verbs.
func (m *modelSTag) regionRights(flag bool) bool {
	r, has := m.rights, func(x rnicsim.Rights) bool { return m.rights&x != 0 }
	switch {
	case r&^allRNICRights != 0, !has(rnicsim.LocalRead) && !has(rnicsim.LocalWrite):
		return false
	case has(rnicsim.RemoteRead) && !has(rnicsim.LocalRead), has(rnicsim.RemoteWrite) && !has(rnicsim.LocalWrite):
		return false
	}
	return flag || r&remoteRNICRights == 0
}

func (w *memoryWorld) reregister(old *modelSTag) {
	known := w.known(old) && !old.window && !old.shared
	refused := !known || w.windows(old) > 0
	if known {
		w.forget(old) // it is not one more
	}
	g, m, ok := w.registration(w.next()&1 != 0)
	s, err := w.server.ReregisterMR(old.stag, w.pds[m.pd], g)
	switch {
	case refused:
		w.outcome("ReregisterMR", err, false)
		if known {
			w.modelled = append(w.modelled, old)
		}
	case w.outcome("ReregisterMR", err, ok && m.regionRights(m.flag)):
		m.room = max(m.room, old.room)
		w.learn(m, s)
	}
}

func (w *memoryWorld) share(old *modelSTag) {
	m := &modelSTag{valid: true, shared: true, rights: rnicsim.Rights(w.next()) & allRNICRights, pd: w.next() & 1}
	m.zero, m.flag, m.octets, m.room = w.next()&1 != 0, w.next()&1 == 0, old.octets, old.room
	ok := w.known(old) && !old.window && old.valid && m.regionRights(m.flag) && w.count(false) < 8
	g := rnicsim.Registration{VA: uint64(w.next()), Key: uint8(w.next()), RemoteAccess: m.flag, Rights: m.rights, ZeroBased: m.zero}
	if !m.zero {
		m.base, m.zero, g.ZeroBased = 0, true, true // where the list begins in its page is not modelled
	}
	s, err := w.server.RegisterSharedMR(old.stag, w.pds[m.pd], g)
	if w.outcome("RegisterSharedMR", err, ok) {
		old.shared = true
		w.learn(m, s)
	}
}

func (w *memoryWorld) fastRegister(m *modelSTag) {
	if m.stag == 0 {
		return // cannot be posted
	}
	g, want, ok := w.registration(w.next()&1 != 0)
	ok = ok && want.regionRights(m.flag) && w.known(m) && !m.window && !m.shared && !m.valid && m.pd == 0 && want.room <= m.room
	stag := m.stag.WithKey(g.Key)
	c := w.execute(0, rnicsim.WorkRequest{Op: rnicsim.OpFastRegister, STag: stag, Registration: &g})
	if w.expect("FastRegister", c, ok); ok {
		m.stag, m.valid, m.zero, m.rights, m.base, m.octets = stag, true, want.zero, want.rights, want.base, want.octets
	}
}

func (w *memoryWorld) bind(window, region *modelSTag) {
	if window.stag == 0 || region.stag == 0 {
		return // cannot be posted
	}
	b := &rnicsim.Bind{Window: window.stag.WithKey(uint8(w.next())), Region: region.stag, Rights: rnicsim.Rights(w.next()) & allRNICRights}
	first, n := w.next()%70-2, w.next()%70
	b.VA, b.Length, b.ZeroBased = region.base+uint64(first), uint64(n), w.next()&1 != 0
	ok := w.known(window) && window.window && !window.valid && window.pd == 0 &&
		w.known(region) && !region.window && region.valid && !region.zero && region.pd == 0 && region.rights&rnicsim.BindWindows != 0 &&
		first >= 0 && first+n <= len(region.octets) && b.Rights != 0 && b.Rights&^remoteRNICRights == 0 &&
		(b.Rights&rnicsim.RemoteRead == 0 || region.rights&rnicsim.LocalRead != 0) &&
		(b.Rights&rnicsim.RemoteWrite == 0 || region.rights&rnicsim.LocalWrite != 0)
	c := w.execute(0, rnicsim.WorkRequest{Op: rnicsim.OpBind, Bind: b})
	if w.expect("Bind", c, ok); ok {
		window.stag, window.valid, window.parent, window.rights = b.Window, true, region, b.Rights
		window.octets, window.base = region.octets[first:first+n], b.VA
		if b.ZeroBased {
			window.base = 0
		}
	}
}

// invalidate is done by the server, or by its peer.
func (w *memoryWorld) invalidate(m *modelSTag) {
	by, key := w.next()&1, uint8(w.next())&1
	stag := m.stag ^ rnicsim.STag(key)
	if m.stag == 0 {
		return // cannot be posted
	}
	ok := w.known(m) && !m.shared && m.pd == 0 && w.windows(m) == 0 && (!m.valid || key == 0)
	op := rnicsim.OpInvalidate
	if by == 1 {
		op = rnicsim.OpSendInvalidate
		ok = ok && m.rights&remoteRNICRights != 0
	}
	if w.expect("Invalidate", w.execute(by, rnicsim.WorkRequest{Op: op, STag: stag}), ok); ok {
		m.valid, m.parent, m.octets = false, nil, nil
	}
}

// access is one of the peer: a Write, Read or FetchAdd.
func (w *memoryWorld) access(m *modelSTag) {
	kind, key := w.next()%4, rnicsim.STag(w.next()%8/7)
	first, n := w.next()%80-4, w.next()%80
	if kind == 3 {
		n = 8
	}
	stag, to := m.stag^key, m.base+uint64(first)
	inside := w.known(m) && m.valid && key == 0 && m.pd == 0 && first >= 0 && first+n <= len(m.octets)
	var at []int
	if inside {
		at = m.octets[first : first+n]
	}
	allowed := func(r rnicsim.Rights) bool { return n == 0 || inside && m.rights&r == r }
	if stag == 0 && n > 0 {
		return // cannot be posted with success
	}
	switch kind {
	case 0, 1:
		w.write(stag, to, n, at, allowed(rnicsim.RemoteWrite))
	case 2:
		w.read(stag, to, n, at, allowed(rnicsim.RemoteRead))
	case 3:
		w.add(stag, to, at, allowed(remoteRNICRights))
	}
}
