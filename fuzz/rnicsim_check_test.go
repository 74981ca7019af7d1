package fuzz

// What must hold of the ends of FuzzRNIC.

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// memoryEach is after how many steps the memory is looked at.
const memoryEach = 16

// check polls and checks what there is.
func (w *rnicPair) check() {
	for i, e := range w.ends {
		e.shared.done = 0
		var c [8]rnicsim.Completion
		for {
			n, err := e.cq.Poll(c[:])
			if err != nil {
				break
			}
			for j := range c[:n] {
				w.completed(e, w.ends[1-i], &c[j])
			}
		}
		e.available()
	}
	if w.steps++; w.steps%memoryEach == 0 {
		w.memory()
	}
}

// memory checks that nothing between the areas was touched, and that nothing but the peer's source was written.
func (w *rnicPair) memory() {
	for i, e := range w.ends {
		for i := range rnicAreas + 1 {
			at := i * (areaLen + guardLen)
			for _, octet := range e.memory[at : at+guardLen] {
				if octet != 0xa5 {
					w.t.Fatal("memory was touched that nobody has granted")
				}
			}
		}
		if w.tainted {
			continue
		}
		source := w.ends[1-i].area(areaSource)
		for at, octet := range e.area(areaSink) {
			if octet != 0 && octet != source[at] {
				w.t.Fatalf("octet %d of the sink is %#x, want %#x", at, octet, source[at])
			}
		}
	}
}

// completed checks a completion against what was posted.
func (w *rnicPair) completed(e, peer *rnicEnd, c *rnicsim.Completion) {
	at := slices.IndexFunc(e.links, func(l *rnicLink) bool { return l.id == c.QP })
	l := e.links[at]
	if c.Status != rnicsim.Success && c.Status != rnicsim.Flushed {
		if l.failures++; l.failures > 1 {
			w.t.Fatalf("a second failure: %v %v", c.Op, c.Status)
		}
	}
	if c.Op == rnicsim.OpReceive {
		slot := e.taken(c)
		if c.Status == rnicsim.Success {
			peer.links[at].received(e, slot, c)
		}
		return
	}
	for len(l.pending) > 0 && l.pending[0].ID != c.WRID {
		if !l.pending[0].Unsignaled {
			w.t.Fatalf("%v %d was completed before %d", c.Op, c.WRID, l.pending[0].ID)
		}
		w.succeeded(l, peer, &l.pending[0], nil)
		l.pending = l.pending[1:]
	}
	if len(l.pending) == 0 {
		w.t.Fatalf("%v %d was completed, which is not outstanding", c.Op, c.WRID)
	}
	wr := l.pending[0]
	l.pending = l.pending[1:]
	if c.Status == rnicsim.Success {
		w.succeeded(l, peer, &wr, c)
	}
}

// taken finds the Receive of a completion, which is outstanding no longer, and returns its slot. They are taken in
// order; each other QP may be in the middle of one.
func (e *rnicEnd) taken(c *rnicsim.Completion) (slot int) {
	at := slices.IndexFunc(e.receives, func(r rnicReceive) bool { return r.id == c.WRID })
	if at < 0 || at >= len(e.links) {
		e.t.Fatalf("Receive %d was completed, the %d. that is outstanding, or none", c.WRID, at+1)
	}
	for i := range at {
		e.receives[i].passed = true
	}
	slot = e.receives[at].slot
	e.slots[slot] = false
	e.receives = slices.Delete(e.receives, at, at+1)
	e.shared.done++
	if c.Status == rnicsim.Success && e.shared.failed {
		if e.shared.late++; e.shared.late > len(e.links) {
			e.t.Fatalf("Receive %d was taken from an S-RQ that has failed", c.WRID)
		}
	}
	return slot
}

// event is for what an end with an S-RQ raises. Now and then a limit ends a stream, which may be the one that is
// receiving.
func (e *rnicEnd) event(v rnicsim.Event) {
	switch v.Type {
	case rnicsim.SRQLimitReached:
		if v.SRQ != e.srq || !e.shared.armed {
			e.t.Fatal("an event of the S-RQ Limit that is not expected")
		}
		e.shared.armed, e.shared.raised = false, true
	case rnicsim.RQLimitReached:
	default:
		return
	}
	if e.next%4 == 0 {
		e.links[e.next/4%uint64(len(e.links))].qp.Modify(rnicsim.Modification{State: rnicsim.Error})
	}
}

// available checks that the event of the S-RQ Limit came when it was due, and not before. How many Receives are
// available is known except for those that the QPs are in the middle of.
func (e *rnicEnd) available() {
	s := &e.shared
	switch {
	case s.raised && len(e.receives)-len(e.links) >= s.limit:
		e.t.Fatalf("%d Receives are outstanding, and the limit of %d was reached", len(e.receives), s.limit)
	case s.armed && len(e.receives) < s.limit && s.done > len(e.links):
		e.t.Fatalf("%d Receives are outstanding, and the limit of %d was not reached", len(e.receives), s.limit)
	}
	s.raised = false
}

// succeeded checks what a Work Request of the SQ has done. It has no completion if it is unsignaled.
func (w *rnicPair) succeeded(l *rnicLink, peer *rnicEnd, wr *rnicsim.WorkRequest, c *rnicsim.Completion) {
	if wr.Op == rnicsim.OpFetchAdd {
		if c != nil && c.Data != l.adds && !w.tainted {
			w.t.Fatalf("the %d. addition found %d", l.adds, c.Data)
		}
		l.adds++
	}
	if wr.Op == rnicsim.OpRead && !w.tainted && wr.Local.Len > 0 {
		at := wr.Local.TO - areaBase
		if !bytes.Equal(l.end.area(areaRead)[at:][:wr.Local.Len], peer.area(areaSource)[at:][:wr.Local.Len]) {
			w.t.Fatal("a Read has read something else")
		}
	}
}

// received checks what an end has received from l: its next Send. What others have put between other streams does not
// matter.
func (l *rnicLink) received(by *rnicEnd, slot int, c *rnicsim.Completion) {
	t := by.t
	if l.tainted {
		return
	}
	if len(l.sends) == 0 {
		t.Fatal("a Receive without a Send")
	}
	want := l.sends[0]
	l.sends = l.sends[1:]
	if c.Immediate {
		return // its Data is not in a buffer
	}
	if int(c.Length) != len(want) {
		t.Fatalf("received %d octets, want %d", c.Length, len(want))
	}
	if got := by.area(areaReceive)[slot*slotLen:][:len(want)]; !bytes.Equal(got, want) {
		t.Fatal("received something else than was sent")
	}
}

// ended checks that nothing is outstanding, but Receives of an S-RQ that nobody has taken.
func (w *rnicPair) ended(e *rnicEnd) {
	for _, l := range e.links {
		if a, _ := l.qp.Query(); a.State != rnicsim.Error {
			w.t.Fatalf("the QP is in %v", a.State)
		}
		for i := range l.pending {
			if !l.pending[i].Unsignaled {
				w.t.Fatalf("%v %d was never completed", l.pending[i].Op, l.pending[i].ID)
			}
		}
	}
	for _, r := range e.receives {
		if e.srq == nil || r.passed {
			w.t.Fatalf("Receive %d was never completed", r.id)
		}
	}
}
