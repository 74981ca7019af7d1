package sim

// Acts: the actions of the peer's Consumer, in order.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// acts derives the Acts from the steps. The RNIC needs none for what it does by itself: it answers requests, refuses
// errors, and closes the connection after a Terminate and after the other side has closed it.
func (p *planner) acts() {
	if r := p.refused; r != nil && r.withdraw != nil { // a region that was already gone when it was used
		after := r.withdraw.touched
		p.stores[after] = append(p.stores[after], &Act{After: after, Settled: true, Do: &Withdraw{r.withdraw.index}})
	}
	for i := 0; i < len(p.conn.Steps) && p.plan.Unplayable == nil; i++ {
		s := p.conn.Steps[i]
		if s.Side != p.plan.Side {
			p.ownStep(i)
			continue
		}
		p.after = p.later(p.after, s.After)
		if m, _ := messageOf(s.Do); m != nil && p.silenced {
			p.plan.Silenced = append(p.plan.Silenced, s.Number)
			continue
		}
		p.act(i, s.Do)
		p.peer = s.Number
	}
}

// hold delays the answer to a request until a later step has arrived.
func (p *planner) hold(request, until int) {
	if until != 0 && p.later(request, until) != request {
		p.plan.Acts = append(p.plan.Acts, &Act{After: request, Do: &Hold{p.peer, until}})
	}
}

// ownStep handles a step of the own side, after which memory may change.
func (p *planner) ownStep(i int) {
	s := p.conn.Steps[i]
	if m, ok := s.Do.(*scenario.Message); ok && m.Opcode == rdmap.OpTerminate {
		p.terminated, p.silenced = true, true
	}
	if (s.Do == scenario.FIN{}) && p.closed == 0 {
		p.closed = s.Number
	}
	if f, ok := s.Do.(*scenario.Frame); ok && !f.Reply && !p.plan.Startup.Initiates {
		p.plan.Acts = append(p.plan.Acts, &Act{After: p.own, Do: Listen{}})
	}
	p.own = s.Number
	p.plan.Acts = append(p.plan.Acts, p.stores[s.Number]...)
}

func (p *planner) do(s *scenario.Step, d Operation) {
	p.plan.Acts = append(p.plan.Acts, &Act{Step: s.Number, After: p.after, Settled: p.settled, Do: d})
	p.settled = false
}

func (p *planner) act(i int, a scenario.Action) {
	s := p.conn.Steps[i]
	switch do := a.(type) {
	case *scenario.Frame:
		p.frame(s, do)
	case *scenario.Message:
		p.message(i, do)
	case *scenario.Segment:
		p.segment(i, do)
	case *scenario.Octets:
		if p.established {
			p.unplayable(s, "octets outside of FPDUs cannot be sent by verbs")
			return
		}
		p.do(s, &Stream{do.Payload})
	case scenario.FIN:
		if p.plan.Partial {
			p.plan.BrokenOff = s.Number
		}
		p.plan.Partial = false
		if !p.terminated && !p.closedBefore() {
			p.do(s, Close{})
		}
	case scenario.Reset:
		p.plan.Partial = false
		p.after, p.settled = p.own, true // because it destroys what is in flight
		p.do(s, Abort{})
	case *scenario.Silence:
		p.do(s, &Pause{do.For})
	case scenario.Probe:
		p.do(s, &Post{Op: rnicsim.OpRead})
	case *scenario.Refusal:
		p.terminate()
	case *scenario.OneOf:
		p.act(i, scenario.First(do)) // which the peer is assumed to have chosen
	case *scenario.FPDU:
		p.unplayable(s, "an FPDU with wrong framing cannot be sent by verbs")
	default:
		p.unplayable(s, "it does not say what to do")
	}
}

// closedBefore reports whether the other side had closed the connection by the step that the Consumer waits for.
func (p *planner) closedBefore() bool {
	return p.established && p.closed != 0 && p.after != 0 && p.index[p.closed] <= p.index[p.after]
}

