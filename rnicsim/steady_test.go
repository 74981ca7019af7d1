package rnicsim

// The RNIC's cost: memory when idle, time and memory when busy.

import (
	"hash/crc32"
	"runtime"
	"testing"
)

// A flow is a pair with what a steady stream of messages needs.
type flow struct {
	a, b        *side
	ls, rd      STag
	wrs         []WorkRequest
	receives    []WorkRequest
	completions [64]Completion
}

// flowLen is the length of a message in octets, and flowDepth the number of messages that are posted at a time.
const (
	flowLen   = 64 << 10
	flowDepth = 8
)

func newFlow(t testing.TB, emss int, kind Op) *flow {
	o := defaults()
	o.emss, o.qp.ORD, o.qp.IRD = emss, flowDepth, flowDepth
	f := &flow{}
	f.a, f.b = newPair(t, o, o)
	f.ls = f.a.region(make([]byte, flowLen), 0x1000, allRights)
	f.rd = f.b.region(make([]byte, flowLen), 0x1000, allRights)
	for range flowDepth {
		wr := WorkRequest{Op: kind, SGL: []SGE{{f.ls, 0x1000, flowLen}}, Remote: f.rd, RemoteTO: 0x1000}
		if kind == OpRead {
			wr.Local = wr.SGL[0]
		}
		f.wrs = append(f.wrs, wr)
		f.receives = append(f.receives, WorkRequest{SGL: []SGE{{f.rd, 0x1000, flowLen}}})
	}
	return f
}

// round sends flowDepth messages.
func (f *flow) round(t testing.TB) {
	if f.wrs[0].Op == OpSend {
		if _, err := f.b.qp.PostRQ(f.receives...); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.a.qp.PostSQ(f.wrs...); err != nil {
		t.Fatal(err)
	}
	for f.a.move() || f.b.move() {
	}
	if n, err := f.a.cq.Poll(f.completions[:]); n != flowDepth || f.completions[n-1].Status != Success {
		t.Fatal(n, err, f.completions[0])
	}
	if f.wrs[0].Op == OpSend {
		if n, err := f.b.cq.Poll(f.completions[:]); n != flowDepth {
			t.Fatal(n, err)
		}
	}
}

// In the steady state neither a message nor an FPDU allocates.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	for _, kind := range []Op{OpSend, OpWrite, OpRead} {
		f := newFlow(t, 1460, kind)
		f.round(t)
		if n := testing.AllocsPerRun(10, func() { f.round(t) }); n != 0 {
			t.Errorf("%v: %v allocations for %d messages", kind, n, flowDepth)
		}
	}
}

// An idle QP holds no queues: they grow when something is posted.
func TestIdleQPsAreSmall(t *testing.T) {
	const count, limit = 10_000, 2048
	r := New(Config{})
	pd := must(r.AllocatePD())
	cq := must(r.CreateCQ(1<<16, 0))
	c := defaults().qp
	c.PD, c.SendCQ, c.RecvCQ, c.SQ, c.RQ = pd, cq, cq, 1024, 1024
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range count {
		must(r.CreateQP(c))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := (after.HeapAlloc - before.HeapAlloc) / count
	t.Logf("%d octets for each of %d QPs", each, count)
	if each > limit {
		t.Errorf("%d octets for each QP, want at most %d", each, limit)
	}
	runtime.KeepAlive(r)
}

func BenchmarkPair(b *testing.B) {
	for _, kind := range []Op{OpWrite, OpSend, OpRead} {
		for name, emss := range map[string]int{"1460": 1460, "9000": 8960} {
			b.Run(kind.String()+"/"+name, func(b *testing.B) {
				f := newFlow(b, emss, kind)
				b.SetBytes(flowLen * flowDepth)
				b.ReportAllocs()
				for b.Loop() {
					f.round(b)
				}
			})
		}
	}
}

// BenchmarkFloor does only what is unavoidable: one copy and one CRC32c of each octet at either end.
func BenchmarkFloor(b *testing.B) {
	table := crc32.MakeTable(crc32.Castagnoli)
	src, wire, dst := make([]byte, flowLen), make([]byte, flowLen), make([]byte, flowLen)
	for name, n := range map[string]int{"1460": 1440, "9000": 8940} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(flowLen)
			for b.Loop() {
				for at := 0; at < flowLen; at += n {
					end := min(at+n, flowLen)
					copy(wire[at:end], src[at:end])
					crc32.Checksum(wire[at:end], table)
					crc32.Checksum(wire[at:end], table)
					copy(dst[at:end], wire[at:end])
				}
			}
		})
	}
}
