package session

// The order of the chunks of a session: SCTP delivers them as they come, their DDP-SSNs say how they were sent.

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// When chunks after a gap in the DDP-SSNs wait no longer.
const (
	maxWaiting   = 64 // chunks
	ackedWaiting = 8  // chunks, if the other side has acknowledged the first of them and all before: the capture has lost what is missing
)

// An order is what a direction keeps to bring its chunks into order.
type order struct {
	known   bool   // next is
	next    uint16 // the DDP-SSN that comes next
	patchy  bool   // chunks before next may never have come: the start was not seen, or a gap was given up
	waiting []Arrival
	octets  int    // that wait
	frame   uint64 // of the latest packet
	tsn     uint32 // of the latest chunk
	isShut  bool   // its side was closed by a SHUTDOWN
	control struct {
		sent     bool
		initiate bool
		tsn      uint32 // of the latest session control message
		frame    uint64
	}
}

// An Arrival is a user message of DDP that has come: a DDP Segment Chunk or a session control message.
type Arrival struct {
	chunk     record.Chunk
	isControl bool
	initiates bool // it is an Initiate
	octets    []byte
	missing   int
	span      flow.Span
}

// dataHeaderLen is the length in octets of the header of a DATA chunk.
const dataHeaderLen = 16

// NewArrival decodes a user message that an end has sent. It returns false if that is too short.
func NewArrival(m *association.Message, x *association.End) (a Arrival, ok bool) {
	var head sctp.Control // a DDP Segment Chunk has the same DDP-SSN
	if _, err := head.Decode(m.Data); len(m.Data) < sctp.SegmentLen || err != nil && m.PPID == sctp.PPIDControl {
		return Arrival{}, false
	}
	a = Arrival{
		chunk: record.Chunk{
			DDPChunk: rules.DDPChunk{
				DDPSSN: head.DDPSSN, Ordered: m.Ordered,
				Needless: m.Fragments > 1 && dataHeaderLen+len(m.Data)+m.Missing <= x.Largest,
			},
			TSN: m.TSN, Fragments: m.Fragments,
		},
		isControl: m.PPID == sctp.PPIDControl, octets: m.Data, missing: m.Missing, span: spanOf(m),
	}
	a.initiates = a.isControl && head.FunctionCode.IsInitiate()
	return a, true
}

// Initiates reports whether a is an Initiate.
func (a *Arrival) Initiates() bool { return a.initiates }

// spanOf is the packets that carried a user message.
func spanOf(m *association.Message) flow.Span {
	return flow.Span{Frame: m.First.Frame, LastFrame: m.Last.Frame, Time: m.First.Time, LastTime: m.Last.Time}
}

// Follows reports whether an Initiate of side i begins another session after this one, which is over, or whose DDP-SSNs
// have gone on. If so it marks the Initiate that comes before all of this one is acknowledged.
func (s *SCTP) Follows(i int, a *Arrival) bool {
	o := &s.orders[i]
	if !a.initiates || !s.IsEnded() && !s.Over && !(a.chunk.DDPSSN == 0 && o.known && o.next != 0) {
		return false
	}
	a.chunk.Hasty = s.isOutstanding()
	return true
}

// isOutstanding reports whether the latest chunk of one side is not acknowledged, as far as the capture shows both sides.
func (s *SCTP) isOutstanding() bool {
	for i := range s.orders {
		other := s.ends[1-i]
		if o := &s.orders[i]; o.known && other.Acked && int32(o.tsn-other.Acks.Highest) > 0 {
			return true
		}
	}
	return false
}

// isHasty reports whether nothing shows that the other side has the latest control message of side i: a chunk of another
// packet may overtake it.
func (s *SCTP) isHasty(i int, a *Arrival) bool {
	c, other := &s.orders[i].control, s.ends[1-i]
	switch whole := s.Sides[0].Opened && s.Sides[1].Opened; {
	case !c.sent || !whole || c.frame == a.span.Frame || int32(a.chunk.TSN-c.tsn) < 0:
		return false
	case c.initiate && s.orders[1-i].known: // it was answered
		return false
	case !a.isControl && !c.initiate:
		return false
	}
	return !other.Acked || int32(c.tsn-other.Acks.Highest) > 0
}

// Receive takes in a chunk that side i has sent. It is delivered, with those that have waited for it, if it is its turn;
// else it has to wait.
func (s *SCTP) Receive(i int, a *Arrival) {
	o, t := &s.orders[i], s.Sides[i].Traffic
	if s.Over {
		t.Undecoded += uint64(len(a.octets))
		return
	}
	a.chunk.Hasty = a.chunk.Hasty || s.isHasty(i, a)
	o.note(a)
	if !o.known {
		o.known = true
		o.next, o.patchy = s.firstSSN(i, a.chunk.DDPSSN)
	}
	switch ahead := int16(a.chunk.DDPSSN - o.next); {
	case ahead == 0:
		o.next++
		s.deliver(i, a)
		s.deliverReady(i)
	case ahead < 0 && o.patchy: // too late
		t.Undecoded += uint64(len(a.octets))
		t.TCP.OutOfOrder++
		t.Disorder = a.span
	case ahead < 0: // its sender has made a mistake
		s.deliver(i, a)
	default:
		t.TCP.OutOfOrder++
		t.Disorder = a.span
		s.wait(i, a)
	}
}

