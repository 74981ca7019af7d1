package sim

// Terminates: the refused step of the own side, and the Receives of the peer.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

type refusal struct {
	step     *scenario.Step
	reason   *scenario.Refusal // nil if it is a Terminate
	culprit  *scenario.Step    // the step of the own side that it refuses; nil if there is none
	place    int               // of the culprit in conn.Steps
	memory   bool              // the culprit uses memory
	use      use               // of it
	sink     bool              // the culprit is a Read Response: its sink is gone
	offset   int               // octets of its message that were sent before the culprit
	first    int               // the first unanswered request, if there are more than IRD; else 0
	withdraw *region           // a region that could be used before; nil if there is none
}

// ends reports whether a step of the own side, given its index, failed.
func (r *refusal) ends(index int) bool { return r != nil && r.culprit != nil && index >= r.place }

// refusal finds the first Terminate of the peer, and the refused step: the last unanswered message before it. Only the
// Terminate's place counts, not its code. A Refusal names the refused step.
func (p *planner) refusal() *refusal {
	for _, s := range p.conn.Steps {
		if s.Side != p.plan.Side {
			continue
		}
		r, from := &refusal{step: s}, s.After
		switch do := s.Do.(type) {
		case *scenario.Refusal:
			if r.reason = do; do.To != 0 {
				from = do.To
			}
		case *scenario.Message:
			if do.Opcode != rdmap.OpTerminate {
				continue
			}
		default:
			continue
		}
		if from != 0 {
			p.findCulprit(r, p.index[from])
		}
		return r
	}
	return nil
}

// findCulprit searches the culprit backwards from a step.
func (p *planner) findCulprit(r *refusal, from int) {
	if m, _ := messageOf(p.conn.Steps[from].Do); m == nil && r.reason != nil { // the step is wrong because it is not a message
		r.culprit, r.place = p.conn.Steps[from], from
		return
	}
	for i := from; i >= 0; i-- {
		s := p.conn.Steps[i]
		m, _ := messageOf(s.Do)
		if s.Side == p.plan.Side || m == nil || p.answers[s.Number] != nil {
			continue
		}
		if m.Opcode == rdmap.OpTerminate {
			return
		}
		r.culprit, r.place = s, i
		r.sink = m.Opcode == rdmap.OpReadResponse
		p.trace(r, m)
		p.checkIRD(r)
		return
	}
}

// checkIRD finds out whether the culprit is a request beyond IRD.
func (p *planner) checkIRD(r *refusal) {
	t := &p.plan.Startup
	if !t.Enhanced || !isRequest(r.culprit.Do) {
		return
	}
	var open []int
	answered := make(map[int]bool)
	for _, s := range p.conn.Steps[:r.place+1] {
		if m, ok := s.Do.(*scenario.Message); ok && s.Side == p.plan.Side {
			answered[m.To] = true
		}
	}
	for _, s := range p.conn.Steps[:r.place+1] {
		if s.Side != p.plan.Side && isRequest(s.Do) && !answered[s.Number] {
			open = append(open, s.Number)
		}
	}
	if len(open) > int(t.IRD) {
		r.first, r.memory = open[0], false
	}
}

func isRequest(a scenario.Action) bool {
	m, ok := a.(*scenario.Message)
	return ok && m.Opcode.IsRequest()
}

// trace follows the message of the culprit up to it.
func (p *planner) trace(r *refusal, culprit *scenario.Message) {
	begin := r.place
	for i := r.place - 1; i >= 0; i-- {
		s := p.conn.Steps[i]
		if s.Side == p.plan.Side {
			continue
		}
		m, n := messageOf(s.Do)
		if m == nil || m.Opcode != culprit.Opcode || lastOf(s.Do) {
			break
		}
		r.offset += n
		begin = i
	}
	for i := begin; i <= r.place; i++ {
		if s := p.conn.Steps[i]; s.Side != p.plan.Side {
			r.use, r.memory = p.use(s)
		}
	}
	clear(p.writing)
}

// receives posts a Receive for each message that consumed one. The refused message gets none; but one for the segments
// that were placed, if any, and one without memory if the peer reported an error of its own memory.
func (p *planner) receives() {
	length := 0 // of the message so far
	for i, s := range p.conn.Steps {
		m, n := messageOf(s.Do)
		ends := s.Side != p.plan.Side && p.refused.ends(i)
		if s.Side == p.plan.Side || !ends && (m == nil || !m.Opcode.ConsumesReceive()) {
			continue
		}
		if ends {
			p.refusedReceive(n)
			return
		}
		length += n
		if lastOf(s.Do) {
			p.receive(Receive{Length: length})
			length = 0
		}
	}
	if length > 0 {
		p.receive(Receive{Length: length + maxSegment})
	}
}

func (p *planner) receive(r Receive) { p.plan.Receives = append(p.plan.Receives, r) }

// maxSegment is room in octets for the unrecorded rest of a message.
const maxSegment = 1 << 16

// refusedReceive posts the Receive of the refused message, if there is one. n is the length of its last segment in octets.
func (p *planner) refusedReceive(n int) {
	m, _ := messageOf(p.refused.culprit.Do)
	switch {
	case m == nil:
		p.receive(Receive{Length: maxSegment})
	case !m.Opcode.ConsumesReceive(): // something else was refused, and no Send was placed afterwards
	case p.refused.offset > 0:
		p.receive(Receive{Length: p.refused.offset})
	case p.complains(rules.ReceiveSGE):
		p.receive(Receive{Length: n, Broken: true})
	case p.complains(rules.SendTooLong) && !p.complains(rules.SendNoBuffer) && n > 0:
		p.receive(Receive{Length: n - 1})
	case p.refused.reason != nil && !p.complains(rules.SendNoBuffer):
		p.receive(Receive{Length: n})
	}
}

// lastOf reports whether an action is the last segment of a message, or a whole message.
func lastOf(a scenario.Action) bool {
	if seg, ok := a.(*scenario.Segment); ok {
		_, last, _ := seg.Message()
		return last
	}
	return true
}

// complains reports whether the Refusal is about a Situation, or the Terminate has a code that any peer uses for it.
func (p *planner) complains(s rules.Situation) bool {
	if r := p.refused.reason; r != nil {
		return r.Situation == s
	}
	m := p.refused.step.Do.(*scenario.Message)
	f := func(name string) uint64 { return p.resolve(m.Fields, name) }
	control := rdmap.Terminate{
		Code: rdmap.Code{Layer: rdmap.Layer(f("Layer")), EType: uint8(f("EType")), ErrorCode: uint8(f("ErrorCode"))},
		M:    f("M") != 0, D: f("D") != 0, R: f("R") != 0, Reserved: uint16(f("Reserved")),
	}
	octets, err := control.AppendBinary(nil)
	if err != nil {
		return false
	}
	var t rdmap.Terminate
	swapped := rules.Style{Swapped: true}
	swapped.Decode(&t, append(octets[:rdmap.TerminateLen], p.recorded(m.Payload)...))
	d := &rules.Situations[s]
	known := d.RFC.Codes.Contains(t.Code) || d.Verbs.Codes.Contains(t.Code) || d.Also.Contains(t.Code)
	return known || slices.ContainsFunc(peers.RNICs, func(p *rules.Peer) bool { return p.Answer(s).Codes.Contains(t.Code) })
}
