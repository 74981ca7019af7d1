package rnicsim

import (
	"slices"
	"testing"
)

// fill adds completions to a CQ, with WRIDs from first on.
func fill(t testing.TB, c *CQ, q *workQueue, first, n int) {
	t.Helper()
	for i := range n {
		if !c.add(entry{Completion: Completion{WRID: uint64(first + i)}, queue: q, slots: 1}, false) {
			t.Fatalf("completion %d does not fit", i)
		}
		q.used++
	}
}

// drained returns the WRIDs that a CQ holds, polled two at a time.
func drained(c *CQ) (ids []uint64) {
	var dst [2]Completion
	for {
		n, err := c.Poll(dst[:])
		if err != nil {
			return ids
		}
		for i := range n {
			ids = append(ids, dst[i].WRID)
		}
	}
}

func count(first, n int) (ids []uint64) {
	for i := range n {
		ids = append(ids, uint64(first+i))
	}
	return ids
}

// V-021 V-023 V-027 V-028 V-029 V-267 V-269: completions leave in the order of their arrival, whatever the size
// becomes in between.
func TestCQResize(t *testing.T) {
	w, q := newWorld(t), &workQueue{depth: 100}
	c := must(w.r.CreateCQ(4, w.handler))
	fill(t, c, q, 0, 4)
	if c.add(entry{queue: q, slots: 1}, false) {
		t.Error("a fifth completion fits")
	}
	if _, err := c.Poll(make([]Completion, 3)); err != nil {
		t.Fatal(err)
	}
	fill(t, c, q, 4, 3) // around the end of the ring
	for _, size := range []int{3, 16, 4, 8} {
		n, err := c.Modify(size)
		if size < c.count {
			if err != ErrShrink {
				t.Errorf("to %d: %v", size, err)
			}
			continue
		}
		if got, handler, _ := c.Query(); err != nil || n != size || got != size || handler != w.handler {
			t.Errorf("%d entries and %v, %d and handler %d by Query", n, err, got, handler)
		}
	}
	fill(t, c, q, 7, 4)
	if got := drained(c); !slices.Equal(got, count(3, 8)) {
		t.Errorf("completions %v", got)
	}
	if q.used != 0 {
		t.Errorf("%d slots are not free again", q.used)
	}
	if _, err := c.Poll(make([]Completion, 1)); err != ErrCQEmpty {
		t.Error(err)
	}
}

// V-024: a CQ takes memory for what it holds, not for its size.
func TestCQGrows(t *testing.T) {
	r := New(Config{})
	c, q := must(r.CreateCQ(1<<20, 0)), &workQueue{}
	must(c.Modify(1 << 19))
	if len(c.ring) > 0 {
		t.Errorf("%d entries for none", len(c.ring))
	}
	fill(t, c, q, 0, 100)
	if len(c.ring) > 200 {
		t.Errorf("%d entries for 100", len(c.ring))
	}
	if got := drained(c); !slices.Equal(got, count(0, 100)) {
		t.Errorf("completions %v", got)
	}
}

// V-022 V-025 V-030 V-031: a CQ serves the queues of several QPs, and is in use as long as one of them exists.
func TestDestroyCQ(t *testing.T) {
	w := newWorld(t)
	c := must(w.r.CreateCQ(1, 0))
	sends := must(w.r.CreateQP(QPConfig{PD: w.pd, SendCQ: c, RecvCQ: w.cq}))
	if err := c.Destroy(); err != ErrCQInUse {
		t.Errorf("with an SQ: %v", err)
	}
	if err := w.qp.Destroy(); err != nil {
		t.Fatal(err)
	}
	receives := must(w.r.CreateQP(QPConfig{PD: w.pd, SendCQ: w.cq, RecvCQ: c}))
	if err := sends.Destroy(); err != nil {
		t.Fatal(err)
	}
	if err := c.Destroy(); err != ErrCQInUse {
		t.Errorf("with an RQ: %v", err)
	}
	fill(t, c, &workQueue{}, 0, 1)
	if err := receives.Destroy(); err != nil {
		t.Fatal(err)
	}
	if err := c.Destroy(); err != nil {
		t.Errorf("without queues: %v", err)
	}
	if n, err := c.Poll(make([]Completion, 1)); n != 0 || err != ErrInvalidCQ {
		t.Errorf("%d completions of a CQ that is gone, %v", n, err)
	}
	if c.ring != nil {
		t.Error("its entries are kept")
	}
}

// V-056 V-265: completions of a destroyed QP can still be polled, and do no harm.
func TestPollOfDestroyedQP(t *testing.T) {
	w := newWorld(t)
	must(w.qp.PostRQ(WorkRequest{ID: 7}))
	if err := w.qp.Modify(Modification{State: Error}); err != nil {
		t.Fatal(err)
	}
	if err := w.qp.Destroy(); err != nil {
		t.Fatal(err)
	}
	var c [1]Completion
	if n, err := w.cq.Poll(c[:]); n != 1 || err != nil || c[0].WRID != 7 || c[0].Status != Flushed {
		t.Errorf("%d completions, %v: %+v", n, err, c[0])
	}
}

