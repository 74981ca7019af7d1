package sim

// Terminates: which step of the own side the peer has refused, and which Receives it had.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A refusal is a Terminate of the peer, or a Refusal.
type refusal struct {
	step     *scenario.Step
	reason   *scenario.Refusal // nil if it is a Terminate
	culprit  *scenario.Step    // of the own side, that it refuses; nil if it is none
	place    int               // of the culprit in conn.Steps
	memory   bool              // the culprit uses memory
	use      use               // of it
	sink     bool              // the culprit is a Read Response: its sink was gone
	offset   int               // octets of its message that were sent before the culprit
	first    int               // the first request that is not answered, if there are more of them than IRD; else 0
	withdraw *region           // that was usable before, and is not any more; nil if there is none
}

// ends tells that a step of the own side, by its index, succeeded no more.
func (r *refusal) ends(index int) bool { return r != nil && r.culprit != nil && index >= r.place }

// refusal finds the first Terminate of the peer, and what it refuses: of what had come in by then the last message that
// is not answered. Its place is all that counts, not its code. A Refusal says itself what it refuses.
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
			p.blame(r, p.index[from])
		}
		return r
	}
	return nil
}

// blame looks for the culprit, from a step back.
func (p *planner) blame(r *refusal, from int) {
	if m, _ := messageOf(p.conn.Steps[from].Do); m == nil && r.reason != nil { // it is no message: that is what is wrong
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
		p.crowd(r)
		return
	}
}

// crowd finds out whether the culprit is a request that comes when IRD others are not answered.
func (p *planner) crowd(r *refusal) {
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

// isRequest tells whether an action is a Read or Atomic Request.
func isRequest(a scenario.Action) bool {
	m, ok := a.(*scenario.Message)
	return ok && m.Opcode.IsRequest()
}

// trace goes through the message of the culprit up to it.
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

// receives posts a Receive for each message that took one. For the one that was refused there is none, but if some
// segments of it were taken then there is one for these, and if the peer has complained of its own memory one that has
// none.
func (p *planner) receives() {
	length := 0 // of the message so far
	for i, s := range p.conn.Steps {
		m, n := messageOf(s.Do)
		ends := s.Side != p.plan.Side && p.refused.ends(i)
		if s.Side == p.plan.Side || !ends && (m == nil || !takesReceive(m.Opcode)) {
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

// maxSegment is room for the rest of a message of which the recording has only the begin, in octets.
const maxSegment = 1 << 16

// refusedReceive posts the Receive, if there is one, of the message that was refused, of whose last segment n octets
// are.
func (p *planner) refusedReceive(n int) {
	m, _ := messageOf(p.refused.culprit.Do)
	switch {
	case m == nil:
		p.receive(Receive{Length: maxSegment})
	case !takesReceive(m.Opcode): // something else was refused, and no Send was taken in behind it
	case p.refused.offset > 0:
		p.receive(Receive{Length: p.refused.offset})
	case p.complains("receive-sge"):
		p.receive(Receive{Length: n, Broken: true})
	case p.complains("send-too-long") && !p.complains("send-no-buffer") && n > 0:
		p.receive(Receive{Length: n - 1})
	case p.refused.reason != nil && !p.complains("send-no-buffer"):
		p.receive(Receive{Length: n})
	}
}

// lastOf tells whether an action is the last segment of a message, or all of one.
func lastOf(a scenario.Action) bool {
	if seg, ok := a.(*scenario.Segment); ok {
		_, last, _ := seg.Message()
		return last
	}
	return true
}

// complains tells whether the Refusal is about a Situation, or the Terminate one that stands for it by any peer's habit.
func (p *planner) complains(situation string) bool {
	if r := p.refused.reason; r != nil {
		return r.Situation == situation
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
	rules.LookupProfile("siw").DecodeTerminate(&t, append(octets[:rdmap.TerminateLen], p.recorded(m.Payload)...))
	s := rules.LookupSituation(situation)
	for i := range s.Answers {
		if s.Answers[i].Known && slices.Contains(s.Answers[i].Codes, t.Code) {
			return true
		}
	}
	return slices.Contains(s.Also, t.Code)
}

// takesReceive tells whether a message takes a Receive (RFC 5040, section 5.3; RFC 7306, section 6).
func takesReceive(o rdmap.Opcode) bool {
	qn, untagged := o.QN()
	return untagged && qn == rdmap.QNSend
}
