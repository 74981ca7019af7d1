package rnicsim

// A peer cannot harm others by exhausting resources or by sending nonsense (RFC 5042,
// sections 5 and 6.4).

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// S7 SEC-5.1.1-1: an invalid STag is never ignored: the peer gets a Terminate, and the stream ends on both sides.
func TestInvalidSTagEndsTheStream(t *testing.T) {
	for op, want := range map[Op]string{OpWrite: "1/1/00", OpRead: "0/1/00", OpFetchAdd: "0/1/00", OpSendInvalidate: "0/2/09"} {
		for _, wrong := range []STag{1, 1 << 8, 1 << 31} {
			s := besiege(t, "rfc")
			who := s.enemy
			if request(t, who, op, s.region^wrong, siegeBase, 8); code(who) != want {
				t.Errorf("%v: %q, want %q", op, code(who), want)
			}
			for _, e := range []*side{who, who.peer} {
				if e.qp.life.state != Error || e.stream.Phase() != Closed {
					t.Errorf("%v: the QP is in %v, its stream in %v", op, e.qp.life.state, e.stream.Phase())
				}
			}
			s.unharmed(t, who)
		}
	}
}

// S10 SEC-6.4.3.3-1 SEC-6.4.3.3-2 RDMAP-8.1.1-11: a peer that sends more Read Requests than IRD harms nobody else, not
// even a peer whose Reads wait at the same time.
func TestReadFlood(t *testing.T) {
	for _, more := range []int{0, 1, 10} {
		s := besiege(t, "rfc")
		s.enemy.peer.held, s.friend.peer.held = true, true
		depth, want := defaults().qp.IRD+more, ""
		if more > 0 {
			want = "1/2/02"
		}
		for _, client := range []*side{s.enemy, s.friend} {
			read := WorkRequest{Op: OpRead}
			if client == s.enemy {
				client.qp.Modify(Modification{State: RTS, ORD: &depth})
			}
			for range min(depth, client.qp.orrq.ord) {
				must(client.qp.PostSQ(read))
			}
		}
		ends := []*side{s.enemy, s.enemy.peer, s.friend, s.friend.peer}
		run(ends...)
		s.enemy.peer.held, s.friend.peer.held = false, false
		if run(ends...); code(s.enemy) != want {
			t.Errorf("%d more: %q, want %q", more, code(s.enemy), want)
		}
		if got := s.friend.poll(); len(got) != defaults().qp.IRD || got[0].Status != Success {
			t.Error(got)
		}
		s.unharmed(t, s.enemy)
	}
}

// S11 SEC-6.4.6-1 RDMAP-8.1.1-10 V-025: a peer that fills a CQ ends the stream that uses it, and no other.
func TestCompletionFlood(t *testing.T) {
	s := besiege(t, "rfc")
	served := s.enemy.peer
	must(served.cq.Modify(1))
	for range 2 {
		request(t, s.enemy, OpSend, 0, 0, 0)
	}
	if code(s.enemy) != "0/2/07" {
		t.Errorf("%q", code(s.enemy))
	}
	if got := served.poll(); len(got) != 1 || got[0].Status != Success {
		t.Error(got)
	}
	s.unharmed(t, s.enemy)
}

