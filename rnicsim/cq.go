package rnicsim

// A CQ is a Completion Queue (Verbs, section 5.3).
type CQ struct {
	object
	handler uint32
	armed   notify
	users   int // Work Queues
	size    int
	ring    []entry // grows on demand, so that an idle CQ costs nothing; head is the oldest of count
	head    int
	count   int
	overrun bool // a completion was lost, and an event has reported it
	failed  bool // it accepts no more completions
}

// An entry is a Completion Queue Entry, with the slots that Poll frees.
type entry struct {
	Completion
	queue *workQueue
	slots int // of that queue, one for each Work Request that ends
}

// A Completion is a Work Completion: the result of a Work Request (Verbs, section 9.3.2.1).
type Completion struct {
	WRID        uint64
	Op          Op
	Status      Status
	Length      uint32 // of a successful Receive: octets received
	Solicited   bool   // of a Receive: the peer asked for a Solicited Event
	Invalidated bool   // of a Receive: the peer invalidated STag
	STag        STag
	Immediate   bool   // of a Receive: Immediate Data came, 8 octets in Data (RFC 7306, section 6)
	Data        uint64 // Immediate Data; of an Atomic: the value before it
	QP          uint32 // ID of the QP
}

// A notify is the kind of completion that a CQ is armed for.
type notify uint8

const (
	notArmed notify = iota
	armedSolicited
	armedAny
)

// CreateCQ creates a Completion Queue of the given number of entries that calls handler h, or none if h is 0 (Verbs,
// section 9.2.3.1). It fails with ErrInvalidRNIC, ErrInsufficientResources, ErrTooManyCQEs or ErrInvalidHandler.
func (r *RNIC) CreateCQ(entries int, h uint32) (*CQ, error) {
	switch {
	case !r.works():
		return nil, ErrInvalidRNIC
	case entries < 1 || entries > r.limits.CQEs:
		return nil, ErrTooManyCQEs
	case h != 0 && r.handlers[h] == nil:
		return nil, ErrInvalidHandler
	}
	c := &CQ{object: object{rnic: r}, handler: h, size: entries}
	if err := r.cqs.add(c, &c.object, r.limits.CQs); err != nil {
		return nil, err
	}
	return c, nil
}

// of reports whether c exists and belongs to r.
func (c *CQ) of(r *RNIC) bool { return c != nil && c.id != 0 && c.rnic == r && !r.closed }

func (c *CQ) exists() bool { return c != nil && c.of(c.rnic) }

// Query returns the number of entries and the handler (Verbs, section 9.2.3.2), or ErrInvalidCQ.
func (c *CQ) Query() (entries int, h uint32, err error) {
	if !c.exists() {
		return 0, 0, ErrInvalidCQ
	}
	return c.size, c.handler, nil
}

// Modify changes the number of entries and returns it. Completions that were not polled stay (Verbs, section 9.2.3.3).
// It fails with ErrInvalidCQ, ErrTooManyCQEs, or ErrShrink if there are more completions than that.
func (c *CQ) Modify(entries int) (allocated int, err error) {
	switch {
	case !c.exists():
		return 0, ErrInvalidCQ
	case c.rnic.failed:
		return 0, ErrInvalidRNIC
	case entries < 1 || entries > c.rnic.limits.CQEs:
		return 0, ErrTooManyCQEs
	case entries < c.count:
		return 0, ErrShrink
	}
	c.size = entries
	return entries, nil
}

// grow moves the entries to a ring of n.
func (c *CQ) grow(n int) {
	ring := make([]entry, n)
	for i := range c.count {
		ring[i] = c.ring[(c.head+i)%len(c.ring)]
	}
	c.ring, c.head = ring, 0
}

// Destroy destroys the Completion Queue (Verbs, section 9.2.3.4). It fails with ErrInvalidCQ, or with ErrCQInUse while
// Work Queues are associated.
func (c *CQ) Destroy() error {
	switch {
	case !c.exists():
		return ErrInvalidCQ
	case c.rnic.failed:
		return ErrInvalidRNIC
	case c.users > 0:
		return ErrCQInUse
	}
	c.rnic.cqs.remove(c.id)
	c.id, c.ring, c.count = 0, nil, 0
	return nil
}

// Poll moves completions from the head of the queue into dst and returns how many (Verbs, section 9.3.2.1). It fails
// with ErrInvalidCQ, or with ErrCQEmpty if there are none.
func (c *CQ) Poll(dst []Completion) (n int, err error) {
	switch {
	case !c.exists():
		return 0, ErrInvalidCQ
	case c.count == 0:
		return 0, ErrCQEmpty
	}
	for ; n < len(dst) && c.count > 0; n++ {
		e := &c.ring[c.head]
		dst[n] = e.Completion
		if e.queue != nil {
			e.queue.release(e.slots)
		}
		*e = entry{}
		c.head = (c.head + 1) % len(c.ring)
		c.count--
	}
	return n, nil
}

// RequestNotification arms the queue: it calls its handler once, at the next completion, or if solicited at the next
// Receive of a Send with Solicited Event, or completion with an error (Verbs, sections 8.2.5 and 9.3.2.2). After several
// requests the one for any completion counts. It fails with ErrInvalidCQ.
func (c *CQ) RequestNotification(solicited bool) error {
	switch {
	case !c.exists():
		return ErrInvalidCQ
	case c.rnic.failed:
		return ErrInvalidRNIC
	case solicited:
		c.armed = max(c.armed, armedSolicited)
	default:
		c.armed = armedAny
	}
	return nil
}

// add adds a completion. It returns false if the completion is lost, because the queue is full or has failed.
func (c *CQ) add(e entry, solicited bool) bool {
	if c.failed {
		return false
	}
	if c.count == c.size {
		c.overrun = true
		return false
	}
	if c.count == len(c.ring) {
		c.grow(min(c.size, max(16, 2*len(c.ring))))
	}
	c.ring[(c.head+c.count)%len(c.ring)] = e
	c.count++
	if c.armed == armedAny || c.armed == armedSolicited && (solicited || e.Status != Success) {
		c.armed = notArmed
		if call := c.rnic.handlers[c.handler]; call != nil {
			call(c)
		}
	}
	return true
}
