package rnicsim

import (
	"slices"
	"testing"
)

// V-281: there is one handler, the latest; events without one are lost.
func TestAsyncEventHandler(t *testing.T) {
	r := New(Config{})
	var first, second []EventType
	raise := func() { r.raise(Event{Type: RNICCatastrophic}) }
	raise()
	for _, call := range []func(Event){
		func(e Event) { first = append(first, e.Type) }, func(e Event) { second = append(second, e.Type) }, nil,
	} {
		if err := r.SetAsyncEventHandler(call); err != nil {
			t.Fatal(err)
		}
		raise()
	}
	if len(first) != 1 || len(second) != 1 {
		t.Errorf("%v and %v", first, second)
	}
}

// V-282: an event names its resource, and the kind of that.
func TestEventResource(t *testing.T) {
	w := newWorld(t)
	srq := must(w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 1}))
	for _, e := range []Event{{Type: BadClose, QP: w.qp}, {Type: CQOverflow, CQ: w.cq}, {Type: SRQLimitReached, SRQ: srq}, {Type: RNICCatastrophic}} {
		w.events = nil
		w.r.raise(e)
		e.RNIC = w.r
		if !slices.Equal(w.events, []Event{e}) {
			t.Errorf("%v came as %v", e, w.events)
		}
	}
}

// V-275 V-277: handlers are registered, replaced and cleared by their ID; CQs need not know.
func TestCompletionEventHandlers(t *testing.T) {
	w := newWorld(t)
	complete := func() {
		w.cq.RequestNotification(false)
		w.cq.add(entry{queue: new(workQueue)}, false)
	}
	complete()
	replaced := 0
	if err := w.r.SetCompletionEventHandler(w.handler, func(cq *CQ) {
		if cq == w.cq {
			replaced++
		}
	}); err != nil {
		t.Fatal(err)
	}
	complete()
	if err := w.r.SetCompletionEventHandler(w.handler, nil); err != nil {
		t.Fatal(err)
	}
	complete()
	if w.notified != 1 || replaced != 1 {
		t.Errorf("the first handler was called %d times, the second one %d times", w.notified, replaced)
	}
	if err := w.r.SetCompletionEventHandler(w.handler, func(*CQ) {}); err != ErrInvalidHandler {
		t.Errorf("%v for a handler that was cleared", err)
	}
	if _, err := w.r.CreateCQ(1, w.handler); err != ErrInvalidHandler {
		t.Errorf("%v for a CQ with a handler that was cleared", err)
	}
	if id, err := w.r.AddCompletionEventHandler(func(*CQ) {}); err != nil || id == w.handler {
		t.Errorf("the next handler is %d, %v", id, err)
	}
}