// S12 SEC-6.4.3.1-1 V-298: the event of a low S-RQ comes in time to see who takes the Receives, and to stop that peer.
func TestSharedReceivesRunLow(t *testing.T) {
	const receives, limit = 8, 4
	s := besiege(t, "rfc")
	pd := s.friend.peer.pd
	srq := must(s.server.CreateSRQ(SRQConfig{PD: pd, WRs: receives, Limit: limit}))
	flooder, patient := s.connect(t, pd, srq), s.connect(t, pd, srq)
	must(srq.PostRQ(make([]WorkRequest, receives)...))
	calls := 0
	s.server.SetAsyncEventHandler(func(e Event) {
		calls++
		for _, served := range []*side{flooder.peer, patient.peer} {
			if taken := len(served.poll()); e.Type == SRQLimitReached && e.SRQ == srq && taken > receives-limit-2 {
				served.qp.Modify(Modification{State: Error})
			}
		}
	})
	for range receives {
		must(flooder.qp.PostSQ(WorkRequest{Op: OpSend}))
	}
	run(flooder, flooder.peer)
	if calls != 1 || flooder.qp.life.state != Error {
		t.Errorf("%d events, and the flooder is in %v", calls, flooder.qp.life.state)
	}
	if request(t, patient, OpSend, 0, 0, 0); code(patient) != "" || len(patient.peer.poll()) != 1 {
		t.Errorf("no Receive is left: %q", code(patient))
	}
	s.unharmed(t, nil)
}

// V-126 V-109 V-297 RDMAP-8.1.2-8: the event of the QP RQ Limit comes once when more messages are in progress than the
// limit. It has no other effect, and comes in time to end the stream before it takes more.
func TestQPReceiveLimit(t *testing.T) {
	s := besiege(t, "rfc")
	pd := s.friend.peer.pd
	srq := must(s.server.CreateSRQ(SRQConfig{PD: pd, WRs: 8}))
	greedy := s.connect(t, pd, srq)
	q := greedy.peer.qp
	must(srq.PostRQ(make([]WorkRequest, 8)...))
	var events []Event
	s.server.SetAsyncEventHandler(func(e Event) { events = append(events, e) })
	send := func(want int) {
		t.Helper()
		events = nil
		request(t, greedy, OpSend, 0, 0, 0)
		if got := greedy.peer.poll(); len(got) != 1 || got[0].Status != Success {
			t.Error(got)
		}
		if a := must(q.Query()); len(events) != want || a.State != RTS || a.RQLimitArmed {
			t.Errorf("events %v, want %d; %v, armed %v", events, want, a.State, a.RQLimitArmed)
		}
	}
	arm := func(limit int) {
		t.Helper()
		for range 2 { // what is armed can be armed again
			if err := q.Modify(Modification{State: RTS, RQLimit: new(limit), ArmRQLimit: true}); err != nil {
				t.Error(err)
			}
		}
	}
	send(0)
	arm(0)
	send(1)
	if len(events) == 1 && events[0] != (Event{Type: RQLimitReached, RNIC: s.server, QP: q}) {
		t.Errorf("%+v", events)
	}
	send(0)
	arm(0)
	send(1)

	arm(1) // of which there is never more than one in progress
	events = nil
	request(t, greedy, OpSend, 0, 0, 0)
	if a := must(q.Query()); len(events) != 0 || !a.RQLimitArmed {
		t.Error(events)
	}
	greedy.peer.poll()

	arm(0)
	s.server.SetAsyncEventHandler(func(e Event) { e.QP.Modify(Modification{State: Error}) })
	request(t, greedy, OpSend, 0, 0, 0)
	got := greedy.peer.poll()
	if len(got) != 1 || got[0].Status != Flushed || q.life.state != Error || srq.elements.len() != 2 || srq.queue.used != 2 {
		t.Errorf("%+v, %v, %d Receives are left, %d outstanding", got, q.life.state, srq.elements.len(), srq.queue.used)
	}
	s.unharmed(t, nil)
}

// V-109 V-126: the QP RQ Limit is armed when a QP is created with one.
func TestQPReceiveLimitIsArmed(t *testing.T) {
	w := newWorld(t)
	srq := must(w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 4}))
	w.qp.Destroy()
	for limit, want := range []bool{false, true} {
		q := must(w.r.CreateQP(QPConfig{PD: w.pd, SendCQ: w.cq, RecvCQ: w.cq, SRQ: srq, RQLimit: limit}))
		if a := must(q.Query()); a.RQLimitArmed != want || a.RQLimit != limit {
			t.Errorf("limit %d: %+v", limit, a)
		}
		q.Destroy()
	}
}

