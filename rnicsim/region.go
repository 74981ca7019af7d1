package rnicsim

// Memory Regions (Verbs, sections 7.3 and 9.2.6).

// A Registration describes a Memory Region.
type Registration struct {
	PBL
	ZeroBased    bool   // the first octet has TO 0; else it has TO VA
	VA           uint64 // Virtual Address of the first octet
	Key          uint8
	RemoteAccess bool // the Remote Access Flag: remote rights may be given, now or later
	Rights       Rights
}

// base returns the TO of the first octet.
func (g *Registration) base() uint64 {
	if g.ZeroBased {
		return 0
	}
	return g.VA
}

// wraps reports whether the TO of the last octet exceeds 64 bits.
func (g *Registration) wraps() bool { return g.Length > 0 && g.base()+(g.Length-1) < g.base() }

// check returns the error of a Registration, apart from its list. Remote rights need the Remote Access Flag.
func (g *Registration) check(remoteAccess bool) error {
	switch {
	case !g.ZeroBased && g.VA%g.EntrySize != g.FBO, g.wraps():
		return ErrInvalidVA
	case !g.Rights.ofRegion(remoteAccess):
		return ErrInvalidAccess
	}
	return nil
}

// AllocateMR allocates an STag in the Invalid state for a Memory Region of up to the given number of list entries. A
// Fast-Register makes it Valid (Verbs, section 9.2.6.1). It fails with ErrInvalidRNIC, ErrInvalidPD or
// ErrInsufficientResources.
func (r *RNIC) AllocateMR(pd *PD, entries int, remoteAccess bool) (index STag, err error) {
	if err := r.checkRoom(pd, entries); err != nil {
		return 0, err
	}
	s := &stag{pd: pd, remote: remoteAccess, room: entries}
	return s.index, r.addSTag(s)
}

// checkRoom returns why a Memory Region of a PD cannot have a list of so many entries.
func (r *RNIC) checkRoom(pd *PD, entries int) error {
	switch {
	case !r.works():
		return ErrInvalidRNIC
	case !pd.of(r):
		return ErrInvalidPD
	case entries < 0 || entries > r.limits.PBLEntries:
		return ErrInsufficientResources
	}
	return nil
}

// RegisterMR registers a Memory Region and returns its STag, which is Valid (Verbs, section 9.2.6.2). It fails with
// ErrInvalidRNIC, ErrInvalidPD or ErrInsufficientResources, or if the Registration is wrong with ErrInvalidEntrySize,
// ErrInvalidFBO, ErrInvalidLength, ErrInvalidPBLEntry, ErrInvalidVA or ErrInvalidAccess.
func (r *RNIC) RegisterMR(pd *PD, g Registration) (STag, error) {
	if err := r.checkRoom(pd, len(g.Entries)); err != nil {
		return 0, err
	}
	s := &stag{pd: pd, remote: g.RemoteAccess, room: len(g.Entries)}
	if err := r.register(s, &g); err != nil {
		return 0, err
	}
	return r.addValid(s)
}

// RegisterOctets registers octets of the caller as a Memory Region whose first octet has TO va. They need not be in
// the physical memory; the region counts as one of pages of 4096 octets. Remote rights set the Remote Access Flag. It
// fails like RegisterMR.
func (r *RNIC) RegisterOctets(pd *PD, octets []byte, va uint64, rights Rights, key uint8) (STag, error) {
	g := Registration{VA: va, Key: key, RemoteAccess: rights.remote() != 0, Rights: rights}
	g.PBL = PBL{EntrySize: memoryPage, FBO: va % memoryPage, Length: uint64(len(octets))}
	pages := int((g.FBO + g.Length + memoryPage - 1) / memoryPage)
	if err := r.checkRoom(pd, pages); err != nil {
		return 0, err
	}
	if err := g.check(g.RemoteAccess); err != nil {
		return 0, err
	}
	s := &stag{pd: pd, remote: g.RemoteAccess, room: pages}
	s.only = [1]span{{0, va, octets}}
	s.become(&g, place{length: g.Length, spans: s.only[:]})
	return r.addValid(s)
}

// addValid gives a Valid STag an index, and returns it with its key.
func (r *RNIC) addValid(s *stag) (STag, error) {
	if err := r.addSTag(s); err != nil {
		return 0, err
	}
	return s.index.WithKey(s.key), nil
}

// ReregisterMR replaces a Memory Region by another, which keeps the index of its STag (Verbs, section 9.2.6.5). If it
// fails with ErrInvalidRNIC, ErrInvalidSTag or ErrMRHasWindows, nothing has changed. If it fails like RegisterMR,
// the old Memory Region is gone.
func (r *RNIC) ReregisterMR(index STag, pd *PD, g Registration) (STag, error) {
	s, err := r.find(index)
	switch {
	case err != nil:
		return 0, err
	case s.window || s.shared:
		return 0, ErrInvalidSTag
	case s.windows > 0:
		return 0, ErrMRHasWindows
	}
	if err = r.checkRoom(pd, len(g.Entries)); err == nil {
		s.remote = g.RemoteAccess
		err = r.register(s, &g)
	}
	if err != nil {
		r.removeSTag(s)
		return 0, err
	}
	s.moveTo(pd)
	s.room = max(s.room, len(g.Entries))
	return s.index.WithKey(s.key), nil
}

// register makes s Valid according to g, or returns the error in g and leaves s as it is.
func (r *RNIC) register(s *stag, g *Registration) error {
	if err := r.checkList(&g.PBL); err != nil {
		return err
	}
	if err := g.check(s.remote); err != nil {
		return err
	}
	p, err := r.memory.place(&g.PBL)
	if err != nil {
		return err
	}
	s.become(g, p)
	return nil
}

