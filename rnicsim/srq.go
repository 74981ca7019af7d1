package rnicsim

// Shared Receive Queues (Verbs, section 6.3).

// An SRQConfig configures a new S-RQ (Verbs, section 9.2.4.1).
type SRQConfig struct {
	PD    *PD
	WRs   int // Work Requests that may be outstanding
	SGEs  int // in one of them
	Limit int // an event reports that fewer are available; 0 for none
}

// An SRQ is a Shared Receive Queue: Receives for the Sends to several QPs, taken in the order of arrival.
type SRQ struct {
	object
	pd       *PD
	queue    workQueue
	elements ring[receiveElement]
	sges     int
	limit    int
	armed    bool
	failed   bool // nothing more can be received
	users    int  // QPs
}

// CreateSRQ creates a Shared Receive Queue. It grants what was requested. It fails with ErrInvalidRNIC, ErrInvalidPD,
// ErrWRLimit, ErrSGELimit, ErrSRQLimit or ErrInsufficientResources.
func (r *RNIC) CreateSRQ(c SRQConfig) (*SRQ, error) {
	switch {
	case !r.works():
		return nil, ErrInvalidRNIC
	case !c.PD.of(r):
		return nil, ErrInvalidPD
	case c.WRs < 1 || c.WRs > r.limits.SRQWRs:
		return nil, ErrWRLimit
	case c.SGEs < 0 || c.SGEs > r.limits.SendSGEs:
		return nil, ErrSGELimit
	case c.Limit < 0 || c.Limit > c.WRs:
		return nil, ErrSRQLimit
	}
	s := &SRQ{object: object{rnic: r}, pd: c.PD, sges: c.SGEs, limit: c.Limit, armed: c.Limit > 0}
	s.queue.depth = c.WRs
	if err := r.srqs.add(s, &s.object, r.limits.SRQs); err != nil {
		return nil, err
	}
	c.PD.users++
	return s, nil
}

// of reports whether s exists and belongs to r.
func (s *SRQ) of(r *RNIC) bool { return s != nil && s.id != 0 && s.rnic == r && !r.closed }

// Query returns the attributes of the S-RQ, and whether the event of its limit is armed (Verbs, section 9.2.4.2). It
// fails with ErrInvalidSRQ.
func (s *SRQ) Query() (c SRQConfig, armed bool, err error) {
	if s == nil || !s.of(s.rnic) {
		return c, false, ErrInvalidSRQ
	}
	return SRQConfig{PD: s.pd, WRs: s.queue.depth, SGEs: s.sges, Limit: s.limit}, s.armed, nil
}

// An SRQModification lists changes of an S-RQ. Nil values stay. Either all changes are made, or none.
type SRQModification struct {
	WRs, Limit *int
	Arm        bool // arm the event of the limit again
}

// Modify changes the S-RQ (Verbs, section 9.2.4.3). It fails with ErrInvalidSRQ, ErrWRLimit, ErrShrink or ErrSRQLimit.
func (s *SRQ) Modify(m SRQModification) error {
	switch {
	case s == nil || !s.of(s.rnic):
		return ErrInvalidSRQ
	case s.rnic.failed:
		return ErrInvalidRNIC
	}
	wrs, limit, armed := s.queue.depth, s.limit, s.armed || m.Arm
	if m.WRs != nil {
		wrs = *m.WRs
	}
	if m.Limit != nil {
		limit = *m.Limit
	}
	switch {
	case wrs < 1 || wrs > s.rnic.limits.SRQWRs:
		return ErrWRLimit
	case wrs < s.queue.used:
		return ErrShrink
	case limit < 0, limit > wrs && (armed || m.Limit != nil):
		return ErrSRQLimit
	}
	s.queue.depth, s.limit, s.armed = wrs, limit, armed
	return nil
}

// Destroy destroys the S-RQ with its Receives (Verbs, section 9.2.4.4). It fails with ErrInvalidSRQ, or with
// ErrSRQInUse while QPs are associated.
func (s *SRQ) Destroy() error {
	switch {
	case s == nil || !s.of(s.rnic):
		return ErrInvalidSRQ
	case s.rnic.failed:
		return ErrInvalidRNIC
	case s.users > 0:
		return ErrSRQInUse
	}
	s.rnic.srqs.remove(s.id)
	s.id = 0
	s.pd.users--
	s.elements = ring[receiveElement]{}
	return nil
}

// PostRQ posts Receives to the S-RQ, in order, and returns how many it posted: it stops at the first that is refused.
// Their Op may be zero. It fails with ErrInvalidSRQ, ErrTooManyWRs, ErrInvalidOperation or ErrSGLTooLong. The caller
// may reuse the Work Requests.
func (s *SRQ) PostRQ(wrs ...WorkRequest) (n int, err error) {
	switch {
	case s == nil || !s.of(s.rnic):
		return 0, ErrInvalidSRQ
	case s.rnic.failed:
		return 0, ErrInvalidRNIC
	}
	return s.queue.postReceives(&s.elements, wrs, s.sges)
}

// take moves the next Receive, which must exist, to e. It reports whether the event of the limit is due, and disarms
// it.
func (s *SRQ) take(e *receiveElement) (low bool) {
	first := s.elements.at(0)
	*e, *first = *first, *e // each keeps its memory for later use
	s.elements.pop()
	low = s.armed && s.elements.len() < s.limit
	s.armed = s.armed && !low
	return low
}
