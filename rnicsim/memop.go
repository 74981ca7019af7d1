package rnicsim

import "github.com/iwarpkit/iwarp/codec/rules"

// Work Requests that change STags and put nothing on the wire (Verbs, sections 7.3.2.5, 7.8 and 7.10).

// execute performs a Work Request that sends nothing.
func (a *access) execute(wr *WorkRequest) Status {
	switch wr.Op {
	case OpBind:
		return a.bind(wr.Bind)
	case OpFastRegister:
		return a.fastRegister(wr)
	}
	return a.invalidate(wr.STag, false).status()
}

// fastRegister makes an STag of the PD Valid (Verbs, section 7.3.2.5).
func (a *access) fastRegister(wr *WorkRequest) Status {
	r, g := a.rnic, wr.Registration
	s := r.lookup(wr.STag)
	switch {
	case !a.privileged:
		return NotPrivileged
	case s == nil || s.window || s.shared:
		return InvalidSTag
	case s.pd != a.pd:
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

// registrationStatuses are the statuses of a Fast-Register, by the error that RegisterMR returns for the same mistake.
var registrationStatuses = map[error]Status{
	nil:                 Success,
	ErrInvalidEntrySize: InvalidEntrySize,
	ErrInvalidPBLEntry:  InvalidPBLEntry,
	ErrInvalidFBO:       InvalidFBO,
	ErrInvalidLength:    InvalidLength,
	ErrInvalidVA:        InvalidVA,
	ErrInvalidAccess:    InvalidRights,
}

// bind makes a Memory Window Valid, for the peer of this QP only (Verbs, section 7.10.2).
func (a *access) bind(b *Bind) Status {
	w, m := a.rnic.lookup(b.Window), a.rnic.lookup(b.Region)
	switch {
	case !a.bindWindows:
		return AccessViolation
	case w == nil || !w.window:
		return InvalidWindow
	case m == nil || m.window || !m.valid || m.key != b.Region.Key() || !m.va:
		return InvalidRegion
	case w.valid:
		return STagNotInvalid
	case w.pd != a.pd || m.pd != a.pd:
		return InvalidPDID
	case !m.rights.has(BindWindows) || !b.Rights.ofWindow(m.rights):
		return AccessViolation
	}
	if f := m.contains(b.VA, b.Length); f != faultless {
		return f.status()
	}
	w.bind(b, m, a)
	return Success
}

// bind makes w the Memory Window on m that b describes.
func (s *stag) bind(b *Bind, m *stag, user *access) {
	s.key, s.valid, s.rights = b.Window.Key(), true, b.Rights
	s.base = b.VA
	if b.ZeroBased {
		s.base = 0
	}
	s.place = place{length: b.Length, spans: m.place.spans}
	s.offset = b.VA - m.base
	s.parent, s.user = m, user
	m.windows++
	user.windows++
}

// An invalidation is the reason why an STag could not be invalidated. The zero value means that it was.
type invalidation uint8

const (
	invalidated invalidation = iota
	invalidateSTag
	invalidateShared
	invalidatePD
	invalidateRights // of the QP or the STag, to be invalidated by the peer
	invalidateWindows
)

// invalidate puts an STag into the Invalid state, for a Work Request or for the peer (Verbs, section 7.8).
func (a *access) invalidate(index STag, remote bool) invalidation {
	s := a.rnic.lookup(index)
	switch {
	case s == nil || s.valid && s.key != index.Key():
		return invalidateSTag
	case s.shared:
		return invalidateShared
	case s.window && s.valid && s.user != a, !(s.window && s.valid) && s.pd != a.pd:
		return invalidatePD
	case remote && (!a.remoteRead && !a.remoteWrite || s.rights.remote() == 0):
		return invalidateRights
	case s.windows > 0:
		return invalidateWindows
	}
	s.invalidate()
	return invalidated
}

// status returns the completion status of a Work Request that invalidates. The Verbs have none for a Memory Region with
// Memory Windows bound to it.
func (i invalidation) status() Status {
	return [...]Status{Success, InvalidSTag, InvalidSTag, InvalidPDID, InvalidateRefused, InvalidSTag}[i]
}

// remoteStatus returns the completion status of a Receive whose Send invalidates.
func (i invalidation) remoteStatus() Status {
	if i == invalidatePD {
		return InvalidateRefused
	}
	return i.status()
}

// invalidateForPeer invalidates an STag for the peer. It ignores an error that a quirk suppresses.
func (a *access) invalidateForPeer(index STag) invalidation {
	i := a.invalidate(index, true)
	if i == invalidated || !a.rnic.quirks.Ignores(invalidationProblems[i].situation) {
		return i
	}
	if i != invalidateSTag {
		a.rnic.lookup(index).invalidate()
	}
	return invalidated
}

// invalidationProblems are the problems of a Send with Invalidate.
var invalidationProblems = [...]problem{
	invalidateSTag:    {situation: rules.InvalidateSTag},
	invalidateShared:  {situation: rules.InvalidateShared},
	invalidatePD:      {situation: rules.InvalidateAssociation},
	invalidateRights:  {situation: rules.InvalidateAccess},
	invalidateWindows: {situation: rules.InvalidateWindows},
}