// A notification is what a CQ is armed with, what is then added, and how often its handler is called.
var notifications = []struct {
	name string
	arm  []bool
	add  []added
	want int
}{
	{"not armed", nil, []added{{}, {}}, 0},
	{"next", []bool{false}, []added{{}}, 1},
	{"one shot", []bool{false}, []added{{}, {}}, 1},
	{"armed twice", []bool{false, false}, []added{{}, {}}, 1},
	{"solicited, plain", []bool{true}, []added{{}, {}}, 0},
	{"solicited", []bool{true}, []added{{}, {solicited: true}, {solicited: true}}, 1},
	{"solicited, error", []bool{true}, []added{{}, {status: AccessViolation}}, 1},
	{"solicited, flushed", []bool{true}, []added{{status: Flushed}}, 1},
	{"solicited, then next", []bool{true, false}, []added{{}, {solicited: true}}, 1},
	{"next, then solicited", []bool{false, true}, []added{{}}, 1},
}

type added struct {
	solicited bool
	status    Status
}

// V-270 V-271 V-272 V-273 V-274: which completions an armed CQ reports. Those that were there before do not count, and
// are not polled.
func TestNotification(t *testing.T) {
	for _, c := range notifications {
		w := newWorld(t)
		fill(t, w.cq, new(workQueue), 0, 1)
		for _, n := range c.arm {
			if err := w.cq.RequestNotification(n); err != nil {
				t.Fatal(err)
			}
		}
		if w.notified != 0 {
			t.Errorf("%s: called for what was there", c.name)
		}
		for _, a := range c.add {
			w.cq.add(entry{Completion: Completion{Status: a.status}, queue: new(workQueue)}, a.solicited)
		}
		if w.notified != c.want || w.cq.count != 1+len(c.add) {
			t.Errorf("%s: called %d times, want %d; %d completions", c.name, w.notified, c.want, w.cq.count)
		}
	}
}

// V-271: polling, arming and polling misses nothing, wherever the next completion falls.
func TestPollArmPoll(t *testing.T) {
	for when := range 4 {
		w := newWorld(t)
		got := 0
		steps := []func(){
			func() { got += len(drained(w.cq)) },
			func() { w.cq.RequestNotification(false) },
			func() { got += len(drained(w.cq)) },
		}
		for i := range 4 {
			if i == when {
				fill(t, w.cq, new(workQueue), 0, 1)
			}
			if i < len(steps) {
				steps[i]()
			}
		}
		if got == 0 && w.notified == 0 {
			t.Errorf("a completion before step %d was missed", when)
		}
	}
}

// V-274 V-270: a handler may poll and arm; it is then called for the next completion.
func TestHandlerArmsAgain(t *testing.T) {
	r := New(Config{})
	calls, got := 0, 0
	h := must(r.AddCompletionEventHandler(func(c *CQ) {
		calls++
		got += len(drained(c))
		c.RequestNotification(false)
	}))
	c := must(r.CreateCQ(4, h))
	c.RequestNotification(false)
	fill(t, c, new(workQueue), 0, 10)
	if calls != 10 || got != 10 {
		t.Errorf("%d calls, %d completions", calls, got)
	}
}

// V-024 V-025 V-026: a CQ that is too small ends the streams of the QPs that use it, and of no others.
func TestCQOverflow(t *testing.T) {
	o := defaults()
	o.cqes = 1
	a, b := newPair(t, defaults(), o)
	quiet := newSide(t, defaults(), b.rnic)
	b.rnic.SetAsyncEventHandler(func(e Event) { b.events = append(b.events, e.Type) })
	must(b.qp.PostRQ(WorkRequest{ID: 1}, WorkRequest{ID: 2}, WorkRequest{ID: 3}))
	must(quiet.qp.PostRQ(WorkRequest{ID: 4}))
	must(a.qp.PostSQ(WorkRequest{Op: OpSend}, WorkRequest{Op: OpSend}, WorkRequest{Op: OpSend}))
	run(a, b)
	if !slices.Equal(b.events, []EventType{CQOverflow, CQRQError}) {
		t.Errorf("events %v", b.events)
	}
	if b.qp.life.state != Error || quiet.qp.life.state != Idle || len(quiet.poll()) != 0 || quiet.cq.overrun {
		t.Errorf("states %v and %v", b.qp.life.state, quiet.qp.life.state)
	}
	if got := b.poll(); len(got) != 1 || got[0].WRID != 1 || got[0].Status != Success {
		t.Errorf("completions %v", got)
	}
}

// V-006: a CQ that was destroyed makes room for another.
func TestCQsAreGivenBack(t *testing.T) {
	w := newWorld(t)
	for range 2 * worldLimits.CQs {
		c, err := w.r.CreateCQ(1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Destroy(); err != nil {
			t.Error(err)
		}
	}
}
