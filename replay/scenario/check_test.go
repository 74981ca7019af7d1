package scenario_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// TestCheck checks Scenarios that Parse cannot return.
func TestCheck(t *testing.T) {
	octets := func(parts ...scenario.Part) scenario.Action { return &scenario.Octets{Payload: parts} }
	a := scenario.Part{Octets: []byte("a")}
	for want, do := range map[string]scenario.Action{
		"":                                   octets(a),
		"it does nothing":                    nil,
		"the octets are not in their normal": octets(a, a),
		"neither octets, nor a variable":     octets(scenario.Part{Octets: []byte("a"), Any: 1}),
		"nothing can follow ?*":              octets(scenario.Part{Any: scenario.Rest}, a),
		"unknown variable $s":                octets(scenario.Part{Ref: scenario.Value{Var: "s"}, Encoding: scenario.Encoding{Octets: 4}}),
		"has 1 to 8 octets":                  octets(scenario.Part{Ref: scenario.Value{Var: "s"}, Encoding: scenario.Encoding{Octets: 9}}),
		"a message has a known opcode":       &scenario.Message{Opcode: 14},
		"RDMARDSZ has 32 bits":               message(rdmap.OpReadRequest, "RDMARDSZ", int64(1<<32)),
		"a Send has no field MSN":            message(rdmap.OpSend, "MSN", int64(1)),
		"not in wire order":                  message(rdmap.OpWrite, "TO", int64(1), "STag", int64(1)),
		"only a Read or Atomic Response":     &scenario.Message{Opcode: rdmap.OpSend, To: 1},
		"Res has 4 bits":                     &scenario.Frame{Res: 16},
		"IRD and ORD have 14 bits":           &scenario.Frame{Enhanced: &mpa.Enhanced{IRD: 1 << 14}},
		"either a number or bad":             &scenario.FPDU{CRC: new(uint32), BadCRC: true, Segment: scenario.Segment{Raw: true}},
		"more than ULPDU_Length can express": &scenario.Segment{
			Raw: true, Payload: scenario.Payload{{Octets: []byte("a"), Times: 1 << 16}},
		},
		"a Segment of octets alone has no fields":      &scenario.Segment{Raw: true, Fields: scenario.Fields{{Name: "L"}}},
		"an opcode has 4 bits":                         &scenario.Segment{Opcode: 16},
		"a Silence needs a time":                       &scenario.Silence{},
		"Probe cannot be an alternative":               &scenario.OneOf{Of: []scenario.Action{scenario.Probe{}}},
		"unknown situation 0":                          &scenario.Refusal{},
		"to 7: there is no such step":                  &scenario.Refusal{Situation: rules.SendMSN, To: 7},
		"the reason of may is one line":                &scenario.OneOf{Of: []scenario.Action{scenario.FIN{}}, Tolerated: []scenario.Tolerated{{Do: scenario.FIN{}}}},
		"FPDU cannot be an alternative":                tolerated(&scenario.FPDU{}),
		"Rev is a number or a wildcard":                &scenario.Frame{Rev: 1, Any: []string{"iwarp_mpa.rev"}},
		"iwarp_mpa.pdlength cannot be a wildcard here": &scenario.Frame{Any: []string{"iwarp_mpa.pdlength"}},
		"iwarp_mpa.enhanced.ird cannot be a wildcard":  &scenario.Frame{Any: []string{"iwarp_mpa.enhanced.ird"}},
		"iwarp_mpa.res cannot be a wildcard here":      &scenario.Frame{Any: []string{"iwarp_mpa.rev", "iwarp_mpa.res"}},
		"the fault of its Markers is unknown":          &scenario.FPDU{Markers: 9, Segment: scenario.Segment{Raw: true}},
		"nothing cannot be an alternative":             &scenario.OneOf{Of: []scenario.Action{nil}},
	} {
		c := &scenario.Conn{Name: "c0", Steps: []*scenario.Step{{Number: 1, Do: do}}}
		problems := scenario.Check(&scenario.Scenario{Conns: []*scenario.Conn{c}})
		switch {
		case want == "" && problems != nil:
			t.Errorf("%v", problems[0])
		case want != "" && (problems == nil || !strings.Contains(problems[0].Error(), want)):
			t.Errorf("%v, want %q", problems, want)
		}
	}
}

// tolerated returns a OneOf in which something is tolerated.
func tolerated(a scenario.Action) scenario.Action {
	return &scenario.OneOf{Of: []scenario.Action{scenario.FIN{}}, Tolerated: []scenario.Tolerated{{Why: "it is", Do: a}}}
}

// message returns a Message with fields.
func message(o rdmap.Opcode, fields ...any) *scenario.Message {
	m := &scenario.Message{Opcode: o}
	for i := 0; i < len(fields); i += 2 {
		m.Fields = append(m.Fields, scenario.Field{Name: fields[i].(string), Value: scenario.Value{Number: uint64(fields[i+1].(int64))}})
	}
	return m
}

// TestCheckConn checks what is wrong with connections and variables.
func TestCheckConn(t *testing.T) {
	for want, c := range map[string]*scenario.Conn{
		"connection c 0: the name of a connection":           {Name: "c 0"},
		"connection c0, $1: the name of a variable":          {Name: "c0", Vars: []*scenario.Var{{Name: "1"}}},
		"connection c0, $s: its value is longer than 32":     {Name: "c0", Vars: []*scenario.Var{{Name: "s", Kind: scenario.STag, Value: 1 << 32}}},
		"connection c0, $s: only a TO has a length":          {Name: "c0", Vars: []*scenario.Var{{Name: "s", Kind: scenario.STag, Length: 1}}},
		"connection c0, $t: $s is not an STag of the client": {Name: "c0", Vars: []*scenario.Var{{Name: "t", Kind: scenario.TO, STag: "s"}}},
		"connection c0: it is before the start":              {Name: "c0", At: -1},
		"connection c0: a line of the comment":               {Name: "c0", Comment: []string{"two\nlines"}},
		"connection c0, step 0: the number of a step":        {Name: "c0", Steps: []*scenario.Step{{Do: scenario.FIN{}}}},
	} {
		problems := scenario.Check(&scenario.Scenario{Conns: []*scenario.Conn{c}})
		if problems == nil || !strings.HasPrefix(problems[0].Error(), want) {
			t.Errorf("%v, want %q", problems, want)
		}
	}
}
