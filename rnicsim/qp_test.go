package rnicsim

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

const allRights = LocalRead | LocalWrite | RemoteRead | RemoteWrite | BindWindows

// V-068 V-249 V-250 V-253: messages of all kinds arrive, and are completed.
func TestMovesData(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	src, dst, back := bytes.Repeat([]byte("0123456789"), 1000), make([]byte, 10000), make([]byte, 10000)
	ls, rd, lb := a.region(src, 0x1000, allRights), b.region(dst, 0x7000, allRights), a.region(back, 0, allRights)
	must(b.qp.PostRQ(WorkRequest{ID: 1, SGL: []SGE{{rd, 0x7000, 100}}}))
	must(a.qp.PostSQ(
		WorkRequest{ID: 2, Op: OpSend, SGL: []SGE{{ls, 0x1000, 100}}},
		WorkRequest{ID: 3, Op: OpWrite, SGL: []SGE{{ls, 0x1000, 10000}}, Remote: rd, RemoteTO: 0x7000},
		WorkRequest{ID: 4, Op: OpRead, Local: SGE{lb, 0, 10000}, Remote: rd, RemoteTO: 0x7000},
	))
	run(a, b)
	if !bytes.Equal(dst, src) || !bytes.Equal(back, src) {
		t.Error("data differs")
	}
	got := a.poll()
	if len(got) != 3 || got[0].WRID != 2 || got[1].WRID != 3 || got[2].WRID != 4 || got[2].Status != Success {
		t.Errorf("completions %v", got)
	}
	if got := b.poll(); len(got) != 1 || got[0].Length != 100 || got[0].Status != Success {
		t.Errorf("completions %v", got)
	}
	if len(a.events)+len(b.events) > 0 {
		t.Error(a.events, b.events)
	}
}

// Messages of any elements and lengths arrive as they were sent, in segments of any size.
func TestScatterGather(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, emss := range []int{142, 200, 1460} {
		o := defaults()
		o.emss = emss
		a, b := newPair(t, o, o)
		src, dst, written := make([]byte, 4096), make([]byte, 4096), make([]byte, 4096)
		for i := range src {
			src[i] = byte(random.Uint32())
		}
		ls, rd, rw := a.region(src, 0x1003, allRights), b.region(dst, 0x2005, allRights), b.region(written, 0, allRights)
		for range 50 {
			clear(dst)
			clear(written)
			sgl, want := pieces(random, SGE{ls, 0x1003, 4096}, 4), []byte{}
			for _, s := range sgl {
				want = append(want, src[s.TO-0x1003:][:s.Len]...)
			}
			n := uint32(random.IntN(len(want) + 1))
			must(b.qp.PostRQ(WorkRequest{SGL: []SGE{{rd, 0x2005, n}, {rd, 0x2005 + uint64(n), uint32(len(want)) - n}}}))
			must(a.qp.PostSQ(WorkRequest{Op: OpWrite, SGL: sgl, Remote: rw}, WorkRequest{Op: OpSend, SGL: sgl}))
			run(a, b)
			if got := b.poll(); len(got) != 1 || int(got[0].Length) != len(want) || len(a.poll()) != 2 {
				t.Fatal(got)
			}
			if !bytes.Equal(dst[:len(want)], want) || !bytes.Equal(written[:len(want)], want) {
				t.Fatal("data differs")
			}
		}
	}
}

// pieces cuts memory into up to n pieces, in any order, no longer adjacent.
func pieces(random *rand.Rand, of SGE, n int) (all []SGE) {
	for range 1 + random.IntN(n) {
		at, end := random.Uint32N(of.Len), random.Uint32N(of.Len/uint32(n))
		all = append(all, SGE{of.STag, of.TO + uint64(at), min(end, of.Len-at)})
	}
	return all
}

// V-246: a completion that is lost gives its slot back, or the queue could never be used again.
func TestSlotsOfLostCompletions(t *testing.T) {
	o := defaults()
	o.cqes, o.qp.SQ, o.qp.RQ = 1, 4, 4
	a, b := newPair(t, o, defaults())
	must(a.qp.PostRQ(WorkRequest{}, WorkRequest{}, WorkRequest{}, WorkRequest{}))
	must(a.qp.PostSQ(WorkRequest{Op: OpWrite}, WorkRequest{Op: OpWrite}, WorkRequest{Op: OpWrite}, WorkRequest{Op: OpWrite}))
	run(a, b)
	if n := len(a.poll()); n != 1 || a.qp.life.state != Error {
		t.Error(n, a.qp.life.state)
	}
	if a.qp.sq.used != 0 || a.qp.rq.used != 0 {
		t.Error(a.qp.sq.used, a.qp.rq.used)
	}
}
