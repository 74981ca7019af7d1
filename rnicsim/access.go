package rnicsim

// Access to memory: who may do what with which octets (Verbs, sections 7.4 to 7.6 and 7.10.6).

import "github.com/iwarpkit/iwarp/codec/rdmap"

// An access is what one QP, and the peer through it, may do with the memory of an RNIC. The attributes of the QP and
// the STags decide that.
type access struct {
	rnic        *RNIC
	pd          *PD
	privileged  bool
	bindWindows bool
	remoteRead  bool
	remoteWrite bool
	windows     int   // Memory Windows that are bound to the QP
	physical    place // of the latest Scatter/Gather Element with STag 0
}

// newAccess returns what a QP of r with the given attributes may access.
func newAccess(r *RNIC, c *QPConfig) access {
	return access{
		rnic: r, pd: c.PD, privileged: c.Privileged, bindWindows: c.BindWindows,
		remoteRead: c.RemoteRead, remoteWrite: c.RemoteWrite,
	}
}

// A fault is the reason why memory cannot be used.
type fault uint8

const (
	faultless fault = iota
	faultSTag
	faultPD
	faultRights
	faultWrap
	faultBounds
)

// status returns the completion status of a Work Request that meets the fault.
func (f fault) status() Status {
	return [...]Status{Success, InvalidSTag, InvalidPDID, AccessViolation, WrapError, BaseBounds}[f]
}

// local finds the octets of a Scatter/Gather Element, which need the given right. pd is the PD of the QP, or of the
// S-RQ that holds the element. An empty element is not checked (Verbs, section 8.1.3.2).
func (a *access) local(pd *PD, e *SGE, right Rights) (p *place, offset uint64, f fault) {
	if e.Len == 0 {
		return nil, 0, faultless
	}
	if e.STag == 0 {
		return a.locatePhysical(e)
	}
	s := a.rnic.lookup(e.STag)
	switch {
	case s == nil || s.window || !s.valid || s.key != e.STag.Key():
		return nil, 0, faultSTag
	case s.pd != pd:
		return nil, 0, faultPD
	case !s.rights.has(right):
		return nil, 0, faultRights
	}
	return s.locate(e.TO, uint64(e.Len))
}

// locatePhysical finds the octets of an element with STag 0, whose TO is a physical address (Verbs, section 8.1.3.2.1).
func (a *access) locatePhysical(e *SGE) (*place, uint64, fault) {
	if !a.privileged {
		return nil, 0, faultSTag
	}
	last := e.TO + uint64(e.Len) - 1
	if last < e.TO {
		return nil, 0, faultWrap
	}
	a.physical = place{length: uint64(e.Len), spans: a.physical.spans[:0]}
	for at, left := e.TO, uint64(e.Len); left > 0; {
		b := a.rnic.memory.at(at)
		if b == nil {
			return nil, 0, faultBounds
		}
		b = b[:min(left, uint64(len(b)))]
		a.physical.add(at, b)
		at, left = at+uint64(len(b)), left-uint64(len(b))
	}
	return &a.physical, 0, faultless
}

// remote finds n octets that the peer names, which need the given rights. If n is 0, nothing is checked (Verbs,
// sections 7.6.3 and 7.10.6.2). The caller checks remoteRead and remoteWrite.
func (a *access) remote(stag STag, to, n uint64, rights Rights) (p *place, offset uint64, f fault) {
	if n == 0 {
		return nil, 0, faultless
	}
	s := a.rnic.lookup(stag)
	switch {
	case s == nil || !s.valid || s.key != stag.Key():
		return nil, 0, faultSTag
	case s.window && s.user != a, !s.window && s.pd != a.pd:
		return nil, 0, faultPD
	case !s.rights.has(rights):
		return nil, 0, faultRights
	}
	return s.locate(to, n)
}

