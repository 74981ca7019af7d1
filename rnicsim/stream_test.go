package rnicsim

import (
	"bytes"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// frame returns an MPA frame in octets.
func frame(change func(*mpa.Frame)) []byte {
	f := mpa.Frame{Rev: mpa.Rev1, C: true}
	change(&f)
	if f.PDLength == 0 {
		f.PDLength = uint16(len(f.PrivateData))
	}
	return must(f.AppendBinary(nil))
}

// MPA-7.1.1-2 MPA-7.1.1-16 MPA-7.1.1-18 MPA-7.1.1-19 MPA-7.1.2-3 MPA-7.1.2-9 MPA-7.1.2-13 MPA-7.1.2-17 MPA-7.1.2-19 EMPA-6-8
// EMPA-10-1 EMPA-10-2: what is wrong with the peer's MPA frame, and after how many octets that is known. The connection is
// then closed, with nothing sent.
func TestMalformedFrames(t *testing.T) {
	request := func(change func(*mpa.Frame)) []byte { return frame(change) }
	reply := func(change func(*mpa.Frame)) []byte {
		return frame(func(f *mpa.Frame) { f.Reply = true; change(f) })
	}
	for _, c := range []struct {
		name      string
		config    StreamConfig
		initiator bool
		octets    []byte
		want      StreamError
		after     int
	}{
		{"not MPA", plain, false, []byte("GET / HTTP/1.1\r\n"), ErrKey, 1},
		{"Key ends otherwise", plain, false, []byte("MPA ID Req Framf"), ErrKey, 16},
		{"a Reply to the Responder", plain, false, reply(func(*mpa.Frame) {}), ErrKey, 10},
		{"two Initiators", plain, true, request(func(*mpa.Frame) {}), ErrKey, 10},
		{"Request of revision 2", plain, false, request(func(f *mpa.Frame) { f.Rev, f.PDLength = 2, 100 }), ErrRev, 20},
		{"Reply of revision 2", plain, true, reply(func(f *mpa.Frame) { f.Rev = 2 }), ErrRev, 20},
		{"Request of revision 3", enhanced, false, request(func(f *mpa.Frame) { f.Rev = 3 }), ErrRev, 20},
		{"too much Private Data", plain, false, request(func(f *mpa.Frame) { f.PDLength = 513 }), ErrPrivateData, 20},
		{"too much Private Data", plain, true, reply(func(f *mpa.Frame) { f.PDLength = 0xffff }), ErrPrivateData, 20},
		{"S without the word", enhanced, false, request(func(f *mpa.Frame) {
			f.Rev, f.S, f.PrivateData = 2, true, make([]byte, 3)
		}), ErrPrivateData, 20},
		{"S without the word, rejecting", enhanced, true, reply(func(f *mpa.Frame) { f.Rev, f.S, f.R = 2, true, true }), ErrPrivateData, 20},
		{"Reply without the word", enhanced, true, reply(func(f *mpa.Frame) { f.Rev = 2 }), ErrEnhanced, 20},
		{"Reply of revision 1", enhanced, true, reply(func(*mpa.Frame) {}), ErrOldReply, 20},
		{"Reply with a word unasked", StreamConfig{Rev: mpa.Rev2}, true, reply(func(f *mpa.Frame) {
			f.Rev, f.S, f.PrivateData = 2, true, make([]byte, 4)
		}), ErrEnhanced, 20},
		{"octet after the Request", plain, false, append(request(func(*mpa.Frame) {}), 0), ErrEarly, 21},
		{"octet after the Reply", plain, true, append(reply(func(*mpa.Frame) {}), 0), ErrEarly, 21},
	} {
		for _, atOnce := range []bool{false, true} {
			s := New(Config{}).NewStream(c.config)
			if c.initiator {
				s.Connect(nil)
				s.AppendTransmit(nil, 100)
			} else {
				s.Listen()
			}
			after := 0
			for s.Phase() != Closed && after < len(c.octets) && !atOnce {
				after += s.Input(c.octets[after : after+1])
			}
			if atOnce {
				after = c.after
				s.Input(c.octets)
			}
			if !errors.Is(s.Err(), c.want) || after != c.after || s.Ending() != mpa.EndsFIN || len(s.AppendTransmit(nil, 100)) > 0 {
				t.Errorf("%s, at once %v: %v after %d octets, want %v after %d; %v", c.name, atOnce, s.Err(), after, c.want, c.after, s.Ending())
			}
			if n := s.Input(make([]byte, 7)); n != 7 {
				t.Errorf("%s: %d octets of 7 were taken after the end", c.name, n)
			}
		}
	}
}

// MPA-7.1.1-13 EMPA-6-2: bits that are not looked at.
func TestIgnoredBits(t *testing.T) {
	s := New(Config{}).NewStream(plain)
	s.Listen()
	s.Input(frame(func(f *mpa.Frame) { f.R, f.S, f.Res = true, true, 0xf }))
	if s.Phase() != Deciding {
		t.Errorf("%v, %v", s.Phase(), s.Err())
	}
	if err := s.Accept(nil); err != nil || s.Reply().S || s.Reply().R {
		t.Errorf("%v, %+v", err, s.Reply())
	}
}

// Functions that do not fit the phase are refused, and do nothing.
func TestWrongPhase(t *testing.T) {
	phases := map[Phase]func() *Stream{
		Streaming:    func() *Stream { return New(Config{}).NewStream(plain) },
		AwaitReply:   func() *Stream { s := New(Config{}).NewStream(plain); s.Connect(nil); return s },
		AwaitRequest: func() *Stream { s := New(Config{}).NewStream(plain); s.Listen(); return s },
		Deciding: func() *Stream {
			s := New(Config{}).NewStream(plain)
			s.Listen()
			s.Input(frame(func(*mpa.Frame) {}))
			return s
		},
		Established: func() *Stream { c := newCable(plain, plain); c.establish(t); return c.b },
		Closed:      func() *Stream { s := New(Config{}).NewStream(plain); s.Abort(); return s },
	}
	for phase, make := range phases {
		for i, call := range []func(*Stream) error{
			func(s *Stream) error { return s.Connect(nil) },
			(*Stream).Listen,
			func(s *Stream) error { return s.Write(nil) },
			func(s *Stream) error { return s.Accept(nil) },
			func(s *Stream) error { return s.Reject(nil) },
		} {
			s := make()
			fits := phase == Streaming && i < 3 || phase == Deciding && i >= 3
			if err := call(s); (err == nil) != fits || err != nil && err != ErrNotStreaming {
				t.Errorf("%v, function %d: %v", phase, i, err)
			}
			if !fits && s.Phase() != phase {
				t.Errorf("%v became %v", phase, s.Phase())
			}
		}
		if s := make(); phase != Streaming && s.Read(nil) != 0 {
			t.Errorf("octets to be read in %v", phase)
		}
	}
}

// Input takes as much as there is room for, until somebody reads it.
func TestBackPressure(t *testing.T) {
	config := plain
	config.MaxHeld = 10
	s := New(Config{}).NewStream(config)
	if n := s.Input([]byte("0123456789ab")); n != 10 {
		t.Errorf("%d octets taken of the upper layer's", n)
	}
	if n := s.Input([]byte("ab")); n != 0 {
		t.Errorf("%d more", n)
	}
	var b [4]byte
	if n := s.Read(b[:]); string(b[:n]) != "0123" {
		t.Errorf("%q", b[:n])
	}
	if n := s.Input([]byte("abcdefg")); n != 4 {
		t.Errorf("%d octets taken where 4 have room", n)
	}
	if got := readAll(s); got != "456789abcd" {
		t.Errorf("%q", got)
	}
}

// V-065: FPDUs that come before a QP is attached wait for it, as far as there is room.
func TestWaitsForQP(t *testing.T) {
	config := plain
	config.MaxHeld = 30
	c := newCable(plain, config)
	c.start(t, "")
	c.b.Accept(nil)
	c.run()
	a, b := &cargo{queue: [][]byte{make([]byte, 14), make([]byte, 14)}}, new(cargo)
	c.a.attach(a)
	wire := c.a.AppendTransmit(nil, 1<<16)
	n := c.b.Input(wire)
	if n != 30 {
		t.Errorf("%d octets taken of %d", n, len(wire))
	}
	c.b.InputFIN() // TCP has it after the rest
	c.b.attach(b)
	if len(b.got) != 1 || !b.finished {
		t.Errorf("%d FPDUs, FIN %v", len(b.got), b.finished)
	}
	if c.b.Input(wire[n:]); len(b.got) != 2 {
		t.Errorf("%d FPDUs", len(b.got))
	}
}

// MPA-7.1.2-12 T-17: a Responder is silent until an FPDU has arrived, be its CRC right or wrong.
func TestResponderIsMute(t *testing.T) {
	for _, wrong := range []byte{0, 1} {
		c := newCable(plain, plain)
		a, b := c.establish(t)
		b.queue = [][]byte{make([]byte, 18)}
		if c.run(); len(a.got) > 0 {
			t.Error("the Responder sends first")
		}
		a.queue = [][]byte{make([]byte, 18)}
		wire := c.a.AppendTransmit(nil, 100)
		wire[len(wire)-1] ^= wrong
		c.b.Input(wire[:10])
		if len(c.b.AppendTransmit(nil, 100)) > 0 {
			t.Error("the Responder sends when half an FPDU has come")
		}
		c.b.Input(wire[10:])
		if c.run(); len(a.got) != 1 || b.bad != int(wrong) {
			t.Errorf("%d FPDUs", len(a.got))
		}
	}
}

// MPA-4.5-1 MPA-4.5-2 MPA-4.5-5 MPA-5.1-4: FPDUs fit TCP segments, and as many go out at once as were asked for.
func TestSegmentSize(t *testing.T) {
	for _, markers := range []bool{false, true} {
		for _, emss := range []int{64, 127, 128, 160, 536, 1459, 1460, 8948, 65495} {
			c := newCable(plain, StreamConfig{Rev: mpa.Rev1, Markers: markers})
			a, _ := c.establish(t)
			c.a.SetEMSS(emss)
			for range 40 {
				c.a.AppendTransmit(nil, 0)
				a.queue = append(a.queue, make([]byte, a.mulpdu))
			}
			if want := mpa.MULPDU(emss, markers); a.mulpdu != want {
				t.Errorf("EMSS %d, Markers %v: MULPDU %d, want %d", emss, markers, a.mulpdu, want)
			}
			for i := 0; len(a.queue) > 0; i++ {
				if b := c.a.AppendTransmit(nil, emss); len(b) > max(emss, leastEMSS) {
					t.Errorf("EMSS %d, Markers %v: FPDU of %d octets", emss, markers, len(b))
				}
			}
		}
	}
	c := newCable(plain, plain)
	a, b := c.establish(t)
	for range 10 {
		a.queue = append(a.queue, make([]byte, 94)) // 100 octets each
	}
	c.a.SetEMSS(200)
	if got := c.a.AppendTransmit([]byte("x"), 450); len(got) != 1+300 || got[0] != 'x' {
		t.Errorf("%d octets", len(got))
	}
	if got := c.a.AppendTransmit(nil, 1); len(got) != 100 {
		t.Errorf("%d octets", len(got))
	}
	if c.run(); len(a.queue) > 0 || len(b.got) != 6 {
		t.Errorf("%d FPDUs are left, %d came", len(a.queue), len(b.got))
	}
}

// An MPA frame can go out in pieces.
func TestTransmitPieces(t *testing.T) {
	s := New(Config{}).NewStream(plain)
	s.Write([]byte("hi"))
	s.Connect([]byte("private"))
	var got []byte
	for b := s.AppendTransmit(nil, 5); len(b) > 0; b = s.AppendTransmit(nil, 5) {
		if got = append(got, b...); len(b) > 5 {
			t.Errorf("%d octets at once", len(b))
		}
	}
	want := append([]byte("hi"), frame(func(f *mpa.Frame) { f.PrivateData = []byte("private") })...)
	if !bytes.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A rejecting Reply is a rejection, even without the Enhanced word that it should have.
func TestRejectionThatIsNotEnhanced(t *testing.T) {
	for _, rev := range []uint8{mpa.Rev1, mpa.Rev2} {
		s := New(Config{}).NewStream(enhanced)
		s.Connect(nil)
		s.Input(frame(func(f *mpa.Frame) { f.Reply, f.R, f.Rev, f.PrivateData = true, true, rev, []byte("no") }))
		if r := s.Reply(); s.Phase() != Streaming || s.Err() != nil || !r.R || string(r.ULPPrivateData()) != "no" {
			t.Errorf("revision %d: %v, %v, %+v", rev, s.Phase(), s.Err(), r)
		}
	}
}