// become makes s Valid, with the octets of p.
func (s *stag) become(g *Registration, p place) {
	s.key, s.rights, s.base, s.va, s.valid = g.Key, g.Rights, g.base(), !g.ZeroBased, true
	s.place, s.entrySize, s.fbo = p, g.EntrySize, g.FBO
}

// checkList returns the error in a Physical Buffer List (Verbs, section 7.6.2).
func (r *RNIC) checkList(l *PBL) error {
	switch {
	case !r.blocks && (l.EntrySize&(l.EntrySize-1) != 0 || l.EntrySize&r.limits.PageSizes == 0):
		return ErrInvalidEntrySize
	case r.blocks && (l.EntrySize == 0 || l.EntrySize > r.limits.MaxBlock):
		return ErrInvalidEntrySize
	case l.FBO >= l.EntrySize:
		return ErrInvalidFBO
	case l.Length > 0 && (l.FBO+l.Length < l.Length || (l.FBO+l.Length-1)/l.EntrySize >= uint64(len(l.Entries))):
		return ErrInvalidLength
	}
	for _, address := range l.Entries {
		if !r.blocks && address%l.EntrySize != 0 || address+(l.EntrySize-1) < address {
			return ErrInvalidPBLEntry
		}
	}
	return nil
}

// RegisterSharedMR registers a Memory Region on the memory of another one, whose STag is given with its key. That one
// stays a Shared Memory Region from then on (Verbs, section 9.2.6.6). The list of g is ignored. It fails with
// ErrInvalidRNIC, ErrInvalidSTag, ErrInvalidPD, ErrInvalidVA, ErrInvalidAccess or ErrInsufficientResources.
func (r *RNIC) RegisterSharedMR(of STag, pd *PD, g Registration) (STag, error) {
	s, err := r.find(of)
	switch {
	case err != nil:
		return 0, err
	case s.window || !s.valid || s.key != of.Key():
		return 0, ErrInvalidSTag
	case !pd.of(r):
		return 0, ErrInvalidPD
	}
	g.PBL = PBL{EntrySize: s.entrySize, FBO: s.fbo, Length: s.place.length}
	if err := g.check(g.RemoteAccess); err != nil {
		return 0, err
	}
	t := &stag{pd: pd, shared: true, remote: g.RemoteAccess, room: s.room}
	t.become(&g, s.place)
	stag, err := r.addValid(t)
	s.shared = s.shared || err == nil
	return stag, err
}

// STagAttributes are the attributes of a Memory Region or Window.
type STagAttributes struct {
	Valid        bool
	Key          uint8 // if Valid
	PD           uint32
	Rights       Rights
	Shared       bool // of a region, as all that follows
	RemoteAccess bool
	Entries      int // the most that its list may have
}

// QueryMR returns the attributes of a Memory Region (Verbs, section 9.2.6.3), or ErrInvalidRNIC or ErrInvalidSTag.
func (r *RNIC) QueryMR(index STag) (a STagAttributes, err error) { return r.query(index, false) }

// query returns the attributes of a Memory Region or of a Memory Window.
func (r *RNIC) query(index STag, window bool) (a STagAttributes, err error) {
	s, err := r.find(index)
	switch {
	case err != nil:
		return a, err
	case s.window != window:
		return a, ErrInvalidSTag
	}
	a = STagAttributes{Valid: s.valid, Shared: s.shared, RemoteAccess: s.remote, PD: s.pd.id, Entries: s.room, Rights: s.rights}
	if s.valid {
		a.Key = s.key
	}
	return a, nil
}

// AllocateMW allocates a Memory Window in the Invalid state; a Bind makes it Valid (Verbs, section 9.2.6.7). It fails
// with ErrInvalidRNIC, ErrInvalidPD or ErrInsufficientResources.
func (r *RNIC) AllocateMW(pd *PD) (index STag, err error) {
	switch {
	case !r.works():
		return 0, ErrInvalidRNIC
	case !pd.of(r):
		return 0, ErrInvalidPD
	}
	s := &stag{window: true, pd: pd}
	err = r.addSTag(s)
	return s.index, err
}

// QueryMW returns the attributes of a Memory Window (Verbs, section 9.2.6.8), or ErrInvalidRNIC or ErrInvalidSTag.
func (r *RNIC) QueryMW(index STag) (a STagAttributes, err error) { return r.query(index, true) }

// A PD is a Protection Domain: objects of one PD can be used together (Verbs, section 5.2).
type PD struct {
	object
	users int // QPs, S-RQs, Memory Regions and Memory Windows
}

// AllocatePD allocates a Protection Domain (Verbs, section 9.2.2.1). It fails with ErrInvalidRNIC or
// ErrInsufficientResources.
func (r *RNIC) AllocatePD() (*PD, error) {
	if !r.works() {
		return nil, ErrInvalidRNIC
	}
	p := &PD{object: object{rnic: r}}
	if err := r.pds.add(p, &p.object, r.limits.PDs); err != nil {
		return nil, err
	}
	return p, nil
}

// Deallocate destroys the Protection Domain (Verbs, section 9.2.2.2). It fails with ErrInvalidPD, or with ErrPDInUse
// while a QP, S-RQ, Memory Region or Memory Window refers to it.
func (p *PD) Deallocate() error {
	switch {
	case p == nil || !p.of(p.rnic):
		return ErrInvalidPD
	case p.rnic.failed:
		return ErrInvalidRNIC
	case p.users > 0:
		return ErrPDInUse
	}
	p.rnic.pds.remove(p.id)
	p.id = 0
	return nil
}

// of reports whether p exists and belongs to r.
func (p *PD) of(r *RNIC) bool { return p != nil && p.id != 0 && p.rnic == r && !r.closed }
