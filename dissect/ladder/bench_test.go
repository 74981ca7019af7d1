package ladder_test

import (
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/ladder"
)

// events are the events of a capture, kept to be given to a Ladder again and again.
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

func (e *events) Transaction(t *analysis.Transaction) {
	c := *t
	c.Upper = nil
	e.calls = append(e.calls, func(s analysis.Sink) { s.Transaction(&c) })
}

func BenchmarkLadder(b *testing.B) {
	var e events
	dissectSample(b, "nfs-small-v4.1-inl4096-crc1", 0, &e)
	for name, all := range map[string]bool{"folded": false, "all": true} {
		b.Run(name, func(b *testing.B) {
			l := ladder.New(io.Discard, ladder.Options{All: all})
			b.ReportAllocs()
			for b.Loop() {
				for _, call := range e.calls {
					call(l)
				}
			}
			b.ReportMetric(float64(e.lines*b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}
