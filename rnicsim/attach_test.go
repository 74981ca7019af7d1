package rnicsim

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// V-064 V-147: on the way to RTS the Responder's last streaming message is sent, as the Private Data of its Reply.
func TestStreamMessage(t *testing.T) {
	a, b := newSide(t, defaults(), nil), newSide(t, defaults(), nil)
	a.peer, b.peer = b, a
	b.stream.Listen()
	a.stream.Connect([]byte("hello"))
	run(a, b)
	if got := string(b.stream.Request().PrivateData); got != "hello" || b.stream.Phase() != Deciding {
		t.Fatalf("%q in %v", got, b.stream.Phase())
	}
	if err := b.qp.Modify(Modification{State: RTS, Stream: b.stream, Message: make([]byte, 513)}); err != ErrInvalidModifier {
		t.Error(err)
	}
	if err := b.qp.Modify(Modification{State: RTS, Stream: b.stream, Message: []byte("welcome")}); err != nil {
		t.Fatal(err)
	}
	run(a, b)
	if got := string(a.stream.Reply().PrivateData); got != "welcome" {
		t.Errorf("%q", got)
	}
	if err := a.qp.Modify(Modification{State: RTS, Stream: a.stream, Message: []byte("too late")}); err != ErrInvalidModifier {
		t.Error(err)
	}
}

// V-065: octets that come before the QP is attached are not lost.
func TestNothingIsLostBeforeRTS(t *testing.T) {
	a, b := newSide(t, defaults(), nil), newSide(t, defaults(), nil)
	if err := join(a, b); err != nil {
		t.Fatal(err)
	}
	if err := a.qp.Modify(Modification{State: RTS, Stream: a.stream}); err != nil {
		t.Fatal(err)
	}
	must(b.qp.PostRQ(WorkRequest{ID: 1}, WorkRequest{ID: 2}))
	must(a.qp.PostSQ(WorkRequest{Op: OpSend}, WorkRequest{Op: OpSend}))
	run(a, b)
	if b.cq.count != 0 {
		t.Error("something was processed in Idle")
	}
	if err := b.qp.Modify(Modification{State: RTS, Stream: b.stream}); err != nil {
		t.Fatal(err)
	}
	if got := b.poll(); len(got) != 2 || got[1].WRID != 2 || got[1].Status != Success {
		t.Error(got)
	}
}

// V-063 V-096 V-107: a QP that is in Idle again can use another stream, on which everything starts anew.
func TestQPIsUsedAgain(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	for round := range 3 {
		must(b.qp.PostRQ(WorkRequest{}))
		must(a.qp.PostSQ(WorkRequest{Op: OpSend}, WorkRequest{Op: OpRead}))
		run(a, b)
		if x, y := a.poll(), b.poll(); len(x) != 2 || len(y) != 1 || x[1].Status != Success || y[0].Status != Success {
			t.Fatalf("round %d: %v %v", round, x, y)
		}
		end := Closing
		if round == 1 {
			end = Error
		}
		if err := a.qp.Modify(Modification{State: end}); err != nil {
			t.Fatal(err)
		}
		run(a, b)
		for _, s := range []*side{a, b} {
			if s.qp.life.state == Error {
				if err := s.qp.Modify(Modification{State: Idle}); err != nil {
					t.Fatal(err)
				}
			}
			s.stream, s.ended = New(Config{}).NewStream(StreamConfig{Rev: 1, CRC: true}), mpa.GoesOn
		}
		if err := join(a, b); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*side{b, a} {
			if err := s.qp.Modify(Modification{State: RTS, Stream: s.stream}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// V-107: octets on the stream that a QP has left do not reach it.
func TestOldStreamIsLeft(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	old := b.stream
	for _, s := range []*side{a, b} {
		s.qp.Modify(Modification{State: Error})
		if at := must(s.qp.Query()).Stream; at != nil {
			t.Error("a QP in Error has a stream")
		}
		s.qp.Modify(Modification{State: Idle})
		s.stream, s.ended = New(Config{}).NewStream(StreamConfig{Rev: 1, CRC: true}), mpa.GoesOn
	}
	if err := join(a, b); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*side{b, a} {
		s.qp.Modify(Modification{State: RTS, Stream: s.stream})
	}
	must(b.qp.PostRQ(WorkRequest{}))
	old.phase = Established // as it was when the octets were on their way
	old.Input(framed(hexOctets("4143 00000000 00000000 00000001 00000000")))
	old.InputFIN()
	if got := b.poll(); len(got) != 0 || b.qp.life.state != RTS {
		t.Error(got, b.qp.life.state)
	}
	if err := a.qp.Modify(Modification{State: Error}); err != nil {
		t.Fatal(err)
	}
	a.qp.Modify(Modification{State: Idle})
	if err := a.qp.Modify(Modification{State: RTS, Stream: old}); err != ErrInvalidStream {
		t.Error("a stream was attached twice:", err)
	}
}

// V-144: changes by Modify take effect at once.
func TestAttributes(t *testing.T) {
	a, _ := newPair(t, defaults(), defaults())
	if err := a.qp.Modify(Modification{State: RTS, ORD: new(1), IRD: new(2), SQ: new(3), RQ: new(4)}); err != nil {
		t.Fatal(err)
	}
	got := must(a.qp.Query())
	if got.ORD != 1 || got.IRD != 2 || got.SQ != 3 || got.RQ != 4 || got.State != RTS || got.Stream != a.stream || got.ID != a.qp.ID() {
		t.Errorf("%+v", got)
	}
	if n, err := a.qp.PostRQ(make([]WorkRequest, 6)...); n != 4 || err != ErrTooManyWRs {
		t.Error(n, err)
	}
}
