package rnicsim

import "testing"

// V-047: ORD is taken in Idle, on the way to RTS and in RTS, and on the way the last streaming message too.
func TestORDIsTaken(t *testing.T) {
	a, b := newSide(t, defaults(), nil), newSide(t, defaults(), nil)
	a.peer, b.peer = b, a
	b.stream.Listen()
	a.stream.Connect(nil)
	run(a, b)
	for ord, m := range []Modification{{State: Idle}, {State: RTS, Stream: b.stream, Message: []byte("go")}, {State: RTS}} {
		m.ORD = &ord
		if err := b.qp.Modify(m); err != nil {
			t.Fatal(err)
		}
		if got := must(b.qp.Query()); got.ORD != ord || got.State != m.State {
			t.Errorf("ORD %d in %v, want %d in %v", got.ORD, got.State, ord, m.State)
		}
	}
	if run(a, b); string(a.stream.reply.PrivateData) != "go" {
		t.Errorf("%q", a.stream.reply.PrivateData)
	}
}

// V-051 V-052: both queues can be resized while they hold Work Requests, down to their number. That has no other
// effect.
func TestResizeWithWorkOutstanding(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	a.held = true
	must(a.qp.PostSQ(WorkRequest{Op: OpSend}, WorkRequest{Op: OpSend}, WorkRequest{Op: OpSend}))
	must(b.qp.PostRQ(WorkRequest{}, WorkRequest{}, WorkRequest{}))
	for _, n := range []int{3, 100, DefaultLimits.WRs, 3} {
		for _, s := range []*side{a, b} {
			if err := s.qp.Modify(Modification{State: RTS, SQ: &n, RQ: &n}); err != nil {
				t.Fatal(err)
			}
			if got := must(s.qp.Query()); got.SQ != n || got.RQ != n {
				t.Errorf("%+v", got)
			}
		}
	}
	if err := a.qp.Modify(Modification{State: RTS, SQ: new(2)}); err != ErrShrink {
		t.Error(err)
	}
	if err := b.qp.Modify(Modification{State: RTS, RQ: new(2)}); err != ErrShrink {
		t.Error(err)
	}
	if _, err := a.qp.PostSQ(WorkRequest{Op: OpSend}); err != ErrTooManyWRs {
		t.Error(err)
	}
	if a.cq.count+b.cq.count+len(a.events)+len(b.events) > 0 {
		t.Error("something came of it:", a.poll(), b.poll(), a.events, b.events)
	}
	a.held = false
	run(a, b)
	if x, y := a.poll(), b.poll(); len(x) != 3 || len(y) != 3 || y[2].Status != Success {
		t.Error(x, y)
	}
}

// V-145: depths change while Reads are outstanding. These are answered, and so are those of another QP.
func TestDepthsChangeWithReadsOutstanding(t *testing.T) {
	s := besiege(t, "rfc")
	ends := []*side{s.friend, s.friend.peer, s.sibling, s.sibling.peer}
	s.friend.peer.held, s.sibling.peer.held = true, true
	for _, client := range []*side{s.friend, s.sibling} {
		own := client.region(make([]byte, 8), 0, allRights)
		read := WorkRequest{Op: OpRead, Local: SGE{own, 0, 8}, Remote: s.region, RemoteTO: siegeBase}
		must(client.qp.PostSQ(read, read, read, read))
	}
	run(ends...)
	for _, q := range []*QP{s.friend.qp, s.friend.peer.qp} {
		if err := q.Modify(Modification{State: RTS, ORD: new(1), IRD: new(1)}); err != nil {
			t.Fatal(err)
		}
	}
	s.friend.peer.held, s.sibling.peer.held = false, false
	run(ends...)
	for _, client := range []*side{s.friend, s.sibling} {
		if got := client.poll(); len(got) != 4 || got[3].Status != Success || code(client) != "" {
			t.Errorf("%v, %q", got, code(client))
		}
	}
	s.unharmed(t, nil)
}
