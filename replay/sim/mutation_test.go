package sim_test

// What becomes of a Scenario in which one thing of the RNIC's half is changed. A judged Scenario is changed after its Plan
// is made, which shows what is checked. A planned one is changed before: then what the RNIC does by itself must differ from
// it, and what the Consumer chooses cannot.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
)

// mutants names the captures whose Scenarios are changed.
var mutants = []string{
	"rping", "mpav1-crc", "p2p-crc", "sendinv-crc1", "ird-ord-1-1", "go-client", "reject-pd32", "perf-ib_read_lat-64",
	"perf-ib_write_bw-1", "term-read-badkey", "term-read-oob", "term-send-nobuf", "term-send-badrecvlkey",
	"term-send-toolong-multi", "term-write-badkey", "term-write-noaccess", "term-write-oob-multi", "term-write-wrap",
	"term-srv-read-badkey", "term-local-badlkey-read", "term-local-badlkey-send", "iser-start",
}

// perKey is how often a field is changed in each connection and role.
const perKey = 2

// legend explains testdata/detection.txt.
const legend = `# What becomes of a connection in which one thing of the half is changed that the RNIC plays.
#
# judged: the Scenario was changed when the Plan had been made of it. What is exact then is not looked at: values that
# a variable learns where it stands first, the sink of a Read Request, STag and TO of a Ready to Receive, and a FIN or
# reset that comes when nothing is expected any more.
# planned: the Plan was made of the change too. What is exact then is what the Consumer chooses: octets, operations,
# memory of the other side, IRD and ORD, Markers. What differs is what the RNIC does by itself.
# differ: mismatched or not reached; accept: a permitted Terminate; n/a: no verb can do it.

`

// A mutation is a change of an action.
type mutation struct {
	key string
	do  scenario.Action // nil if the step is omitted
}

// A tally counts what became of changes.
type tally [4]int

const (
	different = iota
	accepted
	notApplicable
	exact
)

// add counts an Outcome.
func (t *tally) add(c *outcome.Conn) {
	switch s := c.Summary(); {
	case s.Mismatched > 0 || s.NotReached > 0:
		t[different]++
	case s.NotApplicable > 0:
		t[notApplicable]++
	case s.Accepted > 0:
		t[accepted]++
	default:
		t[exact]++
	}
}

// TestMutations changes all that an RNIC's half of a Scenario has, and compares how much of it is noticed with
// testdata/detection.txt. `make golden` writes that.
func TestMutations(t *testing.T) {
	judged, planned := make(map[string]*tally), make(map[string]*tally)
	for _, name := range mutants {
		s, _ := compiled(t, find(t, name))
		for _, c := range s.Conns {
			for _, role := range []scenario.Side{scenario.Client, scenario.Server} {
				mutateAll(c, role, judged, planned)
			}
		}
	}
	var b strings.Builder
	b.WriteString(legend)
	fmt.Fprintf(&b, "%-42s %5s | %28s | %28s\n", "", "", "judged", "planned")
	fmt.Fprintf(&b, "%-42s %5s | %6s %6s %6s %6s | %6s %6s %6s %6s\n",
		"changed", "times", "differ", "accept", "n/a", "exact", "differ", "accept", "n/a", "exact")
	for _, key := range slices.Sorted(maps.Keys(judged)) {
		j, p := judged[key], planned[key]
		fmt.Fprintf(&b, "%-42s %5d | %6d %6d %6d %6d | %6d %6d %6d %6d\n",
			key, j[0]+j[1]+j[2]+j[3], j[0], j[1], j[2], j[3], p[0], p[1], p[2], p[3])
	}
	golden.File(t, "testdata/detection.txt", b.String())
}

// mutateAll changes each step of a side in turn.
func mutateAll(c *scenario.Conn, role scenario.Side, judged, planned map[string]*tally) {
	options := sim.Options{Profile: peers.LookupProfile("siw")}
	plan := sim.NewPlan(c, role.Other())
	if s := sim.Play(c, plan, options).Outcome.Summary(); !s.Passed() || s.Accepted > 0 {
		return // differences would not show what is noticed
	}
	times := make(map[string]int)
	for i, s := range c.Steps {
		if s.Side == role {
			continue
		}
		for _, m := range mutations(s.Do) {
			if times[m.key]++; times[m.key] > perKey || m.do == nil && needed(c, s.Number) {
				continue
			}
			changed := change(c, i, m.do)
			if judged[m.key] == nil {
				judged[m.key], planned[m.key] = new(tally), new(tally)
			}
			judged[m.key].add(sim.Play(changed, plan, options).Outcome)
			planned[m.key].add(sim.Run(changed, role, options).Outcome)
		}
	}
}

// needed reports whether other steps refer to one.
func needed(c *scenario.Conn, number int) bool {
	return slices.ContainsFunc(c.Steps, func(s *scenario.Step) bool {
		m, ok := s.Do.(*scenario.Message)
		return s.After == number || ok && m.To == number
	})
}

// change returns a connection with another action in a step, or without it.
func change(c *scenario.Conn, i int, do scenario.Action) *scenario.Conn {
	changed := *c
	changed.Steps = slices.Clone(c.Steps)
	if do == nil {
		changed.Steps = slices.Delete(changed.Steps, i, i+1)
		return &changed
	}
	s := *c.Steps[i]
	s.Do = do
	changed.Steps[i] = &s
	return &changed
}

