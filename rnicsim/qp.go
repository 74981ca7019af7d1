package rnicsim

// Queue Pairs: the verbs that create, query and destroy them (Verbs, section 9.2.5).

// A State is the state of a QP (Verbs, section 6.2).
type State uint8

// The states.
const (
	Idle State = iota
	RTS
	Terminate
	Closing
	Error
)

var stateNames = [...]string{"Idle", "RTS", "Terminate", "Closing", "Error"}

// String returns "Idle", "RTS", "Terminate", "Closing" or "Error".
func (s State) String() string { return stateNames[s] }

// A QPConfig configures a new QP (Verbs, section 9.2.5.1).
type QPConfig struct {
	PD             *PD
	SendCQ, RecvCQ *CQ  // may be the same
	SQ, RQ         int  // Work Requests that may be outstanding; RQ is ignored with an S-RQ
	SRQ            *SRQ // nil for an RQ of its own
	RQLimit        int  // with an S-RQ: an event reports that more of its Work Requests are in progress; 0 for none
	RemoteRead     bool // the peer may send RDMA Read Requests
	RemoteWrite    bool // the peer may send RDMA Writes and Read Responses
	BindWindows    bool // Memory Windows can be bound
	Privileged     bool // STag 0 and Fast-Register can be used
	SendSGEs       int  // in one Send
	WriteSGEs      int  // in one RDMA Write
	RecvSGEs       int  // in one Receive
	ORD, IRD       int  // Read and Atomic Requests that may be outstanding, of this side and of the peer
}

// A QP is a Queue Pair. It reports by completions in its CQs and by asynchronous events. Their handlers are called at
// once, and may use any verb, but must not call functions of the Stream.
//
// The parts of a QP do not refer to it: each returns the consequences, and the QP applies them.
type QP struct {
	object
	config QPConfig
	life   lifecycle
	stream *Stream // in RTS, Terminate and Closing
	access access

	sq       sendQueue
	rq       receiveQueue
	flushing bool
	orrq     orrq
	irrq     irrq

	sender    sender
	validator validator
}

// CreateQP creates a Queue Pair in the Idle state (Verbs, section 9.2.5.1). It grants what was requested. It fails with
// ErrInvalidRNIC, ErrInvalidPD, ErrInvalidCQ, ErrInvalidSRQ, ErrWRLimit, ErrSGELimit, ErrORDLimit, ErrIRDLimit,
// ErrRQLimit or ErrInsufficientResources.
func (r *RNIC) CreateQP(c QPConfig) (*QP, error) {
	if !r.works() {
		return nil, ErrInvalidRNIC
	}
	if err := r.checkQP(&c); err != nil {
		return nil, err
	}
	q := &QP{object: object{rnic: r}, config: c, access: newAccess(r, &c)}
	if err := r.qps.add(q, &q.object, r.limits.QPs); err != nil {
		return nil, err
	}
	q.validator.profile, q.validator.quirks = r.config.Profile, &r.quirks
	q.sq.workQueue = workQueue{cq: c.SendCQ, depth: c.SQ}
	q.sq.sendSGEs, q.sq.writeSGEs = c.SendSGEs, c.WriteSGEs
	q.rq.workQueue = workQueue{cq: c.RecvCQ, depth: c.RQ}
	q.rq.shared, q.rq.limit, q.rq.armed = c.SRQ, c.RQLimit, c.RQLimit > 0
	q.users(1)
	return q, nil
}

// checkQP returns why a QP cannot be created.
func (r *RNIC) checkQP(c *QPConfig) error {
	switch {
	case !c.PD.of(r):
		return ErrInvalidPD
	case !c.SendCQ.of(r), !c.RecvCQ.of(r):
		return ErrInvalidCQ
	case c.SRQ != nil && !c.SRQ.of(r):
		return ErrInvalidSRQ
	case c.SQ < 0 || c.SQ > r.limits.WRs, c.SRQ == nil && (c.RQ < 0 || c.RQ > r.limits.WRs):
		return ErrWRLimit
	case c.SendSGEs < 0 || c.SendSGEs > r.limits.SendSGEs, c.WriteSGEs < 0 || c.WriteSGEs > r.limits.WriteSGEs,
		c.SRQ == nil && (c.RecvSGEs < 0 || c.RecvSGEs > r.limits.SendSGEs):
		return ErrSGELimit
	case c.ORD < 0 || c.ORD > r.limits.ORD:
		return ErrORDLimit
	case c.IRD < 0 || c.IRD > r.limits.IRD:
		return ErrIRDLimit
	case c.SRQ != nil && (c.RQLimit < 0 || c.RQLimit > c.SRQ.queue.depth):
		return ErrRQLimit
	}
	if c.SRQ != nil {
		c.RQ, c.RecvSGEs = 0, c.SRQ.sges
	} else {
		c.RQLimit = 0
	}
	return nil
}

// users counts the QP as a user of its PD, CQs and S-RQ; -1 removes it.
func (q *QP) users(n int) {
	q.config.PD.users += n
	q.config.SendCQ.users += n
	q.config.RecvCQ.users += n
	if q.config.SRQ != nil {
		q.config.SRQ.users += n
	}
}

func (q *QP) exists() bool { return q != nil && q.id != 0 && !q.rnic.closed }

// QPAttributes are the attributes that Query returns.
type QPAttributes struct {
	QPConfig
	ID           uint32
	State        State
	Stream       *Stream      // nil in Idle and Error
	RQLimitArmed bool         // with an S-RQ
	Terminate    *LastMessage // in Terminate and Error, if there was one; must not be changed
}

// Query returns the attributes of the QP (Verbs, section 9.2.5.2), or ErrInvalidQP.
func (q *QP) Query() (QPAttributes, error) {
	if !q.exists() {
		return QPAttributes{}, ErrInvalidQP
	}
	return QPAttributes{
		QPConfig: q.config, ID: q.id, State: q.life.state, Stream: q.stream, RQLimitArmed: q.rq.armed, Terminate: q.life.last,
	}, nil
}

// Destroy destroys the QP in any state. It resets the Stream, if there is one; outstanding work is not completed
// (Verbs, section 9.2.5.4). It fails with ErrInvalidQP, or with ErrQPHasWindows while Memory Windows are bound to it.
func (q *QP) Destroy() error {
	switch {
	case !q.exists():
		return ErrInvalidQP
	case q.rnic.failed:
		return ErrInvalidRNIC
	case q.access.windows > 0:
		return ErrQPHasWindows
	}
	q.destroy()
	return nil
}

func (q *QP) destroy() {
	q.rnic.qps.remove(q.id)
	q.id = 0
	q.reset()
	q.life.state = Error
	q.users(-1)
	q.rq.drop()
	q.sq.elements = ring[sendElement]{}
}
