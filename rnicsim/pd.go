package rnicsim

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
	id, ok := r.pds.add(p, r.limits.PDs)
	if !ok {
		return nil, ErrInsufficientResources
	}
	p.id = id
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
