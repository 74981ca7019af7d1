package rnicsim

// Work Requests that change STags and put nothing on the wire (Verbs, sections 7.3.2.5, 7.8 and 7.10).

// fastRegister makes an STag of q's PD Valid (Verbs, section 7.3.2.5).
func (q *QP) fastRegister(wr *WorkRequest) Status {
	r, g := q.rnic, wr.Registration
	s := r.lookup(wr.STag)
	switch {
	case !q.config.Privileged:
		return NotPrivileged
	case s == nil || s.window || s.shared:
		return InvalidSTag
	case s.pd != q.config.PD:
		return InvalidPDID
	case s.valid:
		return STagNotInvalid
	case len(g.Entries) > s.room:
		return PBLTooLong
	}
	again := *g
	again.Key = wr.STag.Key()
	err := r.register(s, &again)
	if err == ErrInvalidVA && again.wraps() {
		return WrapError
	}
	return registrationStatuses[err]
}

// registrationStatuses are how a Fast-Register ends, by what the verbs that register say of the same mistake.
var registrationStatuses = map[error]Status{
	nil:                 Success,
	ErrInvalidEntrySize: InvalidEntrySize,
	ErrInvalidPBLEntry:  InvalidPBLEntry,
	ErrInvalidFBO:       InvalidFBO,
	ErrInvalidLength:    InvalidLength,
	ErrInvalidVA:        InvalidVA,
	ErrInvalidAccess:    InvalidRights,
}

// bind makes a Memory Window Valid, for the peer of q only (Verbs, section 7.10.2).
func (q *QP) bind(b *Bind) Status {
	w, m := q.rnic.lookup(b.Window), q.rnic.lookup(b.Region)
	switch {
	case !q.config.BindWindows:
		return AccessViolation
	case w == nil || !w.window:
		return InvalidWindow
	case m == nil || m.window || !m.valid || m.key != b.Region.Key() || !m.va:
		return InvalidRegion
	case w.valid:
		return STagNotInvalid
	case w.pd != q.config.PD || m.pd != q.config.PD:
		return InvalidPDID
	case !m.rights.has(BindWindows) || !b.Rights.ofWindow(m.rights):
		return AccessViolation
	}
	if f := m.contains(b.VA, b.Length); f != faultless {
		return f.status()
	}
	w.bind(b, m, q)
	return Success
}

// bind makes w the Memory Window on m that b says, for the peer of q.
func (w *stag) bind(b *Bind, m *stag, q *QP) {
	w.key, w.valid, w.rights = b.Window.Key(), true, b.Rights
	w.base = b.VA
	if b.ZeroBased {
		w.base = 0
	}
	w.place = place{length: b.Length, spans: m.place.spans}
	w.offset = b.VA - m.base
	w.parent, w.qp = m, q
	m.windows++
	q.windows++
}

// An invalidation is why an STag could not be invalidated; the zero value is that it was.
type invalidation uint8

const (
	invalidated invalidation = iota
	invalidateSTag
	invalidateShared
	invalidatePD
	invalidateRights // of the QP or the STag, to be invalidated by the peer
	invalidateWindows
)

// invalidate puts an STag into the Invalid state, for a Work Request of q or for its peer (Verbs, section 7.8).
func (q *QP) invalidate(index STag, remote bool) invalidation {
	s := q.rnic.lookup(index)
	switch {
	case s == nil || s.valid && s.key != index.Key():
		return invalidateSTag
	case s.shared:
		return invalidateShared
	case s.window && s.valid && s.qp != q, !(s.window && s.valid) && s.pd != q.config.PD:
		return invalidatePD
	case remote && (!q.config.RemoteRead && !q.config.RemoteWrite || s.rights.remote() == 0):
		return invalidateRights
	case s.windows > 0:
		return invalidateWindows
	}
	s.invalidate()
	return invalidated
}
