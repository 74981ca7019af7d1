package rnicsim

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// stages are the progress of a Stream when something happens to it.
var stages = map[string]func(t *testing.T) (*Stream, *cargo){
	"streaming": func(*testing.T) (*Stream, *cargo) { return New(Config{}).NewStream(plain), nil },
	"reply":     func(*testing.T) (*Stream, *cargo) { s := New(Config{}).NewStream(plain); s.Connect(nil); return s, nil },
	"request":   func(*testing.T) (*Stream, *cargo) { s := New(Config{}).NewStream(plain); s.Listen(); return s, nil },
	"half a request": func(*testing.T) (*Stream, *cargo) {
		s := New(Config{}).NewStream(plain)
		s.Listen()
		s.Input([]byte(mpa.RequestKey))
		return s, nil
	},
	"deciding": func(*testing.T) (*Stream, *cargo) {
		s := New(Config{}).NewStream(plain)
		s.Listen()
		s.Input(frame(func(*mpa.Frame) {}))
		return s, nil
	},
	"initiator": func(t *testing.T) (*Stream, *cargo) {
		c := newCable(plain, plain)
		a, _ := c.establish(t)
		return c.a, a
	},
	"responder": func(t *testing.T) (*Stream, *cargo) {
		c := newCable(plain, plain)
		_, b := c.establish(t)
		return c.b, b
	},
	"half an FPDU": func(t *testing.T) (*Stream, *cargo) {
		c := newCable(plain, plain)
		_, b := c.establish(t)
		c.b.Input(make([]byte, 1))
		return c.b, b
	},
	"closing": func(t *testing.T) (*Stream, *cargo) {
		c := newCable(plain, plain)
		a, _ := c.establish(t)
		c.a.Close()
		return c.a, a
	},
}

