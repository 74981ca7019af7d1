package sim

// From a connection to a Plan.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

type planner struct {
	conn      *scenario.Conn
	plan      *Plan
	values    scenario.Values            // of all variables, as recorded
	index     map[int]int                // in conn.Steps, by the Number of the step
	answers   map[int]*scenario.Message  // by the Number of the request
	responses map[int]int                // Numbers of requests, by the index of a response that is a Segment
	refused   *refusal                   // the Terminate of the peer; nil if there is none
	regions   map[uint32]*region         // by STag
	order     []*region                  // in the order of their first use
	octets    memory                     // of all regions: what was read or written
	writing   map[scenario.Side]*writing // a Write in several steps, by its sender

	own     int  // the latest step of the own side
	closed  int  // its FIN
	peer    int  // the latest step of the peer
	after   int  // the latest step that an Act has to wait for
	settled bool // the peer had answered something before
	established,
	terminated, // by either side
	silenced bool // by the own side
	stores map[int][]*Act // by the step of the own side that they follow
}

// NewPlan returns the Plan of the RNIC that plays one side of a connection, derived as follows:
//
//   - There is a Memory Region for each STag that the side has advertised, or that was used with success. It extends as
//     far as was advertised, and has the rights that were used.
//   - The Terminate shows where a Write, Read or Atomic was refused, not why. The reason is an unknown STag, octets
//     outside of the region, or more requests than IRD, if one of these is so. Otherwise the region lacks the right, or
//     is deallocated if it had it before.
//   - A Receive is posted for each Send that was placed. For a refused Send there is none; but one that is too short if
//     segments of it were placed, and one without memory if the Terminate is about memory of its sender. Only here the
//     code of a Terminate matters.
//   - Memory holds what the Read Responses show. Where they differ from earlier contents, the program has changed it.
//   - A Terminate without a cause on the other side is caused by the Consumer: it posts something that its own RNIC
//     refuses.
func NewPlan(c *scenario.Conn, side scenario.Side) *Plan {
	p := &planner{
		conn: c, plan: &Plan{Side: side}, values: c.Recorded(), index: make(map[int]int),
		answers: make(map[int]*scenario.Message), regions: make(map[uint32]*region),
		writing: make(map[scenario.Side]*writing), stores: make(map[int][]*Act), responses: make(map[int]int),
	}
	for i, s := range c.Steps {
		p.index[s.Number] = i
		if m, ok := s.Do.(*scenario.Message); ok && m.To != 0 {
			p.answers[m.To] = m
		}
	}
	p.join()
	p.startup()
	p.refused = p.refusal()
	if err := p.memory(); err != nil {
		p.plan.Unplayable = &Unplayable{Why: err.Error()}
		return p.plan
	}
	p.receives()
	p.acts()
	p.segmentation()
	return p.plan
}

// join finds the requests of incomplete responses, which were recorded as Segments: those with the same sink.
func (p *planner) join() {
	open := make(map[Place]*scenario.Step) // requests, by sink
	var answer *scenario.Message
	for i, s := range p.conn.Steps {
		switch do := s.Do.(type) {
		case *scenario.Message:
			if s.Side != p.plan.Side && do.Opcode == rdmap.OpReadRequest && p.answers[s.Number] == nil {
				open[p.place(do.Fields, "SinkSTag", "SinkTO", 0)] = s
			}
		case *scenario.Segment:
			if s.Side != p.plan.Side || do.Opcode != rdmap.OpReadResponse || do.Raw {
				continue
			}
			if _, begins := do.Fields.Lookup("STag"); begins {
				answer = nil
				if request := open[p.place(do.Fields, "STag", "TO", 0)]; request != nil {
					answer = &scenario.Message{Opcode: rdmap.OpReadResponse, To: request.Number}
					p.answers[request.Number], p.responses[i] = answer, request.Number
				}
			}
			for _, part := range do.Payload {
				if answer != nil {
					answer.Payload = answer.Payload.Append(part)
				}
			}
		}
	}
}

// startup configures MPA by the frames of the side. The latest one counts.
func (p *planner) startup() {
	t := &p.plan.Startup
	t.Initiates, t.Rev = p.plan.Side == scenario.Client, mpa.Rev2
	for _, s := range p.conn.Steps {
		f, ok := s.Do.(*scenario.Frame)
		if !ok || s.Side != p.plan.Side {
			continue
		}
		*t = Startup{Initiates: !f.Reply, Rev: f.Rev, Markers: f.M, CRC: f.C, Reserved: f.Res}
		if e := f.Enhanced; e != nil {
			t.Enhanced, t.IRD, t.ORD = true, e.IRD, e.ORD
			t.Ready = Ready{e.A, e.B, e.C, e.D}
		}
	}
}

// segmentation derives the size of TCP segments from Segments that do not end a message.
func (p *planner) segmentation() {
	for _, s := range p.conn.Steps {
		seg, ok := s.Do.(*scenario.Segment)
		if !ok || s.Side != p.plan.Side || seg.Raw {
			continue
		}
		if m, last, ok := seg.Message(); ok && !last {
			n := seg.Payload.Len() + headers(m.Opcode)
			for emss := mpa.FPDULen(n); emss < mpa.FPDULen(n)+mpa.FPDULen(0); emss++ {
				if mpa.MULPDU(emss, p.plan.Startup.Markers) == n {
					p.plan.EMSS = emss
					return
				}
			}
		}
	}
}

// headers returns the length of the headers of a segment with payload.
func headers(o rdmap.Opcode) int {
	h := rdmap.Header{Control: rdmap.Control{Opcode: o}}
	h.T = o.Tagged()
	return h.Len()
}

// resolve returns a field of a message as it was recorded; zero if it is not there.
func (p *planner) resolve(f scenario.Fields, name string) uint64 {
	v, _ := f.Lookup(name)
	n, _ := v.Resolve(p.values)
	return n
}

// place returns the Place that two fields of a message name.
func (p *planner) place(f scenario.Fields, stag, to string, length uint64) Place {
	return Place{uint32(p.resolve(f, stag)), p.resolve(f, to), uint32(length)}
}

// later returns the step that is later in the recording; 0 precedes all.
func (p *planner) later(a, b int) int {
	if a == 0 || b != 0 && p.index[b] > p.index[a] {
		return b
	}
	return a
}

// recorded returns octets as in the recording. Wildcards are zero.
func (p *planner) recorded(octets scenario.Payload) []byte {
	b, err := octets.AppendOctets(nil, p.values)
	if err != nil {
		return make([]byte, octets.Len())
	}
	return b
}

// unplayable records the first step that the Consumer cannot perform.
func (p *planner) unplayable(s *scenario.Step, format string, args ...any) {
	p.plan.Unplayable = &Unplayable{s.Number, fmt.Sprintf(format, args...)}
}
