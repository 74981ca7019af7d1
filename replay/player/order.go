package player

// Lanes: the messages of the other side keep their order within a lane, and between some lanes.

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A laneID names a lane. The first four are the DDP queues by their numbers.
type laneID uint8

const (
	laneSend      laneID = rdmap.QNSend
	laneRead      laneID = rdmap.QNReadRequest
	laneTerminate laneID = rdmap.QNTerminate
	laneAtomic    laneID = rdmap.QNAtomicResponse
	laneWrite     laneID = iota // RDMA Writes
	laneResponse                // RDMA Read Responses
	laneOther                   // all other segments
	numLanes      = int(iota)
)

type laneSet uint8

// A queue is the steps of the other side that share a lane.
type queue struct {
	steps   []*expected
	next    int         // those before it are over or passed
	longest int         // octets of the longest Message after its DDP header
	astray  []*expected // the latest steps that were passed or matched with something else; see realign
}

// front returns the first step that is neither over nor passed by another one of its lane, or nil.
func (q *queue) front() *expected {
	for q.next < len(q.steps) && (q.steps[q.next].over || q.steps[q.next].passed) {
		q.next++
	}
	if q.next == len(q.steps) {
		return nil
	}
	return q.steps[q.next]
}

// late returns the first step that was passed and may still arrive, or nil.
func (q *queue) late() *expected {
	if i := slices.IndexFunc(q.astray, func(e *expected) bool { return !e.over }); i >= 0 {
		return q.astray[i]
	}
	return nil
}

// window limits the steps of a lane that are searched for the one of a tagged message.
const window = 64

// within returns the searched steps, some of which may be over.
func (q *queue) within() []*expected { return q.steps[q.next:min(len(q.steps), q.next+window)] }

// enqueue puts a step into the queue of each lane in which it may arrive.
func (s *script) enqueue(e *expected) {
	set := lanesOf(e.Do)
	for i := range s.queues {
		if set>>i&1 == 1 {
			q := &s.queues[i]
			q.steps = append(q.steps, e)
			if m, ok := e.Do.(*scenario.Message); ok {
				q.longest = max(q.longest, m.Payload.Len()+m.Opcode.RDMAPHeaderLen())
			}
		}
	}
	if set == 0 && isSilence(e.Do) {
		s.silences.steps = append(s.silences.steps, e)
	}
}

// nextSegment returns the first step that expects a segment and has none, or nil.
func (s *script) nextSegment() *expected {
	for _, e := range s.theirs[s.received:] {
		if !e.over && !e.begun && lanesOf(e.Do) != 0 {
			return e
		}
	}
	return nil
}

// disorder says why a complete step arrived too early, and the verdict for that; NotReached if it did not.
func (s *script) disorder(e *expected) (why string, v outcome.Verdict) {
	if to := answered(e.Do); to != 0 {
		if done, _ := s.settled(to); !done {
			return "it arrived before " + stepName(to) + ", which it answers", outcome.Mismatched
		}
	}
	if f := s.silences.front(); f != nil && f.index < e.index {
		return "it arrived before " + stepName(f.Number) + ", which is a Silence", outcome.Mismatched
	}
	for i := range s.queues {
		f := s.queues[i].front()
		switch {
		case f == nil || f.index >= e.index:
		case mayPass(e.Do, f.Do):
			why, v = "it arrived before "+stepName(f.Number), outcome.Accepted
		default:
			s.overtake(e, f)
		}
	}
	if v != 0 {
		return why + ", in an order that RDMAP leaves open", v
	}
	if s.waits(e.Step) {
		return "it arrived before " + stepName(e.After) + ", for which it had waited", outcome.Accepted
	}
	return "", v
}

// early reports whether something expected before a step has neither arrived nor been passed.
func (s *script) early(e *expected) bool {
	for i := range s.queues {
		if f := s.queues[i].front(); f != nil && f.index < e.index {
			return true
		}
	}
	return s.waits(e.Step)
}

// mayPass reports whether a message may come before another one that precedes it in the Scenario. A Send confirms
// earlier Writes, so it passes no Write, nor does a Write pass it. Responses are sent when possible, but in the order
// of the requests, and a request can wait for one that has no response yet (RFC 5040, section 5.5; RFC 7306, section
// 5.4).
func mayPass(a, before scenario.Action) bool {
	const ordered, answers = laneSet(1<<laneSend | 1<<laneWrite), laneSet(1<<laneResponse | 1<<laneAtomic)
	one, other := lanesOf(a), lanesOf(before)
	if one&ordered != 0 && other&ordered != 0 {
		return one == other && one == 1<<laneWrite
	}
	return one&answers == 0 || other&answers == 0
}

func laneOf(ulpdu []byte) laneID {
	switch {
	case len(ulpdu) < ddp.TaggedLen:
		return laneOther
	case ddp.IsTagged(ulpdu):
		return taggedLane(opcodeOf(ulpdu))
	case len(ulpdu) < ddp.UntaggedLen:
		return laneOther
	}
	return queueLane(uint64(binary.BigEndian.Uint32(ulpdu[6:])))
}

// opcodeOf returns the opcode of a ULPDU, which has an RDMAP control field.
func opcodeOf(ulpdu []byte) rdmap.Opcode { return rdmap.Opcode(ulpdu[rdmap.ControlOff] & 15) }

func taggedLane(o rdmap.Opcode) laneID {
	switch o {
	case rdmap.OpWrite:
		return laneWrite
	case rdmap.OpReadResponse:
		return laneResponse
	}
	return laneOther
}

func queueLane(qn uint64) laneID {
	if qn <= uint64(laneAtomic) {
		return laneID(qn)
	}
	return laneOther
}

// lanesOf returns the lanes in which an action may arrive; none if it is not a segment.
func lanesOf(a scenario.Action) (set laneSet) {
	switch a := a.(type) {
	case *scenario.Message:
		return 1 << opcodeLane(a.Opcode, a.Opcode.Tagged())
	case *scenario.Segment:
		return 1 << segmentLane(a)
	case *scenario.FPDU:
		return 1 << segmentLane(&a.Segment)
	case scenario.Probe:
		return 1 << laneRead
	case *scenario.Refusal:
		return 1 << laneTerminate
	case *scenario.OneOf:
		for _, each := range scenario.Alternatives(a) {
			set |= lanesOf(each)
		}
	}
	return set
}

func opcodeLane(o rdmap.Opcode, tagged bool) laneID {
	if tagged {
		return taggedLane(o)
	}
	qn, _ := o.QN()
	return queueLane(uint64(qn))
}

// segmentLane returns the lane of a Segment, as far as it is known in advance.
func segmentLane(s *scenario.Segment) laneID {
	if s.Raw {
		octets, _ := s.Payload.AppendOctets(nil, nil)
		return laneOf(octets)
	}
	tagged := s.Opcode.Tagged()
	if t, ok := s.Fields.Lookup("T"); ok {
		tagged = t.Number != 0
	}
	if qn, ok := s.Fields.Lookup("QN"); ok && !tagged {
		return queueLane(qn.Number)
	}
	return opcodeLane(s.Opcode, tagged)
}