// frame begins MPA, or answers the MPA Request.
func (p *planner) frame(s *scenario.Step, f *scenario.Frame) {
	switch {
	case f.PDLength != nil:
		p.unplayable(s, "an MPA frame with a wrong PD_Length cannot be sent by verbs")
	case f.S != (f.Enhanced != nil):
		p.unplayable(s, "an MPA frame with S but without an Enhanced word, or the reverse, cannot be sent by verbs")
	case f.Rev > mpa.Rev2:
		p.unplayable(s, "MPA has no revision %d", f.Rev)
	case !f.Reply:
		p.do(s, &Begin{f.PrivateData})
	case f.R:
		p.do(s, &Reject{f.PrivateData})
	default:
		p.do(s, &Accept{f.PrivateData})
	}
	if f.Reply && !f.R {
		p.established = true
	}
}

// ops maps messages to the operations that send them.
var ops = map[rdmap.Opcode]rnicsim.Op{
	rdmap.OpWrite: rnicsim.OpWrite, rdmap.OpReadRequest: rnicsim.OpRead, rdmap.OpAtomicRequest: rnicsim.OpFetchAdd,
	rdmap.OpSend: rnicsim.OpSend, rdmap.OpSendSE: rnicsim.OpSendSE, rdmap.OpSendInvalidate: rnicsim.OpSendInvalidate,
	rdmap.OpSendSEInvalidate: rnicsim.OpSendSEInvalidate,
	rdmap.OpImmediate:        rnicsim.OpImmediate, rdmap.OpImmediateSE: rnicsim.OpImmediateSE,
}

// message posts a message, unless the RNIC sends it by itself.
func (p *planner) message(i int, m *scenario.Message) {
	s := p.conn.Steps[i]
	switch {
	case m.Opcode == rdmap.OpTerminate:
		p.terminate()
	case m.Opcode.IsResponse():
		if m.To == 0 {
			p.unplayable(s, "a response without a request cannot be sent by verbs")
			return
		}
		p.hold(m.To, s.After)
		p.after, p.settled = p.later(p.after, m.To), true
	case p.ready(m):
		p.plan.ReadyStep = s.Number
	default:
		p.post(s, m, m.Payload)
	}
}

// ready reports whether a message is the Ready to Receive, which the RNIC sends by itself.
func (p *planner) ready(m *scenario.Message) bool {
	t := &p.plan.Startup
	if !t.Initiates || !t.Ready.Due || len(p.plan.Acts) != 1 || m.Payload.Len() > 0 {
		return false
	}
	switch m.Opcode {
	case rdmap.OpSend:
		return t.Ready.Send
	case rdmap.OpWrite:
		return t.Ready.Write
	case rdmap.OpReadRequest:
		return t.Ready.Read && p.resolve(m.Fields, "RDMARDSZ") == 0
	}
	return false
}

// terminate handles a Terminate of the peer, or its Refusal. Memory and Receives cause most refusals; a sink withdrawn
// during a Read needs an Act. If nothing of the other side is the cause, the Consumer posts something that its own RNIC
// refuses.
func (p *planner) terminate() {
	p.terminated = true
	r := p.refused
	if r != nil && r.culprit != nil && r.first != 0 {
		p.hold(r.first, r.culprit.Number)
	}
	if r != nil && r.culprit == nil && r.reason == nil {
		octet := scenario.Payload(nil).Append(scenario.Part{Octets: []byte{0}})
		p.do(r.step, &Post{Op: rnicsim.OpSend, Broken: true, Octets: octet})
	}
}

