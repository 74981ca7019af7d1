package rnicsim

// Access to memory: permitted uses of octets (Verbs, sections 7.4 to 7.6 and 7.10.6).

import "encoding/binary"

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

// statuses are the completion statuses of Work Requests, by fault.
var statuses = [...]Status{
	faultless: Success, faultSTag: InvalidSTag, faultPD: InvalidPDID, faultRights: AccessViolation, faultWrap: WrapError,
	faultBounds: BaseBounds,
}

func (f fault) status() Status { return statuses[f] }

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

// checkList returns the status of a Work Request with the list if not all of it can be used.
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

// store puts the old value of an Atomic where the Work Request requests it.
func (a *access) store(e *SGE, value uint64) Status {
	p, offset, f := a.local(a.pd, e, LocalWrite)
	if f == faultless && e.Len == atomicLen {
		var octets [atomicLen]byte
		binary.LittleEndian.PutUint64(octets[:], value)
		p.put(offset, octets[:])
	}
	return f.status()
}