// MPA-7.1.2-18 MPA-7.1.2-21 V-080 V-085 V-106: what a FIN, a reset, the loss of the connection and a timeout do at any
// stage: the error, how this side ends, and the event of a QP.
func TestEndings(t *testing.T) {
	fin, reset := func(s *Stream) { s.InputFIN() }, func(s *Stream) { s.InputReset() }
	lost, late := func(s *Stream) { s.Lost() }, func(s *Stream) { s.Advance(defaultTimeout - 1); s.Advance(defaultTimeout) }
	for _, c := range []struct {
		stage string
		what  string
		event func(*Stream)
		err   error
		phase Phase
		ends  mpa.Ending
		heard string
	}{
		{"streaming", "FIN", fin, nil, Streaming, mpa.GoesOn, ""},
		{"streaming", "reset", reset, ErrReset, Closed, mpa.GoesOn, ""},
		{"streaming", "lost", lost, ErrLost, Closed, mpa.GoesOn, ""},
		{"streaming", "late", late, nil, Streaming, mpa.GoesOn, ""},
		{"streaming", "close", (*Stream).Close, nil, Streaming, mpa.EndsFIN, ""},
		{"streaming", "abort", (*Stream).Abort, ErrAborted, Closed, mpa.EndsReset, ""},
		{"reply", "FIN", fin, ErrCut, Closed, mpa.EndsFIN, ""},
		{"reply", "reset", reset, ErrReset, Closed, mpa.GoesOn, ""},
		{"reply", "lost", lost, ErrLost, Closed, mpa.GoesOn, ""},
		{"reply", "late", late, ErrTimeout, Closed, mpa.EndsFIN, ""},
		{"reply", "close", (*Stream).Close, ErrAborted, Closed, mpa.EndsFIN, ""},
		{"request", "FIN", fin, ErrCut, Closed, mpa.EndsFIN, ""},
		{"request", "reset", reset, ErrReset, Closed, mpa.GoesOn, ""},
		{"request", "late", late, ErrTimeout, Closed, mpa.EndsFIN, ""},
		{"request", "abort", (*Stream).Abort, ErrAborted, Closed, mpa.EndsReset, ""},
		{"half a request", "FIN", fin, ErrCut, Closed, mpa.EndsFIN, ""},
		{"half a request", "late", late, ErrTimeout, Closed, mpa.EndsFIN, ""},
		{"deciding", "FIN", fin, ErrCut, Closed, mpa.EndsFIN, ""},
		{"deciding", "reset", reset, ErrReset, Closed, mpa.GoesOn, ""},
		{"deciding", "late", late, nil, Deciding, mpa.GoesOn, ""},
		{"deciding", "close", (*Stream).Close, ErrAborted, Closed, mpa.EndsFIN, ""},
		{"initiator", "FIN", fin, nil, Established, mpa.GoesOn, "fin"},
		{"initiator", "reset", reset, ErrReset, Closed, mpa.GoesOn, "reset"},
		{"initiator", "lost", lost, ErrLost, Closed, mpa.GoesOn, "lost"},
		{"initiator", "late", late, nil, Established, mpa.GoesOn, ""},
		{"initiator", "close", (*Stream).Close, nil, Established, mpa.EndsFIN, ""},
		{"initiator", "abort", (*Stream).Abort, ErrAborted, Closed, mpa.EndsReset, "closed"},
		{"responder", "FIN", fin, nil, Established, mpa.GoesOn, "fin"},
		{"half an FPDU", "FIN", fin, ErrCutFPDU, Closed, mpa.EndsFIN, "closed"},
		{"half an FPDU", "late", late, nil, Established, mpa.GoesOn, ""},
		{"closing", "FIN", fin, nil, Closed, mpa.EndsFIN, "closed"},
		{"closing", "reset", reset, ErrReset, Closed, mpa.EndsFIN, "reset"},
		{"closing", "lost", lost, ErrLost, Closed, mpa.EndsFIN, "lost"},
		{"closing", "late", late, ErrTimeout, Closed, mpa.EndsReset, "closed"},
	} {
		s, carried := stages[c.stage](t)
		s.AppendTransmit(nil, 1<<16)
		c.event(s)
		heard := ""
		if carried != nil {
			if heard = carried.end; carried.finished {
				heard += "fin"
			}
		}
		if s.Err() != c.err || s.Phase() != c.phase || s.Ending() != c.ends || heard != c.heard {
			t.Errorf("%s, %s: %v, %v, ending %v, heard %q", c.stage, c.what, s.Err(), s.Phase(), s.Ending(), heard)
		}
		if _, waits := s.NextDeadline(); waits && s.Phase() == Closed {
			t.Errorf("%s, %s: a deadline is left", c.stage, c.what)
		}
	}
}

// Timers run where the peer has to do something, from when it has to.
func TestDeadlines(t *testing.T) {
	for stage, want := range map[string]bool{"streaming": false, "reply": true, "request": true, "deciding": false, "initiator": false, "closing": true} {
		s, _ := stages[stage](t)
		if at, ok := s.NextDeadline(); ok != want || ok && at != defaultTimeout {
			t.Errorf("%s: %v, %v", stage, at, ok)
		}
	}
	config := plain
	config.Timeout = 3 * tick
	s := New(Config{}).NewStream(config)
	s.Advance(5 * tick)
	s.Listen()
	if at, _ := s.NextDeadline(); at != 8*tick {
		t.Errorf("deadline at %v", at)
	}
	if s.Advance(8*tick - 1); s.Phase() != AwaitRequest {
		t.Error("too early")
	}
	if s.Advance(8 * tick); s.Err() != ErrTimeout {
		t.Error(s.Err())
	}
}

// After a FIN, only an MPA frame that came before it counts.
func TestStartBehindFIN(t *testing.T) {
	for _, start := range []func(*Stream) error{(*Stream).Listen, func(s *Stream) error { return s.Connect(nil) }} {
		s := New(Config{}).NewStream(plain)
		s.InputFIN()
		if err := start(s); err != nil || s.Err() != ErrCut || s.Phase() != Closed {
			t.Errorf("%v, %v, %v", err, s.Err(), s.Phase())
		}
	}
}

