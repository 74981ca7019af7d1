package rnicsim

// Memory Windows (Verbs, section 7.10).

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
func (r *RNIC) QueryMW(index STag) (a STagAttributes, err error) {
	s, err := r.find(index)
	switch {
	case err != nil:
		return a, err
	case !s.window:
		return a, ErrInvalidSTag
	}
	a = STagAttributes{Valid: s.valid, PD: s.pd.id, Rights: s.rights}
	if s.valid {
		a.Key = s.key
	}
	return a, nil
}
