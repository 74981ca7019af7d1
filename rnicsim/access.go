package rnicsim

// Who may do what with which memory (Verbs, sections 7.4 to 7.6 and 7.10.6).

// A fault is why memory cannot be used.
type fault uint8

const (
	faultless fault = iota
	faultSTag
	faultPD
	faultRights
	faultWrap
	faultBounds
)

// status is how a Work Request ends that meets the fault.
func (f fault) status() Status {
	return [...]Status{Success, InvalidSTag, InvalidPDID, AccessViolation, WrapError, BaseBounds}[f]
}

// local finds the octets of a Scatter/Gather Element, which need the given right. pd is that of the QP, or of the S-RQ
// that the element was posted to. Of an empty element nothing is checked (Verbs, section 8.1.3.2).
func (r *RNIC) local(q *QP, pd *PD, e *SGE, right Rights) (p *place, offset uint64, f fault) {
	if e.Len == 0 {
		return nil, 0, faultless
	}
	if e.STag == 0 {
		return r.physical(q, e)
	}
	s := r.lookup(e.STag)
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

// physical finds the octets of an element with STag 0, whose TO is a physical address (Verbs, section 8.1.3.2.1).
func (r *RNIC) physical(q *QP, e *SGE) (*place, uint64, fault) {
	if !q.config.Privileged {
		return nil, 0, faultSTag
	}
	last := e.TO + uint64(e.Len) - 1
	if last < e.TO {
		return nil, 0, faultWrap
	}
	q.physical = place{length: uint64(e.Len), spans: q.physical.spans[:0]}
	for at, left := e.TO, uint64(e.Len); left > 0; {
		b := r.memory.at(at)
		if b == nil {
			return nil, 0, faultBounds
		}
		b = b[:min(left, uint64(len(b)))]
		q.physical.add(at, b)
		at, left = at+uint64(len(b)), left-uint64(len(b))
	}
	return &q.physical, 0, faultless
}

// remote finds octets that the peer of q names, which need the given rights. Of no octets nothing is checked (Verbs,
// sections 7.6.3 and 7.10.6.2). That the QP itself allows such an access is for the caller to look at.
func (r *RNIC) remote(q *QP, stag STag, to, n uint64, rights Rights) (p *place, offset uint64, f fault) {
	if n == 0 {
		return nil, 0, faultless
	}
	s := r.lookup(stag)
	switch {
	case s == nil || !s.valid || s.key != stag.Key():
		return nil, 0, faultSTag
	case s.window && s.qp != q, !s.window && s.pd != q.config.PD:
		return nil, 0, faultPD
	case !s.rights.has(rights):
		return nil, 0, faultRights
	}
	return s.locate(to, n)
}

// contains tells whether n octets from TO on lie within s. Of no octets it is the place between two that counts.
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

// aligned tells that what lies at a TO begins at an address that is a multiple of 8, as the target of an Atomic must (RFC
// 7306, section 8.1). Where s has no octets it is the TO that counts.
func (s *stag) aligned(to uint64) bool {
	if offset := to - s.base; offset < s.place.length {
		return s.place.address(s.offset+offset)%atomicLen == 0
	}
	return to%atomicLen == 0
}
