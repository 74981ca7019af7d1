package rnicsim

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// Limits are the resources of an RNIC (Verbs, section 9.2.1.2). Each applies independently.
type Limits struct {
	QPs        int
	WRs        int // outstanding in one SQ or RQ
	SRQs       int // 0 if Shared Receive Queues are not supported
	SRQWRs     int // outstanding in one S-RQ
	SendSGEs   int // in one Send or Receive
	WriteSGEs  int // in one RDMA Write
	CQs        int
	CQEs       int // in one CQ
	Handlers   int // Completion Event Handlers
	MRs        int
	MWs        int
	PBLEntries int // in one Physical Buffer List
	PDs        int
	IRD, ORD   int    // of one QP
	PageSizes  uint64 // in page mode: the supported sizes, each as the bit of its value
	MaxBlock   uint64 // in block mode: the largest block, in octets
}

// DefaultLimits are the limits of a Config without any.
var DefaultLimits = Limits{
	QPs: 1 << 16, WRs: 1 << 14, SRQs: 1 << 10, SRQWRs: 1 << 16, SendSGEs: 16, WriteSGEs: 16,
	CQs: 1 << 16, CQEs: 1 << 20, Handlers: 16, MRs: 1 << 20, MWs: 1 << 20, PBLEntries: 1 << 20, PDs: 1 << 16,
	IRD: 128, ORD: 128, PageSizes: 1<<12 | 1<<13 | 1<<14 | 1<<16 | 1<<21, MaxBlock: 1 << 32,
}

// A Config says how to open an RNIC.
type Config struct {
	Name    string
	Limits  Limits         // the zero value stands for DefaultLimits
	Memory  *Memory        // the physical memory; nil for an empty one
	Profile *rules.Profile // determines the Terminates that it sends; nil for "rfc"
	Quirks  []quirk.Quirk  // how it deviates
	Seed    [32]byte       // of its STags; take it from crypto/rand if others must not guess them
}

// An RNIC is a reference RNIC that is open.
type RNIC struct {
	config Config
	blocks bool // in block mode: Physical Buffer Lists have blocks instead of pages
	limits Limits
	memory *Memory
	random *rand.ChaCha8
	quirks quirk.Set

	closed   bool
	reopened bool
	failed   bool // only Close works
	pds      objects[PD]
	cqs      objects[CQ]
	srqs     objects[SRQ]
	qps      objects[QP]
	stags    stagTable
	handlers map[uint32]func(*CQ)
	lastID   uint32
	async    func(Event)
}

// New opens an RNIC in page mode. It panics if [quirk.Quirk.Check] fails; the quirks of package quirk are checked.
func New(c Config) *RNIC {
	for i := range c.Quirks {
		if err := c.Quirks[i].Check(); err != nil {
			panic(err)
		}
	}
	c.Profile = cmp.Or(c.Profile, &rules.RFC)
	r := &RNIC{config: c, limits: c.limits(), memory: cmp.Or(c.Memory, new(Memory)), random: rand.NewChaCha8(c.Seed)}
	r.handlers = make(map[uint32]func(*CQ))
	r.quirks = quirk.NewSet(c.Quirks)
	return r
}

// Reopen opens an RNIC that was closed, in page or block mode (Verbs, sections 5.1.2 and 9.2.1.1). Buffers in page mode
// are pages, whose sizes are powers of two and whose addresses are multiples of them; blocks have any size and lie
// anywhere. The STags are others. Reopen fails with ErrNoBlockLists, and with ErrRNICInUse if r is open, or was reopened.
func (r *RNIC) Reopen(blocks bool) (*RNIC, error) {
	switch {
	case !r.closed || r.reopened:
		return nil, ErrRNICInUse
	case blocks && r.limits.MaxBlock == 0:
		return nil, ErrNoBlockLists
	}
	r.reopened = true
	c := r.config
	r.random.Read(c.Seed[:])
	again := New(c)
	again.blocks = blocks
	return again, nil
}

func (c *Config) limits() Limits {
	l := c.Limits
	if l == (Limits{}) {
		return DefaultLimits
	}
	if l.SRQs == 0 {
		l.SRQWRs = 0
	}
	return l
}

// exists reports whether r is open.
func (r *RNIC) exists() bool { return r != nil && !r.closed }

// works reports whether r is open and has not failed, so that verbs have an effect.
func (r *RNIC) works() bool { return r.exists() && !r.failed }

// Close destroys all that belongs to the RNIC and resets the streams of its QPs. [RNIC.Reopen] opens it again
// (Verbs, section 9.2.1.3). It fails with ErrInvalidRNIC.
func (r *RNIC) Close() error {
	if !r.exists() {
		return ErrInvalidRNIC
	}
	for _, id := range slices.Sorted(maps.Keys(r.qps.all)) {
		r.qps.all[id].destroy()
	}
	r.closed = true
	r.pds, r.cqs, r.srqs, r.stags = objects[PD]{}, objects[CQ]{}, objects[SRQ]{}, stagTable{}
	clear(r.handlers)
	r.async = nil
	return nil
}

// Attributes are the attributes that Query returns.
type Attributes struct {
	Vendor string
	Limits
	Blocks bool // it is in block mode
	// Pools that all QPs share; 0, since each QP has its own.
	PooledIRD, PooledORD int
	ModifyIRD            bool // IRD can be modified
	IncreaseORD          bool // ORD can be increased
	ResizeWorkQueues     bool // SQ, RQ and S-RQ can be resized
	DetectsCQOverflow    bool
	Extended             bool // it has Atomic Operations and Immediate Data (RFC 7306), on streams of version 1
	ArrivalOrder         bool // S-RQs are dequeued in the order of arrival, not in that of MSN
}

// Query returns the attributes of the RNIC (Verbs, section 9.2.1.2), or ErrInvalidRNIC.
func (r *RNIC) Query() (Attributes, error) {
	if !r.exists() {
		return Attributes{}, ErrInvalidRNIC
	}
	return Attributes{
		Vendor: "iwarp reference RNIC", Limits: r.limits, Blocks: r.blocks,
		ModifyIRD: true, IncreaseORD: true, ResizeWorkQueues: true, DetectsCQOverflow: true, ArrivalOrder: true,
		Extended: r.config.Profile.Extended(rdmap.Version),
	}, nil
}

// An object belongs to an RNIC and has an ID there.
type object struct {
	rnic *RNIC
	id   uint32 // from 1; 0 once it is gone
}

// ID identifies the object among those of its kind of one RNIC.
func (o *object) ID() uint32 { return o.id }

// An objects holds the objects of one kind of an RNIC.
type objects[T any] struct {
	all  map[uint32]*T
	last uint32
}

// add adds an object and gives it an ID. It fails with ErrInsufficientResources if there are limit of them already.
func (o *objects[T]) add(t *T, its *object, limit int) error {
	if len(o.all) >= limit {
		return ErrInsufficientResources
	}
	if o.all == nil {
		o.all = make(map[uint32]*T)
	}
	for {
		if o.last++; o.last != 0 && o.all[o.last] == nil {
			o.all[o.last], its.id = t, o.last
			return nil
		}
	}
}

func (o *objects[T]) remove(id uint32) { delete(o.all, id) }