// V-296: an MSN beyond the next one takes no Receive from the S-RQ, nor those of the messages before it. In the order
// of arrival no other MSN fits into the window.
func TestHighMSNTakesNoReceives(t *testing.T) {
	for _, msn := range []string{"00000002", "00000008", "80000000", "00000000"} {
		s := besiege(t, "rfc")
		pd := s.friend.peer.pd
		srq := must(s.server.CreateSRQ(SRQConfig{PD: pd, WRs: 8, Limit: 8}))
		must(srq.PostRQ(make([]WorkRequest, 8)...))
		greedy, patient := s.connect(t, pd, srq), s.connect(t, pd, srq)
		limits := 0
		s.server.SetAsyncEventHandler(func(e Event) {
			if e.Type == SRQLimitReached {
				limits++
			}
		})
		greedy.peer.stream.Input(framed(hexOctets("4143 00000000 00000000" + msn + "00000000")))
		run(greedy, greedy.peer)
		if got := greedy.peer.poll(); code(greedy) != "1/2/03" || srq.elements.len() != 8 || srq.queue.used != 8 || limits != 0 || len(got) != 0 {
			t.Errorf("MSN %s: %q, %d of 8 Receives are left, %d events", msn, code(greedy), srq.elements.len(), limits)
		}
		if request(t, patient, OpSend, 0, 0, 0); code(patient) != "" || len(patient.peer.poll()) != 1 {
			t.Errorf("MSN %s: no Receive for others: %q", msn, code(patient))
		}
	}
}

// S14 RDMAP-5.4-3: a Terminate of any content and length ends the stream, and is not answered. All pairs of first
// octets are tried with one length each, and all lengths with many of them.
func TestAnyTerminate(t *testing.T) {
	const most = 2 + 2 + 2 + 18 + 28
	header := hexOctets("4147 00000000 00000002 00000001 00000000")
	for first := range 256 {
		for second := range 256 {
			n := (first + 5*second) % (most + 1)
			a, b := newPair(t, defaults(), defaults())
			content := append([]byte{byte(first), byte(second)}, bytes.Repeat([]byte{byte(first)}, most)...)[:n]
			b.stream.Input(framed(append(header[:len(header):len(header)], content...)))
			sent := 0
			b.pulled = func([]byte) { sent++ }
			run(b, a)
			if b.qp.life.state != Error || sent > 0 || !bytes.Equal(b.qp.life.last.Header, content) {
				t.Fatalf("% x: it is in %v, and has sent %d FPDUs", content, b.qp.life.state, sent)
			}
		}
	}
}

// S15 D00-10.1-1: if a Write leaves its region, no octet of the segment that does so is placed.
func TestPartialPlacement(t *testing.T) {
	s := besiege(t, "rfc")
	const size = 300
	around := make([]byte, guard+size+guard)
	stag := must(s.server.RegisterOctets(s.friend.peer.pd, around[guard:guard+size], 0, allRights, 1))
	data := bytes.Repeat([]byte{0x55}, size+10)
	own := s.friend.region(data, 0, allRights)
	last := 0
	s.friend.pulled = func(octets []byte) {
		var g rdmap.Segment
		g.Decode(octets[2:])
		if g.Control.Opcode == rdmap.OpWrite {
			last = int(g.Tagged.TO)
		}
	}
	must(s.friend.qp.PostSQ(WorkRequest{Op: OpWrite, SGL: []SGE{{own, 0, size + 10}}, Remote: stag}))
	run(s.friend, s.friend.peer)
	if code(s.friend) != "1/1/01" || last == 0 {
		t.Fatalf("%q, the last segment began at %d", code(s.friend), last)
	}
	want := make([]byte, len(around))
	copy(want[guard:], data[:last])
	if !bytes.Equal(around, want) {
		t.Errorf("placed\n% x\nwant\n% x", around, want)
	}
}