// mutations returns the changes that can be made to an action.
func mutations(a scenario.Action) (all []mutation) {
	add := func(what string, do scenario.Action) { all = append(all, mutation{a.Verb() + " " + what, do}) }
	switch do := a.(type) {
	case *scenario.Frame:
		frameMutations(do, add)
	case *scenario.Message:
		mutateFields(do.Fields, func(name string, f scenario.Fields) {
			m := *do
			m.Fields = f
			add(name, &m)
		})
		mutatePayload(do.Payload, func(what string, p scenario.Payload) {
			m := *do
			m.Payload = p
			add(what, &m)
		})
		if other, ok := akin[do.Opcode]; ok {
			m := *do
			m.Opcode = other
			add("opcode", &m)
		}
		add("left out", nil)
	case *scenario.Segment:
		mutatePayload(do.Payload, func(what string, p scenario.Payload) {
			m := *do
			m.Payload = p
			add(what, &m)
		})
	case scenario.FIN:
		add("is a reset", scenario.Reset{})
		add("left out", nil)
	case scenario.Reset:
		add("is a FIN", scenario.FIN{})
		add("left out", nil)
	}
	return all
}

// akin returns opcodes with the same fields.
var akin = map[rdmap.Opcode]rdmap.Opcode{
	rdmap.OpSend: rdmap.OpSendSE, rdmap.OpSendSE: rdmap.OpSend,
	rdmap.OpSendInvalidate: rdmap.OpSendSEInvalidate, rdmap.OpSendSEInvalidate: rdmap.OpSendInvalidate,
	rdmap.OpImmediate: rdmap.OpImmediateSE, rdmap.OpImmediateSE: rdmap.OpImmediate,
}

func frameMutations(f *scenario.Frame, add func(string, scenario.Action)) {
	with := func(what string, change func(f *scenario.Frame, e *mpa.Enhanced)) {
		c, e := *f, mpa.Enhanced{}
		if f.Enhanced != nil {
			e = *f.Enhanced
			c.Enhanced = &e
		}
		change(&c, &e)
		add(what, &c)
	}
	with("M", func(f *scenario.Frame, _ *mpa.Enhanced) { f.M = !f.M })
	with("C", func(f *scenario.Frame, _ *mpa.Enhanced) { f.C = !f.C })
	with("R", func(f *scenario.Frame, _ *mpa.Enhanced) { f.R = !f.R })
	with("S", func(f *scenario.Frame, _ *mpa.Enhanced) { f.S = !f.S })
	with("Res", func(f *scenario.Frame, _ *mpa.Enhanced) { f.Res ^= 1 })
	with("Rev", func(f *scenario.Frame, _ *mpa.Enhanced) { f.Rev ^= 3 })
	with("PDLength", func(f *scenario.Frame, _ *mpa.Enhanced) { n := uint16(f.PrivateData.Len() + 5); f.PDLength = &n })
	if f.Enhanced != nil {
		with("A", func(_ *scenario.Frame, e *mpa.Enhanced) { e.A = !e.A })
		with("B", func(_ *scenario.Frame, e *mpa.Enhanced) { e.B = !e.B })
		with("C of Enhanced", func(_ *scenario.Frame, e *mpa.Enhanced) { e.C = !e.C })
		with("D", func(_ *scenario.Frame, e *mpa.Enhanced) { e.D = !e.D })
		with("IRD", func(_ *scenario.Frame, e *mpa.Enhanced) { e.IRD ^= 1 })
		with("ORD", func(_ *scenario.Frame, e *mpa.Enhanced) { e.ORD ^= 1 })
	}
	mutatePayload(f.PrivateData, func(what string, p scenario.Payload) {
		with(what, func(f *scenario.Frame, _ *mpa.Enhanced) { f.PrivateData = p })
	})
}

// mutateFields changes each of some fields in turn.
func mutateFields(f scenario.Fields, yield func(string, scenario.Fields)) {
	for i := range f {
		changed, name := slices.Clone(f), f[i].Name
		if v := &changed[i].Value; v.Var != "" {
			v.Number++
			name += " of a variable"
		} else {
			v.Number ^= 1
		}
		yield(name, changed)
	}
}

// mutatePayload changes the first and the last literal octet, a reference, and the length.
func mutatePayload(p scenario.Payload, yield func(string, scenario.Payload)) {
	flip := func(i, at int) {
		changed := slices.Clone(p)
		changed[i].Octets = slices.Clone(p[i].Octets)
		changed[i].Octets[at] ^= 1
		yield("octet", changed)
	}
	first, last := -1, -1
	for i := range p {
		switch {
		case len(p[i].Octets) > 0:
			if last = i; first < 0 {
				first = i
			}
		case p[i].Ref.Var != "":
			changed := slices.Clone(p)
			changed[i].Ref.Number++
			yield("reference", changed)
		}
	}
	if first >= 0 {
		flip(first, 0)
		flip(last, len(p[last].Octets)-1)
	}
	yield("longer", slices.Clone(p).Append(scenario.Part{Octets: []byte{1}}))
	if n := p.Len(); n > 0 {
		yield("shorter", p.Slice(0, n-1))
	}
}