// A side that has closed still receives, until the other side closes too.
func TestHalfClose(t *testing.T) {
	c := newCable(plain, plain)
	c.a.Write([]byte("last words"))
	c.a.Close()
	if c.a.Ending() != mpa.GoesOn {
		t.Error("a FIN before what is to be sent")
	}
	c.run()
	if err := c.a.Write(nil); err != ErrNotStreaming {
		t.Errorf("%v after the FIN", err)
	}
	if got := readAll(c.b); got != "last words" || !c.b.Finished() || c.a.Finished() {
		t.Errorf("%q, finished %v", got, c.b.Finished())
	}
	c.b.Write([]byte("answer"))
	c.run()
	if got := readAll(c.a); got != "answer" {
		t.Errorf("%q", got)
	}
	c.b.Close()
	c.run()
	if c.a.Phase() != Closed || c.b.Phase() != Closed || c.a.Err() != nil || c.b.Err() != nil {
		t.Error(c.a.Phase(), c.a.Err(), c.b.Phase(), c.b.Err())
	}
}

// V-084 V-102: no FPDU is sent after Close, and those of the peer still arrive.
func TestCloseInFullOperation(t *testing.T) {
	c := newCable(plain, plain)
	a, b := c.establish(t)
	a.queue = [][]byte{make([]byte, 18)}
	c.run()
	a.queue = [][]byte{make([]byte, 18)}
	c.a.Close()
	if got := c.a.AppendTransmit(nil, 100); len(got) > 0 {
		t.Errorf("%d octets after the end", len(got))
	}
	b.queue = [][]byte{make([]byte, 18), make([]byte, 18)}
	c.run()
	if len(a.got) != 2 || !b.finished || b.end != "" {
		t.Errorf("%d FPDUs came, FIN %v, %q", len(a.got), b.finished, b.end)
	}
	c.b.Close()
	c.run()
	if a.end != "closed" || b.end != "closed" || c.a.Err() != nil {
		t.Errorf("%q and %q, %v", a.end, b.end, c.a.Err())
	}
}

// V-083 V-084 V-127: a Terminate is the last that a stream sends; then it closes, and the peer closes too.
func TestCloseWithTerminate(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	must(b.qp.PostRQ(WorkRequest{}))
	must(a.qp.PostSQ(WorkRequest{Op: OpSend}))
	run(a, b)
	var sent []byte
	a.pulled = func(octets []byte) { sent = append(sent, octets...) }
	if err := a.qp.Modify(Modification{State: Terminate}); err != nil {
		t.Fatal(err)
	}
	if a.stream.Ending() != mpa.GoesOn {
		t.Error("the stream ends before the Terminate")
	}
	run(a, b)
	if len(sent) != 28 || sent[3]&0xf != 7 || a.ended != mpa.EndsFIN || b.ended != mpa.EndsFIN {
		t.Errorf("% x, then %v; the peer %v", sent, a.ended, b.ended)
	}
	if a.qp.life.state != Error || b.qp.life.state != Error || a.stream.Phase() != Closed || b.stream.Phase() != Closed {
		t.Error(a.qp.life.state, b.qp.life.state, a.stream.Phase(), b.stream.Phase())
	}
}

// A reset stops all that was to be sent.
func TestAbortDropsOutput(t *testing.T) {
	s := New(Config{}).NewStream(plain)
	s.Write([]byte("never"))
	s.Abort()
	if got := s.AppendTransmit(nil, 100); len(got) > 0 || s.Ending() != mpa.EndsReset {
		t.Errorf("%q, %v", got, s.Ending())
	}
	s.Close()
	s.InputReset()
	s.Lost()
	if s.Err() != ErrAborted || s.Ending() != mpa.EndsReset {
		t.Errorf("%v, %v", s.Err(), s.Ending())
	}
}
