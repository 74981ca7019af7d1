// Package recorded gives tests the Records of the bundled captures, once or repeatedly.
package recorded

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// Analyse gives a sink the Records of a sample up to the frame last, or all of them if last is 0. It follows RPC-over-RDMA.
func Analyse(t testing.TB, sample string, last uint64, sink record.Sink) {
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

// AnalysePackets gives a sink the Records of packets, as Analyse does those of a sample.
func AnalysePackets(packets []pcaps.Record, sink record.Sink) {
	engine := newEngine(sink)
	for i := range packets {
		engine.Packet(&packets[i])
	}
	engine.Close()
}

func newEngine(sink record.Sink) *dissect.Engine {
	o := judge.Options{ULPs: []*ulp.Layer{rpc.New(rpc.Options{})}}
	return dissect.NewEngine(judge.New(sink, o), dissect.Options{})
}

// Records are the Records of a sample.
type Records struct {
	Messages int // including MPA frames
	all      []*record.Record
}

// Read returns the Records of a sample.
func Read(t testing.TB, sample string) *Records {
	t.Helper()
	all := new(Records)
	Analyse(t, sample, 0, all)
	return all
}

// Record implements record.Sink.
func (a *Records) Record(r *record.Record) {
	if r.Kind == record.KindStartup || r.Kind == record.KindMessage {
		a.Messages++
	}
	a.all = append(a.all, r.Clone())
}

// Len returns the number of Records.
func (a *Records) Len() int { return len(a.all) }

// Replay gives a sink the Records.
func (a *Records) Replay(s record.Sink) {
	for _, r := range a.all {
		s.Record(r)
	}
}
