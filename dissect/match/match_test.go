package match

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// readRequest makes the request of an RDMA Read of 8 octets.
func readRequest(frame uint64, msn, source uint32) *record.Segment {
	r := rdmap.ReadRequest{SinkSTag: 0x51, RDMARDSZ: 8, SrcSTag: source}
	body, _ := r.AppendBinary(nil)
	return recordtest.Untagged(flow.C2S, frame, rdmap.OpReadRequest, ddp.Untagged{L: true, QN: rdmap.QNReadRequest, MSN: msn}, body)
}

// Requests keep their places until those before them are over, and their number is bounded.
func TestRequests(t *testing.T) {
	pool := new(RequestPool)
	q := NewRequests(pool)
	var all []*Request
	for i := range uint32(MaxRequests) {
		if q.Excess(flow.C2S) != nil {
			t.Fatalf("no room for request %d", i)
		}
		r := q.Open(readRequest(uint64(i+1), i+1, 9), 0, false)
		q.Push(r)
		all = append(all, r)
	}
	if q.Excess(flow.C2S) != all[0] {
		t.Error("the oldest has to give way")
	}
	all[1].Over = true
	q.Release(flow.C2S)
	if n := q.queues[flow.C2S].n; n != MaxRequests {
		t.Errorf("%d requests, want %d: the second waits for the first", n, MaxRequests)
	}
	all[0].Over = true
	q.Release(flow.C2S)
	if n := q.queues[flow.C2S].n; n != MaxRequests-2 || pool.open != n || len(pool.idle) != 2 {
		t.Errorf("%d requests, %d open, %d idle", n, pool.open, len(pool.idle))
	}
	if got := q.At(flow.C2S, 2); got != all[2] || got.ID != 3 || got.Read.SrcSTag != 9 {
		t.Errorf("got %+v in the third place", got)
	}
	all[2].Answer(recordtest.Tagged(flow.S2C, 300, rdmap.OpReadResponse, 0x51, make([]byte, 8)))
	if all[2].Octets != 8 || all[2].Response.Frame != 300 {
		t.Errorf("got %+v", all[2].Transaction)
	}
}

// A late request that a response had answered before it came is told from one that waits.
func TestOrder(t *testing.T) {
	var o Order
	response := recordtest.Tagged(flow.S2C, 5, rdmap.OpReadResponse, 1, nil)
	response.Ahead = true
	if !o.Outrun(response) || o.Outrun(response) {
		t.Error("being ahead begins once")
	}
	o.Orphan(response)
	request := readRequest(6, 1, 9)
	request.Late = true
	if got := o.Arrival(request); got != AnsweredBefore {
		t.Errorf("got %v, want AnsweredBefore", got)
	}
	if got := o.Arrival(request); got != Late {
		t.Errorf("got %v, want Late: the only orphan has been answered", got)
	}
	request.Late = false
	if o.Arrival(request) != InOrder || !o.Outrun(response) {
		t.Error("what is not late is in order, and the other side is ahead no more until it says so again")
	}
	o.Missed(flow.C2S, 6)
	o.Missed(flow.S2C, 7)
	if o.Gaps() != 2 || o.MissedAt != [2]uint64{6, 7} {
		t.Errorf("got %+v", o)
	}
}

// The payload of a Send is joined from its segments; one in a single segment is not copied; memory is bounded.
func TestPayload(t *testing.T) {
	pool := &PayloadPool{Most: 10}
	part := func(msn, mo uint32, last bool, body string) *record.Segment {
		return recordtest.Untagged(flow.C2S, 1, rdmap.OpSend, ddp.Untagged{L: last, MSN: msn, MO: mo}, []byte(body))
	}
	message := func(msn uint32) *record.Message {
		return &record.Message{Opcode: rdmap.OpSend, First: part(msn, 0, true, "").RDMAP}
	}
	var p Payload
	single := part(1, 0, true, "whole")
	p.Add(pool, single)
	if j := p.Of(message(1)); j == nil || !j.whole || &j.Octets[0] != &single.RDMAP.Body[0] {
		t.Errorf("got %+v", j)
	} else {
		j.Drop(pool)
	}
	p.Add(pool, part(2, 0, false, "joined"))
	p.Add(pool, part(3, 0, true, "other")) // interrupts the Send before it
	if j := p.Of(message(2)); j == nil || string(j.Octets) != "joined" {
		t.Errorf("got %+v", j)
	}
	if j := p.Of(message(3)); j == nil || string(j.Octets) != "other" {
		t.Errorf("got %+v", j)
	}
	p.Drop(pool)
	p.Add(pool, part(4, 0, false, "longer "))
	p.Add(pool, part(4, 7, true, "than ten octets"))
	if j := p.Of(message(4)); j == nil || j.whole || string(j.Octets) != "longer tha" {
		t.Errorf("got %+v", j)
	}
	p.Drop(pool)
	if pool.octets != 0 || p.Of(message(4)) != nil {
		t.Errorf("%d octets are held after all was dropped", pool.octets)
	}
}
