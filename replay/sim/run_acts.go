package sim

// Acts, done by verbs.

import (
	"cmp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

func (r *run) act() (moved bool) {
	r.poll()
	for r.next < len(r.plan.Acts) && len(r.pending) == 0 {
		a := r.plan.Acts[r.next]
		if r.stream.Phase() == rnicsim.Closed && r.ended[0] != mpa.GoesOn {
			r.next++
			continue
		}
		if !r.due(a) || r.cut > 0 && !r.idle || a.Settled && !r.quiet() || !r.possible(a.Do) {
			break
		}
		if d, ok := a.Do.(*Pause); ok && !r.pause(d) {
			break
		}
		r.next++
		r.cut = -1
		r.perform(a)
		r.idle, moved = false, true
	}
	return moved
}

// due reports whether the step that an Act waits for has arrived.
func (r *run) due(a *Act) bool { return r.received(a.After) }

// received reports whether a step of the own side has arrived; true if there is no such step.
func (r *run) received(number int) bool {
	i, ok := r.steps[number]
	return !ok || r.player.Outcome().Steps[i].Verdict == outcome.Sent
}

// quiet reports whether the RNIC has nothing to send, and the Player knows of its end.
func (r *run) quiet() bool { return r.idle && r.stream.Ending() == r.ended[0] }

// settling reports whether the next Act only waits until the RNIC has nothing to send.
func (r *run) settling() bool {
	if r.next == len(r.plan.Acts) || r.quiet() || r.stream.Phase() == rnicsim.Closed {
		return false
	}
	a := r.plan.Acts[r.next]
	return a.Settled && r.due(a) && r.possible(a.Do)
}

// possible reports whether an Act can be done in the current state of the RNIC.
func (r *run) possible(d Operation) bool {
	switch d := d.(type) {
	case *Accept, *Reject:
		return r.stream.Phase() == rnicsim.Deciding
	case *Begin, *Stream, Listen:
		return r.stream.Phase() == rnicsim.Streaming
	case *Post:
		return r.stream.Phase() == rnicsim.Established || r.stream.Phase() == rnicsim.Closed
	case *Hold:
		i, known := r.steps[d.Behind]
		return !known || r.player.Outcome().Steps[i].Verdict != outcome.NotReached
	case Close:
		return !r.qp.Busy() || r.cut >= 0
	}
	return true
}

func (r *run) pause(d *Pause) bool {
	r.paused = cmp.Or(r.paused, r.now+d.For)
	if r.now < r.paused {
		return false
	}
	r.paused = 0
	return true
}

func (r *run) perform(a *Act) {
	var err error
	switch d := a.Do.(type) {
	case *Begin:
		err = r.stream.Connect(r.octets(d.PrivateData))
	case Listen:
		err = r.stream.Listen()
	case *Accept:
		err = r.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: r.stream, Message: r.octets(d.PrivateData)})
	case *Reject:
		err = r.stream.Reject(r.octets(d.PrivateData))
	case *Stream:
		err = r.stream.Write(r.octets(d.Octets))
	case *Post:
		err = r.post(d)
	case *Hold:
		r.held = d.Until
	case *Store:
		r.place(d.Region, &d.Placed)
	case *Withdraw:
		err = r.rnic.Deallocate(r.regions[d.Region].stag.Index())
	case Close:
		r.close()
	case Abort:
		r.abort()
	}
	if err != nil {
		r.report("step %d: %v", a.Step, err)
	}
}

// attach connects the QP of an Initiator to its stream once the Reply has arrived.
func (w *world) attach() {
	if w.plan.Startup.Initiates && w.stream.Phase() == rnicsim.Established && w.state() == rnicsim.Idle {
		if err := w.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: w.stream}); err != nil {
			w.report("the QP: %v", err)
		}
	}
}

func (w *world) state() rnicsim.State {
	a, _ := w.qp.Query()
	return a.State
}

// octets returns a payload with known variables.
func (w *world) octets(payload scenario.Payload) []byte {
	b := make([]byte, payload.Len())
	w.put(b, payload)
	return b
}

func (r *run) post(d *Post) error {
	wr := rnicsim.WorkRequest{
		ID: uint64(r.next), Op: d.Op, Remote: rnicsim.STag(d.Remote.STag), RemoteTO: d.Remote.TO, STag: rnicsim.STag(d.STag),
		Data: d.Data, Mask: d.Mask, CompareData: d.CompareData, CompareMask: d.CompareMask,
	}
	if n := d.Octets.Len(); n > 0 {
		e := r.heapElement(n)
		r.put(r.heap.octets[e.TO:], d.Octets)
		if d.Broken {
			e.STag = r.nowhere()
		}
		wr.SGL = []rnicsim.SGE{e}
	}
	if d.Local.Length > 0 {
		wr.Local = r.sink(d.Local)
	}
	if d.Cut > 0 {
		r.cut = d.Cut
	}
	_, err := r.qp.PostSQ(wr)
	return err
}

func (w *world) sink(p Place) rnicsim.SGE {
	i, ok := w.byName[p.STag]
	if !ok {
		return rnicsim.SGE{STag: w.nowhere(), TO: p.TO, Len: p.Length}
	}
	live := &w.regions[i]
	return rnicsim.SGE{STag: live.stag, TO: live.to + (p.TO - w.plan.Regions[i].TO), Len: p.Length}
}

// close closes the connection, unless the RNIC is about to.
func (w *world) close() {
	switch w.state() {
	case rnicsim.RTS:
		w.qp.Modify(rnicsim.Modification{State: rnicsim.Closing})
	case rnicsim.Idle, rnicsim.Error:
		w.stream.Close()
	}
}

func (w *world) abort() {
	if w.state() == rnicsim.RTS {
		w.qp.Modify(rnicsim.Modification{State: rnicsim.Error})
	}
	w.stream.Abort()
}

// poll removes completions, and reports errors except flushed work.
func (w *world) poll() {
	var some [16]rnicsim.Completion
	for {
		n, err := w.cq.Poll(some[:])
		if err != nil {
			return
		}
		for _, c := range some[:n] {
			if c.Status != rnicsim.Success && c.Status != rnicsim.Flushed {
				w.report("%v: %v", c.Op, c.Status)
			}
		}
	}
}
