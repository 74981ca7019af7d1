package scenario

// Contradictions in a Scenario.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// maxProblems limits the Problems that Check returns.
const maxProblems = 100

type checker struct {
	problems []*Problem
	conn     *Conn
	vars     map[string]*Var
	learned  map[string]bool // by the name of a variable: a step of its owner had it
	steps    map[int]*Step   // those before the present one
	step     *Step
}

// Check returns the contradictions in a Scenario; nil if there are none. Breaking rules of the protocols is not a
// contradiction.
func Check(s *Scenario) []*Problem {
	c := new(checker)
	c.lines(s.Comment)
	names := make(map[string]bool)
	for _, conn := range s.Conns {
		c.conn, c.step = conn, nil
		c.need(!names[conn.Name], "another connection has this name")
		names[conn.Name] = true
		c.connection(conn)
	}
	return c.problems
}

// problem adds a Problem of the current step or connection.
func (c *checker) problem(format string, args ...any) {
	c.report(&Problem{Conn: c.conn, Step: c.step, Text: fmt.Sprintf(format, args...)})
}

// need tells of a problem unless ok.
func (c *checker) need(ok bool, problem string) {
	if !ok {
		c.problem("%s", problem)
	}
}

func (c *checker) report(p *Problem) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, p)
	}
}

// lines checks a comment.
func (c *checker) lines(comment []string) {
	for _, line := range comment {
		if strings.ContainsAny(line, "\r\n") || strings.TrimRight(line, " \t") != line {
			c.problem("a line of the comment has an end of line or a blank at its end")
		}
	}
}

// isName reports whether s is letters, digits, and some of the other characters.
func isName(s, others string) bool {
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if digit := r >= '0' && r <= '9'; !letter && !digit && !strings.ContainsRune(others, r) {
			return false
		}
	}
	return s != ""
}

func (c *checker) connection(conn *Conn) {
	c.lines(conn.Comment)
	c.need(isName(conn.Name, "_.-"), "the name of a connection is letters, digits, _ . and -")
	c.need(conn.Client.IsValid() == conn.Server.IsValid(), "the address of one side is missing")
	c.need(conn.At >= 0, "it is before the start of the Scenario")
	c.vars, c.learned, c.steps = make(map[string]*Var), make(map[string]bool), make(map[int]*Step)
	for _, v := range conn.Vars {
		c.variable(v)
	}
	for _, s := range conn.Steps {
		c.step = s
		c.one(s)
		c.steps[s.Number] = s
	}
	c.step = nil
}

func (c *checker) variable(v *Var) {
	problem := func(format string, args ...any) {
		c.report(&Problem{Conn: c.conn, Var: v, Text: fmt.Sprintf(format, args...)})
	}
	c.lines(v.Comment)
	switch {
	case !isName(v.Name, "_") || v.Name[0] <= '9':
		problem("the name of a variable is a letter, then letters, digits and _")
	case c.vars[v.Name] != nil:
		problem("another variable has this name")
	case int(v.Kind) >= len(kindNames) || v.Owner > Server:
		problem("its kind or owner is invalid")
	case v.Value>>1>>(v.Kind.Bits()-1) != 0:
		problem("its value is longer than %d bits", v.Kind.Bits())
	case v.Kind != TO && (v.Length != 0 || v.STag != ""):
		problem("only a TO has a length and an STag")
	}
	if of := c.vars[v.STag]; v.STag != "" && (of == nil || of.Kind != STag || of.Owner != v.Owner) {
		problem("$%s is not an STag of the %s", v.STag, v.Owner)
	}
	c.vars[v.Name] = v
}

func (c *checker) one(s *Step) {
	c.lines(s.Comment)
	switch {
	case s.Number <= 0:
		c.problem("the number of a step is 1 or more")
	case c.steps[s.Number] != nil:
		c.problem("another step has this number")
	case s.Side > Server:
		c.problem("its side is neither the client nor the server")
	case s.At < 0:
		c.problem("it is before the start of the connection")
	}
	if s.After != 0 {
		c.earlier(s.After, "after %d: ", s.Side.Other())
	}
	if s.Do == nil {
		c.problem("it does nothing")
		return
	}
	c.action(s.Do)
}

// earlier checks that a step of the given side precedes the current one, and returns it.
func (c *checker) earlier(number int, what string, side Side) *Step {
	s := c.steps[number]
	what = fmt.Sprintf(what, number)
	switch {
	case s == nil && c.conn.Step(number) != nil:
		c.problem("%sthat step comes later", what)
	case s == nil:
		c.problem("%sthere is no such step", what)
	case s.Side != side:
		c.problem("%sthat step is also of the %s: the steps of a side follow each other anyway", what, s.Side)
	default:
		return s
	}
	return nil
}

func (c *checker) action(a Action) {
	switch a := a.(type) {
	case *Frame:
		c.frame(a)
	case *Message:
		c.message(a)
	case *Segment:
		c.segment(a)
	case *FPDU:
		c.segment(&a.Segment)
		c.fpdu(a)
	case *Octets:
		c.payload(a.Payload)
		c.splits(a.Splits)
	case FIN, Reset, Probe:
	case *Silence:
		c.need(a.For > 0, "a Silence needs a time")
	case *Refusal:
		c.refusal(a)
	case *OneOf:
		c.oneOf(a)
	default:
		c.problem("%T is not an action", a)
	}
}

