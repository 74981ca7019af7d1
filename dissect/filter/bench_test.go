package filter_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A recorder keeps every event of a capture.
type recorder struct {
	frames   []*record.Startup
	segments []*record.Segment
	messages []*record.Message
	next     record.Record
}

func (r *recorder) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r *recorder) StartupFrame(f *record.Startup) { r.frames = append(r.frames, f.Clone()) }
func (r *recorder) Segment(s *record.Segment)      { r.segments = append(r.segments, s.Clone()) }
func (r *recorder) Message(m *record.Message)      { r.messages = append(r.messages, m.Clone()) }

func recordOf(t testing.TB, sample string) *recorder {
	t.Helper()
	in, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	r := new(recorder)
	e := dissect.NewEngine(r, dissect.Options{})
	var rec pcaps.Record
	for in.Next(&rec) == nil {
		e.Packet(&rec)
	}
	e.Close()
	return r
}

// match matches everything that was recorded, and counts.
func (r *recorder) match(f *filter.Filter, e *filter.Event) (events, matched int) {
	count := func() {
		events++
		if f.Match(e) {
			matched++
		}
	}
	for _, s := range r.frames {
		e.Reset()
		e.StartupFrame = s
		count()
	}
	for _, s := range r.segments {
		e.Reset()
		e.Segment = s
		count()
	}
	for _, m := range r.messages {
		e.Reset()
		e.Message = m
		count()
	}
	return events, matched
}

// measured are filters from simple to complex.
var measured = []struct{ name, text string }{
	{"Everything", ""},
	{"Type", "type == Send"},
	{"Field", "iwarp_ddp.stag == 0xdeadbeef"},
	{"Complex", "(ip.addr == 10.0.0.0/8 or ipv6.addr == fd00::/8) and tcp.port in {7174, 20049} " +
		"and not iwarp_rdma.opcode in {Write, ReadResponse} " +
		"and (iwarp_rdma.rdmardsz > 4096 or iwarp_ddp.msn != 1 or iwarp_mpa.pad matches \"x\") and len >= 0"},
	{"RPC", "rpc.program == NFS and (nfs.opcode in {READ, WRITE} or rpcordma.rdma_length > 100000)"},
}

func TestNothingIsAllocated(t *testing.T) {
	r := recordOf(t, "nfs-small-v4.1-inl4096-crc1")
	for _, m := range measured {
		f := mustCompile(t, m.text)
		e := new(filter.Event)
		events, _ := r.match(f, e) // in which memory grows
		if allocs := testing.AllocsPerRun(10, func() { r.match(f, e) }); allocs != 0 {
			t.Errorf("%s: %v allocations for %d events", m.name, allocs, events)
		}
	}
}

// TestNothingIsAllocatedForCapsules is the same for headers that an analysis has found.
func TestNothingIsAllocatedForCapsules(t *testing.T) {
	f := mustCompile(t, "nvme.cmd.opc == Write or nvme.cqe.status == \"LBA Out of Range\" or request.nvme.cmd.nsid == 1")
	for name, e := range capsules(t) {
		f.Match(e)
		if allocs := testing.AllocsPerRun(10, func() { f.Match(e) }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

// TestSieveAllocatesNothing gives a Sieve what was recorded, again and again.
func TestSieveAllocatesNothing(t *testing.T) {
	r := recordOf(t, "nfs-small-v4.1-inl4096-crc1")
	for _, m := range measured {
		s := filter.NewSieve(mustCompile(t, m.text), recordtest.Discard)
		if allocs := testing.AllocsPerRun(10, func() { r.replay(s) }); allocs != 0 {
			t.Errorf("%s: %v allocations", m.name, allocs)
		}
	}
}

// replay gives a sink what was recorded.
func (r *recorder) replay(s record.Sink) {
	for _, f := range r.frames {
		r.next = record.Record{Kind: record.KindStartup, Origin: f.Origin, Startup: f}
		s.Record(&r.next)
	}
	for _, g := range r.segments {
		r.next = record.Record{Kind: record.KindSegment, Origin: g.Origin, Segment: g}
		s.Record(&r.next)
	}
	for _, m := range r.messages {
		r.next = record.Record{Kind: record.KindMessage, Origin: m.Origin, Message: m}
		s.Record(&r.next)
	}
}

func BenchmarkMatch(b *testing.B) {
	r := recordOf(b, "nfs-small-v4.1-inl4096-crc1")
	for _, m := range measured {
		b.Run(m.name, func(b *testing.B) {
			f := mustCompile(b, m.text)
			e := new(filter.Event)
			events := 0
			for b.Loop() {
				events, _ = r.match(f, e)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
			b.ReportAllocs()
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		mustCompile(b, measured[3].text)
	}
	b.ReportAllocs()
}
