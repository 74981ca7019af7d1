package sim

// What an upper layer's protocol says is wrong with a recording: an RNIC carries any octets, so only who reads them can tell.

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A reader takes what dissect finds in a recording.
type reader struct {
	sends [2][]int // steps that are Sends, by side
	read  [2]int   // how many of them have come
	rules []*rules.Rule
	found []contradiction
}

// readers are those of recordings: each has large buffers.
var readers = sync.Pool{New: func() any { return new(pcaps.Reader) }}

// misread returns the errors of the upper layer in a recording, except for deviations of known peers.
func misread(c *scenario.Conn) []contradiction {
	r := &reader{rules: slices.Collect(rpcrules.Rules())}
	for _, s := range c.Steps {
		if m, ok := s.Do.(*scenario.Message); ok && m.Opcode.ConsumesReceive() {
			r.sends[s.Side] = append(r.sends[s.Side], s.Number)
		}
	}
	if len(r.sends[0])+len(r.sends[1]) == 0 {
		return nil // nothing of an upper layer
	}
	var b bytes.Buffer
	if compile.Write(&b, &scenario.Scenario{Conns: []*scenario.Conn{c}}, compile.WriteOptions{}) != nil {
		return nil // it cannot be played either, and that says why
	}
	capture := readers.Get().(*pcaps.Reader)
	defer readers.Put(capture)
	if capture.Reset(&b) != nil {
		return nil
	}
	e := dissect.NewEngine(r, dissect.Options{Ports: all.Ports(), Analysis: &judge.Options{ULPs: all.Layers()}})
	for rec := new(pcaps.Record); capture.Next(rec) == nil; {
		e.Packet(rec)
	}
	e.Close()
	return r.found
}

// Record implements record.Sink.
func (r *reader) Record(rec *record.Record) {
	if m := rec.Message; rec.Kind == record.KindMessage && m.Opcode.ConsumesReceive() {
		r.read[m.Dir]++
	}
	for _, f := range rec.Findings {
		if n := r.read[f.Dir]; slices.Contains(r.rules, f.Rule) && f.Severity == rules.Error && n > 0 && n <= len(r.sends[f.Dir]) {
			r.found = append(r.found, contradiction{
				r.sends[f.Dir][n-1], fmt.Sprintf("%s, expected %s (%s)", f.Seen, f.Expected, f.ID),
			})
		}
	}
}