func (c *checker) frame(f *Frame) {
	c.need(f.Res <= 15, "Res has 4 bits")
	e := f.Enhanced
	c.need(e == nil || max(e.IRD, e.ORD) < 1<<14, "IRD and ORD have 14 bits")
	c.any(f)
	c.payload(f.PrivateData)
	c.need(f.PrivateData.Len() <= 0xffff, "the Private Data is longer than PD_Length can express")
}

func (c *checker) message(m *Message) {
	if !m.Opcode.Known() {
		c.problem("a message has a known opcode; a Segment can have another")
		return
	}
	c.fields(m.Fields, m.layout(), m.Opcode)
	c.payload(m.Payload)
	if m.To == 0 {
		return
	}
	if !m.Opcode.IsResponse() {
		c.problem("only a Read or Atomic Response answers a request")
		return
	}
	asked := c.earlier(m.To, "to %d: ", c.step.Side.Other())
	if asked == nil {
		return
	}
	for _, each := range Alternatives(asked.Do) {
		if o, ok := opcodeOf(each); ok && answers(m.Opcode, o) {
			return
		}
	}
	c.problem("to %d: that step is not a request that %s answers", m.To, a(m.Opcode.String()))
}

func answers(o, request rdmap.Opcode) bool {
	response, ok := request.Response()
	return ok && response == o
}

// opcodeOf returns the opcode of what a step sends; false if it has none.
func opcodeOf(a Action) (rdmap.Opcode, bool) {
	switch a := a.(type) {
	case *Message:
		return a.Opcode, true
	case *Segment:
		return a.Opcode, !a.Raw
	case *FPDU:
		return a.Opcode, !a.Raw
	}
	return 0, false
}

func (c *checker) segment(s *Segment) {
	c.need(!s.Raw || len(s.Fields) == 0, "a Segment of octets alone has no fields")
	if s.Opcode > 15 {
		c.problem("an opcode has 4 bits")
		return
	}
	if !s.Raw {
		c.fields(s.Fields, s.layout(), s.Opcode)
	}
	c.payload(s.Payload)
	if n := s.Payload.Len(); n > 0xffff {
		c.problem("%d octets are more than ULPDU_Length can express", n)
	}
}

func (c *checker) fpdu(f *FPDU) {
	c.need(f.Markers < numMarkers, "the fault of its Markers is unknown")
	c.need(f.CRC == nil || !f.BadCRC, "a CRC is either a number or bad")
	c.splits(f.Splits)
}

func (c *checker) splits(all []int) {
	if len(all) > 0 && all[0] <= 0 || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
		c.problem("the offsets of TCP segment ends must be above 0 and ascend")
	}
}

// verb returns the word for an action, which may be nil.
func verb(a Action) string {
	if a == nil {
		return "nothing"
	}
	return a.Verb()
}

func (c *checker) fields(fields Fields, l []slot, o rdmap.Opcode) {
	last := -1
	for _, f := range fields {
		i := slices.IndexFunc(l, func(s slot) bool { return s.name == f.Name })
		switch {
		case i < 0:
			c.problem("%s", suggest(fmt.Sprintf("%s has no field %s here", a(o.String()), f.Name), f.Name, names(l)))
			return
		case i <= last:
			c.problem("%s is repeated, or not in wire order", f.Name)
		}
		last = i
		width := l[i].field.Width
		if f.Value.Var != "" {
			c.use(f.Value, width, f.Name)
			if f.Name == "T" {
				c.problem("T is a number")
			}
		} else if f.Value.Number>>1>>(width-1) != 0 {
			c.problem("%s has %d bits", f.Name, width)
		}
	}
}

func (c *checker) payload(p Payload) {
	octets := 0
	for i := range p {
		part := &p[i]
		if octets += part.Len(); octets > MaxPayload {
			c.problem("more than %d octets", MaxPayload)
			return
		}
		kinds := bit(part.Octets != nil) + bit(part.Ref.Var != "") + bit(part.Any != 0)
		switch {
		case kinds != 1 || part.Any < Rest || part.Times < 0 || part.Times == 1 || part.Times > 0 && part.Octets == nil:
			c.problem("a part of the octets is neither octets, nor a variable, nor a wildcard")
			return
		case part.Any == Rest && i < len(p)-1:
			c.problem("nothing can follow ?*, which stands for the rest")
		case part.Any != Rest && part.Len() == 0 || i > 0 && part.literal() && p[i-1].literal():
			c.problem("the octets are not in their normal form")
		case part.Ref.Var != "":
			if e := part.Encoding.Octets; e < 1 || e > 8 {
				c.problem("a number within octets has 1 to 8 octets")
				return
			}
			c.use(part.Ref, 8*part.Encoding.Octets, part.Encoding.String())
		}
	}
}

func (c *checker) use(v Value, bits int, where string) {
	known := c.vars[v.Var]
	switch {
	case known == nil:
		c.problem("unknown variable $%s", v.Var)
	case known.Kind != Number && bits < known.Kind.Bits():
		c.problem("$%s is longer than %s", v.Var, where)
	case known.Owner == c.step.Side:
		c.learned[v.Var] = true
	case !c.learned[v.Var]:
		c.problem("the %s cannot know $%s: no earlier step of the %s contains it", c.step.Side, v.Var, known.Owner)
	}
}
