package rnicsim

// A world: an RNIC with one of everything, for tests of verbs.

import (
	"fmt"
	"testing"
)

// worldLimits are small, so that tests reach them.
var worldLimits = Limits{
	QPs: 4, WRs: 8, SRQs: 2, SRQWRs: 8, SendSGEs: 4, WriteSGEs: 4, CQs: 3, CQEs: 16, Handlers: 2, MRs: 8, MWs: 4,
	PBLEntries: 4, PDs: 4, IRD: 4, ORD: 4, PageSizes: 1<<12 | 1<<13, MaxBlock: 1 << 14,
}

// A world has two PDs with a QP each, a second QP in the first PD, and memory for all of them: pages of 4096 octets at
// 0x10000, 0x11000, 0x20000 and 0x30000.
type world struct {
	r           *RNIC
	memory      *Memory
	pages       map[uint64][]byte
	pd, other   *PD
	cq          *CQ
	qp, beside  *QP // in pd
	foreign     *QP // in other
	handler     uint32
	notified    int
	events      []Event
	region      STag // of pd: the pages at 0x10000 and 0x30000, with all rights, from TO 0x10000 on
	allocated   STag // of pd: Invalid, room for 4 entries, remote access
	window      STag // of pd: not bound
	freedWindow STag // was deallocated
}

const worldBase, worldLen = 0x10000, 2 * memoryPage

// newWorld returns a world in page mode, and newBlockWorld one in block mode.
func newWorld(t testing.TB) *world      { return worldIn(t, false) }
func newBlockWorld(t testing.TB) *world { return worldIn(t, true) }

func worldIn(t testing.TB, blocks bool) *world {
	t.Helper()
	w := &world{memory: new(Memory), pages: map[uint64][]byte{}}
	for _, at := range []uint64{0x10000, 0x11000, 0x20000, 0x30000} {
		w.pages[at] = make([]byte, memoryPage)
		if err := w.memory.Map(at, w.pages[at]); err != nil {
			t.Fatal(err)
		}
	}
	w.r = opened(Config{Name: "w", Limits: worldLimits, Memory: w.memory}, blocks)
	w.r.SetAsyncEventHandler(func(e Event) { w.events = append(w.events, e) })
	w.handler = must(w.r.AddCompletionEventHandler(func(*CQ) { w.notified++ }))
	w.pd, w.other = must(w.r.AllocatePD()), must(w.r.AllocatePD())
	w.cq = must(w.r.CreateCQ(8, w.handler))
	w.qp, w.beside, w.foreign = w.newQP(w.pd), w.newQP(w.pd), w.newQP(w.other)
	w.region = must(w.r.RegisterMR(w.pd, w.registration()))
	w.allocated = must(w.r.AllocateMR(w.pd, 4, true))
	w.window, w.freedWindow = must(w.r.AllocateMW(w.pd)), must(w.r.AllocateMW(w.pd))
	if err := w.r.Deallocate(w.freedWindow); err != nil {
		t.Fatal(err)
	}
	return w
}

// opened returns an RNIC in page or block mode.
func opened(c Config, blocks bool) *RNIC {
	r := New(c)
	if blocks {
		r.Close()
		r = must(r.Reopen(true))
	}
	return r
}

func (w *world) newQP(pd *PD) *QP {
	return must(w.r.CreateQP(QPConfig{PD: pd, SendCQ: w.cq, RecvCQ: w.cq, SQ: 4, RQ: 4, RemoteRead: true, RemoteWrite: true,
		BindWindows: true, Privileged: true, SendSGEs: 4, WriteSGEs: 4, RecvSGEs: 4, ORD: 1, IRD: 1}))
}

// registration returns a correct registration.
func (w *world) registration() Registration {
	return Registration{
		PBL: PBL{EntrySize: memoryPage, Entries: []uint64{0x10000, 0x30000}, Length: worldLen},
		VA:  worldBase, Key: 0x11, RemoteAccess: true, Rights: allRights,
	}
}

// with returns a correct registration with one change.
func (w *world) with(change func(*Registration)) Registration {
	g := w.registration()
	change(&g)
	return g
}

// bound binds the window to the whole region, for qp, and returns its STag.
func (w *world) bound(t testing.TB) STag {
	t.Helper()
	b := &Bind{Window: w.window.WithKey(0x22), Region: w.region, VA: worldBase, Length: worldLen, Rights: RemoteRead | RemoteWrite}
	if s := w.qp.access.bind(b); s != Success {
		t.Fatal(s)
	}
	return b.Window
}

// dump returns all that verbs can see, and what only the RNIC counts.
func (w *world) dump() string {
	r := w.r
	s := fmt.Sprintln(r.closed, len(r.pds.all), len(r.cqs.all), len(r.qps.all), len(r.srqs.all), len(r.stags.all), r.stags.regions,
		r.stags.windows, len(r.handlers), w.pd.users, w.other.users, w.qp.access.windows, w.qp.life.state, w.notified, len(w.events))
	for _, stag := range []STag{w.region, w.allocated, w.window, w.freedWindow} {
		mr, notMR := r.QueryMR(stag)
		mw, notMW := r.QueryMW(stag)
		s += fmt.Sprintln(mr, notMR, mw, notMW)
	}
	entries, handler, err := w.cq.Query()
	return s + fmt.Sprintln(entries, handler, err, w.cq.count, w.cq.armed, w.cq.users)
}