func (p *planner) post(s *scenario.Step, m *scenario.Message, payload scenario.Payload) *Post {
	f := func(name string) uint64 { return p.resolve(m.Fields, name) }
	d := &Post{Op: ops[m.Opcode], Octets: payload, STag: uint32(f("InvalidateSTag"))}
	switch m.Opcode {
	case rdmap.OpWrite:
		d.Remote = Place{uint32(f("STag")), f("TO"), uint32(payload.Len())}
	case rdmap.OpReadRequest:
		n := uint32(f("RDMARDSZ"))
		d.Local, d.Remote = Place{uint32(f("SinkSTag")), f("SinkTO"), n}, Place{uint32(f("SrcSTag")), f("SrcTO"), n}
	case rdmap.OpAtomicRequest:
		a := p.atomic(m)
		d.Remote = Place{uint32(f("RemoteSTag")), f("RemoteTaggedOffset"), 8}
		d.Data, d.Mask, d.CompareData, d.CompareMask = a.AddOrSwapData, a.AddOrSwapMask, a.CompareData, a.CompareMask
		switch a.AOpCode {
		case rdmap.FetchAdd:
		case rdmap.CmpSwap:
			d.Op = rnicsim.OpCmpSwap
		default:
			p.unplayable(s, "there is no verb for an Atomic with AOpCode %d", a.AOpCode)
			return d
		}
	case rdmap.OpImmediate, rdmap.OpImmediateSE:
		d.Data = f("ImmediateData")
	}
	p.do(s, d)
	if r := p.refused; r != nil && r.sink {
		p.loseSink(s, d)
	}
	return d
}

// loseSink withdraws the sink of a Read whose response is refused.
func (p *planner) loseSink(s *scenario.Step, d *Post) {
	response, ok := p.refused.culprit.Do.(*scenario.Message)
	if r := p.regions[d.Local.STag]; ok && response.To == s.Number && r != nil {
		lose := &Act{Step: p.refused.step.Number, Settled: true, After: p.after, Do: &Withdraw{r.index}}
		p.plan.Acts = append(p.plan.Acts, lose)
	}
}

// segment posts a message that was recorded segment by segment.
func (p *planner) segment(i int, begin *scenario.Segment) {
	s := p.conn.Steps[i]
	m, last, ok := begin.Message()
	switch {
	case !ok || m.Opcode == rdmap.OpTerminate:
		p.unplayable(s, "a segment that breaks a rule cannot be sent by verbs")
		return
	case p.goesOn(i):
		return
	case m.Opcode == rdmap.OpReadResponse:
		if request := p.responses[i]; request != 0 {
			p.after, p.settled = p.later(p.after, request), true
			_, _, all := p.rest(i, begin, last)
			p.plan.Partial = !all
		} else {
			p.unplayable(s, "it is unknown which request is answered")
		}
		return
	}
	payload, count, last := p.rest(i, begin, last)
	if last {
		p.post(s, m, payload)
		return
	}
	p.settled, p.plan.Partial = true, true
	p.post(s, m, payload.Append(scenario.Part{Any: 1})).Cut = count
}

// rest returns the payload of a message from its first segment on, and how many segments have it. all is set if the
// message is complete.
func (p *planner) rest(i int, begin *scenario.Segment, last bool) (payload scenario.Payload, count int, all bool) {
	payload, count = append(payload, begin.Payload...), 1
	for _, s := range p.conn.Steps[i+1:] {
		next, ok := s.Do.(*scenario.Segment)
		switch {
		case last:
			return payload, count, true
		case s.Side != p.plan.Side:
			continue
		case !ok || next.Opcode != begin.Opcode:
			return payload, count, false
		}
		if _, last, ok = next.Message(); !ok {
			return payload, count, false
		}
		for _, part := range next.Payload {
			payload = payload.Append(part)
		}
		count++
	}
	return payload, count, last
}

// goesOn reports whether a segment is not the first one of its message.
func (p *planner) goesOn(i int) bool {
	for j := i - 1; j >= 0; j-- {
		if before, ok := p.conn.Steps[j].Do.(*scenario.Segment); ok && p.conn.Steps[j].Side == p.plan.Side {
			_, last, ok := before.Message()
			return ok && !last
		} else if p.conn.Steps[j].Side == p.plan.Side {
			return false
		}
	}
	return false
}
