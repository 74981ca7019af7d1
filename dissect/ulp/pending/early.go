package pending

// Responses that stand before their requests. A capture may be out of order, and where octets of one direction are missing,
// that direction lags behind the other for a while.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// maxEarly is how many of the latest responses without a request are kept.
const maxEarly = 64

// maxDisplaced is how many frames a request may follow its response in a capture that is out of order.
const maxDisplaced = 256

// An Answer is what a response says about its request.
type Answer[T any] struct {
	flow.Span
	Outcome record.Outcome
	Status  string // why it was refused, in the words of the upper layer
	Octets  uint64 // of data that stood in the response
	Detail  T      // for Table.Complete
}

// An early Answer waits for its request.
type early[T any] struct {
	Answer[T]
	key  key
	held bool
}

// Answer handles the response to the request of a direction with the given id. One without a request is kept.
func (t *Table[T]) Answer(d flow.Direction, id uint64, a *Answer[T]) {
	if r := t.Find(d, id); r != nil {
		t.join(r)
		t.settle(r, a)
		return
	}
	if t.early == nil {
		t.early = make([]early[T], maxEarly)
		t.held += maxEarly * requestHeld / 4
	}
	t.early[t.earlyNext%maxEarly] = early[T]{*a, key{d, id}, true}
	t.earlyNext++
}

// Await says that a request is complete, with all that it advertises. If its response follows it in the capture and has
// come already, the request ends.
func (t *Table[T]) Await(r *Request[T]) {
	if a := t.unclaimed(r, r.Request.LastFrame); a != nil {
		t.settle(r, a)
	}
}

// overtaken ends the latest request, and those that came with it, if their responses stand before them in the capture, which
// a gap makes possible.
func (t *Table[T]) overtaken(d flow.Direction) {
	r := t.waiting.Latest()
	if r == nil {
		return
	}
	for span := r.Request; r != nil && r.Dir == d && r.Request == span; {
		older := r.place.Earlier()
		from := span.LastFrame - min(span.LastFrame, maxDisplaced)
		if a := t.unclaimed(r, from); a != nil {
			t.settle(r, a)
		}
		r = older
	}
}

// unclaimed removes and returns the oldest Answer to a request that came at frame or later; nil if there is none. Earlier
// ones belong to requests that were not seen.
func (t *Table[T]) unclaimed(r *Request[T], frame uint64) *Answer[T] {
	for i := range t.early {
		e := &t.early[(t.earlyNext+i)%maxEarly]
		if e.held && e.key == r.key && e.Frame >= frame {
			e.held = false
			return &e.Answer
		}
	}
	return nil
}

// checkMoved reports a request that succeeds although not all of its data were moved. Nothing is known if some may have been missed.
func (t *Table[T]) checkMoved(r *Request[T], a *Answer[T]) {
	success := a.Outcome == record.Answered && a.Status == ""
	if !success || r.Octets >= r.Data || t.gaps != [2]uint32{} || t.unfollowed || a.Frame < r.Request.Frame {
		return
	}
	t.Reporter.Finding(&record.Finding{
		Origin: record.Origin{Conn: r.Conn, Dir: 1 - r.Dir, Span: a.Span}, Name: record.Unmoved,
		Seen: fmt.Sprintf("it reports success of the %s, but only %d of %d octets were moved", r.where(), r.Octets, r.Data),
	})
}

// settle ends a request by its response.
func (t *Table[T]) settle(r *Request[T], a *Answer[T]) {
	r.Response, r.Status = a.Span, a.Status
	r.Octets += a.Octets
	t.checkMoved(r, a)
	if t.Complete != nil {
		t.Complete(&r.Detail, a.Detail)
	}
	t.close(r, a.Outcome)
}
