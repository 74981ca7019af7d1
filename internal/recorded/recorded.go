// Package recorded gives tests the events of the bundled captures: once to a sink, or again and again.
package recorded

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// Analyse gives a sink the events of a sample, up to the frame last, or all of them if last is 0. RPC-over-RDMA is
// followed.
func Analyse(t testing.TB, sample string, last uint64, sink analysis.Sink) {
	t.Helper()
	r, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	engine := newEngine(sink)
	var rec pcaps.Record
	for r.Next(&rec) == nil && (last == 0 || rec.Frame <= last) {
		engine.Packet(&rec)
	}
	engine.Close()
}

// AnalysePackets gives a sink the events of packets, as Analyse does those of a sample.
func AnalysePackets(packets []pcaps.Record, sink analysis.Sink) {
	engine := newEngine(sink)
	for i := range packets {
		engine.Packet(&packets[i])
	}
	engine.Close()
}

func newEngine(sink analysis.Sink) *dissect.Engine {
	o := analysis.Options{ULPs: []analysis.ULP{rpc.New(rpc.Options{})}}
	return dissect.NewEngine(analysis.New(sink, o), dissect.Options{})
}

// Events are what a sink is told of a sample's MPA frames, messages, upper layers and transactions, but for what their
// upper layers say more.
type Events struct {
	analysis.Discard
	Messages int // and MPA frames
	calls    []func(analysis.Sink)
}

// Record returns the Events of a sample.
func Record(t testing.TB, sample string) *Events {
	t.Helper()
	e := new(Events)
	Analyse(t, sample, 0, e)
	return e
}

// Len is the number of events.
func (e *Events) Len() int { return len(e.calls) }

// Replay gives a sink the events.
func (e *Events) Replay(s analysis.Sink) {
	for _, call := range e.calls {
		call(s)
	}
}

// StartupFrame implements analysis.Sink.
func (e *Events) StartupFrame(f *record.Startup) {
	e.Messages++
	c := f.Clone()
	e.calls = append(e.calls, func(s analysis.Sink) { s.StartupFrame(c) })
}

// Message implements analysis.Sink.
func (e *Events) Message(m *record.Message) {
	e.Messages++
	c := m.Clone()
	e.calls = append(e.calls, func(s analysis.Sink) { s.Message(c) })
}

// Upper implements analysis.Sink.
func (e *Events) Upper(u *record.Upper) {
	c := *u
	c.Body = nil
	e.calls = append(e.calls, func(s analysis.Sink) { s.Upper(&c) })
}

// Transaction implements analysis.Sink.
func (e *Events) Transaction(t *record.Transaction) {
	c := *t
	c.Upper = nil
	e.calls = append(e.calls, func(s analysis.Sink) { s.Transaction(&c) })
}
