// Package dissect turns captured packets into what happened on iWARP connections: MPA negotiation, DDP segments and
// RDMAP messages.
//
// [Records] yields everything that happens in a capture, with findings and finished requests; [Messages] yields only
// messages:
//
//	for r, err := range dissect.Records(ctx, capture, dissect.Options{Analysis: &judge.Options{}}) { ... }
//	for m, err := range dissect.Messages(ctx, file) { ... }
//
// An [Engine] takes packets and gives Records to a record.Sink. Connections are found by their MPA handshake, on any port, or
// if that is not in the capture, by their FPDUs; over SCTP, by the Payload Protocol Identifiers of DDP. Each direction
// goes through TCP reassembly and MPA framing, or through SCTP and its adaptation layer, and RDMAP on its own. Nothing is
// allocated per packet in the steady state, and payload is copied only where an FPDU is spread over several TCP segments.
package dissect

import (
	"math"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// Options say what is known beforehand, and limit what an Engine keeps. The zero value stands for the defaults.
type Options struct {
	Analysis       *judge.Options     // how to judge what happens; nil for no analysis: no findings, transactions, upper layers and Verdicts
	First          int                // ID of the first connection, for one that has an Engine of its own; default 0
	Replaced       func(uint64) bool  // reports whether a frame has another payload than was sent, as [tcpip.Segment] has it; nil if none has
	Streaming      bool               // give octets before MPA, too: those of a direction before the MPA frame that follows them, or at the end of the connection
	MPA            framing.MPA        // what is known about connections whose MPA frames are not in the capture
	Frames         flow.Frames        // names frames, if the capture has several files; else nil
	Ports          []uint16           // well-known ports of servers, such as those of ulp/all: they tell who the server is where the start-up of a connection is not in the capture
	Memory         int                // limit of the state kept for connections, in octets, as Engine.Held counts them; beyond it, connections are forgotten as if there were too many; default 128 MiB
	MaxConnections int                // limit of TCP connections, and DDP streams over SCTP, known at a time, and of SCTP associations; beyond it, those that are over are forgotten first, then those that are not known to be iWARP beyond a sixteenth of all, then the idlest, and later packets of iWARP connections are ignored; default 4096
	Ending         func(Life, func()) // called when a TCP connection, or a DDP stream over SCTP, is forgotten; it must call the function that it gets, which gives the sink the Records of the end; may be nil
	NoMounts       bool               // pass over the Calls of MOUNT before connections: they need all packets of a capture, also those without a connection
}

// A Life is the frames of a TCP connection, or of a DDP stream over SCTP.
type Life struct {
	First, Latest uint64
	Over          uint64 // frame after which only late packets can follow, for which up to MaxOver connections are kept; 0 if it is not over
}

// Totals are what an Engine has seen.
type Totals struct {
	Packets      uint64         // packets taken in
	Octets       uint64         // their captured octets
	NotTCP       uint64         // packets without TCP or SCTP
	Fragments    uint64         // IP fragments after the first, which are passed over
	CutShort     uint64         // packets that the snaplen cut within their headers
	PayloadCut   uint64         // packets that the snaplen cut within their TCP payload or SCTP chunks
	Malformed    uint64         // packets whose headers contradict themselves
	UnknownLinks uint64         // packets of a link type that is not known
	UnknownLink  pcaps.LinkType // of the first of UnknownLinks
	TCP          uint64         // TCP connections
	Idle         uint64         // of TCP, those that are over and had no payload
	SCTP         uint64         // SCTP associations
	Connections  int            // iWARP connections
	GivenUp      uint64         // iWARP connections given up because of Options.MaxConnections or Options.Memory
	TooLarge     uint64         // of GivenUp, those because of Options.Memory

	RoCE    uint64                  // of those without TCP and SCTP, packets of RoCEv2
	Foreign [flow.NumForeign]uint64 // TCP connections by what they carry in place of MPA
}

// Undecodable reports whether there were packets, and all of them are of link types that are not known.
func (t *Totals) Undecodable() bool { return t.Packets > 0 && t.UnknownLinks == t.Packets }

// Add adds what another Engine has seen of the same capture.
func (t *Totals) Add(o *Totals) {
	if t.UnknownLinks == 0 {
		t.UnknownLink = o.UnknownLink
	}
	for _, n := range [...]struct {
		sum  *uint64
		more uint64
	}{
		{&t.Packets, o.Packets}, {&t.Octets, o.Octets}, {&t.NotTCP, o.NotTCP}, {&t.Fragments, o.Fragments}, {&t.CutShort, o.CutShort},
		{&t.PayloadCut, o.PayloadCut}, {&t.Malformed, o.Malformed}, {&t.UnknownLinks, o.UnknownLinks}, {&t.TCP, o.TCP}, {&t.Idle, o.Idle},
		{&t.SCTP, o.SCTP},
		{&t.GivenUp, o.GivenUp}, {&t.TooLarge, o.TooLarge}, {&t.RoCE, o.RoCE},
	} {
		*n.sum += n.more
	}
	t.Connections += o.Connections
	for i, n := range o.Foreign {
		t.Foreign[i] += n
	}
}

// An Engine follows all TCP connections and SCTP associations of a capture. It is not safe for concurrent use.
type Engine struct {
	totals       Totals
	first        int  // of the Options
	begun        bool // shared.Begin is known
	memory       int
	replaced     func(uint64) bool // of the Options
	judge        *judge.Judge      // nil without an analysis
	shared       session.Shared
	all          connections
	flows        flows
	associations associations
	mounts       *mounts // nil if they are passed over

	segment tcpip.Segment // these are used again and again
	sctp    tcpip.SCTP
}

// NewEngine returns an Engine that gives its Records to sink.
func NewEngine(sink record.Sink, o Options) *Engine {
	if o.MaxConnections <= 0 {
		o.MaxConnections = DefaultMaxConnections
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	e := &Engine{memory: o.Memory, all: connections{max: o.MaxConnections}}
	if o.Analysis != nil {
		e.judge = judge.New(sink, *o.Analysis)
		sink = e.judge
	}
	if !o.NoMounts {
		e.mounts = new(mounts)
	}
	e.replaced = o.Replaced
	e.shared = session.Shared{Sink: sink, Streaming: o.Streaming, Stated: o.MPA, Frames: o.Frames, Ports: o.Ports, Connections: o.First}
	e.first = o.First
	e.all.shared, e.all.ending = &e.shared, o.Ending
	seen := new(sightings)
	e.flows = flows{all: &e.all, shared: &e.shared, seen: seen, budget: reassembly.NewBudget(reassembly.DefaultLimits), halves: make(map[tuple]*half)}
	e.associations = associations{all: &e.all, shared: &e.shared, seen: seen}
	return e
}

// Totals returns what the Engine has seen so far.
func (e *Engine) Totals() *Totals {
	e.totals.TCP, e.totals.Idle, e.totals.SCTP, e.totals.Foreign = e.flows.n, e.flows.idle, e.associations.n, e.flows.foreign
	e.totals.Connections, e.totals.GivenUp = e.shared.Connections-e.first, e.all.givenUp
	return &e.totals
}

// Pass says that the capture has a packet of a time, in nanoseconds since 1970-01-01 UTC. Packet calls it. Call it
// yourself if the Engine gets only some connections of a capture: with the time of the first packet of the capture,
// before any other call, and with that of the last one, until which unanswered requests have waited.
func (e *Engine) Pass(time int64) {
	if !e.begun {
		e.begun, e.shared.Begin = true, time
	}
	if e.judge != nil {
		e.judge.Pass(time)
	}
}

// Packet takes in the next packet. Records alias rec.Data.
func (e *Engine) Packet(rec *pcaps.Record) {
	e.Pass(rec.Time)
	e.totals.Packets++
	e.totals.Octets += uint64(len(rec.Data))
	e.shared.Packet = rec.Frame
	missing, err := 0, e.segment.Decode(rec.LinkType, rec.Data, rec.OrigLen)
	switch {
	case err == nil:
		missing = e.segment.Missing
		if e.mounts != nil && isRecord(e.segment.Payload) {
			e.mounts.message(e.segment.Src, e.segment.Dst, e.segment.Payload[4:], flow.At(rec.Frame, rec.Time), false)
		}
		e.segment.Replaced = e.replaced != nil && e.replaced(rec.Frame)
		e.flows.receive(&e.segment, rec)
	case err == tcpip.ErrSCTP:
		if err = e.sctp.Decode(rec.LinkType, rec.Data, rec.OrigLen); err != nil {
			e.passOver(err, rec.LinkType)
			return
		}
		missing = e.sctp.Missing
		e.associations.receive(&e.sctp, rec)
	case err == tcpip.ErrNotTCP:
		e.passed(rec)
	default:
		e.passOver(err, rec.LinkType)
	}
	if missing > 0 {
		e.totals.PayloadCut++
	}
	if e.Held() > e.memory {
		e.shrink()
	}
}

// shrink gives up connections until the others fit in the memory.
func (e *Engine) shrink() {
	before := e.all.givenUp
	for e.Held() > e.memory && e.all.n > 1 {
		e.all.giveUp()
	}
	e.totals.TooLarge += e.all.givenUp - before
}

// The defaults of Options.Memory, in octets, and of Options.MaxConnections.
const (
	DefaultMemory         = 128 << 20
	DefaultMaxConnections = 4096
)

// connectionHeld is what a connection takes in memory, in octets, beside what its traffic decides.
const connectionHeld = 16 << 10

// Held returns how many octets of memory the Engine has for connections. It depends on the packets only.
func (e *Engine) Held() int {
	n := e.all.n*connectionHeld + e.flows.budget.Held() + e.flows.damaged
	if e.judge != nil {
		n += e.judge.Held()
	}
	return n
}

// passOver counts a packet that is not followed.
func (e *Engine) passOver(err error, link pcaps.LinkType) {
	switch err {
	case tcpip.ErrFragment:
		e.totals.Fragments++
	case tcpip.ErrShort:
		e.totals.CutShort++
	case tcpip.ErrLinkType:
		if e.totals.UnknownLinks++; e.totals.UnknownLinks == 1 {
			e.totals.UnknownLink = link
		}
	default:
		e.totals.Malformed++
	}
}

// CloseOver ends the connections that are over, for a source without stragglers. The KindEnd of each is given to the sink.
func (e *Engine) CloseOver() { e.all.closeList(&e.all.over) }

// Close ends all connections: what waits is decoded as far as it can be, and the KindEnd of every connection is given to
// the sink. The Engine can be used again, with its Totals going on.
func (e *Engine) Close() {
	e.shared.Packet = math.MaxUint64
	e.all.close()
	e.associations.clear()
	if e.mounts != nil {
		e.mounts.close(&e.shared, e.shared.Connections > e.first)
	}
}
