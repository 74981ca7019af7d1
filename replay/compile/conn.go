package compile

// From the drafts of a connection to its steps.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

func (c *conn) compile() *scenario.Conn {
	compiled := &scenario.Conn{Client: c.source.Client, Server: c.source.Server}
	drafts := c.merge()
	answer(drafts)
	compiled.Vars = c.learn(drafts)
	for _, d := range drafts {
		if d.payload != nil {
			*d.payload = d.body.payload(c.compiler)
		}
		d.body.filled(c.compiler)
		d.body = body{}
		compiled.Steps = append(compiled.Steps, d.Step)
	}
	for _, g := range c.report.gaps {
		number := 0
		if g.draft != nil {
			number = g.draft.Number
		}
		c.report.Gaps = append(c.report.Gaps, Gap{number, g.side, g.text})
	}
	c.report.gaps, c.sides = nil, [2]side{}
	return compiled
}

// A request is a Read or Atomic Request that is not answered yet.
type request struct {
	draft *draft
	opcode
	fields scenario.Fields
}

type opcode = rdmap.Opcode

// maxAsked limits the requests that are searched for the one that a response answers.
const maxAsked = 64

// answer sets which request each response answers, and removes the fields that follow from that.
func answer(drafts []*draft) {
	var asked [2][]request // by the side that must answer
	for _, d := range drafts {
		m, ok := d.Do.(*scenario.Message)
		switch {
		case !ok && endsResponse(d.Do):
			if waiting := asked[d.Side]; len(waiting) > 0 {
				asked[d.Side] = waiting[1:]
			}
		case !ok:
		case m.Opcode.IsRequest():
			to := d.Side.Other()
			asked[to] = append(asked[to], request{d, m.Opcode, m.Fields})
		case m.Opcode.IsResponse():
			waiting := &asked[d.Side]
			for i, r := range (*waiting)[:min(maxAsked, len(*waiting))] {
				if !r.answeredBy(m) {
					continue
				}
				m.To, m.Fields = r.draft.Number, rest(m)
				*waiting = append((*waiting)[:i:i], (*waiting)[i+1:]...)
				break
			}
		}
	}
}

func endsResponse(a scenario.Action) bool {
	var s *scenario.Segment
	switch a := a.(type) {
	case *scenario.Segment:
		s = a
	case *scenario.FPDU:
		s = &a.Segment
	default:
		return false
	}
	l, given := s.Fields.Lookup("L")
	return !s.Raw && s.Opcode.IsResponse() && (!given || l.Number == 1)
}

// answeredBy reports whether a response has the sink, or the identifier, of the request.
func (r *request) answeredBy(m *scenario.Message) bool {
	if response, _ := r.opcode.Response(); response != m.Opcode {
		return false
	}
	if m.Opcode == rdmap.OpAtomicResponse {
		return same(m, "OriginalRequestIdentifier", r, "RequestIdentifier")
	}
	return same(m, "STag", r, "SinkSTag") && same(m, "TO", r, "SinkTO")
}

func same(m *scenario.Message, name string, r *request, asked string) bool {
	got, _ := m.Fields.Lookup(name)
	want, _ := r.fields.Lookup(asked)
	return got == want
}

// rest returns the fields of a response that do not follow from its request.
func rest(m *scenario.Message) (fields scenario.Fields) {
	if v, ok := m.Fields.Lookup("OriginalRemoteDataValue"); ok {
		fields = scenario.Fields{{Name: "OriginalRemoteDataValue", Value: v}}
	}
	return fields
}
