package player

// Lanes: within one the messages of the other side keep their order.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A laneID names a lane. The first four are the queues by their numbers.
type laneID uint8

const (
	laneSend      laneID = rdmap.QNSend
	laneRead      laneID = rdmap.QNReadRequest
	laneTerminate laneID = rdmap.QNTerminate
	laneAtomic    laneID = rdmap.QNAtomicResponse
	laneWrite     laneID = iota // RDMA Writes
	laneResponse                // RDMA Read Responses
	laneOther                   // segments that are none of these
	numLanes      = int(iota)
)

// A laneSet is a set of lanes, by bits.
type laneSet uint8

// A lane is what is expected and what is in progress in one.
type lane struct {
	steps []*expected
	next  int         // those before it are over
	open  []*incoming // messages whose end has not come
}

// front is the first step that is not over; nil if there is none.
func (l *lane) front() *expected {
	for l.next < len(l.steps) && l.steps[l.next].over {
		l.next++
	}
	if l.next == len(l.steps) {
		return nil
	}
	return l.steps[l.next]
}

// enqueue puts a step into the lanes that it may come in.
func (p *Player) enqueue(e *expected) {
	set := lanesOf(e.Do)
	for i := range p.lanes {
		if set>>i&1 == 1 {
			p.lanes[i].steps = append(p.lanes[i].steps, e)
		}
	}
	if set == 0 && isSilence(e.Do) {
		p.silences.steps = append(p.silences.steps, e)
	}
	switch do := e.Do.(type) {
	case *scenario.FPDU:
		p.careful = p.careful || unframed(do)
	case *scenario.Octets:
		p.careful = p.careful || e.index > 0 && lanesOf(p.theirs[e.index-1].Do) != 0
	}
}

// laneOf is the lane of a ULPDU.
func laneOf(ulpdu []byte) laneID {
	switch {
	case len(ulpdu) < ddp.TaggedLen:
		return laneOther
	case ddp.IsTagged(ulpdu):
		return taggedLane(rdmap.Opcode(ulpdu[rdmap.ControlOff] & 15))
	case len(ulpdu) < ddp.UntaggedLen:
		return laneOther
	}
	return queueLane(uint64(binary.BigEndian.Uint32(ulpdu[6:])))
}

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

// lanesOf is the lanes that an action may come in; none if it is no FPDU.
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

// segmentLane is the lane of a Segment, as far as it can be told before it comes.
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

// window is how many steps of a lane are looked at for the one that a tagged message is.
const window = 64

// choose is the step that a message which begins with a ULPDU is; nil if none expects it.
func (p *Player) choose(id laneID, ulpdu []byte) *expected {
	l := &p.lanes[id]
	e := l.front()
	if e == nil || id != laneWrite && id != laneResponse {
		return e
	}
	if _, ok := e.Do.(*scenario.Message); !ok {
		return e
	}
	stag, to := binary.BigEndian.Uint32(ulpdu[2:]), binary.BigEndian.Uint64(ulpdu[6:])
	if e := p.beginsAt(l, stag, to); e != nil {
		return e
	}
	for _, e := range l.steps[l.next:min(len(l.steps), l.next+window)] {
		if !e.over && !e.begun {
			return e
		}
	}
	return nil
}

// beginsAt is the step of a lane that is a tagged message which begins at a place; nil if there is none.
func (p *Player) beginsAt(l *lane, stag uint32, to uint64) *expected {
	for _, e := range l.steps[l.next:min(len(l.steps), l.next+window)] {
		if e.over || e.begun {
			continue
		}
		m, ok := e.Do.(*scenario.Message)
		if !ok {
			return nil // it is one of another kind, and nothing passes it
		}
		if s, t, known := p.startOf(m); known && s == stag && t == to {
			return e
		}
	}
	return nil
}

// startOf is where a tagged message begins; known is false if its variables are not.
func (p *Player) startOf(m *scenario.Message) (stag uint32, to uint64, known bool) {
	if m.To != 0 {
		r := p.requests[m.To]
		if r == nil {
			return 0, 0, false
		}
		return r.SinkSTag, r.SinkTO, true
	}
	s, _ := m.Fields.Lookup("STag")
	t, _ := m.Fields.Lookup("TO")
	a, one := s.Resolve(p.values)
	b, other := t.Resolve(p.values)
	return uint32(a), b, one && other
}
