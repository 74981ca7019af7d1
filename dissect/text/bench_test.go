package text_test

import (
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/text"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// events are the events of a capture, kept to be given to a sink again and again.
type events struct {
	analysis.Discard
	calls []func(analysis.Sink)
	lines int // of messages and MPA frames
}

func (e *events) StartupFrame(f *dissect.StartupFrame) {
	e.lines++
	c := f.Clone()
	e.calls = append(e.calls, func(s analysis.Sink) { s.StartupFrame(c) })
}

func (e *events) Message(m *dissect.Message) {
	e.lines++
	c := m.Clone()
	e.calls = append(e.calls, func(s analysis.Sink) { s.Message(c) })
}

func (e *events) Upper(u *analysis.UpperMessage) {
	c := *u
	c.Body = nil
	e.calls = append(e.calls, func(s analysis.Sink) { s.Upper(&c) })
}

func (e *events) replay(s analysis.Sink) {
	for _, call := range e.calls {
		call(s)
	}
}

// record dissects a sample.
func record(t testing.TB, sample string) *events {
	t.Helper()
	var e events
	dissectSample(t, sample, &e)
	return &e
}

func dissectSample(t testing.TB, sample string, sink analysis.Sink) {
	t.Helper()
	r, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	o := analysis.Options{ULPs: []analysis.ULP{rpc.New(rpc.Options{})}}
	engine := dissect.NewEngine(analysis.New(sink, o), dissect.Options{})
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
}

func TestPrinterDoesNotAllocate(t *testing.T) {
	for _, sample := range []string{"mss200", "p2p-crc", "sendinv-crc1", "term-read-badkey", "term-send-nobuf", "nfs-small-v4.1-inl4096-crc1"} {
		e := record(t, sample)
		p := text.New(io.Discard, text.Options{})
		e.replay(p)
		if n := testing.AllocsPerRun(5, func() { e.replay(p) }); n != 0 {
			t.Errorf("%s: %v allocations for %d events", sample, n, len(e.calls))
		}
	}
}

func BenchmarkPrinter(b *testing.B) {
	for _, utc := range []bool{false, true} {
		name := "rel"
		if utc {
			name = "utc"
		}
		b.Run(name, func(b *testing.B) {
			e := record(b, "nfs-small-v4.1-inl4096-crc1")
			p := text.New(io.Discard, text.Options{Clock: &text.Clock{UTC: utc}})
			b.ReportAllocs()
			for b.Loop() {
				e.replay(p)
			}
			b.ReportMetric(float64(e.lines*b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