// tolerated finds octets as remote does. It ignores a PD or rights that are wrong if a quirk suppresses the problem.
func (a *access) tolerated(stag STag, to, n uint64, rights Rights, problems *faults) (*place, uint64, fault) {
	p, offset, f := a.remote(stag, to, n, rights)
	if (f == faultPD || f == faultRights) && a.rnic.quirks.ignores(problems[f].situation.Name) {
		return a.rnic.lookup(stag).locate(to, n)
	}
	return p, offset, f
}

// source finds n octets of the source of a Read Request. wraps tells that TO and length exceed 64 bits, as the Profile
// counts it.
func (a *access) source(stag STag, to, n uint64, wraps bool) (*place, uint64, fault) {
	p, offset, f := a.tolerated(stag, to, n, RemoteRead, &sourceProblems)
	return p, offset, f.wrapped(wraps)
}

// sink finds the octets that a tagged segment with payload names.
func (a *access) sink(s *rdmap.Segment, wraps bool) (*place, uint64, problem, bool) {
	p, offset, f := a.tolerated(STag(s.Tagged.STag), s.Tagged.TO, uint64(len(s.Body)), RemoteWrite, &sinkProblems)
	f = f.wrapped(wraps)
	if (f == faultless || f >= faultRights) && !a.remoteWrite {
		return nil, 0, writeDisabled, true
	}
	return p, offset, sinkProblems[f], f != faultless
}

// wrapped is f, or the fault of a TO and a length that exceed 64 bits, which is found before one of the bounds.
func (f fault) wrapped(wraps bool) fault {
	if wraps && (f == faultless || f == faultBounds) {
		return faultWrap
	}
	return f
}

// checkList returns how a Work Request ends that has the list, if not all of it can be used.
func (a *access) checkList(sgl []SGE, right Rights) Status {
	if total(sgl) > maxMessage {
		return InvalidLength
	}
	for i := range sgl {
		if _, _, f := a.local(a.pd, &sgl[i], right); f != faultless {
			return f.status()
		}
	}
	return Success
}

// total returns the octets of a list.
func total(sgl []SGE) (n uint64) {
	for i := range sgl {
		n += uint64(sgl[i].Len)
	}
	return n
}

// walk calls visit for n octets of a list, from offset at on, element by element. It stops at an element that cannot be
// used. Elements without any of these octets are not checked.
func (a *access) walk(pd *PD, sgl []SGE, at, n uint64, right Rights, visit func(p *place, offset uint64, n int)) fault {
	for i := range sgl {
		s := sgl[i]
		if at >= uint64(s.Len) {
			at -= uint64(s.Len)
			continue
		}
		s.TO, s.Len, at = s.TO+at, uint32(min(n, uint64(s.Len)-at)), 0
		p, offset, f := a.local(pd, &s, right)
		if f != faultless {
			return f
		}
		if s.Len > 0 {
			visit(p, offset, int(s.Len))
		}
		n -= uint64(s.Len)
	}
	return faultless
}

// contains tells whether n octets from TO on lie within s. If n is 0, the TO alone has to, or be that of the end.
func (s *stag) contains(to, n uint64) fault {
	switch {
	case n > 0 && to+(n-1) < to:
		return faultWrap
	case to < s.base, to-s.base > s.place.length, n > s.place.length-(to-s.base):
		return faultBounds
	}
	return faultless
}

// locate finds n octets from TO on.
func (s *stag) locate(to, n uint64) (p *place, offset uint64, f fault) {
	if f = s.contains(to, n); f != faultless {
		return nil, 0, f
	}
	return &s.place, s.offset + (to - s.base), faultless
}

// aligned tells whether the octet at a TO has an address that is a multiple of 8, as the target of an Atomic must (RFC
// 7306, section 8.1). Outside of s the TO itself has to be one.
func (s *stag) aligned(to uint64) bool {
	if offset := to - s.base; offset < s.place.length {
		return s.place.address(s.offset+offset)%atomicLen == 0
	}
	return to%atomicLen == 0
}
