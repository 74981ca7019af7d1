package player

import (
	"encoding/binary"
	"maps"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A known is what a Player knows of a connection: the values of variables, open requests, and how FPDUs are framed.
type known struct {
	values      scenario.Values           // of variables: those of the own side as recorded, of the other side as learned
	requests    map[int]*scenario.Request // by the number of the step: unanswered requests of both sides
	probes      []scenario.Request        // of unanswered Probes of the other side
	established bool                      // FPDUs are sent and received
	framing     mpa.Options               // of the FPDUs of the other side
	numbers     *scenario.Sender          // the place of its next segments
}

func newKnown(c *scenario.Conn, role scenario.Side, given []Mapping) *known {
	k := &known{
		values: make(scenario.Values), requests: make(map[int]*scenario.Request), numbers: scenario.NewSender(ddp.Version),
	}
	for _, v := range c.Vars {
		if v.Owner == role {
			k.values[v.Name] = v.Value
		} else if live, ok := mapped(given, v.Kind, v.Value); ok {
			k.values[v.Name] = live
		}
	}
	return k
}

// trial returns a copy of the values that a comparison may change.
func (k *known) trial() scenario.Values { return maps.Clone(k.values) }

// adopt takes over values that a comparison has learned.
func (k *known) adopt(values scenario.Values) { maps.Copy(k.values, values) }

// received records the message of a step: it keeps a request for its response, and forgets it then.
func (k *known) received(step *scenario.Step, header, body []byte) {
	switch do := step.Do.(type) {
	case *scenario.Message:
		delete(k.requests, do.To)
	case scenario.Probe:
		if r := requestIn(header, body); r != nil && len(k.probes) < MaxUnexpected {
			k.probes = append(k.probes, *r)
		}
		return
	}
	k.request(step.Number, header, body)
}

// request keeps what the response to a ULPDU needs, if the ULPDU is a request.
func (k *known) request(step int, header, body []byte) {
	if r := requestIn(header, body); r != nil {
		k.requests[step] = r
	}
}

// requestIn returns the request in a ULPDU, given its DDP header and what follows, or nil.
func requestIn(header, body []byte) *scenario.Request {
	if len(header) != ddp.UntaggedLen {
		return nil
	}
	switch opcodeOf(header) {
	case rdmap.OpReadRequest:
		var r rdmap.ReadRequest
		if _, err := r.Decode(body); err == nil {
			return &scenario.Request{SinkSTag: r.SinkSTag, SinkTO: r.SinkTO}
		}
	case rdmap.OpAtomicRequest:
		var r rdmap.AtomicRequest
		if _, err := r.Decode(body); err == nil {
			return &scenario.Request{RequestIdentifier: r.RequestIdentifier}
		}
	}
	return nil
}

// start returns where a tagged message begins; ok is false if that is unknown.
func (k *known) start(m *scenario.Message) (stag uint32, to uint64, ok bool) {
	if m.To != 0 {
		r := k.requests[m.To]
		if r == nil {
			return 0, 0, false
		}
		return r.SinkSTag, r.SinkTO, true
	}
	s, _ := m.Fields.Lookup("STag")
	t, _ := m.Fields.Lookup("TO")
	a, one := s.Resolve(k.values)
	b, other := t.Resolve(k.values)
	return uint32(a), b, one && other
}

// A Mapping maps a recorded value of the other side to its live value. Variables with this value are known from the
// beginning, and header fields of the own side that name memory of the other side by this number get the live one.
type Mapping struct {
	Kind           scenario.Kind // STag or TO
	Recorded, Live uint64
	Length         uint64 // of a TO: length of the buffer in octets, each place of which is mapped; 0 for only this TO
}

// mapped returns the live value for a recorded one; ok is false if there is no Mapping.
func mapped(given []Mapping, kind scenario.Kind, recorded uint64) (live uint64, ok bool) {
	for i := range given {
		m := &given[i]
		if off := recorded - m.Recorded; m.Kind == kind && (off == 0 || off < m.Length) {
			return m.Live + off, true
		}
	}
	return 0, false
}

// substitute returns a step of the own side with live values in place of recorded ones.
func substitute(given []Mapping, s *scenario.Step) *scenario.Step {
	if len(given) == 0 {
		return s
	}
	step := *s
	switch do := s.Do.(type) {
	case *scenario.Message:
		m := *do
		m.Fields = substituted(given, do.Opcode, do.Fields)
		step.Do = &m
	case *scenario.Segment:
		m := *do
		m.Fields = substituted(given, do.Opcode, do.Fields)
		step.Do = &m
	case *scenario.FPDU:
		m := *do
		m.Fields = substituted(given, do.Opcode, do.Fields)
		step.Do = &m
	}
	return &step
}

func substituted(given []Mapping, o rdmap.Opcode, fields scenario.Fields) scenario.Fields {
	all := append(scenario.Fields{}, fields...)
	for i := range all {
		f := &all[i]
		kind, theirs := memoryOf(o, f)
		if !theirs || f.Value.Var != "" {
			continue
		}
		if live, ok := mapped(given, kind, f.Value.Number); ok {
			f.Value.Number = live
		}
	}
	return all
}

// memoryOf reports whether a field of a message names memory of the side that receives it, and the kind of its value.
func memoryOf(o rdmap.Opcode, f *scenario.Field) (kind scenario.Kind, theirs bool) {
	switch f.Refers(o) {
	case field.ToPeerSTag:
		return scenario.STag, true
	case field.ToPeerTO:
		return scenario.TO, true
	}
	return 0, false
}

// position returns where a tagged segment is placed, given its DDP header.
func position(header []byte) (stag uint32, to uint64) {
	return binary.BigEndian.Uint32(header[2:]), binary.BigEndian.Uint64(header[6:])
}
