package rnicsim

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// An SQ completes in the order of posting. Work that was not done is Flushed; unsignaled work that succeeds has no completion.
func TestSendQueue(t *testing.T) {
	q := sendQueue{workQueue: workQueue{depth: 4}, sendSGEs: 1}
	posts := []struct {
		wr   WorkRequest
		want error
	}{
		{WorkRequest{}, ErrInvalidOperation},
		{WorkRequest{Op: OpReceive}, ErrInvalidOperation},
		{WorkRequest{Op: OpSend, SGL: make([]SGE, 2)}, ErrSGLTooLong},
		{WorkRequest{Op: OpWrite, SGL: make([]SGE, 1)}, ErrSGLTooLong},
		{WorkRequest{Op: OpFetchAdd, Local: SGE{Len: 4}}, ErrInvalidSGL},
		{WorkRequest{Op: OpInvalidate}, ErrInvalidModifier},
		{WorkRequest{ID: 1, Op: OpSend, Unsignaled: true}, nil},
		{WorkRequest{ID: 2, Op: OpRead}, nil},
		{WorkRequest{ID: 3, Op: OpSend, ReadFence: true}, nil},
		{WorkRequest{ID: 4, Op: OpInvalidate, STag: 1 << 8, LocalFence: true}, nil},
		{WorkRequest{Op: OpSend}, ErrTooManyWRs},
	}
	for i, p := range posts {
		if err := q.post(&p.wr); err != p.want {
			t.Errorf("post %d: %v, want %v", i, err, p.want)
		}
	}
	reads := orrq{ord: 1}
	q.next().done = true
	q.begin()
	if c, silent := q.pop(); c.WRID != 1 || !silent || q.used != 3 {
		t.Errorf("%+v, silent %v, %d slots", c, silent, q.used)
	}
	if e := q.next(); e.ID != 2 || q.waits(e, &reads) {
		t.Errorf("%d waits", e.ID)
	}
	index := q.begin()
	reads.push(orrqEntry{index: index})
	if e := q.next(); e.ID != 3 || !q.waits(e, &reads) || q.waits(e, new(orrq)) {
		t.Errorf("the Read Fence of %d", e.ID)
	}
	q.begin()
	if e := q.next(); e.ID != 4 || !q.waits(e, &reads) {
		t.Errorf("the Local Fence of %d", e.ID)
	}
	read := q.at(index)
	read.done, read.status = true, BaseBounds
	for want := uint64(2); q.elements.len() > 0; want++ {
		done := q.firstDone()
		c, silent := q.pop()
		if status := map[bool]Status{true: BaseBounds, false: Flushed}[done]; c.WRID != want || c.Status != status || silent {
			t.Errorf("%+v, want %d with %v", c, want, status)
		}
	}
	if q.next() != nil || q.used != 3 {
		t.Errorf("%d slots", q.used)
	}
}

// An RQ hands out its Receives in order, and so does the part of an S-RQ that a QP uses.
func TestReceiveQueue(t *testing.T) {
	srq := &SRQ{queue: workQueue{depth: 2}, limit: 2, armed: true}
	send := &rdmap.Segment{Header: rdmap.Header{Control: rdmap.Control{Opcode: rdmap.OpSend}}}
	for name, q := range map[string]*receiveQueue{
		"RQ":   {workQueue: workQueue{depth: 2}},
		"S-RQ": {shared: srq, armed: true},
	} {
		slots, elements := &q.workQueue, &q.elements
		if q.shared != nil {
			slots, elements = &srq.queue, &srq.elements
		}
		if p, bad := q.missing(send); !bad || p.situation != rules.SendNoBuffer {
			t.Errorf("%s: nothing is missing", name)
		}
		n, err := slots.postReceives(elements, []WorkRequest{{ID: 1, SGL: []SGE{{Len: 3}}}, {ID: 2}, {ID: 3}}, 1)
		if n != 2 || err != ErrTooManyWRs {
			t.Errorf("%s: %d posted, %v", name, n, err)
		}
		if _, bad := q.missing(send); bad || q.pending() == (q.shared != nil) {
			t.Errorf("%s: missing %v", name, bad)
		}
		if low, due := q.begin(), q.limitReached(); low != (q.shared != nil) || due != low || q.armed {
			t.Errorf("%s: S-RQ low %v, limit reached %v", name, low, due)
		}
		if e := q.current(); e.id != 1 || e.length != 3 || q.flushed() != Flushed {
			t.Errorf("%s: %+v", name, e)
		}
		q.status = AccessViolation
		if id, slot := q.pop(); q.busy || id != 1 || slot != slots || q.flushed() != Flushed {
			t.Errorf("%s: %d", name, id)
		}
		q.begin()
		q.drop()
		if q.pending() || q.shared != nil && srq.queue.used != 1 {
			t.Errorf("%s: %d slots", name, srq.queue.used)
		}
	}
}
