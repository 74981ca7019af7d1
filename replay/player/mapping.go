package player

// Values of the other side that are given.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// mapped is what a recorded value is in the live connection; false if nothing is said about it.
func (p *Player) mapped(kind scenario.Kind, recorded uint64) (live uint64, ok bool) {
	for i := range p.options.Map {
		m := &p.options.Map[i]
		if off := recorded - m.Recorded; m.Kind == kind && (off == 0 || off < m.Length) {
			return m.Live + off, true
		}
	}
	return 0, false
}

// substitute is a step of the own side with the values that are given.
func (p *Player) substitute(s *scenario.Step) *scenario.Step {
	if len(p.options.Map) == 0 {
		return s
	}
	step := *s
	switch do := s.Do.(type) {
	case *scenario.Message:
		m := *do
		m.Fields = p.substituted(do.Fields)
		step.Do = &m
	case *scenario.Segment:
		m := *do
		m.Fields = p.substituted(do.Fields)
		step.Do = &m
	case *scenario.FPDU:
		m := *do
		m.Fields = p.substituted(do.Fields)
		step.Do = &m
	}
	return &step
}

// substituted is fields in which numbers that name memory of the other side are those that are given.
func (p *Player) substituted(fields scenario.Fields) scenario.Fields {
	all := append(scenario.Fields{}, fields...)
	for i := range all {
		f := &all[i]
		kind, theirs := memoryOf(f.Name)
		if !theirs || f.Value.Var != "" {
			continue
		}
		if live, ok := p.mapped(kind, f.Value.Number); ok {
			f.Value.Number = live
		}
	}
	return all
}

// memoryOf tells whether a field names memory of the side that receives it, and what it holds.
func memoryOf(name string) (kind scenario.Kind, theirs bool) {
	switch {
	case strings.HasPrefix(name, "Sink"):
		return 0, false
	case strings.HasSuffix(name, "STag"):
		return scenario.STag, true
	case strings.HasSuffix(name, "TO"), name == "RemoteTaggedOffset":
		return scenario.TO, true
	}
	return 0, false
}