// note remembers the latest chunk, and the latest control message.
func (o *order) note(a *Arrival) {
	o.tsn = a.chunk.TSN
	if a.isControl {
		o.control.sent, o.control.initiate, o.control.tsn, o.control.frame = true, a.initiates, a.chunk.TSN, a.span.LastFrame
	}
}

// firstSSN is the DDP-SSN with which a direction begins, of which the first chunk that came may have another one. Where the
// capture has the start of the association, or of the session, that is 0.
func (s *SCTP) firstSSN(i int, arrived uint16) (first uint16, patchy bool) {
	if s.ends[i].IsBegun() || s.asked == 1-i {
		return 0, false
	}
	return arrived, arrived != 0
}

// wait keeps a chunk until those before it have come, or have to be given up.
func (s *SCTP) wait(i int, a *Arrival) {
	o := &s.orders[i]
	at, _ := slices.BinarySearchFunc(o.waiting, a.chunk.DDPSSN, func(a Arrival, ssn uint16) int {
		return int(int16(a.chunk.DDPSSN - ssn))
	})
	kept := *a
	kept.octets = bytes.Clone(a.octets)
	o.waiting = slices.Insert(o.waiting, at, kept)
	o.octets += len(kept.octets)
	s.shared.Hold(len(kept.octets))
	for len(o.waiting) > 0 && (o.isTooMuch() || s.shared.Full() || s.isLostByCapture(i)) {
		s.giveUpGap(i)
	}
}

func (o *order) isTooMuch() bool { return len(o.waiting) > maxWaiting || o.octets > framing.MaxHeld }

// isLostByCapture reports whether the other side has got all up to the first chunk that waits, and enough have come since.
func (s *SCTP) isLostByCapture(i int) bool {
	o := &s.orders[i]
	return len(o.waiting) >= ackedWaiting && s.ends[1-i].Has(o.waiting[0].chunk.TSN)
}

// giveUpGap goes on after the gap before the first chunk that waits. If no TSN is missing, there was no gap: the sender
// has not counted rightly.
func (s *SCTP) giveUpGap(i int) {
	o, chunks := &s.orders[i], s.ends[i].Chunks
	if missing := o.waiting[0].chunk.DDPSSN - o.next; chunks.Missing() {
		o.patchy = true
		chunks.GiveUp()
		s.gap(i)
		s.Sides[i].Traffic.TCP.Holes++
		s.recognise(s.opener())
		s.note(i, record.ChunksMissing, uint64(missing), o.waiting[0].span)
	}
	o.next = o.waiting[0].chunk.DDPSSN
	s.deliverReady(i)
}

// deliverReady delivers those chunks that have waited and whose turn it is.
func (s *SCTP) deliverReady(i int) {
	o := &s.orders[i]
	for len(o.waiting) > 0 && int16(o.waiting[0].chunk.DDPSSN-o.next) <= 0 && !s.Over {
		a := o.waiting[0]
		o.waiting = slices.Delete(o.waiting, 0, 1)
		o.octets -= len(a.octets)
		s.shared.Hold(-len(a.octets))
		if a.chunk.DDPSSN == o.next {
			o.next++
		}
		s.deliver(i, &a)
	}
}

// deliverAll delivers all chunks that wait.
func (s *SCTP) deliverAll(i int) {
	for o := &s.orders[i]; len(o.waiting) > 0 && !s.Over; {
		s.giveUpGap(i)
	}
}

// reportMissing reports, at the end of a session, chunks of side i that the other side has acknowledged and that never
// came: they may have been of this session.
func (s *SCTP) reportMissing(i int) {
	chunks, other := s.ends[i].Chunks, s.ends[1-i]
	if s.Conn == nil || chunks == nil || !other.Acked {
		return
	}
	if n := chunks.Lacking(other.Acks.Cumulative); n > 0 {
		s.note(i, record.ChunksMissing, uint64(n), s.span)
	}
}

// drop gives up the chunks that still wait when a session is over.
func (s *SCTP) drop(i int) {
	o := &s.orders[i]
	s.shared.Hold(-o.octets)
	s.Sides[i].Traffic.Undecoded += uint64(o.octets)
	o.waiting, o.octets = nil, 0
}

func (s *SCTP) deliver(i int, a *Arrival) {
	if a.isControl {
		s.control(i, a)
	} else {
		s.place(i, a)
	}
}
