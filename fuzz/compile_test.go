package fuzz

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// FuzzCompile compiles connections of segments that are nearly right, whole or damaged. The Scenario contradicts itself in
// nothing and survives being printed and parsed. Written as a capture, what is complete compiles to the same again.
func FuzzCompile(f *testing.F) {
	f.Add(byte(0), []byte{3, 0, 0, 0, 20, 0x13, 0, 0, 0, 20, 0x23, 0, 0, 0, 9, 3, 0, 0, 9, 9}, []byte{})
	f.Add(byte(1), []byte{1, 0, 0, 0, 20, 0x12, 0, 0, 0, 20, 0x87, 3, 0, 0, 9, 0x85, 4, 0, 9, 9}, []byte{7, 7})
	f.Add(byte(2), []byte{0x20, 0, 1, 0, 20, 3, 0, 0, 0, 20, 0, 0, 1, 20, 9, 0x8c, 4, 0, 9, 9}, []byte{200, 1, 30})
	f.Fuzz(func(t *testing.T, options byte, script, harm []byte) {
		records := played(t, options, script)
		if len(harm) > 0 {
			records = damage(records, harm)
		}
		s, report := compileAll(records)
		if problems := scenario.Check(s); problems != nil {
			t.Fatalf("%v\n%s", problems[0], s)
		}
		again, err := scenario.Parse("printed", s.String())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s, again) {
			t.Fatalf("what was printed is another Scenario:\n%s", s)
		}
		var b bytes.Buffer
		if err := compile.Write(&b, s, compile.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if len(s.Conns) != 1 || !report.Conns[0].Complete() {
			return
		}
		c, err := pcaps.NewCapture("written", &b)
		if err != nil {
			t.Fatal(err)
		}
		second, _, err := compile.Capture(t.Context(), c, compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		alike(t, s.Conns[0], second)
	})
}

// compileAll compiles packets.
func compileAll(records []pcaps.Record) (*scenario.Scenario, *compile.Report) {
	compiler := compile.New(compile.Options{})
	engine := dissect.NewEngine(compiler, dissect.Options{Streaming: true})
	dissectAll(engine, records)
	return compiler.Scenario()
}

// alike compares what each side does in two connections.
func alike(t *testing.T, want *scenario.Conn, s *scenario.Scenario) {
	if len(s.Conns) != 1 {
		t.Fatalf("%d connections were written", len(s.Conns))
	}
	for side := range scenario.Side(2) {
		before, now := actions(want, side), actions(s.Conns[0], side)
		if !reflect.DeepEqual(before, now) {
			t.Fatalf("the %v does something else when it was written:\n%v\n%v", side, want.Steps, s.Conns[0].Steps)
		}
	}
}

// actions are what a side does.
func actions(c *scenario.Conn, side scenario.Side) (all []scenario.Action) {
	for _, s := range c.Steps {
		if s.Side == side {
			all = append(all, s.Do)
		}
	}
	return all
}
